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
        case .none, .oauth2, .session, .adapter, .asked: break
        case .basic(let username, let password):
            let name = try value(of: username)
            try CredentialCarrier.checkUserName(name)
            let pair = "\(name):\(try value(of: password))"
            CredentialCarrier.basic.put(pair, into: &request, used)
        case .bearer(let name):
            CredentialCarrier.authorization(scheme: "Bearer").put(try value(of: name), into: &request, used)
        case .token(let scheme, let name):
            CredentialCarrier.authorization(scheme: scheme).put(try value(of: name), into: &request, used)
        case .keyInHeader(let header, let name):
            CredentialCarrier.header(header).put(try value(of: name), into: &request, used)
        case .keyInQuery(let parameter, let name):
            CredentialCarrier.query(parameter).put(try value(of: name), into: &request, used)
        }
    }

    /// There is nothing to refresh.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }

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

/// Where a credential that stays as it is stands in a request.
enum CredentialCarrier: Sendable {
    /// RFC 7617; the credential is `USER:PASSWORD`.
    case basic
    /// `Authorization: SCHEME …`.
    case authorization(scheme: String)
    case header(String)
    case query(String)

    /// Where a user name ends, its first colon says (RFC 7617 §2).
    static func checkUserName(_ name: String) throws {
        guard name.utf8.contains(UInt8(ascii: ":")) else { return }
        throw SyncError(
            code: .signInNeeded,
            message: "the user name holds a colon, which Basic cannot send (RFC 7617 §2); correct the secret of "
                + "auth.basic.username")
    }

    /// Adds the credential, and notes each form in which it is sent.
    func put(_ credential: String, into request: inout Request, _ used: UsedSecrets) {
        switch self {
        case .basic:
            if let colon = credential.utf8.firstIndex(of: UInt8(ascii: ":")) {
                used.insert(String(credential[credential.utf8.index(after: colon)...]))
            }
            let encoded = Base64.encode(Array(credential.utf8))
            used.insert(encoded)
            request.headers["Authorization"] = "Basic \(encoded)"
        case .authorization(let scheme):
            let header = "\(scheme) \(credential)"
            used.insert(credential)
            // The scheme before it tells a short secret from a word.
            if credential.utf8.count < Redaction.shortest { used.insert(header) }
            request.headers["Authorization"] = header
        case .header(let name):
            used.insert(credential)
            request.headers[name] = credential
        case .query(let name):
            let encoded = PercentEncoding.query(credential)
            used.insert(credential)
            used.insert(encoded)
            request.url += "\(request.url.contains("?") ? "&" : "?")\(PercentEncoding.query(name))=\(encoded)"
        }
    }

    /// Whether a request was signed with this credential.
    func holds(_ credential: String, _ request: Request) -> Bool {
        switch self {
        case .basic: request.headers["Authorization"] == "Basic \(Base64.encode(Array(credential.utf8)))"
        case .authorization, .header, .query: self.credential(in: request) == credential
        }
    }

    /// What a request was signed with; nil where it was not, and for ``basic``.
    func credential(in request: Request) -> String? {
        switch self {
        case .basic: return nil
        case .authorization(let scheme):
            guard let header = request.headers["Authorization"], header.hasPrefix("\(scheme) ") else { return nil }
            return String(header.dropFirst(scheme.count + 1))
        case .header(let name): return request.headers[name]
        case .query(let name): return RequestTarget(request.url).query.last { $0.name == name }?.value
        }
    }
}
