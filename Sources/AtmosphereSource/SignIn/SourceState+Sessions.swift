internal import Atmosphere

extension SourceState {
    /// The answer to a login or logout; nil for any other request.
    mutating func sessionAnswer(_ request: SourceRequest) -> SourceAnswer? {
        guard case .session(let session) = api.auth else { return nil }
        if let logout = session.logout, request.method == logout.method, request.path == path(logout.path),
            let token = sessionToken(request, session)
        {
            grants.sessions.remove(token)
            return SourceAnswer(204)
        }
        guard request.method == session.method, request.path == path(session.path) else { return nil }
        let isRight = session.fields.allSatisfy { field in
            let expected: String? =
                switch field.value {
                case .literal(let text): text
                case .secret(let name): rules.secrets[name.name]
                }
            return expected != nil && sent(field.name, in: request, session) == expected
        }
        guard isRight else {
            return words(.general(status: 401, "Unable to log in with the provided credentials."))
        }
        let token = newToken()
        grants.sessions.insert(token)
        switch session.token {
        case .body(let path): return SourceAnswer(200, Value.object([:]).setting(.string(token), at: path))
        case .header(let name): return SourceAnswer(204, headers: [name: token])
        case .cookie(let name):
            return SourceAnswer(204, headers: ["Set-Cookie": "\(name)=\(token); Path=/; HttpOnly; SameSite=Lax"])
        }
    }

    /// Whether a request shows the token of a session that goes on.
    func isInSession(_ request: SourceRequest, _ session: SessionSettings) -> Bool {
        sessionToken(request, session).map(grants.sessions.contains) ?? false
    }

    /// Whether a request has something at the place of the session's token, right or wrong.
    func showsSession(_ request: SourceRequest, _ session: SessionSettings) -> Bool {
        if case .header(let name, _) = session.send { return request.headers[name] != nil }
        return sessionToken(request, session) != nil
    }

    private func path(_ path: String) -> String { "\(api.basePath)/\(path)" }

    private func sent(_ name: String, in request: SourceRequest, _ session: SessionSettings) -> String? {
        let written = session.root.map { "\($0)[\(name)]" } ?? name
        switch session.coding {
        case .query: return request.query(written)
        case .form: return request.form.query(written)
        case .json:
            let body = try? Value(json: request.body)
            let members = session.root.map { body?.members?[$0] } ?? body
            return members?.members?[name]?.scalarText
        }
    }

    private func sessionToken(_ request: SourceRequest, _ session: SessionSettings) -> String? {
        switch session.send {
        case .header(let name, let scheme):
            guard let value = request.headers[name] else { return nil }
            guard let scheme else { return value }
            return value.hasPrefix("\(scheme) ") ? String(value.dropFirst(scheme.count + 1)) : nil
        case .query(let name): return request.query(name)
        case .cookie(let name):
            let pairs = request.headers["Cookie"]?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
            return pairs.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        }
    }
}
