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
        private func hold(_ arguments: [String], in workspace: Workspace, environment: [String: String] = [:])
            async throws
        {
            let shapes = try JSONShape.all()
            let run = try await workspace.start(arguments + ["--json"], environment: environment).end()
            var seen = 0
            // A list has a line for each of its records.
            let values = arguments[0] == "list" ? [run.output[...]] : run.output.split(separator: "\n")
            for line in values where !line.isEmpty {
                let value = try Value(json: Array(line.utf8))
                #expect(shapes[arguments[0]]?.complaints(value) == [], "\(arguments): \(line)")
                seen += 1
            }
            for line in run.errors.split(separator: "\n") {
                let value = try Value(json: Array(line.utf8))
                let name = value.members?["error"] == nil ? "warning" : "error"
                #expect(shapes[name]?.complaints(value) == [], "\(arguments): \(line)")
                seen += 1
            }
            #expect(seen > 0, "\(arguments): \(run)")
        }

        @Test("what commands print has their shapes")
        func printed() async throws {
            try await TestAPI.serving(tasks: TestAPI.uniqueLookUp + "\n    " + TestAPI.since) {
                (source, workspace) async throws in
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
                    ["discover", "nothing.json", "-c", "other.yaml"], ["demo"],
                    ["attach", "tasks/1", "photo", "atmosphere.yaml"]
                ] { try await hold(command, in: workspace) }
            }
        }
    }
#endif
