#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @Suite("Mistakes and odd answers", .timeLimit(.minutes(2))) struct MistakeCommandTests {
        @Test(
            "options of every command may stand before it",
            arguments: [
                ["-c", "other.yaml", "validate"], ["--config", "other.yaml", "validate"],
                ["--config=other.yaml", "validate"], ["-v", "-c", "other.yaml", "validate"]
            ])
        func optionsBefore(_ arguments: [String]) async throws {
            let workspace = try Workspace()
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api"), to: "other.yaml")
            #expect(try await workspace.start(arguments).end() == .init(0, "other.yaml is valid: lists, tasks\n"))
        }

        @Test("an option before the command that is unknown or lacks its value ends with 2; --json holds for errors")
        func optionsBeforeGoneWrong() async throws {
            for arguments in [["-c"], ["-c", "validate"], ["-x", "validate"]] {
                let run = try await TestAPI.offline().start(arguments).end()
                #expect(run.status == 2, "\(run)")
            }
            let run = try await TestAPI.offline().atmos("--json", "-q", "get", "tasks/1")
            #expect(run.status == 1 && run.errors.hasPrefix(#"{"error":{"code":"notFound""#), "\(run)")
        }

        @Test("a readonly field cannot be edited, and the reason is told")
        func readonly() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull")
                let record = try await workspace.atmos("get", "tasks/1", "--json")
                for now in [[], ["--now"]] {
                    let run = try await workspace.start(["edit", "tasks/1", "title=x", "modified=never"] + now).end()
                    #expect(
                        run
                            == .init(
                                1,
                                errors:
                                    "atmos: the “modified” of tasks/1 cannot be edited: the route file says that the "
                                    + "server alone sets it (readonly)\n"))
                }
                #expect(try await workspace.atmos("get", "tasks/1", "--json") == record)
            }
        }

        @Test("an object that was deleted here is not edited until the deletion is taken back")
        func deletedHere() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull")
                try await workspace.atmos("delete", "tasks/1")
                for now in [[], ["--now"]] {
                    let run = try await workspace.start(["edit", "tasks/1", "title=x"] + now).end()
                    #expect(run.status == 1 && run.errors.contains("atmos discard tasks/1"), "\(run)")
                }
                try await workspace.atmos("discard", "tasks/1")
                #expect(try await workspace.atmos("edit", "tasks/1", "title=x") == .init(0, "tasks/1\n"))
            }
        }

        @Test("a create that was sent at once and not answered says that the object may exist")
        func lostCreateNow() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                source.intercept = { $0.method == "POST" ? .close : nil }
                let lost = try await workspace.atmos("create", "lists", "title=Shopping", "--now")
                #expect(lost.status == 4 && lost.errors.contains("may have created it"), "\(lost)")
                #expect(lost.errors.contains("atmos pull lists") && lost.errors.contains("atmos list lists"))
            }
            let offline = try await TestAPI.offline().atmos("create", "lists", "title=Shopping", "--now")
            #expect(offline.status == 4 && !offline.errors.contains("may have created it"), "\(offline)")
        }

        @Test("list says what is wrong with a condition, and names fields that no record has")
        func conditions() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                #expect(try await workspace.atmos("list", "tasks", "--where", "nosuch=1").errors == "")
                try source.add("tasks", ["title": "Milk", "list": 1, "rank": 2])
                try await workspace.atmos("pull")
                for (condition, kind) in [
                    ("rank=abc", "an integer"), ("weight>x", "a number"), ("done=maybe", "true or false"),
                    ("due<soon", "a date (2026-01-02)")
                ] {
                    let run = try await workspace.atmos("list", "tasks", "--where", condition)
                    #expect(run.status == 2 && run.output == "")
                    #expect(run.errors.hasSuffix("as \(kind)\n"), "\(run)")
                }
                let unknown = try await workspace.atmos("list", "tasks", "--where", "nosuch=1", "--sort", "nowhere")
                #expect(
                    unknown
                        == .init(
                            0, "OBJECT\n",
                            errors: "atmos: no record of tasks has “nosuch”\natmos: no record of tasks has “nowhere”\n")
                )
                let sorted = try await workspace.atmos("list", "tasks", "--sort", "-nowhere")
                #expect(sorted.status == 0 && sorted.lines.count == 3)
                #expect(sorted.errors == "atmos: no record of tasks has “nowhere”\n")
                #expect(try await workspace.atmos("list", "tasks", "--where", "rank=7", "--sort", "title").errors == "")
            }
        }

        @Test("names of members do not steer the terminal")
        func memberNames() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("lists", ["a\u{1B}[31mred\nb": "v"])
                try await workspace.atmos("pull", "lists")
                let run = try await workspace.atmos("list", "lists")
                #expect(run.lines.count == 4 && run.lines[0].contains(#"A\u{1b}[31MRED\nB"#), "\(run)")
                #expect(!run.output.contains("\u{1B}"))
            }
        }

        @Test("a record of which no request can be made does not stop a dry run")
        func dryRun() async throws {
            let workspace = try Workspace()
            let create = #"create: { path: "lists/{list}/tasks/{slug}" }"#
            try workspace.write(
                TestAPI.routeFile(base: "http://127.0.0.1:1/api", tasks: create), to: "atmosphere.yaml")
            try await workspace.atmos("create", "lists", "title=Shopping")
            let bad = try await workspace.atmos("create", "tasks", "title=Milk", "list=1").lines[0]
            let run = try await workspace.atmos("push", "--dry-run")
            #expect(run.status == 0 && run.errors == "", "\(run)")
            #expect(run.lines.count == 3 && run.lines[0].hasPrefix("POST "), "\(run)")
            #expect(run.lines[1].hasPrefix("held: \(bad) (the path ") && run.lines[1].contains("{slug}"), "\(run)")
        }

        @Test("a pull of children before any parent says why nothing was asked for")
        func childrenFirst() async throws {
            let workspace = try Workspace()
            try workspace.write(
                """
                atmosphere: 1
                base: http://127.0.0.1:1/api
                resources:
                  lists:
                  tasks: { path: "lists/{lists.id}/tasks", parent: { lists: list } }

                """, to: "nested.yaml")
            let run = try await workspace.atmos("-c", "nested.yaml", "pull", "tasks")
            #expect(run.status == 0)
            #expect(
                run.errors
                    == "atmos: tasks: nothing was asked for: tasks are listed under each of lists, and none of lists is "
                    + "here; pull lists first\n")
        }

        @Test("a custom request to another host is refused before anything is sent")
        func otherHost() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let run = try await workspace.atmos("request", "GET", "http://evil.example/api/lists/")
                #expect(run.status == 2 && run.errors.contains("is not under the base"), "\(run)")
                #expect(source.log.isEmpty)
            }
        }

        @Test("an answer that is too large ends with 1")
        func tooLarge() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("lists", ["title": .string(String(repeating: "x", count: 5000))])
                let text = try String(contentsOf: workspace.folder.appending(path: "atmosphere.yaml"), encoding: .utf8)
                try workspace.write(
                    text.replacing("limits: { attempts: 1 }", with: "limits: { attempts: 1, body: 1000 }"),
                    to: "small.yaml")
                let pull = try await workspace.atmos("-c", "small.yaml", "pull", "lists")
                #expect(pull.status == 1 && pull.errors.contains("larger than"), "\(pull)")
                let request = try await workspace.atmos("-c", "small.yaml", "request", "GET", "lists/")
                #expect(request.status == 1 && request.errors.contains("larger than"), "\(request)")
            }
        }

        @Test("a server that asks to wait for long ends push and pull with 4 at once, and says until when")
        func longWait() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("create", "lists", "title=Shopping")
                source.intercept = { _ in .answer(429, headers: ["Retry-After": "600"]) }
                for command in ["push", "pull"] {
                    let run = try await workspace.atmos(command)
                    #expect(run.status == 4, "\(run)")
                    #expect(run.errors.contains(#/asks to wait until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#), "\(run)")
                }
                #expect(try await workspace.atmos("push", "--dry-run").output.hasPrefix("POST "))
            }
        }
    }
#endif
