package import Atmosphere

extension RESTSource {
    /// An authorization server (RFC 6749) with the grants `refresh_token` and `client_credentials`, and with
    /// `authorization_code` and `device_code` where their endpoints have paths; for clients and tests that have to obtain
    /// and renew what they sign in with.
    ///
    /// There is nobody to ask: whoever comes to the authorization endpoint, or to the page for device codes, is let in.
    public struct OAuth: Sendable {
        /// Where the token endpoint is, from the root of the host.
        public var path = "/token"
        /// The authorization endpoint; nil for none. It wants PKCE with S256 (RFC 7636) and redirects to this machine only
        /// (RFC 8252 §7.3).
        public var authorizePath: String?
        /// The device authorization endpoint (RFC 8628); nil for none. A GET of this path with `/verify` behind it and
        /// `?user_code=…` approves a code.
        public var devicePath: String?
        /// Where tokens are given back (RFC 7009); nil for none.
        public var revokePath: String?
        /// The only client that is let in.
        public var clientID: String
        /// Empty for a public client.
        public var clientSecret: String
        /// Refresh tokens that are good from the start.
        public var refreshTokens: [String]
        /// How long an access token is good; an hour but a second by default.
        public var lifetime = Duration.seconds(3599)
        /// Each refresh gives a new refresh token, and the one that was used is worth nothing any more. Used again, it ends
        /// everything that was ever given for it (RFC 9700 §4.14.2).
        public var rotates = false
        /// Told with each access token; nil for nothing.
        public var scope: String?
        /// What the server calls itself in `iss` (RFC 9207); nil for its origin.
        public var issuer: String?
        /// The pause between two questions for a device's tokens; five seconds by default, and five more for each that
        /// comes too soon.
        public var interval = Duration.seconds(5)
        /// How long a device code is good.
        public var deviceLifetime = Duration.seconds(600)
        /// Everybody refuses: `access_denied`.
        public var denies = false

        /// A token endpoint alone, at `/token`, until other paths are set.
        public init(clientID: String, clientSecret: String, refreshTokens: [String] = []) {
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.refreshTokens = refreshTokens
        }

        /// The server that a route file's `auth.oauth2` is for, with its endpoints at the paths of the declared URLs. A
        /// person's tokens rotate.
        package init(_ settings: OAuth2Settings, secrets: [String: String]) {
            let id: String =
                switch settings.client.id {
                case .literal(let text): text
                case .secret(let name): secrets[name.name] ?? ""
                }
            self.init(clientID: id, clientSecret: settings.client.secret.flatMap { secrets[$0.name] } ?? "")
            if let refresh = settings.refresh.flatMap({ secrets[$0.name] }) { refreshTokens = [refresh] }
            path = Self.path(settings.token)
            authorizePath = settings.authorize.map(Self.path)
            devicePath = settings.device.map(Self.path)
            revokePath = settings.revoke.map(Self.path)
            issuer = settings.issuer
            scope = settings.scopes.isEmpty ? nil : settings.scopes.joined(separator: " ")
            rotates = settings.grant != .clientCredentials
        }

        private static func path(_ url: String) -> String {
            let path = SourceAPI.path(of: url)
            return path.isEmpty ? "/" : path
        }
    }
}

extension AuthSettings {
    /// The secrets that a server must know to let clients of this route file in.
    package var serverSecretNames: [SecretName] {
        if case .asked(let asked) = self { return asked.served.secretNames }
        guard case .oauth2(let settings) = self else { return secretNames }
        var names = [settings.client.secret, settings.refresh].compactMap { $0 }
        if case .secret(let name) = settings.client.id { names.append(name) }
        return names
    }
}

extension AskedSettings {
    /// What a person has to type: the server compares it with secrets of these names, `ATMOS_USERNAME`, `ATMOS_PASSWORD`,
    /// `ATMOS_TOKEN` and `ATMOS_KEY`.
    package var served: AuthSettings {
        switch self {
        case .basic(let username):
            .basic(username: username ?? .secret(SecretName("ATMOS_USERNAME")), password: SecretName("ATMOS_PASSWORD"))
        case .bearer: .bearer(SecretName("ATMOS_TOKEN"))
        case .token(let scheme): .token(scheme: scheme, SecretName("ATMOS_TOKEN"))
        case .keyInHeader(let name): .keyInHeader(name: name, SecretName("ATMOS_KEY"))
        case .keyInQuery(let name): .keyInQuery(name: name, SecretName("ATMOS_KEY"))
        }
    }
}
