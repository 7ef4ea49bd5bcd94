#if Curl
    import Atmosphere
    import AtmosphereCurl
    import Foundation
    import Testing

    /// A real server in a process of its own, on a free port of the loopback address. It ends with the test: its
    /// standard input closes.
    final class PeerServer: Sendable {
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

        /// A peer's own folder beside these tests.
        static func folder(_ name: String) -> URL { packageRoot.appendingPathComponent("Tests/Interop/\(name)") }

        /// Runs a peer's `setup.sh`, which installs what is missing.
        static func setUp(_ name: String, arguments: [String] = []) -> Bool {
            let setup = Process()
            setup.executableURL = URL(fileURLWithPath: "/bin/sh")
            setup.arguments = [folder(name).appendingPathComponent("setup.sh").path] + arguments
            setup.standardOutput = FileHandle.standardError
            guard (try? setup.run()) != nil else { return false }
            setup.waitUntilExit()
            return setup.terminationStatus == 0
        }

        /// - Parameter command: the program with its script, which takes `--database`, `--port`, `--seed`, `--log` and
        ///   `--exit-on-eof`.
        convenience init(_ command: [String], seed: Int, options: [String]) throws {
            try self.init { folder in
                command + [
                    "--database", folder.appendingPathComponent("server.sqlite3").path, "--port", "0",
                    "--seed", String(seed), "--log", folder.appendingPathComponent("requests.log").path, "--exit-on-eof"
                ] + options
            }
        }

        /// - Parameter command: the program and its arguments, for a peer with this folder; it says `ready URL/`
        ///   when it serves.
        init(_ command: (URL) -> [String]) throws {
            transport = try CurlTransport()
            folder = try TemporaryFolder.make()
            let command = command(folder)
            process = Process()
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
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
            // Its own end waits for connections that are kept alive. Nobody waits for it here: that would hold a thread
            // which other tests need.
            kill(process.processIdentifier, SIGKILL)
            try? FileManager.default.removeItem(at: folder)
        }

        /// Requests since the last call: `GET /api/pictures/ page=2` with the body behind, where there is one.
        func takeLog() throws -> [LoggedRequest] {
            let file = folder.appendingPathComponent("requests.log")
            guard FileManager.default.fileExists(atPath: file.path) else { return [] }
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
            try await control("touch", ["model": .string(model), "id": .number(JSONNumber(id)), "fields": fields])
        }

        func delete(_ model: String, _ id: Int) async throws {
            try await control("delete", ["model": .string(model), "id": .number(JSONNumber(id))])
        }

        func rows(_ model: String) async throws -> [Value.Members] {
            let request = Request(method: "GET", url: "\(url)/control/dump?model=\(model)")
            let body = try await transport.send(request).body.collect(upTo: 64 << 20)
            return try #require(try Value(json: body).array).compactMap(\.members)
        }

        /// A request of another client.
        @discardableResult
        func send(_ method: String, _ path: String, _ body: Value? = nil) async throws -> Int {
            var request = Request(method: method, url: "\(url)/\(path)")
            if let body {
                request.headers["Content-Type"] = "application/json"
                request.body = .bytes(body.json())
            }
            let response = try await transport.send(request)
            _ = try await response.body.collect(upTo: 1 << 20)
            return response.status
        }

        func control(_ name: String, _ body: Value) async throws {
            let status = try await send("POST", "control/\(name)", body)
            try #require(status < 300, "control/\(name) answered \(status)")
        }
    }
#endif
