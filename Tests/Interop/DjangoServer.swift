#if Command
    import Foundation
    import Testing

    /// A real Django REST framework.
    enum DjangoServer {
        static let token = "0123456789abcdef0123456789abcdef01234567"

        /// Installed once for all tests: nil, with the reason printed, where there is no Python.
        static let python: URL? = {
            let environment = PeerServer.packageRoot.appendingPathComponent(".build/interop-python")
            return PeerServer.setUp("django", arguments: [environment.path])
                ? environment.appendingPathComponent("bin/python") : nil
        }()

        /// Whether the peer is here. Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { python != nil || ProcessInfo.processInfo.environment["CI"] != nil }

        static func start(seed: Int, options: [String] = []) async throws -> PeerServer {
            try await onOwnThread {
                let python = try #require(Self.python, "Tests/Interop/django/setup.sh failed; see its output above")
                let script = PeerServer.folder("django").appendingPathComponent("server.py")
                return try PeerServer([python.path, script.path], seed: seed, options: options)
            }
        }
    }
#endif
