#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @Suite("Record and replay, and what the route file chooses", .timeLimit(.minutes(5)))
    struct CassetteCommandTests {
        @Test("what was recorded is replayed without the server, and the route file can say so too")
        func recordAndReplay() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let recorded = try await workspace.atmos("record", "day.cassette", "pull")
                #expect(recorded.status == 0, "\(recorded)")
                let mode = try FileManager.default.attributesOfItem(
                    atPath: workspace.folder.appending(path: "day.cassette").path)[.posixPermissions]
                #expect((mode as? NSNumber)?.intValue == 0o600)
                #expect(try workspace.read("day.cassette").contains("Milk"))
                let again = try await workspace.atmos("record", "day.cassette", "pull")
                #expect(again.status == 2)
                #expect(again.errors.contains("day.cassette: the file is there already"))

                // A folder of its own, and nobody listens at the base any more.
                try source.add("tasks", ["title": "Not recorded", "list": 1])
                let routeFile = try workspace.read("atmosphere.yaml")
                let other = try Workspace()
                try other.write(try workspace.read("day.cassette"), to: "day.cassette")
                try other.write(routeFile, to: "atmosphere.yaml")
                #expect(try await other.atmos("replay", "day.cassette", "pull") == .init(0, recorded.output))
                let titles = try await other.atmos("list", "tasks", "--json").output
                #expect(titles.contains("Milk") && !titles.contains("Not recorded"))
                let request = try await other.atmos("replay", "day.cassette", "request", "GET", "tasks/9/", "--json")
                #expect(request.status == 1, "\(request)")
                #expect(request.errors.contains("the path is recorded as /api/"))
                #expect(request.errors.contains(#""code":"notRecorded""#), "\(request)")
                try other.write(#"{"atmosphere-cassette":1}"#, to: "empty.cassette")
                let pull = try await other.atmos("replay", "empty.cassette", "pull", "--json")
                #expect(pull.status == 1, "\(pull)")
                #expect(pull.errors.contains(#""code":"notRecorded""#), "\(pull)")

                let chosen = try Workspace()
                try chosen.write(try workspace.read("day.cassette"), to: "day.cassette")
                try chosen.write(
                    routeFile.replacing(
                        "limits:", with: "transport: { kind: replay, path: day.cassette }\nlimits:"),
                    to: "atmosphere.yaml")
                #expect(try await chosen.atmos("pull") == .init(0, recorded.output))
            }
        }

        @Test("a route file and a form that are named before the cassette hold for the command behind it")
        func outerOptions() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let routeFile = try workspace.read("atmosphere.yaml")
                try workspace.write(routeFile, to: "other.yaml")
                // Nobody listens where the usual route file points to.
                try workspace.write(
                    routeFile.replacing(#/base: .*/#, with: "base: http://127.0.0.1:9/api/"), to: "atmosphere.yaml")
                let forms = ["a": ["-c", "other.yaml", "record"], "b": ["record", "-c", "other.yaml"]]
                for (cassette, options) in forms {
                    let run = try await workspace.start(options + ["--json", cassette, "pull", "tasks"]).end()
                    #expect(run.status == 0, "\(run)")
                    #expect(run.output.hasPrefix("{"), "\(run)")
                }
                let missing = try await workspace.start(["-c", "none.yaml", "replay", "a", "pull"]).end()
                #expect(missing.status == 2 && missing.errors.contains("none.yaml"), "\(missing)")
                let both = try await workspace.start(["-c", "other.yaml", "replay", "a", "pull", "-c", "x.yaml"]).end()
                #expect(both.status == 2, "\(both)")
                #expect(both.errors.contains("two route files are named: other.yaml for replay and x.yaml behind it"))
            }
        }

        @Test("the help of the command behind a cassette can be read there", arguments: ["record", "replay"])
        func help(_ name: String) async throws {
            let workspace = try Workspace()
            let help = try await workspace.start([name, "c", "request", "POST", "tasks", "--help"]).end()
            #expect(help.status == 0 && help.output.contains("USAGE: atmos request"), "\(help)")
            #expect(!workspace.has("c"))
        }

        @Test("secrets that are too short to be told from words are named before a recording")
        func shortSecrets() async throws {
            let workspace = try TestAPI.offline()
            let text = try workspace.read("atmosphere.yaml")
            try workspace.write("auth: { bearer: secret:KEY }\n" + text, to: "atmosphere.yaml")
            for (key, isTold) in [("hunter", true), ("471100", true), ("hunter2", false), ("hunter-2", false)] {
                let run = try await workspace.atmos("record", "c-\(key)", "pull", environment: ["KEY": key])
                #expect(run.status == 4, "\(run)")
                #expect(run.errors.contains("KEY: shorter than 8 characters") == isTold, "\(run)")
                #expect(!run.errors.contains(key), "\(run)")
            }
        }

        @Test("record and replay need a command that works with a route file")
        func usage() async throws {
            let workspace = try Workspace()
            for (arguments, message) in [
                (["record", "c"], "a command must follow the cassette"),
                (["replay", "c", "replay", "c", "pull"], "“replay” is no command that sends requests"),
                (["replay", "c", "pull", "--nonsense"], "--nonsense")
            ] {
                let run = try await workspace.start(arguments).end()
                #expect(run.status == 2, "\(run)")
                #expect(run.errors.contains(message), "\(run)")
            }
            #expect(!workspace.has("c"))
        }

        @Test(
            "the route file alone chooses store and transport",
            arguments: ["json-file", "sqlite"], Self.transports)
        func choices(_ store: String, _ transport: String) async throws {
            let top = "store: { kind: \(store), path: data }\ntransport: \(transport)"
            try await TestAPI.serving(tasks: TestAPI.lookup, top: top) { (source, workspace) async throws in
                let task = try await workspace.atmos("create", "tasks", "title=Milk", "list=1", "uuid=u")
                #expect(task.status == 0, "\(task)")
                #expect(try await workspace.atmos("push").status == 0)
                #expect(source.objects("tasks").count == 1)
                #expect(try await workspace.atmos("edit", "tasks/1", "title=Oat milk").status == 0)
                #expect(try await workspace.atmos("push").status == 0)
                #expect(try await workspace.atmos("pull").status == 0)
                #expect(try await workspace.atmos("get", "tasks/1", "--json").output.contains("Oat milk"))
            }
        }

        #if canImport(Darwin)
            private static let transports = ["curl", "urlsession"]
        #else
            private static let transports = ["curl"]

            @Test("a transport that would end the process here is refused with its place, the reason and the remedy")
            func refusal() async throws {
                let workspace = try TestAPI.offline()
                let routeFile = try workspace.read("atmosphere.yaml").replacing(
                    "limits:", with: "transport: urlsession\nlimits:")
                try workspace.write(routeFile, to: "atmosphere.yaml")
                for arguments in [["validate"], ["pull"], ["record", "c", "pull"]] {
                    let run = try await workspace.start(arguments).end()
                    #expect(run.status == 2, "\(run)")
                    #expect(
                        run.errors.contains(
                            "atmosphere.yaml:5:12: transport “urlsession” cannot be used on this system: Foundation ends the "
                                + "process there at some answers in chunks; write transport: curl"), "\(run)")
                }
            }
        #endif

        @Test("damage to a JSON file store is told, and the next pull mends it")
        func damage() async throws {
            try await TestAPI.serving(top: "store: { kind: json-file, path: data }") {
                (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try source.add("tasks", ["title": "Bread", "list": 1])
                #expect(try await workspace.atmos("pull").status == 0)
                let name = "data/entities/tasks.jsonl"
                try workspace.write(try workspace.read(name).replacing("Milk", with: "Malk"), to: name)
                let list = try await workspace.atmos("list", "tasks")
                #expect(list.status == 0)
                #expect(!list.output.contains("Malk") && list.output.contains("Bread"))
                #expect(list.errors.contains("tasks.jsonl is damaged: one line cannot be read"), "\(list)")
                let told = try await workspace.atmos("pull")
                #expect(told.status == 0)
                #expect(told.errors == "", "it is told once")
                #expect(try await workspace.atmos("list", "tasks", "--json").output.contains("Milk"))
                #expect(workspace.has("\(name).damaged-1"))
            }
        }
    }
#endif
