#if Command
    import Foundation
    import Testing

    /// Everything here works without a server.
    @Suite("Local commands", .timeLimit(.minutes(5))) struct LocalCommandTests {
        /// Creates an object and gives its address.
        private func create(_ workspace: Workspace, _ arguments: String...) async throws -> String {
            let run = try await workspace.start(["create"] + arguments).end()
            try #require(run.status == 0, "\(run)")
            #expect(run.errors == "" && run.lines.count == 2)
            return run.lines[0]
        }

        @Test("create prints one address, and get the record under it")
        func createAndGet() async throws {
            let workspace = try TestAPI.offline()
            let uri = try await create(workspace, "lists", "title=Home")
            #expect(uri.wholeMatch(of: #/lists/[0-9a-f-]{36}/#) != nil)
            let id = uri.split(separator: "/")[1]
            #expect(
                try await workspace.atmos("get", uri, "--json") == .init(0, #"{"id":"\#(id)","title":"Home"}"# + "\n"))
            #expect(
                try await workspace.atmos("get", uri)
                    == .init(0, "\(uri), created here\nid     \(id)\ntitle  Home\n"))
            let json = try await workspace.atmos("create", "lists", "title=Other", "--json")
            #expect(json.output.wholeMatch(of: #/\{"uri":"lists/[0-9a-f-]{36}"\}\n/#) != nil, "\(json)")
        }

        @Test("values become what the route file declares, and strings otherwise")
        func types() async throws {
            let workspace = try TestAPI.offline()
            let uri = try await create(
                workspace, "tasks", "title=7", "done=true", "rank=3", "weight=1.50", #"tags=["a"]"#, "price=1.10",
                "due=2026-01-02", "code:=12", "nothing:=null", "note=a=b:=c")
            let record = try await workspace.atmos("get", uri, "--json").output
            let expected =
                #""title":"7","done":true,"rank":3,"weight":1.50,"tags":["a"],"price":"1.10","due":"2026-01-02","#
                + #""code":12,"nothing":null,"note":"a=b:=c"}"#
            #expect(record.hasSuffix(expected + "\n"), "\(record)")
        }

        @Test(
            "a value that is not of the declared type ends with 2",
            arguments: ["done=yes", "rank=1.5", "rank=many", "weight=heavy", "tags=[a"])
        func wrongType(_ field: String) async throws {
            let workspace = try TestAPI.offline()
            let run = try await workspace.atmos("create", "tasks", field)
            #expect(run.status == 2 && run.output == "")
            #expect(run.errors.hasPrefix("atmos: \(field): the route file declares"), "\(run)")
            #expect(try await workspace.atmos("list", "tasks", "--json").output == "[]\n")
        }

        @Test("--from reads an object from a file or standard input, and fields go over it")
        func from() async throws {
            let workspace = try TestAPI.offline()
            try workspace.write(#"{"title":"From a file","rank":1.0}"#, to: "task.json")
            let uri = try await create(workspace, "tasks", "--from", "task.json", "title=Over it")
            #expect(try await workspace.atmos("get", uri, "--json").output.contains(#""title":"Over it","rank":1.0}"#))
            let piped = try await workspace.atmos("create", "lists", "--from", "-", input: #"{"title":"Piped"}"#)
            #expect(piped.status == 0)
            #expect(try await workspace.atmos("get", piped.lines[0]).output.contains("Piped"))
        }

        @Test("bad JSON in --from ends with 2, names the place and stores nothing")
        func badFrom() async throws {
            let workspace = try TestAPI.offline()
            try workspace.write(#"{"title": nope}"#, to: "bad.json")
            try workspace.write("[1]", to: "list.json")
            let bad = try await workspace.atmos("create", "tasks", "--from", "bad.json")
            #expect(bad.status == 2 && bad.output == "")
            #expect(bad.errors.hasPrefix("atmos: bad.json is not JSON: "), "\(bad)")
            #expect(
                try await workspace.atmos("create", "tasks", "--from", "list.json")
                    == .init(2, errors: #"atmos: list.json must hold one JSON object: {"FIELD": VALUE, …}"# + "\n"))
            #expect(try await workspace.atmos("create", "tasks", "--from", "none.json").status == 2)
            #expect(try await workspace.atmos("create", "tasks", "--from", "-", input: "{").status == 2)
            #expect(try await workspace.atmos("list", "tasks", "--json") == .init(0, "[]\n"))
        }

        @Test("edit sets fields and delete removes an object that the server never saw")
        func editAndDelete() async throws {
            let workspace = try TestAPI.offline()
            let uri = try await create(workspace, "tasks", "title=One", "rank=1")
            #expect(try await workspace.atmos("edit", uri, "title=Two", "rank=2") == .init(0, "\(uri)\n"))
            #expect(try await workspace.atmos("get", uri, "--json").output.contains(#""title":"Two","rank":2}"#))
            #expect(
                try await workspace.atmos("edit", uri, "rank=3", "--json") == .init(0, #"{"uri":"\#(uri)"}"# + "\n"))
            #expect(try await workspace.atmos("delete", uri) == .init(0, "\(uri)\n"))
            let gone = try await workspace.atmos("get", uri)
            #expect(
                gone == .init(1, errors: "atmos: there is no \(uri) here; pull it first, or check the identifier\n"))
            #expect(try await workspace.atmos("edit", uri, "title=x").status == 1)
            let json = try await workspace.atmos("delete", uri, "--json")
            #expect(json.status == 1 && json.errors.hasPrefix(#"{"error":{"code":"notFound","message":"#), "\(json)")
        }

        private static let titles = [
            ("--where title=Bread", ["Bread"]),
            ("--where title!=Bread", ["Apples", "Cheese", "Dates"]),
            ("--where rank=10", ["Cheese"]),
            ("--where rank<10", ["Apples", "Bread"]),
            ("--where rank>=2 --where rank<=10", ["Bread", "Cheese"]),
            ("--where rank>2 --where title!=Cheese", ["Dates"]),
            ("--where done=true", ["Bread"]),
            ("--where due<2026-02-01", ["Apples"]),
            ("--where price=1.1", ["Apples"]),
            ("--where size=5", ["Apples", "Bread"]),
            ("--where title=Nothing", []),
            ("--sort rank", ["Apples", "Bread", "Cheese", "Dates"]),
            ("--sort -rank", ["Dates", "Cheese", "Bread", "Apples"]),
            ("--sort -title --limit 2", ["Dates", "Cheese"]),
            ("--limit 0", [])
        ]

        @Test("list selects by declared type, sorts and limits", .timeLimit(.minutes(5)))
        func list() async throws {
            let workspace = try TestAPI.offline()
            _ = try await create(workspace, "tasks", "title=Apples", "rank=1", "price=1.10", "due=2026-01-31", "size=5")
            _ = try await create(workspace, "tasks", "title=Bread", "rank=2", "done=true", "due=2026-02-01", "size:=5")
            _ = try await create(workspace, "tasks", "title=Cheese", "rank=10", "done=false")
            _ = try await create(workspace, "tasks", "title=Dates", "rank=100")
            for (arguments, expected) in Self.titles {
                let words = arguments.split(separator: " ").map(String.init)
                let run = try await workspace.start(["list", "tasks", "--json"] + words).end()
                #expect(run.status == 0)
                let found = try #require(
                    try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]], "\(run)")
                let titles = found.compactMap { $0["title"] as? String }
                #expect(
                    arguments.contains("--sort") ? titles == expected : Set(titles) == Set(expected), "\(arguments)")
            }
        }

        @Test("an instant is compared with a moment, and with a day where that leaves no doubt")
        func moments() async throws {
            let workspace = try Workspace()
            let routes = TestAPI.routeFile(base: "http://127.0.0.1:1/api").replacing("due: date", with: "due: instant")
            try workspace.write(routes, to: "atmosphere.yaml")
            _ = try await create(workspace, "tasks", "title=Tea", "due=2026-11-22T11:00:00Z")
            for (condition, isFound) in [
                ("due>=2026-11-22T10:00:00Z", true), ("due>2026-11-22T12:30:00Z", false),
                ("due<=2026-11-22T12:00:00+01:00", true), ("due<2026-11-22T11:00:00Z", false),
                ("due=2026-11-22T11:00:00.000Z", true), ("due!=2026-11-22T11:00:00Z", false),
                ("due!=2026-11-22T12:00:00Z", true), ("due>=2026-11-22", true), ("due<2026-11-22", false)
            ] {
                let run = try await workspace.atmos("list", "tasks", "--where", condition, "--json")
                #expect(run.status == 0 && run.output.contains("Tea") == isFound, "\(condition): \(run)")
            }
            let day = try await workspace.atmos("list", "tasks", "--where", "due>2026-11-22")
            #expect(day.status == 2 && day.errors.contains("2026-11-22T12:30:00Z"), "\(day)")
            #expect(!day.errors.contains("ZT12"))
        }

        @Test("so is a number that is declared as a time, and it stays a number")
        func countedMoments() async throws {
            let workspace = try Workspace()
            let routes = TestAPI.routeFile(base: "http://127.0.0.1:1/api").replacing("due: date", with: "due: seconds")
            try workspace.write(routes, to: "atmosphere.yaml")
            let uri = try await create(workspace, "tasks", "title=Tea", "due=2026-11-22T11:00:00Z")
            _ = try await create(workspace, "tasks", "title=Rum", "due=0")
            for (condition, isFound) in [
                ("due>=2026-11-22", true), ("due<2026-11-22", false), ("due=1795345200", true),
                ("due=2026-11-22T12:00:00+01:00", true), ("due>1795345200", false), ("due!=2026-11-22T11:00:00Z", false)
            ] {
                let run = try await workspace.atmos("list", "tasks", "--where", condition, "--json")
                #expect(run.status == 0 && run.output.contains("Tea") == isFound, "\(condition): \(run)")
                let lines = try await workspace.atmos("export", "tasks", "--where", condition)
                #expect(lines.output.contains(#""due":1795345200"#) == isFound, "\(condition): \(lines)")
            }
            let sorted = try await workspace.atmos("list", "tasks", "--sort=-due", "--json")
            #expect(sorted.output.range(of: "Tea")!.lowerBound < sorted.output.range(of: "Rum")!.lowerBound)
            let wrong = try await workspace.atmos("edit", uri, "due=tomorrow")
            #expect(wrong.status == 2 && wrong.errors.contains("a moment, in seconds since 1970"), "\(wrong)")
            let day = try await workspace.atmos("list", "tasks", "--where", "due>2026-11-22")
            #expect(day.status == 2 && day.errors.contains("2026-11-22T12:30:00Z"), "\(day)")
        }

        @Test("the table of a list is aligned and shows what waits to be sent")
        func table() async throws {
            let workspace = try TestAPI.offline()
            let first = try await create(workspace, "tasks", "title=Milk", "rank=1")
            let second = try await create(workspace, "tasks", "title=水とパン", "rank=10", "note=a\u{1B}[31m\nb")
            let run = try await workspace.atmos("list", "tasks", "--sort", "rank")
            let padding = String(repeating: " ", count: first.count - "OBJECT".count)
            #expect(
                run
                    == .init(
                        0,
                        """
                        OBJECT\(padding)  STATE  TITLE     RANK  NOTE
                        \(first)  new    Milk      1
                        \(second)  new    水とパン  10    a\\u{1b}[31m\\nb

                        """))
        }

        @Test("status in JSON has exactly the agreed members, in the order of the route file")
        func status() async throws {
            let workspace = try TestAPI.offline()
            let uri = try await create(workspace, "tasks", "title=Milk")
            func counts(_ number: Int) -> String {
                #"{"objects":\#(number),"changed":\#(number),"localOnly":\#(number),"deleted":0,"conflicted":0,"#
                    + #""rejected":0,"unknown":0,"cursor":null,"lastPull":null}"#
            }
            #expect(
                try await workspace.atmos("status", "--json")
                    == .init(
                        0,
                        #"{"entities":{"lists":\#(counts(0)),"tasks":\#(counts(1))},"#
                            + #""pending":[{"uri":"\#(uri)","reason":"created here, goes with the next push"}]}"# + "\n"
                    ))
            #expect(
                try await workspace.atmos("status")
                    == .init(
                        0,
                        """
                        ENTITY  OBJECTS  NEW  EDITED  DELETED  CONFLICTED  REJECTED  UNKNOWN  LAST PULL
                        lists         0    0       0        0           0         0        0  never
                        tasks         1    1       0        0           0         0        0  never
                        \(uri)  created here, goes with the next push

                        """))
        }

        @Test("explain shows settings with their origin, of one entity where one is named")
        func explain() async throws {
            let workspace = try TestAPI.offline()
            let all = try await workspace.atmos("explain")
            #expect(all.status == 0 && all.lines[0].hasPrefix("SETTING "))
            #expect(all.output.contains(#/\nbase +http:\/\/127.0.0.1:1\/api +atmosphere.yaml:4:7\n/#), "\(all)")
            #expect(all.output.contains(#/\nresources.tasks.items.path +\$.results +style django-rest\n/#), "\(all)")
            let tasks = try await workspace.atmos("explain", "tasks", "--json")
            #expect(tasks.output.hasPrefix(#"{"settings":[{"path":"resources.tasks."#), "\(tasks)")
            #expect(!tasks.output.contains("resources.lists"))
        }

        @Test("a reader that has enough ends the command quietly")
        func closedPipe() async throws {
            let workspace = try TestAPI.offline()
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.currentDirectoryURL = workspace.folder
            let binary = try RunningCommand.binary().path
            process.arguments = ["-c", "{ '\(binary)' explain; echo $? >status; } 2>errors | true"]
            try process.run()
            process.waitUntilExit()
            let errors = try String(contentsOf: workspace.folder.appending(path: "errors"), encoding: .utf8)
            let status = try String(contentsOf: workspace.folder.appending(path: "status"), encoding: .utf8)
            #expect(errors == "")
            // The reader may be gone before or after the line is written.
            #expect(["0\n", "141\n"].contains(status))
        }

        @Test("members that are called as the table's own columns are told from these")
        func headings() async throws {
            let workspace = try TestAPI.offline()
            try await workspace.atmos("create", "lists", "title=Home", "state=open")
            let marked = try await workspace.atmos("list", "lists")
            #expect(
                marked.lines.first?.split(separator: " ") == ["OBJECT", "STATE", "HERE", "TITLE", "STATE"], "\(marked)")
            try await workspace.atmos("create", "lists", "object=x")
            let both = try await workspace.atmos("list", "lists")
            #expect(both.lines.first?.hasPrefix("ADDRESS ") == true, "\(both)")
        }
    }
#endif
