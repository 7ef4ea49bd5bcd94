#if Command
    internal import Atmosphere
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Tokens that programs of a route file keep: before one of them is run, they have to be allowed as they are then.
    struct AllowedTokens: TokenStorage {
        private let kept: any TokenStorage
        private let routeFile: RouteFile
        private let isTrusted: Bool
        private let environment: [String: String]

        /// nil where no programs keep the tokens.
        ///
        /// - Parameters:
        ///   - trusted: whoever started the command lets the file do what it does.
        ///   - environment: the process's.
        init?(
            of routeFile: RouteFile, trusted: Bool,
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) {
            guard case .commands = routeFile.tokens else { return nil }
            kept = routeFile.tokens.storage(
                beside: routeFile.source, store: routeFile.store, timeout: routeFile.transport.timeout)
            self.routeFile = routeFile
            isTrusted = trusted
            self.environment = environment
        }

        var name: String { kept.name }

        func load() async throws -> [UInt8]? {
            try check()
            return try await kept.load()
        }

        func save(_ bytes: [UInt8]) async throws {
            try check()
            try await kept.save(bytes)
        }

        func remove() async throws {
            try check()
            try await kept.remove()
        }

        func prepare() async throws { try await kept.prepare() }
        func withdraw() async throws { try await kept.withdraw() }
        func lock() async throws -> HeldLock { try await kept.lock() }
        func lock(within patience: Duration) async throws -> HeldLock { try await kept.lock(within: patience) }

        /// - Throws: ``StoreError`` where a program has changed since it was allowed; ``CommandFailure``.
        private func check() throws {
            guard try !routeFile.isAllowed(trusted: isTrusted, environment) else { return }
            throw StoreError(
                code: .inputOutput,
                message:
                    "what \(routeFile.source) runs has changed since it was allowed, and is not run: look at it, then "
                    + "atmos allow \(routeFile.source.shellWord)")
        }
    }
#endif
