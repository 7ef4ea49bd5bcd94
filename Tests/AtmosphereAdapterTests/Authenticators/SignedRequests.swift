#if OAuth2
    import AtmosphereTesting
    import Testing

    // What the guide “Writing an authenticator” shows, word for word.

    // begin supplied
    import Atmosphere

    /// What the application has already: a token, and a way to a new one.
    protocol Account: Sendable {
        func accessToken() async throws -> String
        /// False where the user has to sign in.
        func renew() async throws -> Bool
    }

    func openTasks(of account: some Account, _ path: String, _ adapters: [Adapter]) async throws -> Synchronizer {
        let authenticator = ClosureAuthenticator {
            .bearer(try await account.accessToken())
        } renew: {
            try await account.renew()
        }
        return try await Synchronizer.open(path, adapters: adapters, authenticator: authenticator)
    }
    // end supplied

    // begin signing
    import Crypto
    import Foundation

    /// Signs each request with a key that both sides know: method, path, time and body under HMAC-SHA-256.
    struct SigningAuthenticator: Authenticator {
        let base: String
        let keyID: String
        /// Looks the key up when it is needed; nil where it is not set.
        let key: @Sendable () -> String?
        var now: @Sendable () -> Date = { Date() }

        func authorize(_ request: inout Request) async throws {
            guard request.url.hasPrefix(base + "/") else { return }  // the key is for one API alone
            guard let key = key() else {
                throw SyncError(code: .signInNeeded, message: "the signing key is not set; set SIGNING_KEY")
            }
            guard case .bytes(let body) = request.body.orEmpty else {
                throw SyncError(code: .signInNeeded, message: "a body that is streamed cannot be signed here")
            }
            let time = String(Int(now().timeIntervalSince1970))
            let digest = SHA256.hash(data: body).map { String(format: "%02x", $0) }.joined()
            let text = [request.method, String(request.url.dropFirst(base.count)), time, digest].joined(separator: "\n")
            let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data(key.utf8)))
            request.headers["X-Time"] = time
            request.headers["X-Signature"] = "\(keyID):\(Data(code).base64EncodedString())"
        }

        /// A signature that is refused stays refused: the key, or this machine's clock, is wrong.
        func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }
    }

    extension RequestBody {
        fileprivate var orEmpty: RequestBody { if case .none = self { .bytes([]) } else { self } }
    }
    // end signing

    // begin adapter
    extension Adapter {
        /// `auth: { kind: hmac, settings: { id: k1, key: "secret:SIGNING_KEY" } }`
        static var hmac: Adapter {
            .authenticator("hmac") { context in
                SigningAuthenticator(base: context.routeFile.base, keyID: try context.text("id") ?? "") {
                    try? context.text("key")  // looked up for each request anew
                }
            }
        }
    }
    // end adapter

    // begin tokens
    import Synchronization

    /// Signs with a token that ends; a new one is fetched when it has ended, or was refused.
    final class TokenAuthenticator: Authenticator {
        private let base: String
        private let keeper: TokenKeeper
        private let renew: TokenKeeper.Renew
        private let used = Mutex<Set<String>>([])

        /// - Parameter renew: fetches a token, with the purpose it is given; `kept` has the refresh token, where there is one.
        init(
            base: String, tokens: any TokenStorage, environment: SyncEnvironment = .live,
            renew: @escaping @Sendable (_ purpose: String, _ kept: SavedTokens?) async throws -> SavedTokens
        ) {
            let purpose = "house \(base)"
            self.base = base
            keeper = TokenKeeper(storage: tokens, purpose: purpose, environment: environment)
            self.renew = { try await renew(purpose, $0) }
        }

        func authorize(_ request: inout Request) async throws {
            guard request.url.hasPrefix(base + "/") else { return }  // the token is for one API alone
            let token = try await keeper.tokens(renew: renew).access
            used.withLock { _ = $0.insert(token) }
            request.headers["X-House-Token"] = token
        }

        func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
            guard let refused = challenge.request.headers["X-House-Token"] else { return .signInAgain }
            _ = try await keeper.tokens(refused: refused, renew: renew)
            return .retry
        }

        /// Some houses give the next token with an answer.
        func receive(_ answer: SignedAnswer) async throws {
            guard let old = answer.request.headers["X-House-Token"] else { return }
            guard let next = answer.headers["X-House-Token"] else { return }
            used.withLock { _ = $0.insert(next) }
            try await keeper.replace(old, by: next)
        }

        var usedSecrets: [Secret] { used.withLock { $0.map { Secret($0) } } }
    }
    // end tokens

    // begin suite
    @Suite("My authenticator") struct MyAuthenticatorTests {
        static let suite = AuthenticatorSuite(
            url: "https://api.example.com/tasks/1", foreignURL: "https://other.example.com/tasks/1",
            situations: [.ready, .ended, .missing]
        ) { situation in
            let key = situation == .missing ? nil : "the-key-itself"
            return .init(
                SigningAuthenticator(base: "https://api.example.com", keyID: "k1", key: { key }),
                secrets: { ["the-key-itself"] })
        }

        @Test(arguments: suite.checks)
        func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
    }
// end suite
#endif
