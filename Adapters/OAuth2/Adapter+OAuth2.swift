#if OAuth2
    public import Atmosphere

    extension Adapter {
        /// Offers ``OAuth2Authenticator`` under `auth.oauth2`.
        public static var oauth2: Adapter {
            .authenticator("oauth2") { context in
                guard case .oauth2(let settings) = context.routeFile.auth else {
                    throw SyncError(
                        code: .signInNeeded, message: "\(context.routeFile.source) has no auth.oauth2; add it")
                }
                return OAuth2Authenticator(
                    settings: settings, base: context.routeFile.base, secrets: context.secrets,
                    transport: context.transport, storage: context.tokens,
                    timeout: context.routeFile.transport.timeout, environment: context.environment)
            }
        }
    }
#endif
