#if Command
    import Atmosphere
    import AtmosphereGoogleTasks
    import AtmosphereSource
    import AtmosphereYAML
    import Foundation
    import Testing

    /// The source in the style of Google Tasks, seen by Google's own client and by the real command with the route file
    /// of the sample.
    @Suite("Google Tasks", .serialized, .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
    struct GoogleTasksTests {
        private static let google = PeerServer.packageRoot.appendingPathComponent("Tests/Interop/google")
        private static let sample = PeerServer.packageRoot.appendingPathComponent("Samples/TaskDo/taskdo.yaml")

        private struct World {
            var source: RESTSource
            var origin: String
            var folder: URL
            var atmos: AtmosCommand

            /// What Google's client answers.
            func client(_ what: String) async throws -> Value {
                let output = try await python("client.py", [origin, "\(origin)/token", what])
                return try Value(json: Array(output.utf8))
            }

            func run(_ arguments: String...) async throws -> String {
                let result = try await atmos.run(arguments)
                #expect(result.status == 0, "\(arguments): \(result)")
                return result.output
            }

            /// The local records of an entity, without what only shows where they stand.
            func local(_ entity: String) async throws -> [Value.Members] {
                let text = try await run("list", entity, "--json")
                let value = try Value(json: Array(text.utf8))
                let records = try #require(value.array ?? value.members?["records"]?.array, "\(text)")
                return records.compactMap { record in
                    var members = record.members?["record"]?.members ?? record.members
                    members?["list_id"] = nil
                    return members
                }
            }
        }

        /// The sample's route file, with a token in the place of a person who signs in.
        private static func routes() throws -> String {
            var text = try String(contentsOf: sample, encoding: .utf8)
            let start = try #require(text.range(of: "auth:\n")).lowerBound
            let end = try #require(text.range(of: "\nresources:")).lowerBound
            text.replaceSubrange(start..<end, with: "auth: { bearer: \"secret:GOOGLE_TOKEN\" }\n")
            return text
        }

        private static func withWorld(seed: Int, _ body: (World) async throws -> Void) async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let text = try routes()
            let file = try RouteFile.load(bytes: Array(text.utf8), source: sample.path, adapters: [.yaml, .googleTasks])
            var options = RESTSource.Options(seed: seed)
            options.secrets = ["GOOGLE_TOKEN": "access-of-the-command"]
            options.oauth = .init(
                clientID: "client-1", clientSecret: "client-secret", refreshTokens: ["refresh-1"])
            let source = try RESTSource(routeFile: file, options: options)
            try await source.withServer { url in
                let path = folder.appendingPathComponent("google-tasks.yaml")
                try text.replacingOccurrences(of: "https://tasks.googleapis.com/tasks/v1", with: url)
                    .write(to: path, atomically: true, encoding: .utf8)
                let origin = String(url.dropLast("/tasks/v1".count))
                let atmos = AtmosCommand(routeFile: path, secrets: ["GOOGLE_TOKEN": "access-of-the-command"])
                try await body(World(source: source, origin: origin, folder: folder, atmos: atmos))
            }
        }

        @Test("Google's client and the command see the same lists and tasks, whichever of them made them")
        func sameObjects() async throws {
            try await Self.withWorld(seed: 7) { world in
                let made = try await world.client("edit")
                let work = try #require(made.members?["work"]?.string)
                #expect(made.members?["missing"] == ["status": 404, "reason": "Requested entity was not found."])
                #expect(made.members?["unknown"]?.members?["status"] == 400)
                _ = try await world.run("pull")
                let first = try #require(
                    try await world.local("tasks").first { $0["title"] == "second, replaced" }?["id"]?.string)
                let milk = try await world.run("create", "tasks", "list_id=\(work)", "title=Milk", "due=2024-03-04")
                let uri = milk.split(separator: "\n")[0].split(separator: " ").first { $0.hasPrefix("tasks/") }
                _ = try await world.run("edit", "tasks/\(first)", "notes=by the command", "status=completed")
                _ = try await world.run("push")
                _ = try await world.run(
                    "edit", String(try #require(uri)), "parent=\(first)", "title=Milk and bread", "previous:=null")
                _ = try await world.run("push")
                _ = try await world.run("edit", "lists/\(work)", "cleared:=true")
                _ = try await world.run("push")
                _ = try await world.run("pull")

                let shown = try await world.client("show")
                let lists = try #require(shown.members?["lists"]?.array).compactMap(\.members)
                #expect(try await Self.sorted(world.local("lists")) == Self.sorted(lists))
                let tasks = (shown.members?["tasks"]?.members ?? [:]).flatMap { $0.value.array ?? [] }
                    .compactMap(\.members)
                #expect(tasks.count > 10)
                #expect(try await Self.sorted(world.local("tasks")) == Self.sorted(tasks))
                let moved = try #require(tasks.first { $0["title"] == "Milk and bread" })
                #expect(moved["parent"]?.string == first && moved["due"] == "2024-03-04T00:00:00.000Z")
                #expect(tasks.first { $0["title"] == "second, replaced" }?["hidden"] == true)
            }
        }

        @Test("every request of the command is valid by Google's own description of the API")
        func validRequests() async throws {
            try await Self.withWorld(seed: 3) { world in
                _ = try await world.run("pull")
                let list = try #require(try await world.local("lists").first?["id"]?.string)
                let task = try #require(try await world.local("tasks").first?["id"]?.string)
                _ = try await world.run("create", "lists", "title=New")
                _ = try await world.run("create", "tasks", "list_id=\(list)", "title=New", "status=completed")
                _ = try await world.run("edit", "lists/\(list)", "title=Renamed")
                _ = try await world.run("edit", "tasks/\(task)", "title=Renamed", "notes:=null", "previous:=null")
                _ = try await world.run("sync")
                _ = try await world.run("request", "clear", "lists/\(list)")
                let gone = try #require(try await world.local("tasks").last?["id"]?.string)
                _ = try await world.run("delete", "tasks/\(gone)")
                _ = try await world.run("sync")
                let last = try #require(try await world.local("lists").last { $0["title"] == "New" }?["id"]?.string)
                _ = try await world.run("delete", "lists/\(last)")
                _ = try await world.run("sync")
                _ = try await world.run("pull", "--full")

                let log = world.source.log
                // A list changes with its tasks, so its old tag is refused once; what is absent is asked for and gone.
                let expected = Set(200..<300).union([404, 412])
                #expect(log.allSatisfy { expected.contains($0.status ?? 0) }, "\(log.map { ($0.path, $0.status) })")
                let lines = log.map { entry -> String in
                    let query = entry.request.query.map { Value.array([.string($0.name), .string($0.value)]) }
                    let line: Value = [
                        "method": .string(entry.method), "path": .string(entry.path), "query": .array(query),
                        "body": .string(String(decoding: entry.body, as: UTF8.self))
                    ]
                    return String(decoding: line.json(), as: UTF8.self)
                }
                let requests = world.folder.appendingPathComponent("requests.jsonl")
                try (lines.joined(separator: "\n") + "\n").write(to: requests, atomically: true, encoding: .utf8)
                let output = try await Self.python("check_requests.py", [], input: requests)
                let report = output.split(separator: "\n").map(String.init)
                #expect(report.count == 1, "\(output)")
                let seen = try Value(json: Array((report.last ?? "").utf8)).members?["seen"]?.members
                #expect(
                    seen?.names == [
                        "tasks.tasklists.delete", "tasks.tasklists.get", "tasks.tasklists.insert",
                        "tasks.tasklists.list", "tasks.tasklists.patch", "tasks.tasks.clear", "tasks.tasks.delete",
                        "tasks.tasks.get", "tasks.tasks.insert", "tasks.tasks.list", "tasks.tasks.move",
                        "tasks.tasks.patch"
                    ])
            }
        }

        private static func sorted(_ records: [Value.Members]) -> [Value.Members] {
            records.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }
        }

        private static func python(_ script: String, _ arguments: [String], input: URL? = nil) async throws -> String {
            let python = try #require(DjangoServer.python, "Tests/Interop/django/setup.sh failed; see its output above")
            return try await onOwnThread {
                let process = Process()
                process.executableURL = python
                process.arguments = [google.appendingPathComponent(script).path] + arguments
                let output = Pipe()
                process.standardOutput = output
                process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
                try process.start()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                try #require(process.terminationStatus == 0, "\(script) ended with \(process.terminationStatus)")
                return text
            }
        }
    }
#endif
