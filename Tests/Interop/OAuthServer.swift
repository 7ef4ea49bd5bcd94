#if Command
    import Foundation
    import Testing

    /// A real authorization server, made with Authlib and Flask.
    enum OAuthServer {
        /// Installed once for all tests: nil, with the reason printed, where there is no Python.
        static let python: URL? = {
            let environment = PeerServer.packageRoot.appendingPathComponent(".build/interop-oauth")
            let requirements = PeerServer.folder("oauth").appendingPathComponent("requirements.txt").path
            return PeerServer.setUp("django", arguments: [environment.path, requirements, "authlib,flask"])
                ? environment.appendingPathComponent("bin/python") : nil
        }()

        /// Whether the peer is here. Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { python != nil || ProcessInfo.processInfo.environment["CI"] != nil }

        static func start() async throws -> PeerServer {
            try await onOwnThread {
                let python = try #require(Self.python, "Tests/Interop/django/setup.sh failed; see its output above")
                return try PeerServer { _ in
                    [python.path, PeerServer.folder("oauth").appendingPathComponent("server.py").path]
                }
            }
        }
    }
#endif
