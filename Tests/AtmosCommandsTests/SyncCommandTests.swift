#if Command
    import Atmosphere
    import AtmosphereSource
    import Testing

    @Suite("Pull, push and sync", .timeLimit(.minutes(5))) struct SyncCommandTests {
        @Test("pull stores, says what it did, and draws no progress in a pipe")
        func pull() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let dry = try await workspace.atmos("pull", "--dry-run")
                let table = """
                    ENTITY  PAGES  NEW  UPDATED  UNCHANGED  DELETED  MERGED  CONFLICTED
                    lists       1    1        0          0        0       0           0
                    tasks       1    1        0          0        0       0           0

                    """
                #expect(dry.status == 0 && dry.errors == "", "\(dry)")
                #expect(try await workspace.atmos("list", "tasks", "--json").output == "[]\n")
                #expect(try await workspace.atmos("pull") == .init(0, table))
                let record = try #require(source.objects("tasks").first)
                #expect(try await workspace.atmos("list", "tasks", "--json") == .init(0, "[\(record)]\n"))
                #expect(try await workspace.atmos("get", "tasks/1", "--json") == .init(0, "\(record)\n"))
                #expect(try await workspace.atmos("pull", "--quiet") == .init(0))
                let again = try await workspace.atmos("pull", "tasks", "--json")
                #expect(
                    again
                        == .init(
                            0,
                            #"{"entities":{"tasks":{"pages":1,"inserted":0,"updated":0,"unchanged":1,"deleted":0,"#
                                + #""expired":0,"merged":0,"conflicted":0,"problem":null,"warnings":[]}}}"# + "\n"))
            }
        }

        @Test("push sends parents before children and replaces identifiers")
        func push() async throws {
            try await TestAPI.serving(tasks: TestAPI.lookup) { (source, workspace) async throws in
                let list = try await workspace.atmos("create", "lists", "title=Shopping").lines[0]
                let id = list.split(separator: "/")[1]
                let task = try await workspace.atmos("create", "tasks", "title=Milk", "list=\(id)", "uuid=u").lines[0]
                let preview = try await workspace.atmos("push", "--dry-run")
                #expect(preview.status == 0 && source.log.isEmpty)
                #expect(preview.lines.count == 3)
                #expect(preview.lines[0].contains(#/^POST http://127.0.0.1:\d+/api/lists/ \{"title":"Shopping"\}$/#))
                #expect(preview.lines[1] == "held: \(task) (created here, waits for \(list))")
                #expect(try await workspace.atmos("push") == .init(0, "pushed: 2 created, 0 updated, 0 deleted\n"))
                #expect(try await workspace.atmos("get", task).lines[0] == "tasks/1")
                #expect(source.objects("tasks").first?["list"] == 2)
                #expect(
                    try await workspace.atmos("push", "--json")
                        == .init(
                            0,
                            #"{"created":0,"updated":0,"deleted":0,"uploaded":0,"remaining":{"waiting":0,"conflicted":0,"#
                                + #""rejected":0,"#
                                + #""unknown":0},"ignored":[],"failures":[]}"# + "\n"))
            }
        }

        @Test("a create that the server accepts and then does not show is no success, and is not lost")
        func vanished() async throws {
            let source = try TestAPI.source()
            try await source.withServer { url in
                let workspace = try Workspace()
                try workspace.write(
                    TestAPI.routeFile(base: url, tasks: "create: { id: rank }"), to: "atmosphere.yaml")
                try await workspace.atmos("pull")
                try await workspace.atmos("create", "tasks", "title=Milk", "list=1", "rank=9")
                let push = try await workspace.atmos("push")
                #expect(push.status == 1 && push.lines[0] == "pushed: 0 created, 0 updated, 0 deleted", "\(push)")
                #expect(
                    push.errors.hasPrefix("atmos: tasks/9: the server accepted the create and shows nothing under the ")
                        && push.errors.hasSuffix("write create: { id: MEMBER }; it waits for the next push\n"),
                    "\(push)")
                let status = try await workspace.atmos("conflicts")
                #expect(status.output.hasPrefix("tasks/9: accepted by the server, which has not shown it"), "\(status)")
                try await workspace.atmos("pull")
                #expect(try await workspace.atmos("resolve", "tasks/9", "--adopt", "1").status == 0)
                let tasks = try await workspace.atmos("list", "tasks", "--json").output
                #expect(tasks.contains("Milk") && tasks.split(separator: "Milk").count == 2, "\(tasks)")
                #expect(try await workspace.atmos("push").status == 0)
            }
        }

        @Test("sync pushes, then pulls")
        func sync() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("create", "lists", "title=Shopping")
                let run = try await workspace.atmos("sync")
                #expect(run.status == 0 && run.errors == "")
                #expect(run.lines[0] == "pushed: 1 created, 0 updated, 0 deleted")
                #expect(run.output.contains(#/\nlists +1 +1 +0 +1 +0 +0 +0\n/#), "\(run)")
                #expect(source.objects("lists").count == 2)
                #expect(try await workspace.atmos("sync", "--quiet") == .init(0))
                let json = try await workspace.atmos("sync", "--json")
                #expect(
                    json.output.hasPrefix(#"{"push":{"created":0,"#) && json.output.contains(#""pull":{"entities":{"#))
                let status = try await workspace.atmos("status", "--json").output
                #expect(status.contains(#/"lastPull":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/#), "\(status)")
            }
        }

        @Test("a server that is not there ends pull, push, sync and check with 4")
        func unreachable() async throws {
            let workspace = try TestAPI.offline()
            #expect(try await workspace.atmos("push").status == 0, "there is nothing to send")
            try await workspace.atmos("create", "lists", "title=Shopping")
            for command in ["pull", "push", "sync", "check"] {
                let run = try await workspace.atmos(command)
                #expect(run.status == 4, "\(run)")
                #expect(run.errors.hasPrefix("atmos: ") && run.errors.contains("127.0.0.1:1"), "\(run)")
                let names = run.errors.contains("tasks: not asked for, because the pull ended with lists")
                #expect(names == (command == "pull"), "\(run)")
                let json = try await workspace.atmos(command, "--json")
                #expect(json.status == 4 && json.errors.hasPrefix(#"{"error":{"code":"unreachable","#), "\(json)")
            }
            #expect(try await workspace.atmos("status", "--json").output.contains(#""localOnly":1"#))
        }

        @Test("credentials that are missing or wrong end with 4")
        func credentials() async throws {
            let top = "auth: { token: secret:API_TOKEN }"
            try await TestAPI.serving(top: top, secrets: ["API_TOKEN": "right"]) { (_, workspace) async throws in
                let missing = try await workspace.atmos("pull")
                #expect(missing.status == 4 && missing.errors.contains("API_TOKEN"), "\(missing)")
                let wrong = try await workspace.atmos("pull", environment: ["API_TOKEN": "wrong-value"])
                #expect(wrong.status == 4 && !wrong.errors.contains("wrong-value"), "\(wrong)")
                let right = try await workspace.atmos("pull", environment: ["API_TOKEN": "right"])
                #expect(right.status == 0 && right.errors == "", "\(right)")
            }
        }

        @Test("an answer that is not what the route file says ends with 1, and other entities are pulled")
        func wrongAnswer() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                source.intercept = { $0.path.hasSuffix("/lists/") ? .answer(200, body: Array("<html>".utf8)) : nil }
                let run = try await workspace.atmos("pull")
                #expect(run.status == 1 && run.errors.hasPrefix("atmos: lists: "), "\(run)")
                #expect(try await workspace.atmos("get", "tasks/1").status == 0)
            }
        }

        @Test("many absent objects need --allow-deletes")
        func allowDeletes() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                for number in 2...40 { try source.add("lists", ["title": .string("List \(number)")]) }
                try await workspace.atmos("pull")
                for number in 2...40 { try source.remove("lists", String(number)) }
                let refused = try await workspace.atmos("pull", "--full")
                #expect(refused.status == 1 && refused.errors.contains("--allow-deletes"), "\(refused)")
                let json = try await workspace.atmos("pull", "--full", "--json")
                #expect(json.errors.hasPrefix(#"{"error":{"code":"tooManyDeletes","#), "\(json)")
                #expect(try await workspace.atmos("pull", "--full", "--allow-deletes", "39").status == 0)
                #expect(try await workspace.atmos("list", "lists", "--json").lines.count == 2)
            }
        }

        @Test("a try that the server has no answer to leaves the change waiting and ends with 4")
        func failed() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "lists/1", "title=House")
                source.intercept = { $0.method == "PATCH" ? .answer(500) : nil }
                let run = try await workspace.atmos("push")
                #expect(run.status == 4, "\(run)")
                #expect(
                    run.lines == [
                        "pushed: 0 created, 0 updated, 0 deleted", "remaining: 1 waiting for the next push", ""
                    ])
                #expect(run.errors.hasPrefix("atmos: lists/1: ") && run.errors.contains("500"), "\(run)")
                #expect(try await workspace.atmos("sync").status == 4)
                let status = try await workspace.atmos("status").lines
                #expect(status[0].hasPrefix("ENTITY  OBJECTS  NEW  EDITED  DELETED  CONFLICTED  REJECTED  UNKNOWN"))
                #expect(status[1].contains(#/^lists +1 +0 +1 +0 +0 +0 +0 /#), "\(status)")
                source.intercept = nil
                #expect(try await workspace.atmos("retry", "lists/1") == .init(0, "lists/1\n"))
                #expect(try await workspace.atmos("push").output == "pushed: 0 created, 1 updated, 0 deleted\n")
            }
        }

        @Test("of two pushes at once the second sends nothing and says so")
        func pushedElsewhere() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("create", "lists", "title=Shopping")
                let (arrived, arrival) = AsyncStream<Void>.makeStream()
                let (opened, gate) = AsyncStream<Void>.makeStream()
                source.intercept = { _ in
                    arrival.yield()
                    for await _ in opened {}
                    return nil
                }
                let first = try workspace.start(["push"])
                var iterator = arrived.makeAsyncIterator()
                await iterator.next()
                let second = try await workspace.atmos("push", "--json")
                gate.finish()
                #expect(second.status == 1 && second.output == "")
                #expect(second.errors.hasPrefix(#"{"error":{"code":"pushedElsewhere","message":"another process"#))
                #expect(try await first.end() == .init(0, "pushed: 1 created, 0 updated, 0 deleted\n"))
                #expect(source.objects("lists").count == 2)
            }
        }

        @Test("SIGINT ends a pull with 130 and leaves a store that works")
        func interrupt() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let (arrived, arrival) = AsyncStream<Void>.makeStream()
                let (opened, gate) = AsyncStream<Void>.makeStream()
                source.intercept = { _ in
                    arrival.yield()
                    for await _ in opened {}
                    return nil
                }
                let pull = try workspace.start(["pull"])
                var iterator = arrived.makeAsyncIterator()
                await iterator.next()
                pull.interrupt()
                let run = try await pull.end()
                gate.finish()
                source.intercept = nil
                #expect(run == .init(130))
                #expect(try await workspace.atmos("pull", "--quiet") == .init(0))
            }
        }

        @Test("--verbose tells on standard error what is sent and why")
        func verbose() async throws {
            try await TestAPI.serving { (_, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "lists/1", "title=House")
                let run = try await workspace.atmos("push", "-v")
                #expect(run.output == "pushed: 0 created, 1 updated, 0 deleted\n")
                #expect(run.errors.contains("lists/1: PATCH update\n"), "\(run)")
            }
        }
    }
#endif
