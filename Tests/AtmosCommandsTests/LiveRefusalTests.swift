#if Command
    import AtmosphereTesting
    import Foundation
    import Testing

    @Suite("Live servers that refuse", .timeLimit(.minutes(1))) struct LiveRefusalTests {
        private static let key = "key-of-ann-0123456789abcdef"

        /// Opens a session, and lets nobody in with words that repeat the key.
        ///
        /// - Parameter tried: called with each try to connect.
        private static func server(
            _ word: String, tried: @escaping @Sendable () -> Void = {}
        ) throws -> FaultyServer {
            try FaultyServer { (arrival: FaultyServer.Arrival) -> String in
                if arrival.method == "POST" { return FaultyServer.answer("200 OK", [], "ok") }
                guard arrival.target.contains("sid=") else {
                    tried()
                    let handshake =
                        #"0{"sid":"s","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#
                    return FaultyServer.answer("200 OK", [], handshake)
                }
                let refusal = #"44{"message":"\#(word)","data":{"reason":"bad key \#(key)"}}"#
                return FaultyServer.answer("200 OK", [], refusal)
            }
        }

        private func folder(for server: FaultyServer) throws -> Workspace {
            let workspace = try Workspace()
            let live = #"live: { url: "\#(server.url)", key: "secret:K", transports: polling }"#
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: live), to: "atmosphere.yaml")
            return workspace
        }

        /// Runs a command until the server is tried a second time: why the first try failed was told before.
        private func triedTwice(
            _ command: [String], in workspace: Workspace, _ tries: AsyncStream<Void>
        ) async throws -> Workspace.Run {
            let running = try workspace.start(command, environment: ["K": Self.key])
            var count = 0
            for await _ in tries {
                count += 1
                if count == 2 { break }
            }
            running.terminate()
            return try await running.end()
        }

        @Test("listen shows a refusal of the key without the key", arguments: [["listen"], ["listen", "--json"]])
        func refusedKey(_ command: [String]) async throws {
            let server = try Self.server("Unauthorized")
            defer { server.stop() }
            let run = try await folder(for: server).start(command, environment: ["K": Self.key]).end()
            #expect(run.status == 4 && run.errors.contains("bad key [secret]"), "\(run)")
            #expect(!(run.output + run.errors).contains(Self.key), "\(run)")
        }

        @Test("notify shows no publisher's key that a server repeats", arguments: [["notify"], ["notify", "--json"]])
        func echoedKey(_ command: [String]) async throws {
            let server = try FaultyServer { (_: FaultyServer.Arrival) -> String in
                FaultyServer.answer(
                    "200 OK", ["Content-Type: application/json"],
                    #"{"id":"\u001b[31m\#(Self.key)","more":"\#(Self.key)"}"#)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let live = #"live: { url: "\#(server.url)", key: "secret:N", publish: { key: "secret:K" } }"#
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: live), to: "atmosphere.yaml")
            let arguments = command + ["tasks/1", "--to", "ann"]
            let run = try await workspace.start(arguments, environment: ["K": Self.key]).end()
            #expect(run.status == 0 && (run.output + run.errors).contains(" [31m[secret]"), "\(run)")
            #expect(!(run.output + run.errors).contains(Self.key), "\(run)")
        }

        @Test("sync --watch neither shows the key that a refusal repeats nor keeps it")
        func watching() async throws {
            let (tries, tried) = AsyncStream<Void>.makeStream()
            let server = try Self.server("busy") { tried.yield() }
            defer { server.stop() }
            let workspace = try folder(for: server)
            let run = try await triedTwice(["sync", "--watch", "--interval", "1h"], in: workspace, tries)
            #expect((run.output + run.errors).contains("bad key [secret]"), "\(run)")
            // What it has said is in these files, too.
            for file in try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path) {
                guard let bytes = try? Data(contentsOf: workspace.folder.appending(path: file)) else { continue }
                #expect(bytes.range(of: Data(Self.key.utf8)) == nil, "\(file) holds the key")
            }
        }

        @Test(
            "an answer that no server for live updates gives is told with its status, the address and the remedy",
            arguments: [301, 401, 500])
        func status(_ status: Int) async throws {
            let (tries, tried) = AsyncStream<Void>.makeStream()
            let server = try FaultyServer { (_: FaultyServer.Arrival) -> String in
                tried.yield()
                return FaultyServer.answer("\(status) As Told", ["Location: /elsewhere/"])
            }
            defer { server.stop() }
            let run = try await triedTwice(["listen"], in: folder(for: server), tries)
            #expect(
                run.errors.contains("not connected: 127.0.0.1:\(server.port)/socket.io/ answered \(status)"), "\(run)")
            #expect(run.errors.contains("correct the URL (live.url)") == (status < 500), "\(run)")
        }

        @Test("notify shows a refusal without the publisher's key", arguments: [["notify"], ["notify", "--json"]])
        func refusedPublisher(_ command: [String]) async throws {
            let server = try FaultyServer { (_: FaultyServer.Arrival) -> String in
                FaultyServer.answer(
                    "401 Unauthorized", ["Content-Type: application/problem+json"],
                    #"{"title":"no","detail":"bad key “\#(Self.key)”"}"#)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let live = #"live: { url: "\#(server.url)", key: "secret:N", publish: { key: "secret:K" } }"#
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: live), to: "atmosphere.yaml")
            let arguments = command + ["tasks/1", "--to", "ann"]
            let run = try await workspace.start(arguments, environment: ["K": Self.key]).end()
            let told = "the notification server answered 401: bad key “[secret]”"
            #expect(run.status == 4 && run.errors.contains(told), "\(run)")
            #expect(!(run.output + run.errors).contains(Self.key), "\(run)")
        }
    }
#endif
