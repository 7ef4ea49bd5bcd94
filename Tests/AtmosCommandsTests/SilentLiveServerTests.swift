#if Command
    import Foundation
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// A server for live updates that takes connections and says nothing holds up no command that is told to end.
    @Suite("Live servers that are silent", .timeLimit(.minutes(1))) struct SilentLiveServerTests {
        @Test("listen and sync --watch end when they are told to", arguments: [["listen"], ["sync", "--watch"]])
        func ending(_ command: [String]) async throws {
            let server = try SilentServer()
            let workspace = try Workspace()
            let live = #"live: { url: "ws://127.0.0.1:\#(server.port)", key: "secret:K" }"#
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: live), to: "atmosphere.yaml")
            let running = try workspace.start(command, environment: ["K": "ann-0123456789abcdef"])
            await server.connected()
            running.terminate()
            let run = try await running.end()
            #expect(run.status == 0, "\(run)")
        }
    }

    /// Takes connections, reads nothing and writes nothing.
    private final class SilentServer: Sendable {
        let port: Int
        private let descriptor: Int32

        init() throws {
            #if canImport(Glibc)
                descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let own = descriptor
            let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(own, address, length) == 0 && listen(own, 50) == 0
                        && getsockname(own, address, &length) == 0
                }
            }
            port = Int(UInt16(bigEndian: address.sin_port))
            try #require(isListening)
        }

        deinit { close(descriptor) }

        /// Waits for the next connection, which stays open until the process ends.
        func connected() async {
            let descriptor = descriptor
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    _ = accept(descriptor, nil, nil)
                    continuation.resume()
                }
            }
        }
    }
#endif
