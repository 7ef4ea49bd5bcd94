#if OAuth2
    public import AtmosphereExchange

    extension Adapter {
        /// Offers `OAuth2Authenticator` under `auth.oauth2`, with a browser of this machine.
        public static var oauth2: Adapter { oauth2(receiver: nil) }

        /// Offers `OAuth2Authenticator` under `auth.oauth2`.
        ///
        /// - Parameters:
        ///   - receiver: gets what the browser brings: an iOS app writes one around its own URL scheme. The loopback address
        ///     of this machine by default.
        ///   - signInTimeout: how long a person may take in the browser.
        public static func oauth2(
            receiver: (any RedirectReceiver)? = nil, signInTimeout: Duration = .seconds(300)
        ) -> Adapter {
            .authenticator("oauth2") { context in
                guard case .oauth2(let settings) = context.routeFile.auth else {
                    throw SyncError(
                        code: .signInNeeded, message: "\(context.routeFile.source) has no auth.oauth2; add it")
                }
                return OAuth2Authenticator(
                    settings: settings, base: context.routeFile.base, secrets: context.secrets,
                    transport: context.transport, storage: context.tokens,
                    timeout: context.routeFile.transport.timeout, signInTimeout: signInTimeout,
                    environment: context.environment, receiver: receiver)
            }
        }
    }
#endif
