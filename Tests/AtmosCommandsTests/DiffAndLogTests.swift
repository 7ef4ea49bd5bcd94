#if Command
    import Atmosphere
    import AtmosphereSource
    import Testing

    @Suite("diff and log", .timeLimit(.minutes(5))) struct DiffAndLogTests {
        @Test("diff shows each request with what changes, names secrets and sends nothing")
        func diff() async throws {
            let secrets = ["API_TOKEN": "t0p-s3cret"]
            try await TestAPI.serving(top: #"auth: { token: "secret:API_TOKEN" }"#, secrets: secrets) {
                (source, workspace) async throws in
                func atmos(_ arguments: String...) async throws -> Workspace.Run {
                    try await workspace.start(arguments, environment: secrets).end()
                }
                try source.add("tasks", ["title": "Milk", "list": 1, "done": false])
                #expect(try await atmos("pull", "--quiet") == .init(0))
                #expect(try await atmos("diff") == .init(0, "nothing to send\n"))
                _ = try await atmos("edit", "tasks/1", "title=Bread", "note=two", "list:=null")
                _ = try await atmos("delete", "lists/1")
                let before = source.log.count
                let run = try await atmos("diff", "tasks")
                #expect(run.status == 0 && run.errors == "")
                #expect(
                    run.lines[0].contains(#/^tasks\/1  PATCH http:\/\/127\.0\.0\.1:\d+\/api\/tasks\/1\/$/#), "\(run)")
                #expect(run.lines.contains("  read and merged first, because the API has no version to compare"))
                #expect(run.lines.contains("  signed: token secret:API_TOKEN, scheme Token"), "\(run)")
                #expect(run.lines.contains(#"  - title: "Milk""#) && run.lines.contains(#"  + title: "Bread""#))
                #expect(run.lines.contains(#"  + note: "two""#))
                #expect(run.lines.contains("  - list: 1") && run.lines.contains("  + list: null"))
                #expect(!run.output.contains("done"))
                let all = try await atmos("diff")
                #expect(all.output.contains("lists/1  DELETE http"), "\(all)")
                let json = try await atmos("diff", "tasks/1", "--json")
                #expect(json.output.contains(#""changes":[{"field":"title","from":"Milk","to":"Bread"}"#), "\(json)")
                for each in [run, all, json] { #expect(!each.output.contains("t0p-s3cret")) }
                #expect(source.log.count == before, "nothing is sent")
            }
        }

        @Test("diff of a create shows what is sent, and what waits for it")
        func create() async throws {
            let workspace = try TestAPI.offline()
            let list = try await workspace.atmos("create", "lists", "title=Home").lines[0]
            let task = try await workspace.atmos("create", "tasks", "title=Milk", "list=\(list.dropFirst(6))").lines[0]
            let run = try await workspace.atmos("diff")
            #expect(
                run
                    == .init(
                        0,
                        """
                        \(list)  POST http://127.0.0.1:1/api/lists/
                          Accept: application/json
                          Content-Type: application/json
                          + title: "Home"
                        \(task)  held: created here, waits for \(list)

                        """))
            let one = try await workspace.atmos("diff", task)
            #expect(one == .init(0, "\(task)  held: created here, waits for \(list)\n"))
            #expect(try await workspace.atmos("diff", task, "lists").status == 2)
        }

        @Test("log tells an object's story across commands and identifiers")
        func log() async throws {
            try await TestAPI.serving(tasks: TestAPI.lookup) { (source, workspace) async throws in
                #expect(try await workspace.atmos("log") == .init(0, "nothing was logged yet\n"))
                try await workspace.atmos("pull", "--quiet")
                let task = try await workspace.atmos("create", "tasks", "title=Milk", "list:=1").lines[0]
                try await workspace.atmos("push", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "title=Bread")
                source.intercept = { _ in .answer(400, body: Array(#"{"title":["no"]}"#.utf8)) }
                try await workspace.atmos("push", "--quiet")
                let run = try await workspace.atmos("log", task)
                let messages = run.lines.dropLast(2).map { line in line.drop { $0 != " " }.dropFirst(2) }
                #expect(
                    messages == [
                        "\(task)  saved", "\(task)  POST create", "\(task)  answered 201",
                        "tasks/1  has its identifier from the server now; it was \(task)", "tasks/1  stored: done",
                        "tasks/1  edited"
                    ] + messages.dropFirst(6), "\(run)")
                #expect(messages.contains("tasks/1  answered 400"), "\(run)")
                #expect(run.lines.dropLast().last?.hasPrefix("now: tasks/1, edited here") == true, "\(run)")
                #expect(try await workspace.atmos("log", "tasks/1").output == run.output)
                let entity = try await workspace.atmos("log", "lists", "--json")
                #expect(entity.output.contains(#""subject":"lists","message":"pulled: 1 pages, 1 new""#), "\(entity)")
                #expect(try await workspace.atmos("log", "--limit", "2").lines.count == 3)
                #expect(try await workspace.atmos("log", "tsks").status == 2)
            }
        }

        @Test("the log is beside the store, for its owner alone, and none is kept in memory")
        func place() async throws {
            let workspace = try TestAPI.offline()
            try await workspace.atmos("create", "lists", "title=Home")
            #expect(workspace.has("atmosphere.db.log"))
            try workspace.write(
                TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: "store: memory"), to: "memory.yaml")
            let created = try await workspace.atmos("create", "lists", "title=Home", "-c", "memory.yaml")
            #expect(created.status == 0 && created.errors.contains("store: memory keeps nothing"), "\(created)")
            let log = try await workspace.atmos("log", "-c", "memory.yaml")
            #expect(log.status == 0 && log.output == "a store in memory keeps no log\n", "\(log)")
            #expect(!workspace.has("memory.memory.log"))
        }
    }
#endif
