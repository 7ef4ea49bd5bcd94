#if Command
    import Foundation
    import Testing

    /// A real Redis on a free port of the loopback address, with a folder of its own; it can be killed and started again.
    final class RedisServer: @unchecked Sendable {
        /// nil, with the reason printed, where there is none and none can be installed.
        private static let binary: String? = {
            PeerServer.setUp("redis") ? "/usr/bin/env" : nil
        }()

        /// Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { binary != nil || ProcessInfo.processInfo.environment["CI"] != nil }

        let port: Int
        let folder: URL
        private let options: [String]
        /// Touched by the one task that starts and stops the server.
        private var process: Launched?

        /// - Parameter options: of `redis-server`, beside port and folder.
        init(_ options: [String]) throws {
            folder = try TemporaryFolder.make()
            port = try Self.freePort()
            self.options = options
        }

        /// Writes everything down before it answers.
        static let durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""]
        /// Forgets everything when it ends.
        static let forgetful = ["--appendonly", "no", "--save", ""]

        var url: String { "redis://127.0.0.1:\(port)" }

        func start() async throws { try await onOwnThread { try self.startBlocking() } }

        private func startBlocking() throws {
            let binary = try #require(Self.binary, "Tests/Interop/redis/setup.sh failed; see its output above")
            let places = ["--dir", folder.path, "--bind", "127.0.0.1", "--daemonize", "no"]
            let ports = options.contains("--tls-port") ? [] : ["--port", String(port)]
            let process = try Launched(
                URL(fileURLWithPath: binary),
                ["redis-server"] + ports + places + options.map { $0 == "PORT" ? String(port) : $0 })
            self.process = process
            try process.wait(for: "being ready", seconds: 120) {
                $0.text.contains("Ready to accept connections") ? () : nil
            }
        }

        /// Ends the server as a failing machine would.
        func crash() {
            guard let process else { return }
            process.kill()
            _ = try? process.end(seconds: 60)
            self.process = nil
        }

        deinit {
            crash()
            try? FileManager.default.removeItem(at: folder)
        }

        private static func freePort() throws -> Int {
            #if canImport(Darwin)
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #else
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #endif
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
                }
            }
            try #require(isBound)
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
#endif
