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
        private let server: Launched
        private let transport: CurlTransport

        static var packageRoot: URL {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
        }

        /// A peer's own folder beside these tests.
        static func folder(_ name: String) -> URL { packageRoot.appendingPathComponent("Tests/Interop/\(name)") }

        /// Runs a peer's `setup.sh`, which installs what is missing.
        static func setUp(_ name: String, arguments: [String] = []) -> Bool {
            let script = folder(name).appendingPathComponent("setup.sh").path
            do {
                let (status, said) = try Launched(URL(fileURLWithPath: "/bin/sh"), [script] + arguments)
                    .end(seconds: 1_200)
                FileHandle.standardError.write(said.output)
                return status == 0
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                return false
            }
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
            // Its own end waits for connections that are kept alive: it is killed instead.
            server = try Launched(
                URL(fileURLWithPath: command[0]), Array(command.dropFirst()), errors: .shown, keepsInput: true)
            let line = try server.line()
            let words = line.split(separator: " ")
            try #require(words.count == 2 && words[0] == "ready", "the server said “\(line)” instead of ready")
            url = String(words[1].dropLast())
        }

        deinit {
            server.kill()
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
