#if OAuth2
    internal import AtmosphereExchange

    /// Sends forms to the authorization server, and reads its refusals.
    struct TokenEndpoint: Sendable {
        let settings: OAuth2Settings
        let secrets: SecretSource
        let transport: any Transport
        let timeout: Duration
        let used = UsedSecrets()

        /// The longest answer that is read.
        static let limit = 64 << 10

        /// The server, for messages: `login.example.com`.
        var name: String { RequestOrigin(settings.token).host }

        /// The scopes that are asked for, as a parameter (RFC 6749 §3.3).
        var scope: [(String, String)] {
            settings.scopes.isEmpty ? [] : [("scope", settings.scopes.joined(separator: " "))]
        }

        /// What an answer's body holds; `endpoint` is its name below `auth.oauth2` in the route file.
        ///
        /// - Throws: ``SyncError`` `signInNeeded`, which never quotes the answer.
        static func members(_ body: [UInt8], _ endpoint: String, _ server: String) throws -> Value.Members {
            guard let members = try? Value(json: body, limits: JSONLimits(depth: 16, bytes: limit)).members else {
                throw unusable(endpoint, server, "it is not a JSON object of at most \(limit >> 10) KiB")
            }
            return members
        }

        static func unusable(_ endpoint: String, _ server: String, _ reason: String) -> SyncError {
            SyncError(
                code: .signInNeeded,
                message: "the answer of the \(endpoint) endpoint at \(server) cannot be used: \(reason); check "
                    + "“auth.oauth2.\(endpoint)”")
        }

        /// A form (RFC 6749 appendix B) with the client's authentication. It is sent once, and no redirect is followed.
        ///
        /// - Throws: ``SyncError`` `signInNeeded` for a missing secret or a redirect, `unreachable`.
        func send(_ url: String, _ form: [(String, String)]) async throws -> Request.SmallReply {
            var form = form
            var request = Request(method: "POST", url: url, mayRepeat: false)
            request.followsRedirects = false
            request.timeout = timeout
            request.maximumResponseBytes = Self.limit
            request.headers["Accept"] = "application/json"
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            let id = try clientID()
            if let name = settings.client.secret {
                let secret = try value(of: name)
                switch settings.client.authentication {
                case .basic:
                    // Both parts are coded as in a form before they are joined (RFC 6749 §2.3.1).
                    let pair = "\(PercentEncoding.query(id)):\(PercentEncoding.query(secret))"
                    let encoded = Base64.encode(Array(pair.utf8))
                    used.insert(encoded)
                    request.headers["Authorization"] = "Basic \(encoded)"
                case .body: form += [("client_id", id), ("client_secret", secret)]
                }
            } else {
                form.append(("client_id", id))
            }
            request.body = .bytes(Array(Self.encode(form).utf8))
            let what = "POST \(url.prefix { $0 != "?" })"
            let reply = try await request.exchange(over: transport, what)
            guard !(300..<400).contains(reply.status) else {
                throw SyncError(
                    code: .signInNeeded,
                    message: "\(what) answered with a redirect, which is not followed: secrets go to the declared "
                        + "endpoint alone; write the right URL into “auth.oauth2”")
            }
            return reply
        }

        func clientID() throws -> String {
            switch settings.client.id {
            case .literal(let text): text
            case .secret(let name): try value(of: name)
            }
        }

        func value(of name: SecretName) throws -> String {
            do {
                let value = try secrets.secret(name).value
                used.insert(lasting: value)
                used.insert(lasting: PercentEncoding.query(value))
                return value
            } catch {
                throw SyncError(code: .signInNeeded, message: "\(error)", cause: error)
            }
        }

        static func encode(_ form: [(String, String)]) -> String {
            form.map { "\(PercentEncoding.query($0.0))=\(PercentEncoding.query($0.1))" }.joined(separator: "&")
        }

        /// Whether a reply is what was asked for. Some servers, such as GitHub's, answer errors with 200 as well: a body that
        /// tells an error and lacks the member which says otherwise is none.
        func isAnswer(_ reply: Request.SmallReply, with member: String) -> Bool {
            guard (200..<300).contains(reply.status) else { return false }
            let members = try? Value(json: reply.body, limits: JSONLimits(depth: 16, bytes: Self.limit)).members
            return members?[member] != nil || errorCode(reply) == nil
        }

        /// The code of an error answer (RFC 6749 §5.2); nil where there is none that can be read.
        func errorCode(_ reply: Request.SmallReply) -> String? {
            let limits = JSONLimits(depth: 16, bytes: Self.limit)
            let text = (try? Value(json: reply.body, limits: limits))?.members?["error"]?.string
            return text.flatMap { TokenAnswer.isPrintable($0, limit: 100) ? $0 : nil }
        }

        /// What an error answer means for a person.
        func refusal(_ reply: Request.SmallReply, _ url: String) -> SyncError {
            let code = errorCode(reply)
            let redaction = Redaction(used.all)
            let said = reply.message(redaction).map { ": \($0)" } ?? ""
            let word = code.map { " \(redaction($0))" } ?? ""
            let what = "\(RequestOrigin(url).host) answered \(reply.status)\(word)\(said)"
            if reply.status == 429 || reply.status >= 500 || code == "temporarily_unavailable" {
                return SyncError(code: .unreachable, message: "\(what); try again later")
            }
            let remedy =
                switch code {
                case "invalid_grant", "bad_refresh_token", "bad_verification_code":
                    settings.grant == .refreshToken
                        ? "the refresh token is not accepted any more: get a new one and set it as "
                            + "\(settings.refresh?.description ?? "the secret")"
                        : "the sign-in is not accepted any more: sign in again (atmos login)"
                case "invalid_client", "unauthorized_client", "incorrect_client_credentials":
                    "check “auth.oauth2.client”: the id, the secret, and whether the client may use the grant "
                        + settings.grant.rawValue
                case "invalid_scope": "check “auth.oauth2.scopes”"
                case "unsupported_grant_type": "the server does not offer the grant \(settings.grant.rawValue)"
                case "access_denied": "the permission was refused"
                default: "check the URLs in “auth.oauth2”, and sign in again (atmos login)"
                }
            return SyncError(code: .signInNeeded, message: "\(what); \(remedy)")
        }
    }
#endif
