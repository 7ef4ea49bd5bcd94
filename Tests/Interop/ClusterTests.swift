#if Command
    import Foundation
    import Testing

    @Suite(
        "atmos serve with Redis", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: RedisServer.isAvailable && SocketIOPeer.isAvailable, "no redis-server or no Python with venv here")
    )
    struct ClusterTests {
        @Test("three servers are one: killed servers, a killed Redis and Socket.IO's emitters lose nothing in silence")
        func cluster() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let result = try await SocketIOPeer.run("cluster.py", [AtmosCommand.binary.path, folder.path])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("a password of Redis on the command line is refused, and not shown")
        func passwordOnTheCommandLine() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let keys = folder.appendingPathComponent("keys").path
            try "0123456789abcdef ann\n".write(toFile: keys, atomically: true, encoding: .utf8)
            let errors = try await onOwnThread {
                let process = Process()
                process.executableURL = AtmosCommand.binary
                process.arguments = [
                    "serve", "--port", "0", "--publishers", keys, "--clients", keys, "--redis",
                    "redis://:sesame@127.0.0.1:1"
                ]
                let errors = Pipe()
                process.standardError = errors
                process.standardOutput = FileHandle.nullDevice
                try process.start()
                let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return "\(process.terminationStatus) \(text)"
            }
            #expect(errors.hasPrefix("2 ") && errors.contains("--redis-password secret:NAME"), "\(errors)")
            #expect(!errors.contains("sesame"))
        }
    }
#endif
