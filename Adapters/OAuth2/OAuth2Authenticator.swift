#if OAuth2
    public import AtmosphereExchange
    internal import Synchronization

    /// Signs requests with access tokens of OAuth 2.0 (RFC 6749, RFC 6750), and renews them.
    ///
    /// It follows RFC 9700: codes with PKCE only, an exact redirect URI, no access token in a URL, refresh tokens that
    /// rotate. A new refresh token is on the disk before the access token that came with it is used. One process renews at
    /// a time, and a process that waited for another takes what that one saved. The one thing that cannot be repaired is the
    /// loss of an answer that brought a new refresh token, on its way or because the process ends before the save: then
    /// somebody has to sign in again.
    ///
    /// Tokens go to the origin of the base alone, the client's secret and refresh tokens to the declared endpoints alone;
    /// redirects of those are not followed.
    public final class OAuth2Authenticator: SignInAuthenticator {
        let settings: OAuth2Settings
        let environment: SyncEnvironment
        let endpoint: TokenEndpoint
        let keeper: TokenKeeper
        let receiver: any RedirectReceiver
        let signInTimeout: Duration
        let randomBytes: @Sendable (Int) -> [UInt8]
        let purpose: String
        private let base: String
        /// The access token that is known to come from the refresh token in force.
        private let known = Mutex<String?>(nil)

        /// An authenticator for one API and one client; asks no server yet.
        ///
        /// - Parameters:
        ///   - base: the URL that requests for records go to.
        ///   - transport: for requests to the endpoints.
        ///   - timeout: of one request to an endpoint.
        ///   - signInTimeout: how long a person may take in the browser; five minutes by default.
        ///   - receiver: gets what the browser brings; the loopback address of this machine by default.
        ///   - randomBytes: must not be guessable (RFC 7636 §7.1).
        package init(
            settings: OAuth2Settings, base: String, secrets: SecretSource, transport: any Transport,
            storage: any TokenStorage, timeout: Duration = .seconds(60), signInTimeout: Duration = .seconds(300),
            environment: SyncEnvironment = .live, receiver: (any RedirectReceiver)? = nil,
            randomBytes: @escaping @Sendable (Int) -> [UInt8] = OAuth2Authenticator.systemRandomBytes
        ) {
            self.settings = settings
            self.base = base
            self.environment = environment
            self.receiver = receiver ?? LoopbackReceiver(at: settings.redirect)
            self.signInTimeout = signInTimeout
            self.randomBytes = randomBytes
            purpose = "oauth2 \(RequestOrigin(base)) \(settings.token) \(settings.client.id.name)"
            endpoint = TokenEndpoint(
                settings: settings, secrets: secrets, transport: transport, timeout: timeout)
            keeper = TokenKeeper(storage: storage, purpose: purpose, environment: environment)
        }

        /// The system's generator, which is fit for secrets.
        @Sendable public static func systemRandomBytes(_ count: Int) -> [UInt8] {
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }

        /// The tokens and client secrets that were used since this was made.
        public var usedSecrets: [Secret] { endpoint.used.all }

        /// `Authorization: Bearer …` (RFC 6750 §2.1).
        public func authorize(_ request: inout Request) async throws {
            try request.checkOrigin(base)
            var tokens = try await keeper.tokens { try await self.renew($0) }
            if isOfAnotherSecret(tokens) {
                // However long the old one is good for: whoever put another secret there wants to be somebody else.
                tokens = try await keeper.tokens(refused: tokens.access) { try await self.renew($0) }
            }
            known.withLock { [access = tokens.access] in $0 = access }
            endpoint.used.insert(tokens.access)
            request.headers["Authorization"] = "Bearer \(tokens.access)"
        }

        /// Renews the token once for all requests that the server refused with the old one (RFC 6749 §6), and asks for
        /// the request to be sent again; a request without a bearer token needs a person.
        ///
        /// - Throws: ``SyncError`` `signInNeeded` where there is no new token without a person, `unreachable`.
        public func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
            guard let sent = challenge.request.headers["Authorization"], sent.hasPrefix("Bearer ") else {
                return .signInAgain
            }
            let refused = String(sent.dropFirst("Bearer ".count))
            _ = try await keeper.tokens(refused: refused) { try await self.renew($0) }
            return .retry
        }

        /// What is kept, without asking the server: signed in is who has a token that is still good or can be renewed.
        public func signInState() async throws -> SignInState {
            guard let kept = try await keeper.kept() else {
                return SignInState(isSignedIn: false, canRenew: !settings.grant.needsPerson)
            }
            let canRenew = kept.refresh != nil || !settings.grant.needsPerson
            var state = SignInState(kept, canRenew: canRenew)
            state.isSignedIn = canRenew || kept.isGood(at: environment.now())
            return state
        }

        /// Gives back the refresh token, or else the access token (RFC 7009), where `revoke` is declared.
        public func signOut() async throws -> String? {
            let left = await keeper.leftover()
            var problem = left.problem
            if let url = settings.revoke, let kept = left.tokens {
                let (token, hint) = kept.refresh.map { ($0, "refresh_token") } ?? (kept.access, "access_token")
                endpoint.used.insert(token)
                do {
                    let reply = try await endpoint.send(url, [("token", token), ("token_type_hint", hint)])
                    if !(200..<300).contains(reply.status) { problem = endpoint.refusal(reply, url).message }
                } catch {
                    problem = (error as? SyncError)?.message ?? "POST \(url): \(error)"
                }
            }
            try await keeper.remove()
            return problem
        }

        /// Whether the tokens began with another refresh token than the one that is declared.
        private func isOfAnotherSecret(_ tokens: SavedTokens) -> Bool {
            guard settings.grant == .refreshToken, known.withLock({ $0 }) != tokens.access, let kept = tokens.origin,
                let name = settings.refresh, let first = try? endpoint.value(of: name)
            else { return false }
            return kept != Self.origin(first)
        }

        private static func origin(_ refresh: String) -> String {
            Base64URL.encode(SHA256Digest.bytes(of: "atmosphere \(refresh)"))
        }

        // MARK: Renewal

        /// New tokens without a person.
        func renew(_ kept: SavedTokens?) async throws -> SavedTokens {
            switch settings.grant {
            case .clientCredentials:
                return try await request(
                    [("grant_type", "client_credentials")] + endpoint.scope
                        + settings.parameters.map { ($0.name, $0.value) })
            case .refreshToken:
                guard let name = settings.refresh else { throw notSignedIn }
                let first = try endpoint.value(of: name)
                let origin = Self.origin(first)
                // Another secret than the kept tokens began with was put there to begin anew.
                let isSame = kept?.origin == origin
                let refresh = (isSame ? kept?.refresh : nil) ?? first
                var tokens = try await exchange(refresh)
                tokens.origin = origin
                return tokens
            case .authorizationCode, .deviceCode:
                guard let kept else { throw notSignedIn }
                guard let refresh = kept.refresh else {
                    throw SyncError(
                        code: .signInNeeded,
                        message: "the sign-in at \(endpoint.name) has ended, and the server gave no refresh token to "
                            + "renew it with; sign in again (atmos login)")
                }
                return try await exchange(refresh)
            }
        }

        /// A refresh (RFC 6749 §6). The server may keep the refresh token or replace it (RFC 9700 §4.14.2).
        private func exchange(_ refresh: String) async throws -> SavedTokens {
            endpoint.used.insert(refresh)
            var tokens = try await request([("grant_type", "refresh_token"), ("refresh_token", refresh)])
            tokens.refresh = tokens.refresh ?? refresh
            return tokens
        }

        /// Asks the token endpoint.
        func request(_ form: [(String, String)]) async throws -> SavedTokens {
            let reply = try await endpoint.send(settings.token, form)
            guard endpoint.isAnswer(reply, with: "access_token") else {
                throw endpoint.refusal(reply, settings.token)
            }
            return try tokens(in: reply)
        }

        func tokens(in reply: Request.SmallReply) throws -> SavedTokens {
            let answer = try TokenAnswer(reply.body, from: endpoint.name)
            endpoint.used.insert(answer.access)
            if let refresh = answer.refresh { endpoint.used.insert(refresh) }
            var tokens = SavedTokens(purpose: purpose, access: answer.access, obtained: environment.now())
            tokens.expires = answer.lifetime.map { tokens.obtained.advanced(by: $0) }
            tokens.refresh = answer.refresh
            tokens.scope = answer.scope
            return tokens
        }

        private var notSignedIn: SyncError {
            SyncError(
                code: .signInNeeded, message: "nobody is signed in at \(endpoint.name); run atmos login, or sign in")
        }
    }

    extension OAuth2Settings.Grant {
        /// Only a person can begin it.
        var needsPerson: Bool { self == .authorizationCode || self == .deviceCode }
    }

    extension Credential {
        /// What the route file says, which is never a secret's value.
        fileprivate var name: String {
            switch self {
            case .literal(let text): text
            case .secret(let name): name.description
            }
        }
    }

    /// Base64 for URLs, without padding (RFC 4648 §5, RFC 7636 appendix A).
    enum Base64URL {
        static func encode(_ bytes: [UInt8]) -> String {
            String(
                Base64.encode(bytes).compactMap { character -> Character? in
                    switch character {
                    case "+": "-"
                    case "/": "_"
                    case "=": nil
                    default: character
                    }
                })
        }
    }
#endif
