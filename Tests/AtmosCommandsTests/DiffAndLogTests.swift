#if Command
    import Atmosphere
    import AtmosphereSource
    import Synchronization
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

        @Test("diff shows what a request carries by itself: what is set and added, the version, and what is unchanged")
        func carried() async throws {
            let update =
                "version: { field: rev, send: body }\n    "
                + "update: { set: { via: atmos }, with: [kind], query: { notify: yes } }"
            try await TestAPI.serving(tasks: update) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "kind": "food", "rev": 3])
                try await workspace.atmos("pull", "--quiet")
                _ = try await workspace.atmos("edit", "tasks/1", "title=Bread")
                let run = try await workspace.atmos("diff", "tasks/1")
                #expect(run.lines[0].hasSuffix("?notify=yes"), "\(run)")
                #expect(run.lines.contains(#"  + title: "Bread""#), "\(run)")
                #expect(run.lines.contains { $0.hasPrefix("  = rev: ") }, "\(run)")
                #expect(run.lines.contains(#"  = kind: "food""#) && run.lines.contains(#"  = via: "atmos""#), "\(run)")
            }
        }

        @Test("diff says why something is read first, and of a delete that says its version nothing")
        func readFirst() async throws {
            for (delete, isRead) in [("", true), ("\n    delete: { query: { rev: \"{version}\" } }", false)] {
                try await TestAPI.serving(tasks: "version: { field: rev, send: body }" + delete) {
                    (source, workspace) async throws in
                    try source.add("tasks", ["title": "Milk", "list": 1, "rev": 3])
                    try await workspace.atmos("pull", "--quiet")
                    _ = try await workspace.atmos("delete", "tasks/1")
                    let run = try await workspace.atmos("diff", "tasks/1")
                    let reason = "  read and merged first, because the delete carries no version"
                    #expect(run.lines.contains(reason) == isRead, "\(run)")
                    #expect(run.lines.contains { $0.contains("read and merged") } == isRead, "\(run)")
                }
            }
        }

        @Test("diff has what is sent for an edit lease, and no token")
        func lease() async throws {
            let lease =
                "lease: { acquire: { post: \"tasks/{id}/lock/\" }, release: { delete: \"tasks/{id}/lock/\" }, ttl: 2m, "
                + "token: { body: token, send: X-Lock } }"
            try await TestAPI.serving(tasks: lease) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "title=Bread")
                let before = source.log.count
                let run = try await workspace.atmos("diff")
                let heads = run.lines.filter { $0.hasPrefix("tasks/1") }.compactMap {
                    $0.firstMatch(of: #/^tasks\/1  (\w+) .*\/api\/(.*)$/#).map { "\($0.1) \($0.2)" }
                }
                #expect(heads == ["POST tasks/1/lock/", "PATCH tasks/1/", "DELETE tasks/1/lock/"], "\(run)")
                #expect(run.lines.contains("  asks for the edit lease"), "\(run)")
                #expect(run.lines.contains("  gives the edit lease back"), "\(run)")
                #expect(run.lines.filter { $0 == "  X-Lock: …" }.count == 2, "\(run)")
                #expect(run.lines.filter { $0.hasPrefix("  read and merged first") }.count == 1, "\(run)")
                let dry = try await workspace.atmos("push", "--dry-run")
                #expect(dry.lines.map { $0.prefix { $0 != " " } } == ["POST", "PATCH", "DELETE", ""], "\(dry)")
                let json = try await workspace.atmos("diff", "--json")
                #expect(json.output.contains(#""verb":"lease""#) && json.output.contains(#""verb":"release""#))
                #expect(source.log.count == before, "nothing is sent")
            }
        }

        @Test("diff shows creates by the same fields as updates, and what stands around them")
        func fields() async throws {
            let workspace = try Workspace()
            try workspace.write(
                """
                atmosphere: 1
                style: json-api
                base: http://127.0.0.1:1/api
                resources:
                  articles: { lookup: { field: uuid, query: uuid } }

                """, to: "atmosphere.yaml")
            let uri = try await workspace.atmos("create", "articles", "title=News", "uuid=u").lines[0]
            let run = try await workspace.atmos("diff")
            #expect(run.lines.first == "\(uri)  POST http://127.0.0.1:1/api/articles", "\(run)")
            #expect(
                run.lines.filter { $0.hasPrefix("  +") } == [
                    #"  + title: "News""#, #"  + uuid: "u""#, #"  + type: "articles""#
                ], "\(run)")
            #expect(run.lines.contains("  inside “data”"), "\(run)")
            let json = try await workspace.atmos("diff", "--json")
            #expect(json.output.contains(#""attributes":{"title":"News","uuid":"u"}"#), "\(json)")
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
                #expect(entity.output.contains(#""subject":"lists","message":"pulled: 1 page, 1 new""#), "\(entity)")
                #expect(try await workspace.atmos("log", "--limit", "2").lines.count == 3)
                #expect(try await workspace.atmos("log", "tsks").status == 2)
            }
        }

        @Test("log tells that a request was repeated, what each try was answered with, and when")
        func repeated() async throws {
            try await TestAPI.serving(tasks: "create: { idempotency-header: Idempotency-Key }") {
                (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                let task = try await workspace.atmos("create", "tasks", "title=Milk", "list:=1").lines[0]
                let tries = Mutex(0)
                source.intercept = { request in
                    guard request.method == "POST" else { return nil }
                    let number = tries.withLock {
                        $0 += 1
                        return $0
                    }
                    return switch number {
                    case 1: .processThenAnswer(503, headers: ["Retry-After": "1"])
                    case 2: .answer(404)
                    default: nil
                    }
                }
                let push = try await workspace.atmos("push")
                let run = try await workspace.atmos("log", task)
                let messages = run.lines.dropLast().map { line in String(line.drop { $0 != " " }.dropFirst(2)) }
                #expect(
                    messages.dropFirst().prefix(4) == [
                        "\(task)  POST create", "\(task)  answered 503, which asks to wait",
                        "\(task)  POST again, try 2", "\(task)  answered 404"
                    ], "\(push) \(run)")
                let entity = try await workspace.atmos("log", "tasks", "--json")
                #expect(entity.output.contains(#""message":"POST again, try 2""#), "\(entity)")
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
