#if Command
    import Foundation
    import Testing

    /// A real FastAPI with an OpenAPI document of its own.
    enum FastAPIServer {
        static func start() async throws -> PeerServer { try await start("server.py") }

        /// - Parameter script: which of the servers beside it.
        static func start(_ script: String) async throws -> PeerServer {
            try await onOwnThread {
                let python = try #require(
                    DjangoServer.python, "Tests/Interop/django/setup.sh failed; see its output above")
                return try PeerServer { _ in
                    [python.path, PeerServer.folder("openapi").appendingPathComponent(script).path]
                }
            }
        }
    }
#endif
