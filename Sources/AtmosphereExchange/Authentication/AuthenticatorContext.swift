/// What an authenticator is made from.
public struct AuthenticatorContext: Sendable {
    /// The whole file; ``RouteFile/base`` is what the credentials are for.
    public var routeFile: RouteFile
    /// Where `secret:NAME` is looked up.
    package var secrets: SecretSource
    /// For the requests that fetch credentials.
    public var transport: any Transport
    /// Where tokens are kept.
    public var tokens: any TokenStorage
    /// Time, randomness and identifiers.
    public var environment: SyncEnvironment

    /// Puts the parts together; the machine's own clock and random numbers unless others are given.
    package init(
        routeFile: RouteFile, secrets: SecretSource, transport: any Transport, tokens: any TokenStorage,
        environment: SyncEnvironment = .live
    ) {
        self.routeFile = routeFile
        self.secrets = secrets
        self.transport = transport
        self.tokens = tokens
        self.environment = environment
    }

    /// What the route file says under `auth.settings`; empty where it says nothing, or chose another way to sign in.
    public var settings: Value.Members {
        if case .adapter(_, let settings) = routeFile.auth { settings } else { [:] }
    }

    /// A text of ``settings``, or the value of the secret that it names, as it is at this moment.
    ///
    /// - Returns: nil where there is no such member, or it is no text.
    /// - Throws: for a secret that is not set; the error's text names it, and the remedy.
    public func text(_ name: String) throws -> String? {
        guard let text = settings[name]?.string else { return nil }
        return try SecretName(reference: text).map { try secrets.secret($0).value } ?? text
    }
}
