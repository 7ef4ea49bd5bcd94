/// Signs in by a request that answers with a token, and sends that with each request (`auth.session`).
///
/// The token is kept between two runs. After a 401 there is one new login; where the server refuses that, or what it
/// gave, everything waits for a person.
package final class SessionAuthenticator: SignInAuthenticator {
    private let settings: SessionSettings
    private let renewed: SessionSettings.Source?
    private let base: String
    private let secrets: SecretSource
    private let transport: any Transport
    private let environment: SyncEnvironment
    private let timeout: Duration
    private let keeper: TokenKeeper
    private let used = UsedSecrets()

    /// An authenticator that logs in when the first request is signed and no token is kept.
    ///
    /// - Parameters:
    ///   - base: the URL that the login's path is under; no other origin ever gets the token.
    ///   - renewed: where an answer has the next token; nil where none has one.
    ///   - timeout: for the login.
    package init(
        settings: SessionSettings, base: String, secrets: SecretSource, transport: any Transport,
        storage: any TokenStorage, renewed: SessionSettings.Source? = nil, timeout: Duration = .seconds(60),
        environment: SyncEnvironment = .live
    ) {
        self.settings = settings
        self.renewed = renewed
        self.base = base
        self.secrets = secrets
        self.transport = transport
        self.environment = environment
        self.timeout = timeout
        keeper = TokenKeeper(
            storage: storage, purpose: "session \(base) \(settings.path)", environment: environment)
    }

    /// The tokens and the login's secrets that were used since this was made.
    package var usedSecrets: [Secret] { used.all }

    /// Adds the session's token, after a login where none is kept or its time is over.
    ///
    /// - Throws: ``SyncError``: `signInNeeded` where the login is refused or gives no token, and for a request to another
    ///   origin, which is never signed; `unreachable` where the login has no answer, or one that says later.
    package func authorize(_ request: inout Request) async throws {
        try request.checkOrigin(base)
        let tokens = try await keeper.tokens { _ in try await self.logIn() }
        sign(&request, tokens.access)
    }

    /// Logs in once where the refused token is still the one that is kept, and asks for the request to be sent again.
    ///
    /// - Throws: as ``authorize(_:)``.
    package func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
        guard let refused = sent(challenge.request) else { return .signInAgain }
        _ = try await keeper.tokens(refused: refused) { _ in try await self.logIn() }
        return .retry
    }

    /// Keeps the next token, where the answer has one.
    ///
    /// - Throws: as ``TokenKeeper/replace(_:by:lifetime:)``.
    package func receive(_ answer: SignedAnswer) async throws {
        guard let old = sent(answer.request), let next = next(in: answer) else { return }
        used.insert(next)
        try await keeper.replace(old, by: next, lifetime: settings.lifetime)
    }

    private func next(in answer: SignedAnswer) -> String? {
        renewed?.token(in: answer, at: environment.now()).flatMap { isUsable($0) ? $0 : nil }
    }

    // MARK: Signing in

    /// Logs in with the declared fields; there is nothing for a person to do, so `show` is not called.
    package func signIn(
        _ show: @escaping @Sendable (SignInStep) async throws -> Void
    ) async throws -> SignInState {
        SignInState(try await keeper.replace { _ in try await self.logIn() }, canRenew: true)
    }

    /// Sends the declared `logout`, where there is one, and forgets the token. An answer of 401, 403 or 404 says that
    /// the session has ended already.
    package func signOut() async throws -> String? {
        let left = await keeper.leftover()
        var problem = left.problem
        if let logout = settings.logout, let tokens = left.tokens {
            var request = Request(method: logout.method, url: "\(base)/\(logout.path)", mayRepeat: false)
            request.timeout = timeout
            request.followsRedirects = false
            sign(&request, tokens.access)
            do {
                let status = try await transport.send(request).status
                if status >= 400, ![401, 403, 404].contains(status) {
                    problem = "\(logout.method) \(logout.path) answered \(status)"
                }
            } catch {
                problem = (error as? TransportError)?.message ?? "\(logout.method) \(logout.path): \(error)"
            }
        }
        try await keeper.remove()
        return problem
    }

    /// Whether a token is kept; asks no server. A new login needs no person.
    package func signInState() async throws -> SignInState {
        guard let tokens = try await keeper.kept() else { return SignInState(isSignedIn: false, canRenew: true) }
        return SignInState(tokens, canRenew: true)
    }

    // MARK: Requests

    private func logIn() async throws -> SavedTokens {
        let request = try loginRequest()
        let what = "\(request.method) \(base)/\(settings.path)"
        let reply = try await request.exchange(over: transport, what)
        guard (200..<300).contains(reply.status) else { throw refusal(reply, what) }
        guard let token = settings.token.token(in: reply.headers, reply.body, at: environment.now()), isUsable(token)
        else {
            throw SyncError(
                code: .signInNeeded,
                message: "\(what) answered \(reply.status) without a usable token in \(place); check "
                    + "“auth.session.token”"
                    + (reply.status == 200 ? ", or whether the server takes the credentials" : ""),
                failure: .init(status: reply.status, message: ""))
        }
        used.insert(token)
        var tokens = SavedTokens(
            purpose: "session \(base) \(settings.path)", access: token, obtained: environment.now())
        tokens.expires = settings.lifetime.map { tokens.obtained.advanced(by: $0) }
        return tokens
    }

    private func loginRequest() throws -> Request {
        var fields: [(name: String, value: String)] = []
        for field in settings.fields { fields.append((field.name, try value(of: field.value))) }
        var request = Request(method: settings.method, url: "\(base)/\(settings.path)", mayRepeat: false)
        request.timeout = timeout
        request.maximumResponseBytes = 1 << 20
        request.followsRedirects = false
        request.headers["Accept"] = "application/json"
        switch settings.coding {
        case .json:
            var members = Value.object(
                Value.Members(fields.map { Value.Member(name: $0.name, value: .string($0.value)) }))
            if let root = settings.root { members = [root: members] }
            request.headers["Content-Type"] = "application/json"
            request.body = .bytes(members.json())
        case .form, .query:
            let pairs = fields.map { field in
                let name = settings.root.map { "\($0)[\(field.name)]" } ?? field.name
                return "\(PercentEncoding.query(name))=\(PercentEncoding.query(field.value))"
            }.joined(separator: "&")
            if settings.coding == .query {
                request.url += "?\(pairs)"
            } else {
                request.headers["Content-Type"] = "application/x-www-form-urlencoded"
                request.body = .bytes(Array(pairs.utf8))
            }
        }
        return request
    }

    private func value(of credential: Credential) throws -> String {
        switch credential {
        case .literal(let text): return text
        case .secret(let name):
            do {
                let value = try secrets.secret(name).value
                used.insert(lasting: value)
                used.insert(lasting: PercentEncoding.query(value))
                return value
            } catch {
                throw SyncError(code: .signInNeeded, message: "\(error)", cause: error)
            }
        }
    }

    /// Nothing that could end a header, or begin another cookie (RFC 6265 §4.2.1).
    private func isUsable(_ token: String) -> Bool {
        var isInCookie = false
        if case .cookie = settings.send { isInCookie = true }
        return (1...16 << 10).contains(token.utf8.count)
            && token.utf8.allSatisfy { (0x20...0x7E).contains($0) && !(isInCookie && $0 == UInt8(ascii: ";")) }
    }

    private var place: String {
        switch settings.token {
        case .header(let name): "the header \(name)"
        case .cookie(let name): "the cookie \(name)"
        case .body(let path): "\(path)"
        }
    }

    private func refusal(_ reply: Request.SmallReply, _ what: String) -> SyncError {
        if (300..<400).contains(reply.status) {
            return SyncError(
                code: .signInNeeded,
                message: "\(what) answered with a redirect, which is not followed: credentials go nowhere else; write "
                    + "the path that answers into “auth.session”")
        }
        let isLater = reply.status == 429 || reply.status >= 500
        let said = reply.message(Redaction(used.all)).map { ": \($0)" } ?? ""
        return SyncError(
            code: isLater ? .unreachable : .signInNeeded,
            message: "\(what) answered \(reply.status)\(said)"
                + (isLater ? "; try again later" : "; check the secrets that “auth.session.fields” names"),
            failure: isLater ? nil : .init(status: reply.status, message: said))
    }

    // MARK: The token

    private func sign(_ request: inout Request, _ token: String) {
        used.insert(token)
        switch settings.send {
        case .header(let name, let scheme):
            request.headers[name] = scheme.map { "\($0) \(token)" } ?? token
        case .cookie(let name):
            let others = request.headers["Cookie"].map { "\($0); " } ?? ""
            request.headers["Cookie"] = "\(others)\(name)=\(token)"
        case .query(let name):
            let encoded = PercentEncoding.query(token)
            used.insert(encoded)
            request.url += "\(request.url.contains("?") ? "&" : "?")\(PercentEncoding.query(name))=\(encoded)"
        }
    }

    /// The token that a request was signed with.
    private func sent(_ request: Request) -> String? {
        switch settings.send {
        case .header(let name, let scheme):
            return request.headers[name].map { String($0.dropFirst(scheme.map { $0.count + 1 } ?? 0)) }
        case .cookie(let name):
            return request.headers["Cookie"]?.split(separator: ";").map { $0.drop { $0 == " " } }
                .last { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        case .query(let name):
            return RequestTarget(request.url).query.last { $0.name == name }?.value
        }
    }
}

extension SessionSettings.Source {
    /// What an answer has there; nil where it has nothing, or a body of more than 1 MiB.
    func token(in headers: HeaderFields, _ body: [UInt8], at now: Timestamp) -> String? {
        switch self {
        case .header(let name): return headers[name]
        case .cookie(let name):
            // The last cookie of a name counts.
            let cookie = headers.values(of: "Set-Cookie").compactMap { SetCookie($0) }.last { $0.name == name }
            return cookie.flatMap { $0.isOver(at: now) ? nil : $0.value }
        case .body(let path):
            guard let body = try? Value(json: body, limits: JSONLimits(depth: 32, bytes: 1 << 20)),
                let value = path.first(in: body), value.string != nil || value.number != nil
            else { return nil }
            return value.text
        }
    }

    /// The next token; nil where the answer has none. A refusal of the present one brings none: it may end the session.
    func token(in answer: SignedAnswer, at now: Timestamp) -> String? {
        answer.status == 401 ? nil : token(in: answer.headers, answer.body ?? [], at: now)
    }
}
