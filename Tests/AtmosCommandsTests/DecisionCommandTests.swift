#if Command
    import AtmosphereReports
    import AtmosphereSource
    import Testing

    @testable import AtmosCommands
    @testable import Atmosphere
    @testable import AtmosphereExchange
    @testable import AtmosphereRouting

    @Suite("Conflicts, refusals and unknown outcomes", .timeLimit(.minutes(5))) struct DecisionCommandTests {
        /// A task whose title was edited here and on the server.
        private func withConflict(_ body: (RESTSource, Workspace) async throws -> Void) async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "title=Bread")
                try source.edit("tasks", "1", ["title": "Cheese"])
                let push = try await workspace.atmos("push")
                #expect(
                    push
                        == .init(
                            3,
                            """
                            pushed: 0 created, 0 updated, 0 deleted
                            remaining: 1 conflicted (atmos conflicts)

                            """))
                try await body(source, workspace)
            }
        }

        @Test("a conflict is listed with base, mine and theirs, and sync goes on ending with 3")
        func conflicts() async throws {
            try await withConflict { (_, workspace) async throws in
                #expect(
                    try await workspace.atmos("conflicts")
                        == .init(
                            0,
                            """
                            tasks/1: edited here and on the server
                              FIELD  BASE    MINE     THEIRS
                              title  "Milk"  "Bread"  "Cheese"
                              atmos resolve tasks/1 --mine, --theirs, --both, --editor or --set FIELD=VALUE

                            """))
                let json = try await workspace.atmos("conflicts", "--json")
                #expect(
                    json.output.hasPrefix(#"[{"uri":"tasks/1","state":"conflicted","fields":["title"],"base":{"#),
                    "\(json)")
                #expect(try await workspace.atmos("sync", "--quiet").status == 3)
                #expect(try await workspace.atmos("status").status == 0)
                #expect(try await workspace.atmos("get", "tasks/1").lines[0] == "tasks/1, edited here, conflicted")
            }
        }

        @Test("what two clients make anew is one object, and no value of a machine's has to be edited")
        func madeAnew() async throws {
            let source = try TestAPI.source(tasks: TestAPI.lookup)
            try await source.withServer { url in
                let workspace = try Workspace()
                for name in ["one", "two"] {
                    let top = "store: { kind: sqlite, path: \(name).db }"
                    try workspace.write(
                        TestAPI.routeFile(base: url, tasks: TestAPI.lookup, top: top), to: "\(name).yaml")
                }
                func atmos(_ name: String, _ arguments: String...) async throws -> Workspace.Run {
                    try await workspace.start(arguments + ["-c", "\(name).yaml"]).end()
                }
                _ = try await atmos("one", "pull", "--quiet")
                _ = try await atmos("one", "create", "tasks", "title=Milk", "note=n", "list:=1")
                _ = try await atmos("one", "push", "--quiet")
                _ = try await atmos("two", "pull", "--quiet")
                try source.remove("tasks", "1")
                for (name, edit) in [("one", "title=Bread"), ("two", "note=two")] {
                    _ = try await atmos(name, "edit", "tasks/1", edit)
                    _ = try await atmos(name, "push", "--quiet")
                    let decided = try await atmos(name, "resolve", "tasks/1", "--mine")
                    #expect(decided.status == 0, "\(decided)")
                }
                for name in ["one", "two", "one"] {
                    let run = try await atmos(name, "sync")
                    #expect(run.status == 0, "\(run)")
                }
                for name in ["one", "two"] {
                    let list = try await atmos(name, "list", "tasks")
                    #expect(list.output.split(separator: "\n").count == 2, "\(list)")
                    let got = try await atmos(name, "get", "tasks/1", "--json")
                    #expect(got.output.contains(#""title":"Bread""#) && got.output.contains(#""note":"two""#), "\(got)")
                    #expect(try await atmos(name, "rejected").output == "nothing was refused\n")
                }
                let log = try await atmos("two", "log", "tasks/1")
                #expect(log.output.contains("another has made it anew, too; merged with that"), "\(log)")
            }
        }

        @Test(
            "each decision is sent with the next push",
            arguments: [
                (["--mine"], "Bread", 1), (["--theirs"], "Cheese", 0), (["--both"], "Cheese\nBread", 1),
                (["--set", "title=Both", "rank=4"], "Both", 1), (["--both", "--set", "rank=4"], "Cheese\nBread", 1)
            ])
        func resolve(_ choice: [String], _ title: String, _ updates: Int) async throws {
            try await withConflict { (source, workspace) async throws in
                let resolved = try await workspace.start(["resolve", "tasks/1"] + choice).end()
                #expect(resolved == .init(0, "tasks/1\n"))
                #expect(
                    try await workspace.atmos("push")
                        == .init(0, "pushed: 0 created, \(updates) updated, 0 deleted\n"))
                #expect(source.objects("tasks").first?["title"] == .string(title))
                if title == "Both" { #expect(source.objects("tasks").first?["rank"] == 4) }
                #expect(try await workspace.atmos("conflicts") == .init(0, "nothing to decide\n"))
                #expect(try await workspace.atmos("conflicts", "--json") == .init(0, "[]\n"))
                let again = try await workspace.start(["resolve", "tasks/1"] + choice).end()
                #expect(again == .init(1, errors: "atmos: tasks/1 is not conflicted\n"))
            }
        }

        @Test("values for some fields say nothing of the others that clash")
        func partOfClash() async throws {
            try await withConflict { (source, workspace) async throws in
                let refused = try await workspace.atmos("resolve", "tasks/1", "--set", "rank=4")
                #expect(refused.status == 2 && refused.errors.contains("tasks/1 clashes in title, too"), "\(refused)")
                let beside = try await workspace.atmos("resolve", "tasks/1", "--set", "rank=4", "--theirs")
                #expect(beside.status == 1 && beside.errors.contains("“rank” of tasks/1 does not clash"), "\(beside)")
                #expect(try await workspace.atmos("conflicts", "--json").output.contains("tasks/1"))
                let resolved = try await workspace.atmos("resolve", "tasks/1", "--set", "rank=4", "--mine")
                #expect(resolved == .init(0, "tasks/1\n"))
                #expect(
                    try await workspace.atmos("push") == .init(0, "pushed: 0 created, 1 updated, 0 deleted\n"))
                #expect(source.objects("tasks").first?["title"] == "Bread")
                #expect(source.objects("tasks").first?["rank"] == 4)
            }
        }

        @Test("an editor decides by what it leaves in the file")
        func editor() async throws {
            try await withConflict { (source, workspace) async throws in
                try workspace.write(
                    """
                    #!/bin/sh
                    cp "$1" shown.txt
                    sed 's/^"title":.*/"title": "Both"/' shown.txt > "$1"
                    """, to: "edit.sh")
                let resolved = try await workspace.atmos(
                    "resolve", "tasks/1", "--editor", environment: ["EDITOR": "sh ./edit.sh", "VISUAL": ""])
                #expect(resolved == .init(0, "tasks/1\n"))
                let shown = try workspace.read("shown.txt")
                for line in [
                    #"#   base:   "Milk""#, #"#   mine:   "Bread""#, #"#   theirs: "Cheese""#, #""title": "Bread""#
                ] {
                    #expect(shown.contains("\n\(line)\n"), "\(shown)")
                }
                #expect(try await workspace.atmos("push").status == 0)
                #expect(source.objects("tasks").first?["title"] == "Both")
            }
        }

        @Test(
            "a file that cannot be read, an editor that fails and one that changes nothing decide nothing",
            arguments: [
                ("echo title > ", "line 1 of the file"), ("printf '\\377' > ", "is no text in UTF-8"),
                (": > ", "holds no value"),
                ("false ", "ended with 1"), ("true ", "nothing was changed"),
                (#"echo '"title": "a"\n"title": "b"' > "#, ""), (#"echo '"titel": "a"' > "#, "did you mean “title”?")
            ])
        func uselessEditor(_ command: String, _ reason: String) async throws {
            try await withConflict { (_, workspace) async throws in
                try workspace.write("#!/bin/sh\n\(command)\"$1\"\n", to: "edit.sh")
                let before = try await workspace.atmos("conflicts")
                let run = try await workspace.atmos(
                    "resolve", "tasks/1", "--editor", environment: ["VISUAL": "sh ./edit.sh"])
                #expect(run.status == 1 && run.errors.contains(reason), "\(run)")
                #expect(try await workspace.atmos("conflicts") == before)
            }
        }

        @Test("without VISUAL and EDITOR the choice is refused, with the remedy")
        func noEditor() async throws {
            try await withConflict { (_, workspace) async throws in
                let run = try await workspace.atmos("resolve", "tasks/1", "--editor")
                #expect(
                    run
                        == .init(
                            2,
                            errors: "atmos: --editor needs an editor: set VISUAL or EDITOR, for example EDITOR=vi\n"))
            }
        }

        @Test("both texts cannot be kept of a number, which is named")
        func bothNumbers() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "rank": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "rank=2")
                try source.edit("tasks", "1", ["rank": 3])
                try await workspace.atmos("push")
                let run = try await workspace.atmos("resolve", "tasks/1", "--both")
                #expect(run.status == 1 && run.errors.contains("“rank” of tasks/1 is no text on both sides"), "\(run)")
                #expect(try await workspace.atmos("resolve", "tasks/1", "--both", "--set", "rank=5").status == 0)
                try await workspace.atmos("push")
                #expect(source.objects("tasks").first?["rank"] == 5)
            }
        }

        @Test("a change that the server refuses each time, without a newer object, is listed with its words")
        func refusedEachTime() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                source.intercept = { request in
                    request.method == "PATCH"
                        ? .answer(409, body: Array(#"{"detail":"is locked by Ann"}"#.utf8)) : nil
                }
                try await workspace.atmos("edit", "tasks/1", "title=Bread")
                // Each push tries a few times.
                var open = Workspace.Run(0)
                for _ in 0..<6 {
                    try await workspace.atmos("push", "--quiet")
                    open = try await workspace.atmos("conflicts")
                    if open.output.hasPrefix("tasks/1") { break }
                }
                #expect(
                    open
                        == .init(
                            0,
                            """
                            tasks/1: edited here, and refused by the server
                              it says: is locked by Ann (409)
                              atmos resolve tasks/1 --mine or --theirs

                            """))
                let json = try await workspace.atmos("conflicts", "--json")
                #expect(json.output.contains(#""message":"is locked by Ann","status":409,"retryAt":null"#), "\(json)")
                let status = try await workspace.atmos("status")
                let reason = "the server refuses it: is locked by Ann; a person decides"
                #expect(status.output.contains(reason), "\(status)")
                source.intercept = nil
                try await workspace.atmos("resolve", "tasks/1", "--mine")
                #expect(try await workspace.atmos("push").output == "pushed: 0 created, 1 updated, 0 deleted\n")
            }
        }

        @Test(
            "the log tells what a person has decided, without values",
            arguments: [
                (["resolve", "tasks/1", "--mine"], "mine"), (["resolve", "tasks/1", "--theirs"], "theirs"),
                (["resolve", "tasks/1", "--both"], "both texts"),
                (["resolve", "tasks/1", "--set", "title=Secret", "rank=4"], "set title, rank"),
                (["discard", "tasks/1"], "what was edited here is dropped")
            ])
        func log(_ decision: [String], _ word: String) async throws {
            try await withConflict { (_, workspace) async throws in
                #expect(try await workspace.start(decision).end().status == 0)
                let log = try await workspace.atmos("log", "tasks/1")
                #expect(log.lines.contains { $0.hasSuffix("  tasks/1  decided: \(word)") }, "\(log)")
                #expect(!log.output.contains("Secret"))
            }
        }

        @Test("an action whose answer is lost offers no other object in its place")
        func lostAction() throws {
            let uri = ObjectURI(entity: "tasks", id: "1")
            let record = ObjectRecord(["id": 1, "title": "Milk"])
            var snapshot = Attempt(record: record, revision: 1, sequence: 2)
            snapshot.action = "move"
            var outgoing = Change(idempotencyKey: "k")
            outgoing.phase = .unknown(snapshot)
            let meta = MetaObject(
                uri: uri, id: ObjectID("1", .number),
                state: .updated(.init(base: record, sequence: 1), outgoing))
            let output = Output(json: false, quiet: false, verbose: false, environment: ["NO_COLOR": "1"])
            for (title, dropped) in [("Milk", ""), ("Bread", ", which drops the later edit of title too")] {
                let edited = ObjectRecord(["id": 1, "title": .string(title)])
                let decision = try #require(OpenDecision(LocalObject(record: edited, meta: meta)))
                #expect(
                    decision.lines(output) == [
                        "tasks/1: the action “move” was sent, but not answered; it may or may not have happened",
                        "  atmos resolve tasks/1 --resend, or atmos discard tasks/1\(dropped)"
                    ])
            }
        }

        @Test("a file that clashes with what the server has stands in the row of its member")
        func contestedFile() throws {
            let uri = ObjectURI(entity: "tasks", id: "1")
            let record = ObjectRecord(["id": 1, "scan": "old"])
            let theirs = ObjectRecord(["id": 1, "scan": "new"])
            let conflict = MetaObject.Conflict(.clash(["scan"]), theirs: theirs, version: nil, sequence: 2)
            var meta = MetaObject(
                uri: uri, id: ObjectID("1", .number),
                state: .updated(
                    .init(base: record, sequence: 1), .init(phase: .conflicted(conflict), idempotencyKey: "k")))
            meta.uploads = [
                .init(
                    id: "u", member: "scan", digest: "d", length: 6, fileName: "one.txt", mediaType: "text/plain",
                    base: "old")
            ]
            let decision = try #require(OpenDecision(LocalObject(record: record, meta: meta)))
            let output = Output(json: false, quiet: false, verbose: false, environment: ["NO_COLOR": "1"])
            let lines = decision.lines(output)
            #expect(lines.first == "tasks/1: edited here and on the server")
            let cells = ["\"old\"", "one.txt (6 bytes)", "\"new\""]
            #expect(lines.contains { line in cells.allSatisfy { line.contains($0) } }, "\(lines)")
            #expect(lines.last == "  atmos resolve tasks/1 --mine or --theirs")
        }

        @Test("of an object that was deleted on the server the files that wait are named")
        func fileOfDeleted() throws {
            let uri = ObjectURI(entity: "tasks", id: "1")
            let record = ObjectRecord(["id": 1, "title": "Milk"])
            let conflict = MetaObject.Conflict(.deletion, theirs: nil, version: nil, sequence: 2)
            var meta = MetaObject(
                uri: uri, id: ObjectID("1", .number),
                state: .updated(
                    .init(base: record, sequence: 1), .init(phase: .conflicted(conflict), idempotencyKey: "k")))
            meta.uploads = [
                .init(id: "u", member: "scan", digest: "d", length: 6, fileName: "one.txt", mediaType: "text/plain")
            ]
            let decision = try #require(OpenDecision(LocalObject(record: record, meta: meta)))
            let output = Output(json: false, quiet: false, verbose: false, environment: ["NO_COLOR": "1"])
            #expect(
                decision.lines(output) == [
                    "tasks/1: edited here, deleted on the server", "  “scan” to be uploaded (one.txt, 6 bytes)",
                    "  atmos resolve tasks/1 --mine or --theirs"
                ])
        }

        @Test(
            "a file that was attached to an edited field is named in its place, and is no value of the editor's sheet")
        func fileOverEdit() throws {
            let uri = ObjectURI(entity: "tasks", id: "1")
            let record = ObjectRecord(["id": 1, "title": "mine", "scan": "edited"])
            let theirs = ObjectRecord(["id": 1, "title": "theirs", "scan": "new"])
            let conflict = MetaObject.Conflict(.clash(["title", "scan"]), theirs: theirs, version: nil, sequence: 2)
            let base = ObjectRecord(["id": 1, "title": "a", "scan": "old"])
            var meta = MetaObject(
                uri: uri, id: ObjectID("1", .number),
                state: .updated(
                    .init(base: base, sequence: 1), .init(phase: .conflicted(conflict), idempotencyKey: "k")))
            meta.uploads = [
                .init(
                    id: "u", member: "scan", digest: "d", length: 6, fileName: "one.txt", mediaType: "text/plain",
                    base: "old")
            ]
            let object = LocalObject(record: record, meta: meta)
            let decision = try #require(OpenDecision(object, files: meta.uploads))
            let output = Output(json: false, quiet: false, verbose: false, environment: ["NO_COLOR": "1"])
            let lines = decision.lines(output)
            #expect(lines.contains { $0.contains("one.txt (6 bytes)") && $0.contains("\"new\"") }, "\(lines)")
            #expect(lines.last == "  atmos resolve tasks/1 --mine, --theirs, --editor or --set FIELD=VALUE")
            let files: Value = [["field": "scan", "file": "one.txt", "type": "text/plain", "bytes": 6]]
            #expect(decision.json.members?["files"] == files)

            let sheet = try DecisionSheet(object, files: meta.uploads)
            #expect(sheet.text.contains("mine:   the file one.txt (6 bytes)"), "\(sheet.text)")
            let decided = sheet.text.replacing("\n\"title\": \"mine\"", with: "\n\"title\": \"both\"")
            #expect(try sheet.values(in: decided) == ["title": "both"])
            let dropped = decided.replacing("\n#\"scan\"", with: "\n\"scan\"")
            #expect(try sheet.values(in: dropped) == ["title": "both", "scan": "new"])
        }

        @Test("discard takes theirs and sends nothing")
        func discard() async throws {
            try await withConflict { (source, workspace) async throws in
                #expect(try await workspace.atmos("discard", "tasks/1") == .init(0, "tasks/1\n"))
                #expect(
                    try await workspace.atmos("list", "tasks", "--where", "title=Cheese", "--json").lines.count == 2)
                source.clearLog()
                #expect(try await workspace.atmos("push").status == 0)
                #expect(source.log.isEmpty)
            }
        }

        @Test("an edit of what was deleted here is shown before a person decides")
        func deletedHere() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("delete", "tasks/1")
                try source.edit("tasks", "1", ["title": "Cheese"])
                #expect(try await workspace.atmos("push").status == 3)
                let conflicts = try await workspace.atmos("conflicts")
                #expect(conflicts.lines.first == "tasks/1: deleted here, edited on the server")
                let row = conflicts.lines.first { $0.hasPrefix("  title ") }
                #expect(
                    row?.split(separator: " ").map(String.init) == ["title", "\"Milk\"", "deleted", "\"Cheese\""],
                    "\(conflicts)")
                let status = try await workspace.atmos("status")
                #expect(
                    status.lines.contains(
                        "tasks/1  deleted here, conflicted with an edit on the server; a person decides (atmos conflicts)"
                    ),
                    "\(status)")
            }
        }

        @Test("changes of an entity that the route file does not have any more are told, and can be discarded")
        func undeclared() async throws {
            let workspace = try Workspace()
            func routeFile(_ entities: String...) -> String {
                """
                atmosphere: 1
                name: tasks
                style: django-rest
                base: http://127.0.0.1:1/api
                resources:
                \(entities.map { "  \($0): {}" }.joined(separator: "\n"))

                """
            }
            try workspace.write(routeFile("lists", "tasks"), to: "atmosphere.yaml")
            let uri = try await workspace.atmos("create", "tasks", "title=Milk").lines[0]
            try workspace.write(routeFile("lists"), to: "atmosphere.yaml")
            let remaining = """
                pushed: 0 created, 0 updated, 0 deleted
                remaining: 1 of no entity of the route file (atmos status)

                """
            #expect(try await workspace.atmos("push") == .init(3, remaining))
            let json = try await workspace.atmos("push", "--json")
            #expect(json.status == 3 && json.output.contains(#""unknown":0,"undeclared":1}"#), "\(json)")
            let status = try await workspace.atmos("status")
            #expect(
                status.output.contains("\(uri)  created here; atmosphere.yaml has no entity “tasks” any more"),
                "\(status)")
            #expect(try await workspace.atmos("conflicts") == .init(0, "nothing to decide\n"))
            #expect(try await workspace.atmos("discard", uri) == .init(0, "\(uri)\n"))
            #expect(try await workspace.atmos("push") == .init(0, "pushed: 0 created, 0 updated, 0 deleted\n"))
        }

        @Test("changes of an operation that the route file does not offer any more are told, and can be discarded")
        func notOffered() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let uri = try await workspace.atmos("create", "lists", "title=Work").lines[0]
                let text = try workspace.read("atmosphere.yaml")
                let less = text.replacing("  lists:\n", with: "  lists:\n    create: null\n")
                try workspace.write(less, to: "atmosphere.yaml")
                let push = try await workspace.atmos("push")
                let remaining = """
                    pushed: 0 created, 0 updated, 0 deleted
                    remaining: 1 that the API does not offer (atmos status)

                    """
                #expect(push == .init(3, remaining))
                let json = try await workspace.atmos("push", "--json")
                #expect(json.status == 3 && json.output.contains(#""waiting":0,"#), "\(json)")
                #expect(json.output.contains(#""notOffered":1}"#), "\(json)")
                let status = try await workspace.atmos("status")
                #expect(
                    status.output.contains(
                        "\(uri)  created here; atmosphere.yaml offers no create for lists, so it is never sent: declare it, or "
                            + "drop the change (atmos discard \(uri))"), "\(status)")
                #expect(try await workspace.atmos("discard", uri).status == 0)
                #expect(try await workspace.atmos("push").status == 0)
            }
        }

        @Test("a refused change is listed with the server's words until it is edited and retried")
        func rejected() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let uri = try await workspace.atmos("create", "lists", "title=").lines[0]
                let push = try await workspace.atmos("push")
                #expect(
                    push.status == 3 && push.output.hasSuffix("remaining: 1 rejected (atmos rejected)\n"), "\(push)")
                let list = try await workspace.atmos("rejected")
                #expect(list.status == 0 && list.output.hasPrefix("\(uri) (400): ") && list.output.contains("title: "))
                let json = try await workspace.atmos("rejected", "--json")
                #expect(json.output.hasPrefix(#"[{"uri":"\#(uri)","status":400,"message":""#), "\(json)")
                #expect(json.output.contains(#""fields":[{"field":"title","message":"#))
                #expect(try await workspace.atmos("edit", uri, "title=Shopping").status == 0)
                #expect(try await workspace.atmos("push").output == "pushed: 1 created, 0 updated, 0 deleted\n")
                #expect(try await workspace.atmos("rejected") == .init(0, "nothing was refused\n"))
                #expect(source.objects("lists").count == 2)
            }
        }

        @Test("retry --all gives every refused change another try")
        func retryAll() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let uri = try await workspace.atmos("create", "lists", "title=Shopping").lines[0]
                source.intercept = { $0.method == "POST" ? .answer(403) : nil }
                #expect(try await workspace.atmos("push").status == 3)
                source.intercept = nil
                #expect(try await workspace.atmos("push").status == 3, "a refused change is not sent again by itself")
                #expect(
                    try await workspace.atmos("retry", "--all", "--json")
                        == .init(0, #"{"retried":["\#(uri)"]}"# + "\n"))
                let log = try await workspace.atmos("log", uri)
                #expect(log.lines.contains { $0.hasSuffix("  \(uri)  decided: another try") }, "\(log)")
                #expect(try await workspace.atmos("push").status == 0)
                #expect(try await workspace.atmos("retry", "--all") == .init(0))
                let nothing = try await workspace.atmos("retry", "lists/2")
                #expect(nothing == .init(1, errors: "atmos: lists/2 has nothing to send\n"))
            }
        }

        @Test("a create whose answer holds no identifier was accepted, and is not told as one without an answer")
        func nameless() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let uri = try await workspace.atmos("create", "lists", "title=Shopping").lines[0]
                source.intercept = { request in
                    request.method == "POST" ? .answer(201, body: Array("{}".utf8)) : nil
                }
                try await workspace.atmos("push")
                source.intercept = nil
                let words = "accepted by the server, which does not say as which object"
                let open = try await workspace.atmos("conflicts")
                #expect(open.output.hasPrefix("\(uri): \(words)"), "\(open)")
                let status = try await workspace.atmos("status")
                #expect(status.output.contains("created here, \(words)"), "\(status)")
                let dropped = try await workspace.atmos("discard", uri)
                #expect(dropped.errors.contains("was accepted by the server, which has not said"), "\(dropped)")
            }
        }

        @Test("a create whose answer is lost waits for a person, who adopts or resends it", arguments: [true, false])
        func unknown(_ adopts: Bool) async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let uri = try await workspace.atmos("create", "lists", "title=Shopping").lines[0]
                source.intercept = { request in
                    guard request.method == "POST" else { return nil }
                    return adopts ? .processThenClose : .close
                }
                let push = try await workspace.atmos("push")
                source.intercept = nil
                #expect(push.status == 3 || push.status == 4, "\(push)")
                let open = try await workspace.atmos("conflicts")
                #expect(
                    open.output.hasPrefix("\(uri): sent, but not answered; it may or may not have happened"), "\(open)")
                let json = try await workspace.atmos("conflicts", "--json")
                #expect(json.output.hasPrefix(#"[{"uri":"\#(uri)","state":"unknown","sent":{"#), "\(json)")
                if adopts {
                    #expect(try await workspace.atmos("resolve", uri, "--adopt", "2") == .init(0, "lists/2\n"))
                } else {
                    #expect(try await workspace.atmos("resolve", uri, "--resend") == .init(0, "\(uri)\n"))
                }
                let created = adopts ? 0 : 1
                #expect(
                    try await workspace.atmos("push") == .init(0, "pushed: \(created) created, 0 updated, 0 deleted\n"))
                #expect(source.objects("lists").count == 2)
                #expect(try await workspace.atmos("get", uri).lines[0] == "lists/2")
                let log = try await workspace.atmos("log", uri)
                let word = adopts ? "it is lists/2" : "to be sent again"
                #expect(log.lines.contains { $0.hasSuffix("  decided: \(word)") }, "\(log)")
            }
        }
    }
#endif
