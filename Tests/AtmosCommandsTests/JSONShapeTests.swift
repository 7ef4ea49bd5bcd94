#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @testable import AtmosCommands

    @Suite("The shapes of what --json prints", .timeLimit(.minutes(5))) struct JSONShapeTests {
        private static let withoutJSON: Set<String> = ["completions", "manual"]

        @Test("every command has a shape, and there is none for a command that there is not")
        func commands() throws {
            let shapes = Set(try JSONShape.all().keys)
            let names = Set(Atmos.commandNames).subtracting(Self.withoutJSON)
            #expect(names.subtracting(shapes).sorted() == [])
            #expect(shapes.subtracting(names).sorted() == ["address", "draft", "error", "preview", "warning"])
        }

        @Test("the page's examples have their shapes")
        func page() throws {
            let shapes = try JSONShape.all()
            let blocks = try JSONShape.text("docs/JSON.md").components(separatedBy: "\n```json ").dropFirst()
            #expect(blocks.count > 25)
            for block in blocks {
                let lines = block.split(separator: "\n", maxSplits: 2).map(String.init)
                let shape = try #require(shapes[lines[0]], "\(lines[0])")
                #expect(shape.complaints(try Value(json: Array(lines[1].utf8))) == [], "\(lines)")
            }
        }

        @Test("a value of another shape is told")
        func wrong() throws {
            let shapes = try JSONShape.all()
            for (name, text) in [
                ("create", #"{"uri":1}"#), ("create", "{}"), ("create", #"{"uri":"a","more":1}"#), ("list", "{}"),
                ("logout", #"{"signedIn":true}"#), ("sync", #"{"time":"x","network":"gone"}"#),
                ("retry", #"{"retried":[1]}"#)
            ] {
                #expect(
                    try shapes[name]?.complaints(Value(json: Array(text.utf8))).isEmpty == false, "\(name): \(text)")
            }
        }

        /// Runs a command and holds each line against its shape.
        @discardableResult
        private func hold(
            _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:]
        ) async throws -> Workspace.Run {
            let run = try await workspace.start(arguments + ["--json"], environment: environment).end()
            // A list has a line for each of its records.
            let lines = arguments[0] == "list" ? [run.output[...]] : run.output.split(separator: "\n")
            try JSONShape.hold(lines, to: arguments[0])
            for line in run.errors.split(separator: "\n") {
                let isWarning = try Value(json: Array(line.utf8)).members?["error"] == nil
                try JSONShape.hold([line], to: isWarning ? "warning" : "error")
            }
            #expect(run.output + run.errors != "", "\(arguments): \(run)")
            return run
        }

        /// Runs a command while `body` runs, asks it to end, and holds each line against its shape.
        private func running(
            _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:],
            _ body: (RunningCommand) async throws -> Void
        ) async throws {
            let command = try workspace.start(arguments + ["--json"], environment: environment)
            do {
                try await body(command)
            } catch {
                command.terminate()
                _ = try await command.end()
                throw error
            }
            command.terminate()
            let run = try await command.end()
            #expect(run.status == 0 && run.output != "", "\(arguments): \(run)")
            try JSONShape.hold(run.lines, to: arguments[0])
        }

        /// The first line with this text, as soon as it is there.
        private func line(of command: RunningCommand, with text: String) async throws -> String {
            while true {
                let lines = command.outputSoFar.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                if let line = lines.first(where: { $0.contains(text) }) { return String(line) }
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        @Test("what commands print has their shapes")
        func printed() async throws {
            try await TestAPI.serving(tasks: TestAPI.uniqueLookUp + "\n    " + TestAPI.since) {
                (source, workspace) async throws in
                try workspace.write(DescribedAPI.openAPI.json(), to: "api.json")
                for title in ["a b", "c d"] { try source.add("tasks", ["title": .string(title), "list": 1]) }
                for command in [
                    ["validate"], ["explain"], ["explain", "tasks"], ["allow"], ["allow", "--list"],
                    ["allow", "--remove"],
                    ["schema"], ["check"], ["check", "--write"], ["pull"], ["pull", "nothing"],
                    ["pull", "--full", "--dry-run"],
                    ["list", "tasks"], ["get", "tasks/1"], ["get", "tasks/99"], ["export", "tasks"],
                    ["create", "tasks", "title=new", "list:=1"], ["edit", "tasks/1", "title=mine"],
                    ["delete", "tasks/2"],
                    ["diff"], ["push", "--dry-run"], ["status"], ["conflicts"], ["rejected"], ["log"]
                ] { try await hold(command, in: workspace) }
                // Somebody else edits the same title, and a create is refused.
                try source.edit("tasks", "1", ["title": "theirs"])
                try await workspace.atmos("create", "tasks", "title=bad", "list:=99")
                for command in [
                    ["push"], ["conflicts"], ["rejected"], ["status"], ["diff"], ["sync"],
                    ["resolve", "tasks/1", "--mine"],
                    ["retry", "--all"], ["log"], ["request", "GET", "tasks/"], ["request", "archive", "tasks/1"],
                    ["discard", "tasks/1"], ["nonsense", "x"], ["login"], ["logout"], ["whoami"], ["listen"],
                    ["notify", "tasks/1", "--to", "ann"], ["record", "day.cassette", "pull"],
                    ["replay", "day.cassette", "pull"],
                    ["init", "--base", "https://api.example.com", "--resource", "notes", "-c", "new.yaml"],
                    ["discover", "nothing.json", "-c", "other.yaml"], ["discover", "api.json", "-c", "other.yaml"],
                    ["demo"],
                    ["attach", "tasks/1", "photo", "atmosphere.yaml"]
                ] { try await hold(command, in: workspace) }
            }
        }

        @Test("what listen prints of a connection has its shape")
        func connection() throws {
            let events: [MessageEvent] = [
                .connected(.resumed), .connected(.gap), .disconnected(reason: "the server is away"),
                .unusable(reason: "no JSON"),
                .update(
                    LiveUpdate(uri: ObjectURI(entity: "tasks", id: "1"), content: .unusable(reason: "no object"))),
                .roomsJoined(["tasks/9"]), .refused(.rooms(["secret/1"])), .refused(.key(reason: "unknown"))
            ]
            for event in events {
                let line = String(decoding: Value.object(event.members).json(), as: UTF8.self)
                try JSONShape.hold([line], to: "listen")
            }
        }

        @Test("what serve, listen, notify and sync --watch print has their shapes")
        func messages() async throws {
            let folder = try Workspace()
            try folder.write("publisher-0123456789 backend\n", to: "publishers.keys")
            try folder.write("ann-0123456789abcdef ann tasks/*\n", to: "clients.keys")
            let options = ["--port", "0", "--publishers", "publishers.keys", "--clients", "clients.keys"]
            try await running(["serve"] + options, in: folder) { serve in
                let served = try await line(of: serve, with: "url")
                let url = try #require(try Value(json: Array(served.utf8)).members?["url"]?.string)
                let live = """
                    live:
                      url: \(url.replacing("http:", with: "ws:"))
                      key: secret:PUSH_KEY
                      publish: { key: secret:PUBLISHER_KEY }
                      rooms: [tasks/9, secret/1]
                    """
                let source = try TestAPI.source()
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await source.withServer { base in
                    let workspace = try Workspace()
                    try workspace.write(TestAPI.routeFile(base: base, top: live), to: "atmosphere.yaml")
                    try await hear(in: workspace)
                    try await watch(source, in: workspace)
                }
            }
        }

        private static let keys = ["PUBLISHER_KEY": "publisher-0123456789", "PUSH_KEY": "ann-0123456789abcdef"]

        private func notify(_ message: [String], in workspace: Workspace) async throws {
            let run = try await hold(
                ["notify"] + message + ["--to", "ann"], in: workspace, environment: Self.keys)
            #expect(run.status == 0, "\(message): \(run)")
        }

        /// Updates of each kind, and one message that is published twice.
        private func hear(in workspace: Workspace) async throws {
            try await running(["listen"], in: workspace, environment: Self.keys) { listen in
                _ = try await line(of: listen, with: #""connected":"new""#)
                for message in [
                    ["tasks/1"], ["tasks/1", "--attributes", #"{"title":"Milk"}"#, "--version", "12"],
                    ["tasks/1", "--patch", #"{"rank":null}"#, "--version", "12", "--next", "13"],
                    ["tasks/1", "--edits", #"{"title":[{"at":0,"delete":1,"insert":"S"}]}"#, "--version", "13"],
                    ["tasks/2", "--deleted"], ["--data", #"{"dinner":true}"#, "--id", "e1"],
                    ["--data", #"{"dinner":true}"#, "--id", "e1"]
                ] { try await notify(message, in: workspace) }
                _ = try await line(of: listen, with: "notification")
            }
        }

        /// Edits until one comes as an update, and not with a round.
        private func watch(_ source: RESTSource, in workspace: Workspace) async throws {
            try await running(
                ["sync", "--watch", "--interval", "1h"], in: workspace, environment: Self.keys
            ) { watch in
                _ = try await line(of: watch, with: #""live":"connected""#)
                var round = 0
                while !watch.outputSoFar.contains(#""changed":"#) {
                    try Task.checkCancellation()
                    round += 1
                    try source.edit("tasks", "1", ["title": .string("Round \(round)")])
                    try await notify(["tasks/1"], in: workspace)
                }
            }
        }
    }
#endif
