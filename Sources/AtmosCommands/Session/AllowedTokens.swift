#if Command
    internal import Atmosphere

    /// Tokens that programs of a route file keep: before each of them is run, the programs are still what was allowed.
    struct AllowedTokens: TokenStorage {
        private let kept: any TokenStorage
        private let routeFile: RouteFile
        private let digest: String?

        /// nil where no programs keep the tokens.
        init?(of routeFile: RouteFile) {
            guard case .commands = routeFile.tokens else { return nil }
            kept = routeFile.tokens.storage(
                beside: routeFile.source, store: routeFile.store, timeout: routeFile.transport.timeout)
            self.routeFile = routeFile
            digest = routeFile.powersDigest
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
        func lock() async throws -> TokenLock { try await kept.lock() }
        func lock(within patience: Duration) async throws -> TokenLock { try await kept.lock(within: patience) }

        /// - Throws: ``StoreError`` where a program has changed since this command began.
        private func check() throws {
            guard routeFile.powersDigest != digest else { return }
            throw StoreError(
                code: .inputOutput,
                message:
                    "what \(routeFile.source) runs has changed since this command began, and is not run: look at it, allow "
                    + "it (atmos allow \(routeFile.source.shellWord)), and start the command again")
        }
    }
#endif
