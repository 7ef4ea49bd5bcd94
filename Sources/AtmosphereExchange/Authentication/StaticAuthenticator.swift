/// Signs with credentials that do not change: basic, bearer, token, a key in a header or in the query.
///
/// The secret is looked up when a request is signed, so that it is in memory no longer than needed and a new value in
/// the secrets file counts at once.
struct StaticAuthenticator: Authenticator {
    let settings: AuthSettings
    let secrets: SecretSource
    private let used = UsedSecrets()

    private let base: String?

    /// - Parameter base: no other origin gets the credentials; nil where the caller sees to that.
    init(settings: AuthSettings, secrets: SecretSource, base: String? = nil) {
        self.settings = settings
        self.secrets = secrets
        self.base = base
    }

    var usedSecrets: [Secret] { used.all }

    func authorize(_ request: inout Request) async throws {
        if let base { try request.checkOrigin(base) }
        switch settings {
        // These have authenticators of their own.
        case .none, .oauth2, .session, .adapter: break
        case .basic(let username, let password):
            let pair = "\(try value(of: username)):\(try value(of: password))"
            let encoded = Base64.encode(Array(pair.utf8))
            used.insert(encoded)
            request.headers["Authorization"] = "Basic \(encoded)"
        case .bearer(let name):
            request.headers["Authorization"] = try shown("Bearer", value(of: name))
        case .token(let scheme, let name):
            request.headers["Authorization"] = try shown(scheme, value(of: name))
        case .keyInHeader(let header, let name):
            request.headers[header] = try value(of: name)
        case .keyInQuery(let parameter, let name):
            let separator = request.url.contains("?") ? "&" : "?"
            let encoded = PercentEncoding.query(try value(of: name))
            used.insert(encoded)
            request.url += "\(separator)\(parameter)=\(encoded)"
        }
    }

    /// There is nothing to refresh.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }

    private func shown(_ scheme: String, _ value: String) -> String {
        let header = "\(scheme) \(value)"
        // The scheme before it tells a short secret from a word.
        if value.utf8.count < Redaction.shortest { used.insert(header) }
        return header
    }

    private func value(of credential: Credential) throws -> String {
        switch credential {
        case .literal(let text): text
        case .secret(let name): try value(of: name)
        }
    }

    private func value(of name: SecretName) throws -> String {
        do {
            let value = try secrets.secret(name).value
            used.insert(value)
            return value
        } catch {
            throw SyncError(code: .signInNeeded, message: "\(error)", cause: error)
        }
    }
}
