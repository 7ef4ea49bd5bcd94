#if Notifications
    internal import AtmosphereExchange

    /// Takes signed JSON Web Tokens (RFC 7519): `sub` is the user, `rooms` the rooms that may be joined, `exp` the end.
    ///
    /// The algorithm belongs to the key, not to the token: a token that names another one is refused.
    public struct TokenAuthorizer: ClientAuthorizer {
        /// A key that tokens are signed with.
        public enum Key: Sendable {
            /// At least 32 bytes.
            case hs256(secret: String)
            /// A public key in PEM.
            case es256(pem: String)
            /// A public key in PEM, for RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
            case rs256(pem: String)
        }

        /// A key that cannot be used, or that alone says too little of whom tokens are for.
        public struct Failure: Error, Sendable, CustomStringConvertible {
            public let description: String
        }

        private let keys: [TokenKey]
        private let audience: String?
        private let issuer: String?
        private let scope: String?
        private let wallClock: @Sendable () -> Double

        /// Takes tokens that one of the keys has signed.
        ///
        /// A public key needs an audience or an issuer: the issuer of tokens signs those for other services with the same
        /// key. An issuer alone is enough only where its tokens have no `aud`: those that have one are for services that
        /// know themselves in it (RFC 7519 §4.1.3), and are refused without an audience.
        ///
        /// - Parameters:
        ///   - keys: any of which may have signed, so that keys can be exchanged.
        ///   - audience: what `aud` must have; where it is not given, tokens with an `aud` are refused.
        ///   - issuer: what `iss` must be, where it is given.
        ///   - scope: a word that `scope` must have, where it is given.
        /// - Throws: ``Failure`` for a key that cannot be read, and for a public key without an audience or an issuer.
        public init(_ keys: [Key], audience: String? = nil, issuer: String? = nil, scope: String? = nil) throws(Failure)
        {
            try self.init(keys, audience: audience, issuer: issuer, scope: scope, wallClock: { WallClock.now() })
        }

        init(
            _ keys: [Key], audience: String? = nil, issuer: String? = nil, scope: String? = nil,
            wallClock: @escaping @Sendable () -> Double
        ) throws(Failure) {
            self.keys = try keys.map { key throws(Failure) in try TokenKey(key) }
            guard audience != nil || issuer != nil || !self.keys.contains(where: \.isPublic) else {
                throw Failure(
                    description: "a public key alone takes every token of its issuer, also those for other services; "
                        + "name the audience that tokens must have, or the issuer")
            }
            self.audience = audience
            self.issuer = issuer
            self.scope = scope
            self.wallClock = wallClock
        }

        /// Who the token names; nil where the token cannot be read, no key of its algorithm has signed it, it has no `exp`
        /// or its time is over or has not come, `aud`, `iss` or `scope` lacks what was asked for, `aud` is there and no
        /// audience was asked for, `crit` is there, `typ` is another one than `JWT` or `at+jwt`, the user is empty, longer
        /// than 256 bytes or has characters that nobody sees or that could not be read, or the token is longer than 16,384
        /// bytes.
        public func identity(of token: String) async -> ClientIdentity? {
            let found = proven(token)
            return found.flatMap { ClientIdentity.problem(ofUser: $0.user) == nil ? $0 : nil }
        }

        /// Who the token names; nil as from ``identity(of:)``.
        ///
        /// - Throws: ``CredentialsRefused`` where all but the user of the token is right.
        public func identity(of token: String, from address: String) async throws -> ClientIdentity? {
            let found = proven(token)
            if let problem = found.flatMap({ ClientIdentity.problem(ofUser: $0.user) }) {
                throw CredentialsRefused(reason: "the user of auth.token (sub) \(problem)")
            }
            return found
        }

        private func proven(_ token: String) -> ClientIdentity? {
            // Claims are read from those only whose signature is right.
            guard let token = SignedToken(token), mayBeRead(token.header), hasValidSignature(token),
                let claims = token.claims()
            else { return nil }
            return identity(claims)
        }

        private func mayBeRead(_ header: Value.Members) -> Bool {
            // What a token calls critical has to be understood (RFC 7515 §4.1.11), and nothing beyond the basics is.
            guard header["crit"] == nil else { return false }
            guard let type = header["typ"] else { return true }
            // Tokens of other kinds that the same key signs, as those for a logout, say nothing of a client (RFC 8725
            // §3.11); at+jwt is RFC 9068.
            guard let name = type.string?.lowercased() else { return false }
            return ["jwt", "at+jwt", "application/jwt", "application/at+jwt"].contains(name)
        }

        private func hasValidSignature(_ token: SignedToken) -> Bool {
            guard let algorithm = token.header["alg"]?.string else { return false }
            return keys.contains { $0.algorithm == algorithm && $0.hasSigned(token) }
        }

        private func identity(_ claims: Value.Members) -> ClientIdentity? {
            let now = wallClock()
            guard let expiry = claims["exp"]?.number?.double, now < expiry else { return nil }
            if let start = claims["nbf"] {
                guard let start = start.number?.double, start <= now else { return nil }
            }
            guard isForUs(claims["aud"]) else { return nil }
            if let issuer { guard claims["iss"] == .string(issuer) else { return nil } }
            if let scope {
                let words = claims["scope"]?.string?.utf8.split(separator: UInt8(ascii: " ")) ?? []
                guard words.contains(where: { $0.elementsEqual(scope.utf8) }) else { return nil }
            }
            guard let user = claims["sub"]?.string else { return nil }
            guard let rooms = texts(claims["rooms"] ?? []) else { return nil }
            return ClientIdentity(user: user, rooms: rooms, expiry: expiry)
        }

        /// A text or an array of texts (RFC 7519 §4.1.3).
        private func isForUs(_ claim: Value?) -> Bool {
            guard let claim else { return audience == nil }
            guard let audience else { return false }
            return claim == .string(audience) || texts(claim) != nil && claim.array?.contains(.string(audience)) == true
        }

        private func texts(_ value: Value) -> [String]? {
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }
#endif
