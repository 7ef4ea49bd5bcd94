import Synchronization

/// Signs with credentials that do not change: basic, bearer, token, a key in a header or in the query.
///
/// The secret is looked up when a request is signed, so that it is in memory no longer than needed and a new value in
/// the secrets file counts at once.
struct StaticAuthenticator: Authenticator {
    let settings: AuthSettings
    let secrets: SecretSource
    private let used = UsedSecrets()

    init(settings: AuthSettings, secrets: SecretSource) {
        self.settings = settings
        self.secrets = secrets
    }

    var usedSecrets: [Secret] { used.all }

    func authorize(_ request: inout Request) async throws {
        switch settings {
        case .none: break
        case .basic(let username, let password):
            let pair = "\(try value(of: username)):\(try value(of: password))"
            let encoded = Base64.encode(Array(pair.utf8))
            used.insert(encoded)
            request.headers["Authorization"] = "Basic \(encoded)"
        case .bearer(let name):
            request.headers["Authorization"] = "Bearer \(try value(of: name))"
        case .token(let scheme, let name):
            request.headers["Authorization"] = "\(scheme) \(try value(of: name))"
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

/// The secrets that an authenticator has signed with.
private final class UsedSecrets: Sendable {
    private let texts = Mutex<Set<String>>([])

    var all: [Secret] { texts.withLock { $0.map { Secret($0) } } }

    func insert(_ text: String) {
        if !text.isEmpty { texts.withLock { _ = $0.insert(text) } }
    }
}

/// Base64 with padding (RFC 4648 §4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for byte in group { word = word << 8 | UInt32(byte) }
            word <<= UInt32(3 - group.count) * 8
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(word >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
