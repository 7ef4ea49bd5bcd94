#if Command
    import Atmosphere
    import AtmosphereCurl
    import Foundation
    import Testing

    /// A real Django REST framework in a process of its own, on a free port of the loopback address. It ends with the
    /// test: its standard input closes.
    final class DjangoServer: Sendable {
        static let token = "0123456789abcdef0123456789abcdef01234567"

        /// `http://127.0.0.1:PORT`
        let url: String
        let folder: URL
        private let process: Process
        private let input: Pipe
        private let transport: CurlTransport

        static var packageRoot: URL {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
        }

        private static let django = packageRoot.appendingPathComponent("Tests/Interop/django")

        /// Installed once for all tests: nil, with the reason printed, where there is no Python.
        private static let python: URL? = {
            let environment = packageRoot.appendingPathComponent(".build/interop-python")
            let setup = Process()
            setup.executableURL = URL(fileURLWithPath: "/bin/bash")
            setup.arguments = [django.appendingPathComponent("setup.sh").path, environment.path]
            setup.standardOutput = FileHandle.standardError
            guard (try? setup.run()) != nil else { return nil }
            setup.waitUntilExit()
            return setup.terminationStatus == 0 ? environment.appendingPathComponent("bin/python") : nil
        }()

        /// Whether the peer is here. Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { python != nil || ProcessInfo.processInfo.environment["CI"] != nil }

        static func start(seed: Int, options: [String] = []) async throws -> DjangoServer {
            try await onOwnThread { try DjangoServer(seed: seed, options: options) }
        }

        private init(seed: Int, options: [String]) throws {
            let python = try #require(Self.python, "Tests/Interop/django/setup.sh failed; see its output above")
            transport = try CurlTransport()
            folder = try TemporaryFolder.make()
            process = Process()
            process.executableURL = python
            process.arguments =
                [
                    Self.django.appendingPathComponent("server.py").path, "--database",
                    folder.appendingPathComponent("server.sqlite3").path, "--port", "0", "--seed", String(seed),
                    "--log", folder.appendingPathComponent("requests.log").path, "--exit-on-eof"
                ] + options
            input = Pipe()
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            var line = ""
            while let byte = try output.fileHandleForReading.read(upToCount: 1), let character = byte.first {
                if character == UInt8(ascii: "\n") { break }
                line.append(Character(Unicode.Scalar(character)))
            }
            let words = line.split(separator: " ")
            try #require(words.count == 2 && words[0] == "ready", "the server said “\(line)” instead of ready")
            url = String(words[1].dropLast())
        }

        deinit {
            try? input.fileHandleForWriting.close()
            // Its own end waits for connections that are kept alive.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Requests since the last call: `GET /api/pictures/ page=2` with the body behind, where there is one.
        func takeLog() throws -> [LoggedRequest] {
            let file = folder.appendingPathComponent("requests.log")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            try Data().write(to: file)
            return try lines.map { line in
                let members = try #require(try Value(json: Array(line.utf8)).members)
                return LoggedRequest(
                    method: members["method"]?.string ?? "", path: members["path"]?.string ?? "",
                    query: members["query"]?.string ?? "", body: members["body"]?.string ?? "")
            }.filter { !$0.path.hasPrefix("/control/") }
        }

        struct LoggedRequest {
            var method: String
            var path: String
            var query: String
            var body: String
        }

        /// Edits a row as another client would.
        func touch(_ model: String, _ id: Int, _ fields: Value) async throws {
            _ = try await control("touch", ["model": .string(model), "id": .number(JSONNumber(id)), "fields": fields])
        }

        func delete(_ model: String, _ id: Int) async throws {
            _ = try await control("delete", ["model": .string(model), "id": .number(JSONNumber(id))])
        }

        func rows(_ model: String) async throws -> [Value.Members] {
            let request = Request(method: "GET", url: "\(url)/control/dump?model=\(model)")
            let body = try await transport.send(request).body.collect(upTo: 64 << 20)
            return try #require(try Value(json: body).array).compactMap(\.members)
        }

        private func control(_ name: String, _ body: Value) async throws -> [UInt8] {
            var request = Request(method: "POST", url: "\(url)/control/\(name)")
            request.headers["Content-Type"] = "application/json"
            request.body = .bytes(body.json())
            let response = try await transport.send(request)
            let answer = try await response.body.collect(upTo: 1 << 20)
            try #require(response.status < 300, "control/\(name) answered \(response.status)")
            return answer
        }
    }

    enum TemporaryFolder {
        static func make() throws -> URL {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("atmosphere-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }
    }
#endif
