#if Command
    import Foundation
    import Testing

    /// A real FastAPI in a process of its own, on a free port of the loopback address; it ends with the test.
    final class FastAPIServer: Sendable {
        /// `http://127.0.0.1:PORT`
        let url: String
        let folder: URL
        private let process: Process
        private let input: Pipe

        static func start() async throws -> FastAPIServer { try await onOwnThread { try FastAPIServer() } }

        private init() throws {
            let python = try #require(DjangoServer.python, "Tests/Interop/django/setup.sh failed; see its output above")
            folder = try TemporaryFolder.make()
            process = Process()
            process.executableURL = python
            process.arguments = [
                PeerServer.packageRoot.appendingPathComponent("Tests/Interop/openapi/server.py").path
            ]
            input = Pipe()
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            var line = ""
            while let byte = try output.fileHandleForReading.read(upToCount: 1), let first = byte.first {
                if first == UInt8(ascii: "\n") { break }
                line.append(Character(Unicode.Scalar(first)))
            }
            let words = line.split(separator: " ")
            try #require(words.count == 2 && words[0] == "ready", "the server said “\(line)” instead of ready")
            url = String(words[1].dropLast())
        }

        deinit {
            try? input.fileHandleForWriting.close()
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }
#endif
