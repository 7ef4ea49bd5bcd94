#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a route file names, made by the adapters that a program links.
struct LinkedParts {
    /// With what the program puts around it.
    let transport: any Transport
    private let routeFile: RouteFile
    private let adapters: [Adapter]
    private let secrets: SecretSource
    /// A file in the folder where the store, its log and the tokens go.
    private let place: String

    /// - Parameters:
    ///   - secrets: by name, in front of the secrets file; the process environment where it is nil.
    ///   - folder: made where there is none; the route file's own where it is nil.
    init(
        of routeFile: RouteFile, _ adapters: [Adapter], secrets: [String: String]?, folder: String?,
        wrapping: @Sendable (any Transport) -> any Transport
    ) throws {
        self.routeFile = routeFile
        self.adapters = adapters
        self.secrets = SecretSource(
            for: routeFile, environment: secrets ?? ProcessInfo.processInfo.environment)
        transport = wrapping(try adapters.transport(for: routeFile.transport, beside: routeFile.source))
        place = try folder.map { try Self.made($0) + Self.fileName(of: routeFile) } ?? routeFile.source
    }

    /// - Parameter tokens: takes the place of what `auth.tokens` says.
    /// - Returns: nil where requests are not signed.
    func authenticator(
        tokens: (any TokenStorage)?, environment: SyncEnvironment
    ) throws -> (any Authenticator)? {
        try adapters.authenticator(
            for: routeFile, secrets: secrets, transport: transport,
            tokens: tokens
                ?? routeFile.tokens.storage(
                    beside: place, store: routeFile.store, timeout: routeFile.transport.timeout),
            environment: environment)
    }

    func openStore() async throws -> any Store { try await adapters.openStore(for: routeFile.store, beside: place) }

    func style() throws -> any RoutingStyle { try adapters.style(named: routeFile.style) }

    /// Of the formats beside JSON.
    func extractors() throws -> [any ResponseExtractor] {
        let formats = Set(routeFile.resources.map(\.format)).subtracting(["json"])
        return try formats.sorted().map { try adapters.extractor(format: $0) }
    }

    /// Of the codings beside JSON.
    func writers() throws -> [any BodyWriter] {
        let codings = Set(routeFile.resources.map(\.coding)).subtracting(["json"])
        return try codings.sorted().map { try adapters.writer(coding: $0) }
    }

    /// - Returns: nil where the route file names no server for live updates, or no message client is linked.
    func messageClient() throws -> (any MessageClient)? {
        try adapters.messageClient(for: routeFile.live, beside: routeFile.source, secrets: secrets)
    }

    var logPath: String? { routeFile.store.logPath(beside: place) }

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
