extension Synchronizer {
    /// Opens what a route file describes: its store, transport, style and formats from the adapters that the program
    /// links, its secrets from the environment or the secrets file.
    ///
    /// - Parameters:
    ///   - path: the route file.
    ///   - adapters: what the route file may name: `[.yaml, .djangoREST, .curl, .sqlite]`. JSON route files, JSON
    ///     bodies and the store in memory are always there.
    ///   - secrets: the secrets that the route file names, such as `["API_TOKEN": token]` for `secret:API_TOKEN`, in place of
    ///     the process environment. What is not among them is looked up in the file that the route file names.
    ///   - authenticator: takes the place of what `auth` says, such as ``ClosureAuthenticator`` for tokens that the
    ///     application has.
    ///   - resolvers: by entity, what decides in code about members that both sides changed.
    ///   - folder: where the store, its log and the tokens go, as far as the route file gives them no path from the root;
    ///     made where there is none. The route file's own folder by default, which an application that ships it in its
    ///     bundle cannot write to.
    ///   - tokens: where tokens are kept, in place of what `auth.tokens` says: a keychain for instance.
    ///   - wrapping: puts something around the transport that the route file chose, for all requests: `{ $0.observed { … } }`.
    /// - Throws: ``RouteFileError`` with every mistake in the file; ``SyncError`` `unknownName` for a resolver of no entity;
    ///   ``StoreError``; ``TransportError``.
    public static func open(
        _ path: String, adapters: [Adapter], secrets: [String: String]? = nil,
        authenticator: (any Authenticator)? = nil, resolvers: [String: ConflictResolver] = [:], folder: String? = nil,
        tokens: (any TokenStorage)? = nil, environment: SyncEnvironment = .live,
        log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in },
        wrapping: @Sendable (any Transport) -> any Transport = { $0 }
    ) async throws -> Synchronizer {
        try await open(
            RouteFile.load(path: path, adapters: adapters), adapters: adapters, secrets: secrets,
            authenticator: authenticator, resolvers: resolvers, folder: folder, tokens: tokens,
            environment: environment, log: log, wrapping: wrapping)
    }

    /// As ``open(_:adapters:secrets:authenticator:resolvers:folder:tokens:environment:log:wrapping:)``, from a route file
    /// that was loaded or built before.
    public static func open(
        _ routeFile: RouteFile, adapters: [Adapter], secrets: [String: String]? = nil,
        authenticator: (any Authenticator)? = nil, resolvers: [String: ConflictResolver] = [:], folder: String? = nil,
        tokens: (any TokenStorage)? = nil, environment: SyncEnvironment = .live,
        log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in },
        wrapping: @Sendable (any Transport) -> any Transport = { $0 }
    ) async throws -> Synchronizer {
        let parts = try LinkedParts(of: routeFile, adapters, secrets: secrets, folder: folder, wrapping: wrapping)
        let authenticator = try authenticator ?? parts.authenticator(tokens: tokens, environment: environment)
        return try await Synchronizer(
            routeFile: routeFile, store: parts.openStore(), transport: parts.transport, style: parts.style(),
            extractors: parts.extractors(), writers: parts.writers(), authenticator: authenticator,
            messageClient: parts.messageClient(), resolvers: resolvers, environment: environment,
            logPath: parts.logPath, log: log)
    }
}
