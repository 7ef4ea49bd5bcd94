#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Synchronizer {
    /// Opens what a route file describes: its store, transport, style and formats from the adapters that the program
    /// links, its secrets from the environment or the secrets file.
    ///
    /// - Parameters:
    ///   - path: the route file.
    ///   - adapters: what the route file may name: `[.yaml, .djangoREST, .curl, .sqlite]`. JSON route files, JSON
    ///     bodies and the store in memory are always there.
    ///   - secrets: where `secret:NAME` is looked up; the process environment and the file that the route file names by
    ///     default.
    ///   - authenticator: takes the place of what `auth` says, such as ``ClosureAuthenticator`` for tokens that the
    ///     application has.
    ///   - resolvers: by entity, what decides in code about members that both sides changed.
    /// - Throws: ``RouteFileError`` with every mistake in the file; ``SyncError`` `unknownName` for a resolver of no entity;
    ///   ``StoreError``; ``TransportError``.
    public static func open(
        _ path: String, adapters: [Adapter], secrets: SecretSource? = nil, authenticator: (any Authenticator)? = nil,
        resolvers: [String: ConflictResolver] = [:], environment: SyncEnvironment = .live,
        log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in }
    ) async throws -> Synchronizer {
        try await open(
            RouteFile.load(path: path, adapters: adapters), adapters: adapters, secrets: secrets,
            authenticator: authenticator, resolvers: resolvers, environment: environment, log: log)
    }

    /// As ``open(_:adapters:secrets:authenticator:resolvers:environment:log:)``, from a route file that was loaded or built
    /// before.
    public static func open(
        _ routeFile: RouteFile, adapters: [Adapter], secrets: SecretSource? = nil,
        authenticator: (any Authenticator)? = nil, resolvers: [String: ConflictResolver] = [:],
        environment: SyncEnvironment = .live, log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in }
    ) async throws -> Synchronizer {
        let secrets = secrets ?? SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
        let transport = try adapters.transport(for: routeFile.transport, beside: routeFile.source)
        let authenticator =
            try authenticator
            ?? adapters.authenticator(
                for: routeFile, secrets: secrets, transport: transport, environment: environment)
        let formats = Set(routeFile.resources.map(\.format)).subtracting(["json"])
        let codings = Set(routeFile.resources.map(\.coding)).subtracting(["json"])
        return try await Synchronizer(
            routeFile: routeFile,
            store: adapters.openStore(for: routeFile.store, beside: routeFile.source),
            transport: transport,
            style: adapters.style(named: routeFile.style),
            extractors: formats.sorted().map { try adapters.extractor(format: $0) },
            writers: codings.sorted().map { try adapters.writer(coding: $0) },
            authenticator: authenticator,
            messageClient: adapters.messageClient(for: routeFile.live, beside: routeFile.source, secrets: secrets),
            resolvers: resolvers, environment: environment,
            logFile: routeFile.store.logFile(beside: routeFile.source), log: log)
    }
}
