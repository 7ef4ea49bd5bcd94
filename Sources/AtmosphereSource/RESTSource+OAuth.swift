extension RESTSource {
    /// A token endpoint (RFC 6749 §3.2) with the grants `refresh_token` and `client_credentials`, for clients and tests
    /// that have to renew what they sign in with.
    public struct OAuth: Sendable {
        /// Where it is, from the root of the host.
        public var path = "/token"
        public var clientID: String
        public var clientSecret: String
        /// Refresh tokens that are good from the start.
        public var refreshTokens: [String]
        /// How long an access token is good; an hour but a second by default.
        public var lifetime = Duration.seconds(3599)
        /// Each refresh gives a new refresh token, and the one that was used is worth nothing any more (RFC 9700 §4.14.2).
        public var rotates = false
        /// Told with each access token; nil for nothing.
        public var scope: String?

        public init(clientID: String, clientSecret: String, refreshTokens: [String] = []) {
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.refreshTokens = refreshTokens
        }
    }
}
