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
    ///   - folder: where the store, its log and the tokens go, as far as the route file gives them no path from the root;
    ///     made where there is none. The route file's own folder by default, which an application that ships it in its
    ///     bundle cannot write to.
    ///   - tokens: where tokens are kept, in place of what `auth.tokens` says: a keychain for instance.
    ///   - wrapping: puts something around the transport that the route file chose, for all requests: `{ $0.observed { … } }`.
    /// - Throws: ``RouteFileError`` with every mistake in the file; ``SyncError`` `unknownName` for a resolver of no entity;
    ///   ``StoreError``; ``TransportError``.
    public static func open(
        _ path: String, adapters: [Adapter], secrets: SecretSource? = nil, authenticator: (any Authenticator)? = nil,
        resolvers: [String: ConflictResolver] = [:], folder: String? = nil, tokens: (any TokenStorage)? = nil,
        environment: SyncEnvironment = .live, log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in },
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
        _ routeFile: RouteFile, adapters: [Adapter], secrets: SecretSource? = nil,
        authenticator: (any Authenticator)? = nil, resolvers: [String: ConflictResolver] = [:], folder: String? = nil,
        tokens: (any TokenStorage)? = nil, environment: SyncEnvironment = .live,
        log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in },
        wrapping: @Sendable (any Transport) -> any Transport = { $0 }
    ) async throws -> Synchronizer {
        let secrets = secrets ?? SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
        let transport = wrapping(try adapters.transport(for: routeFile.transport, beside: routeFile.source))
        let place = try folder.map { try made($0) + fileName(of: routeFile) } ?? routeFile.source
        let authenticator =
            try authenticator
            ?? adapters.authenticator(
                for: routeFile, secrets: secrets, transport: transport,
                tokens: tokens
                    ?? routeFile.tokens.storage(
                        beside: place, store: routeFile.store, timeout: routeFile.transport.timeout),
                environment: environment)
        let formats = Set(routeFile.resources.map(\.format)).subtracting(["json"])
        let codings = Set(routeFile.resources.map(\.coding)).subtracting(["json"])
        return try await Synchronizer(
            routeFile: routeFile,
            store: adapters.openStore(for: routeFile.store, beside: place),
            transport: transport,
            style: adapters.style(named: routeFile.style),
            extractors: formats.sorted().map { try adapters.extractor(format: $0) },
            writers: codings.sorted().map { try adapters.writer(coding: $0) },
            authenticator: authenticator,
            messageClient: adapters.messageClient(for: routeFile.live, beside: routeFile.source, secrets: secrets),
            resolvers: resolvers, environment: environment,
            logFile: routeFile.store.logFile(beside: place), log: log)
    }

    /// Makes the folder, for its owner alone where it is new.
    ///
    /// - Returns: its path with a slash at the end.
    private static func made(_ folder: String) throws -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(
                code: .inputOutput,
                message: "\(folder) cannot be made: \(error); name a folder that the application may write to",
                cause: error)
        }
        return folder.endsWithSlash ? folder : folder + "/"
    }

    private static func fileName(of routeFile: RouteFile) -> String {
        routeFile.source.slashedParts.last.map(String.init) ?? "atmosphere"
    }
}
