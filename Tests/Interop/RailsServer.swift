#if SQLite && YAML && XML && Curl
    import Foundation
    import Testing

    /// A real Rails 6.1.
    enum RailsServer {
        /// Installed once for all tests, with the reason printed where that fails.
        private static let isSetUp = PeerServer.setUp("rails")

        /// Whether the peer is here. Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { isSetUp || ProcessInfo.processInfo.environment["CI"] != nil }

        /// Active Storage beside it, which is a package of its own.
        static var hasStorage: Bool { hasStoragePackages || ProcessInfo.processInfo.environment["CI"] != nil }

        private static let hasStoragePackages = PeerServer.setUp("rails", arguments: ["storage"])

        /// Notes with scans.
        static func startStorage(seed: Int) async throws -> PeerServer {
            try await onOwnThread {
                try #require(hasStoragePackages, "Tests/Interop/rails/setup.sh failed; see its output above")
                let script = PeerServer.folder("rails").appendingPathComponent("storage.rb")
                return try PeerServer(["/usr/bin/env", "ruby", script.path], seed: seed, options: [])
            }
        }

        static func start(seed: Int, options: [String] = []) async throws -> PeerServer {
            try await onOwnThread {
                try #require(isSetUp, "Tests/Interop/rails/setup.sh failed; see its output above")
                let script = PeerServer.folder("rails").appendingPathComponent("server.rb")
                return try PeerServer(["/usr/bin/env", "ruby", script.path], seed: seed, options: options)
            }
        }
    }
#endif
