#if OAuth2
    public import AtmosphereExchange

    /// Gets what the browser brings back from the authorization server (RFC 6749 §4.1.2).
    ///
    /// Commands and desktop applications need none: they wait on the loopback address of this machine, where
    /// `auth.oauth2.redirect` of the route file says. An iOS app writes one around its own URL scheme.
    public protocol RedirectReceiver: Sendable {
        /// Waits for one answer.
        ///
        /// - Parameters:
        ///   - state: answers with another `state` are not ours: they are refused, and the waiting goes on (RFC 9700
        ///     §4.7).
        ///   - onReady: to be called once, when an answer can come, with the redirect URI.
        /// - Throws: what `onReady` throws; `CancellationError` where the task is cancelled, which also ends the waiting
        ///   when the time for signing in is over.
        func receive(
            state: String, onReady: (_ redirectURI: String) async throws -> Void
        ) async throws -> RedirectAnswer
    }

    /// What the browser brought.
    public struct RedirectAnswer: Sendable, Hashable {
        /// The one that `onReady` got: the token endpoint wants it again (RFC 6749 §4.1.3).
        public var redirectURI: String
        /// Those of the query, decoded, in order.
        public var parameters: [NamedText]

        /// An answer that came to a redirect URI.
        ///
        /// - Parameter parameters: of the query, decoded.
        public init(redirectURI: String, parameters: [NamedText]) {
            self.redirectURI = redirectURI
            self.parameters = parameters
        }
    }
#endif
