#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Synchronization
    import Testing

    @Suite("Commands that ask the server", .timeLimit(.minutes(5))) struct ServerCommandTests {
        @Test("--now sends at once")
        func now() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                #expect(
                    try await workspace.atmos("create", "lists", "title=Shopping", "--now") == .init(0, "lists/2\n"))
                #expect(try await workspace.atmos("edit", "lists/2", "title=Garden", "--now") == .init(0, "lists/2\n"))
                #expect(source.objects("lists").last?["title"] == "Garden")
                #expect(try await workspace.atmos("delete", "lists/2", "--now") == .init(0, "lists/2\n"))
                #expect(source.objects("lists").count == 1)
                #expect(try await workspace.atmos("get", "lists/2").status == 1)
            }
        }

        @Test("--now that fails says what the server said and queues nothing")
        func nowFails() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                for arguments in [["create", "lists", "title="], ["edit", "lists/1", "title="]] {
                    let run = try await workspace.start(arguments + ["--now"]).end()
                    #expect(run.status == 1 && run.output == "", "\(run)")
                    #expect(run.errors.hasPrefix("atmos: ") && run.errors.contains("title: "), "\(run)")
                }
                source.intercept = { _ in .answer(403) }
                #expect(try await workspace.atmos("delete", "lists/1", "--now").status == 1)
                let status = try await workspace.atmos("status", "--json").output
                #expect(status.contains(#""lists":{"objects":1,"changed":0,"localOnly":0,"deleted":0"#), "\(status)")
            }
        }

        @Test("request sends any method to a path under the base")
        func rawRequest() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let run = try await workspace.atmos("request", "GET", "lists/1/", "--json")
                let record = try #require(source.objects("lists").first)
                #expect(run == .init(0, "\(record)\n"))
                #expect(try await workspace.atmos("request", "GET", "lists/1/").output.hasPrefix("{\n  \"id\": 1,\n"))
                try workspace.write(#"{"title": "From a file"}"#, to: "list.json")
                #expect(try await workspace.atmos("request", "POST", "lists/", "--data", "@list.json").status == 0)
                let piped = try await workspace.atmos(
                    "request", "PATCH", "lists/2/", "--data", "-", input: #"{"title": "Piped"}"#)
                #expect(piped.status == 0)
                #expect(source.objects("lists").last?["title"] == "Piped")
                #expect(try await workspace.atmos("request", "DELETE", "lists/2/") == .init(0))
                let missing = try await workspace.atmos("request", "GET", "lists/9/")
                #expect(missing.status == 1 && missing.errors.contains("(404)"), "\(missing)")
                #expect(try await workspace.atmos("request", "POST", "lists/", "--data", "{").status == 2)
                #expect(try await workspace.atmos("list", "lists", "--json").output == "[]\n", "nothing is stored")
            }
        }

        @Test("request calls a declared action, and an undeclared one ends with 2")
        func action() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                source.intercept = { request in
                    guard request.path.hasSuffix("/archive/") else { return nil }
                    return .answer(200, headers: ["Content-Type": "application/json"], body: request.body)
                }
                let run = try await workspace.atmos("request", "archive", "tasks/1", "why=done", "rank=2", "--json")
                #expect(run == .init(0, #"{"why":"done","rank":2}"# + "\n"))
                let unknown = try await workspace.atmos("request", "burn", "tasks/1")
                #expect(unknown == .init(2, errors: "atmos: tasks has no action “burn”; it has archive\n"))
            }
        }

        @Test("check says what is at risk, and changes nothing")
        func check() async throws {
            try await TestAPI.serving(tasks: TestAPI.lookup) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "uuid": "u-1"])
                try source.add("tasks", ["title": "Bread", "list": 1, "uuid": "u-2"])
                let race = "a change that another makes between that read and the write is overwritten"
                let lost =
                    "a create whose answer is lost waits for a person; “lookup”, an idempotency header or identifiers "
                    + "of the client would mend it"
                let staying =
                    "an object deleted on the server stays here, for “deletes” does not say how that shows"
                let untried = "as declared, not tried (--write tries it)"
                let tries = "as declared, not tried; atmos check --write tries it"
                let lacking = "no object of the first page has “done”, “due”, “price”, “rank”, “tags”, “weight”"
                let run = try await workspace.atmos("check")
                #expect(
                    run
                        == .init(
                            0,
                            """
                            lists
                              list     1 on the first page
                              read     one object was read
                              create   one whose answer is lost waits for a person: the API gives no means to look it up
                              write    read and merged first; \(race)
                              yes      the list has an ETag, and If-None-Match is answered with 304
                              yes      an ETag comes with an object
                              yes      If-None-Match is answered with 304
                              note     list: an unchanged list need not be sent again with list: { conditional: true }
                            tasks
                              list     2 on the first page
                              read     one object was read
                              create   never twice: one whose answer is lost is looked up by “uuid”; \(untried)
                              write    read and merged first; \(race)
                              yes      the list has an ETag, and If-None-Match is answered with 304
                              yes      an ETag comes with an object
                              yes      If-None-Match is answered with 304
                              note     readonly: no object of the first page has “modified”; right where it is only there at times
                              note     types: \(lacking); right where it is only there at times
                              note     list: an unchanged list need not be sent again with list: { conditional: true }
                            promises
                              kept     reads and writes here never wait for the network
                              kept     no write that was acknowledged is lost
                              not all  one server object at most for each that is created here
                                         lists: \(lost)
                                         tasks: that a new object is found by “uuid” is \(tries)
                              not all  no write undoes another client’s
                                         lists: a change between the read and the write is overwritten
                                         tasks: a change between the read and the write is overwritten
                              not all  every client and the server come to agree
                                         tasks: \(staying)

                            """))
                #expect(source.log.allSatisfy { $0.method == "GET" })
                #expect(try await workspace.atmos("list", "tasks", "--json").output == "[]\n")
                let json = try await workspace.atmos("check", "--json")
                #expect(
                    json.output.hasPrefix(#"{"passed":true,"identity":null,"entities":{"lists":{"listed":1,"#),
                    "\(json)")
            }
        }

        @Test("check --write tries everything with a copy of an object, and leaves nothing behind")
        func checkWrite() async throws {
            try await TestAPI.serving(tasks: TestAPI.lookup) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Fresh milk", "list": 1, "uuid": "u-1"])
                let run = try await workspace.atmos("check", "--write")
                #expect(run.status == 0 && run.errors == "", "\(run)")
                for line in [
                    "  yes      a create is answered with 201 and the object",
                    "  yes      a new object is found by “uuid”", "  yes      an update is answered with 200",
                    "  no       an update with a stale If-Match is answered with 200",
                    "  yes      a delete is answered with 204; the object is gone (404)"
                ] {
                    #expect(run.lines.contains(line), "\(line) in \(run)")
                }
                #expect(run.output.contains("a create sent twice"))
                #expect(source.objects("tasks").count == 1 && source.objects("lists").count == 1)
                #expect(try await workspace.atmos("list", "tasks", "--json").output == "[]\n")
            }
        }

        @Test("check --write sends what goes in batches as batches of one")
        func checkBatches() async throws {
            let batch =
                TestAPI.lookup + "\n"
                    + """
                        batch:
                          post: tasks/batch/
                          items: items
                          create: { set: { op: create }, body: task, idempotency: key }
                          update: { set: { op: update }, body: task, id: id }
                          delete: { set: { op: delete }, id: id }
                          results: { path: results, status: status, body: body }

                    """
            try await TestAPI.serving(tasks: batch) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "uuid": "u-1"])
                let run = try await workspace.atmos("check", "--write")
                #expect(run.status == 0 && run.errors == "", "\(run)")
                for line in [
                    "  yes      a create is answered with 201 and the object",
                    "  yes      a create sent twice makes one object", "  yes      an update is answered with 200",
                    "  yes      a delete is answered with 204; the object is gone (404)"
                ] {
                    #expect(run.lines.contains(line), "\(line) in \(run)")
                }
                // Of the lists, which go alone.
                #expect(run.lines.filter { $0.contains("stale") }.count == 1)
                #expect(source.objects("tasks").count == 1)
                #expect(source.log.contains { $0.method == "POST" && $0.path.hasSuffix("/tasks/batch/") })
            }
        }

        @Test("check --write sends identifiers and versions as the server writes them")
        func checkVersions() async throws {
            let settings = """
                version: { field: version, send: body }
                    batch:
                      post: tasks/batch/
                      items: items
                      create: { set: { op: create }, body: task }
                      update: { set: { op: update }, body: task, id: id, version: version }
                      delete: { set: { op: delete }, id: id, version: version }
                      results: { path: results, status: status, body: body }
                """
            try await TestAPI.serving(tasks: settings) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let sent = Mutex<[Value]>([])
                source.intercept = { request in
                    if request.method == "POST", request.path.hasSuffix("/tasks/batch/"),
                        let body = try? Value(json: request.body), let items = body.members?["items"]?.array
                    {
                        sent.withLock { $0 += items }
                    }
                    return nil
                }
                let run = try await workspace.atmos("check", "--write")
                #expect(run.status == 0 && run.errors == "", "\(run)")
                #expect(source.objects("tasks").count == 1, "\(run)")
                let items = sent.withLock { $0 }
                #expect(items.compactMap { $0.members?["op"]?.text } == ["create", "update", "update", "delete"])
                #expect(run.lines.contains("  yes      an update with a stale version is answered with 409"), "\(run)")
                for item in items.dropFirst() {
                    #expect(item.members?["id"]?.number != nil, "\(item)")
                    #expect(item.members?["version"]?.number != nil, "\(item)")
                }
            }
        }

        @Test(
            "check --write takes its stale tag from the server, for some refuse any other with 400",
            arguments: [
                ("version: { header: ETag, send: if-match }", 412), ("version: compare", 412),
                ("version: compare", 400),
                ("version: compare", 200)
            ])
        func staleTag(_ version: String, _ status: Int) async throws {
            try await TestAPI.serving(tasks: version) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Fresh milk", "list": 1])
                let seen = Mutex<Set<String>>([])
                source.intercept = { request in
                    guard let tag = request.headers["If-Match"] else { return nil }
                    // As a server does that reads its own tags only.
                    if tag == "\"atmosphere-check\"" { return .answer(400) }
                    guard version == "version: compare", status != 200 else { return nil }
                    return seen.withLock { $0.insert(tag).inserted } ? nil : .answer(status)
                }
                let before = try await workspace.atmos("check")
                #expect(before.status == 0, "\(before)")
                let rest = "tasks: that the server refuses a stale version is as declared, not tried"
                #expect(before.output.contains(rest) == (version != "version: compare"), "\(before)")
                let run = try await workspace.atmos("check", "--write")
                #expect(run.status == 0 && run.errors == "", "\(run)")
                let mark = status == 200 ? "no " : "yes"
                let line = "  \(mark)      an update with a stale If-Match is answered with \(status)"
                #expect(run.lines.contains(line), "\(run)")
                #expect(!run.output.contains("write version: compare"), "\(run)")
                #expect(!run.output.contains("refuses a stale version is as declared"), "\(run)")
                #expect(source.objects("tasks").count == 1)
            }
        }

        @Test("check says of which write a change between the read and the write is overwritten")
        func promiseOfDeletes() async throws {
            func exceptions(_ version: String) async throws -> [String] {
                try await TestAPI.serving(tasks: version) { (_, workspace) async throws in
                    lines.withLock { $0 = [] }
                    let run = try await workspace.atmos("check")
                    lines.withLock { $0 = run.lines.filter { $0.hasPrefix("             tasks: a change between") } }
                }
                return lines.withLock { $0 }
            }
            let lines = Mutex<[String]>([])
            let place = "             tasks: a change between the read and the "
            #expect(try await exceptions("version: compare") == [place + "write is overwritten"])
            #expect(
                try await exceptions("version: { field: rev, send: body }")
                    == [place + "delete is overwritten, for a delete carries no version"])
            for settings in [
                "version: { field: rev, send: if-match }",
                "version: { field: rev, send: body }\n    delete: { query: { rev: \"{version}\" } }",
                "version: { field: rev, send: body }\n    delete: { method: PATCH, set: { trashed: true } }"
            ] {
                #expect(try await exceptions(settings).isEmpty, "\(settings)")
            }
        }

        @Test("check --write says what the server refuses, and that it does not filter by time")
        func checkRefused() async throws {
            try await TestAPI.serving(tasks: TestAPI.since) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                source.intercept = { request in
                    if request.method == "POST" { return .answer(403) }
                    guard request.query.contains(where: { $0.name == "modified_since" }) else { return nil }
                    let task = #"{"id":1,"title":"Milk","list":1,"modified":"2026-01-01T00:00:00Z","deleted":false}"#
                    return .answer(200, body: Array(#"{"results":[\#(task)],"next":null}"#.utf8))
                }
                let run = try await workspace.atmos("check", "--write")
                #expect(run.status == 1, "\(run)")
                #expect(run.lines.contains("  no       “modified_since” does not filter"), "\(run)")
                #expect(
                    run.errors.contains("resources.tasks.since.send: the server lists 1 objects as changed after 2999"))
                #expect(run.errors.contains("resources.tasks.create: POST "), "\(run)")
                #expect(!source.log.contains { ["PUT", "PATCH", "DELETE"].contains($0.method) })
            }
        }

        @Test("check ends with 1 where the server is not what the route file says")
        func mismatch() async throws {
            try await TestAPI.serving(tasks: TestAPI.lookup) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "uuid": "u-1"])
                source.intercept = { request in
                    if request.path.hasSuffix("/lists/") { return .answer(200, body: Array(#"{"items":[]}"#.utf8)) }
                    // A server that ignores the parameter shows everything.
                    guard request.query.contains(where: { $0.name == "uuid" }) else { return nil }
                    return .answer(200, body: Array(#"{"results":[{"id":7,"uuid":"other"}],"next":null}"#.utf8))
                }
                let run = try await workspace.atmos("check")
                #expect(run.status == 1)
                let lines = run.errors.split(separator: "\n")
                #expect(lines.count == 2, "\(run)")
                #expect(lines.first?.hasPrefix("atmos: resources.lists.list: ") == true)
                #expect(
                    lines.last?.hasPrefix("atmos: resources.tasks.lookup.query: the server does not filter") == true)
            }
        }

        @Test("source prints its URL, serves until SIGTERM and ends with 0", arguments: [true, false])
        func source(_ terminates: Bool) async throws {
            let workspace = try TestAPI.offline()
            let process = Process()
            let output = Pipe()
            process.executableURL = try RunningCommand.binary()
            process.arguments = ["source", "--port", "0", "--seed", "2"]
            process.currentDirectoryURL = workspace.folder
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            let (ended, end) = AsyncStream<Void>.makeStream()
            process.terminationHandler = { _ in end.finish() }
            try process.run()
            // One line; what comes at once is all of it.
            let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let url = try #require(text.wholeMatch(of: #/(http://127.0.0.1:\d+/api)\n/#)).output.1
            try workspace.write(TestAPI.routeFile(base: String(url)), to: "client.yaml")
            #expect(try await workspace.atmos("pull", "-q", "-c", "client.yaml") == .init(0))
            #expect(try await workspace.atmos("list", "tasks", "--json", "-c", "client.yaml").lines.count == 3)
            if terminates { process.terminate() } else { process.interrupt() }
            for await _ in ended {}
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        }

        @Test("a port that is taken ends source with 1")
        func takenPort() async throws {
            try await TestAPI.serving { (_, workspace) async throws in
                // The route file's base says the port, and the test's own source has it.
                let run = try await workspace.atmos("source")
                #expect(run.status == 1 && run.output == "" && run.errors.contains("cannot serve on"), "\(run)")
                #expect(run.errors.hasSuffix(": another program listens there; choose another port, or 0 for any\n"))
            }
        }

        @Test("the demo comes to its end, in each style", arguments: ["django-rest", "plain"])
        func demo(_ style: String) async throws {
            let workspace = try Workspace()
            let run = try await workspace.atmos("demo", "--style", style)
            #expect(run.status == 0 && run.errors == "", "\(run)")
            for heading in 1...7 { #expect(run.output.contains("\n\(heading). ")) }
            #expect(run.output.contains(#/\n  tasks +6 +6 +6  yes\n$/#), "\(run)")
            #expect(run.output.contains("edited here and on the server"))
            #expect(!run.output.contains("\u{1B}"))
            let left = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
            #expect(!left.contains { $0.hasPrefix("atmos-demo") })
        }

        @Test("a kept demo names its folder, which holds a route file that is valid")
        func keptDemo() async throws {
            let workspace = try Workspace()
            let run = try await workspace.atmos("demo", "--keep", "--quiet")
            let folder = try #require(run.lines.first { $0.hasPrefix("Kept: ") }?.dropFirst("Kept: ".count))
            #expect(try await workspace.atmos("validate", "-c", "\(folder)/demo.yaml").status == 0)
            #expect(try await workspace.atmos("status", "-c", "\(folder)/demo.yaml").output.contains("tasks"))
        }
    }
#endif
