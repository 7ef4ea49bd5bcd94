extension Request {
    /// - Throws: ``SyncError`` `signInNeeded` where the request goes to another origin than the credentials are for, and the
    ///   route file does not list it.
    package func checkOrigin(_ base: String) throws {
        guard isOriginDeclared || RequestOrigin(url) == RequestOrigin(base) else {
            throw SyncError(
                code: .signInNeeded,
                message: "\(method) to \(RequestOrigin(url)): the credentials are for \(RequestOrigin(base)) alone; a "
                    + "request to another origin is not signed")
        }
    }

    /// The whole answer to a request that shows credentials.
    package struct SmallReply: Sendable {
        package var status: Int
        package var headers: HeaderFields
        package var body: [UInt8]
    }

    /// Sends a request that shows secrets of which no authenticator knows, and reads the whole answer. Where the body cannot
    /// be read it is empty: the status counts all the same.
    ///
    /// - Parameter redaction: of what the request shows.
    /// - Throws: ``TransportError``, whose message holds nothing of that, and what else the transport throws.
    package func reply(
        over transport: any Transport, _ redaction: Redaction, upTo limit: Int
    ) async throws -> SmallReply {
        do {
            let response = try await transport.send(self)
            try RequestRules.checkProxy(response.status, display: "\(method) \(URLText.display(url))")
            let body = try? await response.body.collect(upTo: limit)
            return SmallReply(status: response.status, headers: response.headers, body: body ?? [])
        } catch var error as TransportError {
            error.message = redaction(error.message)
            throw error
        }
    }

    /// Sends a request that fetches credentials.
    ///
    /// - Parameter what: stands for the request in messages; its URL may hold a secret.
    /// - Throws: ``SyncError`` `unreachable`, or `signInNeeded` where trying again would end alike. The request that waits
    ///   for the credentials has not been sent in any case, and the errors say so.
    package func exchange(over transport: any Transport, _ what: String) async throws -> SmallReply {
        do {
            let response = try await transport.send(self)
            try RequestRules.checkProxy(response.status, display: what)
            return SmallReply(
                status: response.status, headers: response.headers,
                body: try await response.body.collect(upTo: maximumResponseBytes))
        } catch let error as TransportError where error.code == .bodyTooLarge {
            // The limit is not that of the route file.
            throw SyncError(
                code: .signInNeeded,
                message: "\(what): the answer is larger than \(maximumResponseBytes >> 10) KiB, and no answer that "
                    + "gives credentials is; check the URL under “auth”, or ask for less with it (“scopes”)",
                cause: TransportError(code: error.code, message: error.code.description, mayHaveArrived: false))
        } catch let error as TransportError {
            let cause = TransportError(code: error.code, message: error.code.description, mayHaveArrived: false)
            // The transport's own words name the URL without its query.
            let message = error.message.hasPrefix("\(what):") ? error.message : "\(what): \(error.message)"
            throw SyncError(code: error.isFinal ? .signInNeeded : .unreachable, message: message, cause: cause)
        }
    }
}

extension Request.SmallReply {
    /// What the server says of its refusal, in the members that most APIs use; nil where it says nothing that can be
    /// shown. Never more than 200 characters, on one line, without the secrets.
    package func message(_ redaction: Redaction) -> String? {
        guard let members = try? Value(json: body, limits: JSONLimits(depth: 16, bytes: 64 << 10)).members else {
            return nil
        }
        for name in ["error_description", "detail", "message", "error", "title"] {
            guard let text = members[name]?.string, !text.isEmpty else { continue }
            return redaction.line(text)
        }
        return nil
    }
}
