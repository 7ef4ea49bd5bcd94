/// OAuth 2.0 as a route file declares it (`auth.oauth2`).
///
/// RFC 6749 with the practice of RFC 9700: no implicit grant and no password grant; codes only with PKCE (RFC 7636).
package struct OAuth2Settings: Sendable, Hashable {
    /// How the first access token is obtained.
    package enum Grant: String, Sendable, Hashable, CaseIterable {
        /// A person signs in with the browser of this machine (RFC 6749 §4.1, RFC 7636, RFC 8252).
        case authorizationCode = "authorization_code"
        /// The program signs in for itself (RFC 6749 §4.4).
        case clientCredentials = "client_credentials"
        /// A refresh token was obtained elsewhere and is given as a secret (RFC 6749 §6).
        case refreshToken = "refresh_token"
        /// A person signs in with another device (RFC 8628).
        case deviceCode = "device_code"
    }

    /// Who the program is to the authorization server.
    package struct Client: Sendable, Hashable {
        /// How the secret is shown (RFC 6749 §2.3.1).
        package enum Authentication: String, Sendable, Hashable, CaseIterable {
            /// In the header: `client_secret_basic`, which every server has to understand.
            case basic
            /// In the body: `client_secret_post`, for servers that want it so.
            case body
        }

        /// `client_id` (RFC 6749 §2.2).
        package var id: Credential
        /// nil for a public client, which proves nothing about itself (RFC 6749 §2.1).
        package var secret: SecretName?
        /// ``Authentication/basic`` by default; without a secret `client_id` is sent in the body.
        package var authentication = Authentication.basic

        /// A client; a public one where there is no secret.
        package init(id: Credential, secret: SecretName? = nil, authentication: Authentication = .basic) {
            self.id = id
            self.secret = secret
            self.authentication = authentication
        }
    }

    /// How the first tokens are obtained.
    package var grant: Grant
    /// The program, as the authorization server knows it.
    package var client: Client
    /// The token endpoint (RFC 6749 §3.2), absolute, https or on this machine; as every URL here.
    package var token: String
    /// The authorization endpoint (RFC 6749 §3.1).
    package var authorize: String?
    /// The device authorization endpoint (RFC 8628 §3.1).
    package var device: String?
    /// Where tokens are given back (RFC 7009).
    package var revoke: String?
    /// What the server calls itself in `iss` of its answers (RFC 9207 §2.4); an answer without it is refused then.
    package var issuer: String?
    /// For the authorization code alone.
    package var redirect = OAuth2Redirect()
    /// Asked for together; the server may grant fewer.
    package var scopes: [String] = []
    /// The refresh token to begin with.
    package var refresh: SecretName?
    /// Sent with the request that begins the grant: `access_type`, `audience`, `prompt`.
    package var parameters: [NamedText] = []

    /// A grant at a token endpoint; its other endpoints are still to be set.
    ///
    /// - Parameter token: the URL of the token endpoint.
    package init(grant: Grant, client: Client, token: String) {
        self.grant = grant
        self.client = client
        self.token = token
    }

    /// The secrets that go to the token endpoint.
    var secretNames: [SecretName] {
        var names: [SecretName] = []
        if case .secret(let name) = client.id { names.append(name) }
        return names + [client.secret, refresh].compactMap(\.self)
    }
}

/// Where tokens are kept between two runs; never in the store.
package enum TokenSettings: Sendable, Hashable {
    /// A file with mode 0600, relative to the route file's folder; nil for one beside the store.
    case file(String?)
    /// Commands that print what is kept, take it on standard input, and forget it; `remove` may be empty.
    case commands(load: [String], save: [String], remove: [String])
}
