#if YAML
    import Atmosphere
    import AtmosphereGoogleTasks
    import AtmosphereSource
    import AtmosphereTesting
    import AtmosphereYAML
    import Synchronization
    import Testing

    /// A client with the route file of the sample, before the source in Google's style.
    @Suite("Google Tasks offline")
    struct GoogleTasksOfflineTests {
        private static let origin = "https://tasks.googleapis.com"

        /// The server, and a transport to it.
        private final class Door: Sendable {
            private let server: Mutex<SampleServer>

            init(_ api: SourceAPI) { server = Mutex(SampleServer(api)) }

            func send(_ method: String, _ target: String, _ body: String, _ headers: HeaderFields = [:]) -> SampleAnswer
            {
                server.withLock { $0.send(method, target, body, headers: headers) }
            }

            func transport() -> ScriptedTransport {
                ScriptedTransport { request in
                    var body = ""
                    if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
                    let target = String(request.url.dropFirst(GoogleTasksOfflineTests.origin.count))
                    let answer = self.send(request.method, target, body, request.headers)
                    let bytes = answer.status == 204 ? [] : answer.body.json()
                    return Response(status: answer.status, headers: answer.headers, body: ResponseBody(bytes))
                }
            }
        }

        private func order(_ client: Synchronizer) async throws -> [String?] {
            try await client.records(matching: Query("tasks", order: [.init("position")]))
                .map { $0.record["title"]?.string }
        }

        @Test("a task stands at its new place at once, and a clear that waits goes behind the edits of its tasks")
        func offline() async throws {
            let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
                .joined(separator: "/")
            var file = try RouteFile.load(
                path: "\(folder)/Samples/TaskDo/taskdo.yaml", adapters: [.yaml, .googleTasks])
            file.auth = .none
            let door = Door(try SourceAPI(file))
            let list = try #require(door.send("POST", "/tasks/v1/users/@me/lists", #"{"title":"Home"}"#)["id"]?.string)
            var ids: [String] = []
            for title in ["c", "b", "a"] {
                let made = door.send("POST", "/tasks/v1/lists/\(list)/tasks", #"{"title":"\#(title)"}"#)
                ids.append(try #require(made["id"]?.string))
            }
            let client = try await Synchronizer(
                routeFile: file, store: MemoryStore(), transport: door.transport(), style: GoogleTasksStyle())
            try await client.pull()
            #expect(try await order(client) == ["a", "b", "c"])

            let (c, a) = (ObjectURI(entity: "tasks", id: ids[0]), ObjectURI(entity: "tasks", id: ids[2]))
            try await client.edit(c, setting: ["previous": .string(a.id)])
            #expect(try await order(client) == ["a", "c", "b"])
            try await client.edit(a, setting: ["status": "completed"])
            try await client.edit(ObjectURI(entity: "lists", id: list), setting: ["cleared": true])

            let report = try await client.push()
            #expect(report.failures.isEmpty && report.ignored.isEmpty && report.held.isEmpty, "\(report)")
            #expect(try await client.pending().isEmpty)
            #expect(try await client.record(at: a)?["hidden"] == true)
            #expect(try await client.record(at: c)?["position"] == "00000000000000000001")
            var options = Synchronizer.PullOptions()
            options.full = true
            try await client.pull(options: options)
            #expect(try await order(client) == ["a", "c", "b"])
            try await client.close()
        }
    }
#endif
