#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @Suite("Mistakes and odd answers", .timeLimit(.minutes(5))) struct MistakeCommandTests {
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

        @Test("a new object has no readonly field and no empty parent, and nothing is queued")
        func newObject() async throws {
            let workspace = try TestAPI.offline()
            for now in [[], ["--now"]] {
                let run = try await workspace.start(["create", "tasks", "title=x", "list=1", "modified=now"] + now)
                    .end()
                #expect(
                    run
                        == .init(
                            1,
                            errors:
                                "atmos: the “modified” of a new object of tasks cannot be set: the route file says that "
                                + "the server alone sets it (readonly); leave it out\n"))
                let empty = try await workspace.start(["create", "tasks", "title=x", "list="] + now).end()
                #expect(
                    empty
                        == .init(
                            1,
                            errors:
                                "atmos: “list” of tasks is empty; write the identifier of the parent in lists, or null "
                                + "for none\n"))
            }
            #expect(try await workspace.atmos("create", "tasks", "title=x", "modified:=null").status == 0)
            #expect(try await workspace.atmos("list", "tasks", "--json").output.contains(#""title":"x""#))
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

        @Test("a create that was sent at once and accepted without an identifier ends with 3 and says so")
        func namelessNow() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                source.intercept = { $0.method == "POST" ? .answer(202) : nil }
                let run = try await workspace.atmos("create", "lists", "title=Shopping", "--now")
                #expect(run.status == 3 && run.output.hasPrefix("lists/"), "\(run)")
                #expect(run.errors.contains("its answer holds no identifier"), "\(run)")
                #expect(run.errors.contains("look at it with atmos conflicts"), "\(run)")
                let json = try await workspace.atmos("create", "lists", "title=Shopping", "--now", "--json")
                #expect(json.status == 3 && json.output.hasPrefix(#"{"uri":"lists/"#), "\(json)")
                #expect(json.errors.hasPrefix(#"{"warning":{"message":"lists/"#), "\(json)")
                let waits = try await workspace.atmos("create", "lists", "title=Other").lines[0]
                let edit = try await workspace.atmos("edit", waits, "title=Another", "--now")
                #expect(edit.status == 3 && edit.errors.contains("its answer holds no identifier"), "\(edit)")
            }
        }

        @Test(
            "an edit or a delete that was sent at once and not answered says that it may be done",
            arguments: [true, false])
        func lostNow(isDelete: Bool) async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                let method = isDelete ? "DELETE" : "PATCH"
                source.intercept = { $0.method == method ? .processThenClose : nil }
                let words = isDelete ? ["delete", "lists/1"] : ["edit", "lists/1", "title=Shopping"]
                let lost = try await workspace.start(words + ["--now"]).end()
                #expect(lost.status == 4 && lost.errors.contains("may have done it all the same"), "\(lost)")
                let remedy = isDelete ? "delete it once more" : "atmos pull lists"
                #expect(lost.errors.contains(remedy), "\(lost)")
            }
            let offline = try TestAPI.offline()
            let refused = try await offline.start(["edit", "lists/1", "title=x", "--now"]).end()
            #expect(refused.status != 0 && !refused.errors.contains("may have done it"), "\(refused)")
        }

        @Test("an action, or another request, that was not answered says that it may be done, unless it only reads")
        func lostRequest() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                source.intercept = { _ in .close }
                let action = try await workspace.atmos("request", "archive", "tasks/1")
                #expect(action.status == 4, "\(action)")
                #expect(action.errors.contains("may have done it all the same: atmos pull tasks shows"), "\(action)")
                let post = try await workspace.atmos("request", "POST", "tasks/", "--data", "{}")
                #expect(
                    post.status == 4 && post.errors.hasSuffix("; the server may have done it all the same\n"), "\(post)"
                )
                let get = try await workspace.atmos("request", "GET", "tasks/")
                #expect(get.status == 4 && !get.errors.contains("may have done it"), "\(get)")
            }
        }

        @Test("a create that was sent at once and not answered is found by its look-up field, and is there")
        func foundNow() async throws {
            try await TestAPI.serving(tasks: TestAPI.lookup) { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                let create = ["create", "tasks", "title=Milk", "list:=1", "--now"]
                source.intercept = { $0.method == "POST" ? .processThenClose : nil }
                #expect(try await workspace.start(create).end() == .init(0, "tasks/1\n"))
                let status = try await workspace.atmos("status")
                #expect(!status.output.contains("tasks/"), "nothing waits: \(status)")
                #expect(try await workspace.atmos("get", "tasks/1").lines[0] == "tasks/1")
                source.intercept = { $0.method == "POST" ? .close : nil }
                let lost = try await workspace.start(create).end()
                #expect(lost.status == 4 && lost.errors.contains("; a look-up does not show it so far; "), "\(lost)")
                #expect(lost.errors.contains("may have created it all the same"), "\(lost)")
                let list = try await workspace.atmos("list", "tasks")
                #expect(list.output.split(separator: "\n").count == 2, "\(list)")
                let log = try await workspace.atmos("log", "tasks/1")
                #expect(log.output.contains("POST create, at once"), "\(log)")
                #expect(log.output.contains("found on the server"), "\(log)")
            }
        }

        @Test("list says what is wrong with a condition, and names fields that no record has")
        func conditions() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let nothing = "atmos: tasks: nothing was pulled yet; atmos pull tasks\n"
                #expect(try await workspace.atmos("list", "tasks", "--where", "nosuch=1").errors == nothing)
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
                            2,
                            errors: "atmos: no record of tasks has “nosuch”\natmos: no record of tasks has “nowhere”\n")
                )
                for mistake in [
                    ["--sort", "-nowhere"], ["--sort", "nowhere", "--json"], ["--where", "nowhere!=1"],
                    ["--where", "nowhere=null"], ["--where", "nowhere<1"]
                ] {
                    let run = try await workspace.start(["list", "tasks"] + mistake).end()
                    #expect(run.status == 2 && run.output == "", "\(mistake): \(run)")
                    #expect(run.errors.contains("nowhere"), "\(mistake): \(run)")
                }
                #expect(try await workspace.atmos("list", "tasks", "--where", "rank=7", "--sort", "title").errors == "")
            }
        }

        @Test(
            "a value that is none of the declared type is refused, however it is written; null and a declared one are not"
        )
        func declaredTypes() async throws {
            try await TestAPI.serving(tasks: #"absent-equals: [""]"#) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "rank": 2])
                try await workspace.atmos("pull", "--quiet")
                for (field, kind) in [
                    ("rank=abc", "an integer"), ("rank:=1.5", "an integer"), ("price=abc", "a number"),
                    ("due=2026-02-30", "a date (2026-01-02)"), ("done=yes", "true or false"),
                    (#"done:="true""#, "true or false"), ("weight:=[]", "a number")
                ] {
                    for command in [["edit", "tasks/1"], ["create", "tasks", "list:=1"]] {
                        let run = try await workspace.start(command + [field]).end()
                        #expect(run.status == 2 && run.errors.contains("as \(kind); to clear it"), "\(run)")
                    }
                }
                try workspace.write(#"{"due": "soon", "list": 1}"#, to: "task.json")
                #expect(try await workspace.atmos("create", "tasks", "--from", "task.json").status == 2)
                let good = ["rank=3", "price=0.10", "due=2026-02-28", "done:=null", "weight="]
                #expect(try await workspace.start(["edit", "tasks/1"] + good).end() == .init(0, "tasks/1\n"))
            }
        }

        @Test("fields that no record has, and texts in the place of numbers, are told; export does not write them")
        func unknownFields() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "open": true, "size": 3])
                try await workspace.atmos("pull", "--quiet")
                let edit = try await workspace.atmos("edit", "tasks/1", "titel=x", "open=false", "size=4", "title=y")
                #expect(
                    edit
                        == .init(
                            0, "tasks/1\n",
                            errors: """
                                atmos: no record of tasks has “titel” (did you mean “title”?); it is kept, and sent with the \
                                next push
                                atmos: “open” is true or false so far, and is sent as the text “false” now; write \
                                open:=false, or declare types: { open: boolean }
                                atmos: “size” is a number so far, and is sent as the text “4” now; write size:=4, or \
                                declare types: { size: integer }

                                """))
                try await workspace.atmos("discard", "tasks/1")
                let create = try await workspace.atmos("create", "tasks", "titel=x", "list:=1")
                #expect(create.status == 0 && create.errors.contains("has “titel”"), "\(create)")
                let export = try await workspace.atmos("export", "tasks", "--fields", "id,titl")
                #expect(export.status == 2 && export.output == "")
                #expect(export.errors.hasPrefix("atmos: no record of tasks has “titl” (did you mean “tit"))
            }
        }

        @Test("of many fields that no record has the first ten are told, and how many more there are")
        func manyUnknownFields() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                let members = (100..<600).map { "\"strange\($0)\": 1" }.joined(separator: ", ")
                try workspace.write("{\"titel\": \"x\", \"title\": \"y\", \"list\": 1, \(members)}", to: "task.json")
                let create = try await workspace.atmos("create", "tasks", "--from", "task.json")
                let lines = create.errors.split(separator: "\n").filter { $0.contains("no record of tasks has") }
                #expect(create.status == 0 && lines.count == 11, "\(create)")
                #expect(lines.first?.contains("no record of tasks has “strange100”") == true, "\(create)")
                #expect(lines.last?.contains("no record of tasks has 491 more of the names;") == true, "\(create)")
            }
        }

        @Test("of a field that cannot be edited only that is told, and not how to write its value")
        func identifier() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                let run = try await workspace.atmos("edit", "tasks/1", "id=5")
                #expect(run.status == 1 && run.lines == [""], "\(run)")
                #expect(run.errors.hasPrefix("atmos: the “id” of tasks/1 cannot be edited"), "\(run)")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
            }
        }

        @Test("a reference to an object that is not here is told, where its entity was pulled, and kept")
        func absentReference() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let early = try await workspace.atmos("create", "tasks", "title=x", "list:=77")
                #expect(early.status == 0 && early.errors == "", "nothing of lists is here: \(early)")
                try await workspace.atmos("discard", early.lines[0])
                try await workspace.atmos("pull", "--quiet")
                let edit = try await workspace.atmos("edit", "tasks/1", "list=77")
                let told = "atmos: “list”: there is no lists/77 here; it is kept, and sent with the next push\n"
                #expect(edit == .init(0, "tasks/1\n", errors: told))
                let atOnce = try await workspace.atmos("edit", "tasks/1", "list=78", "--now")
                #expect(
                    atOnce.errors.hasPrefix("atmos: “list”: there is no lists/78 here; it is sent all the same\n"),
                    "\(atOnce)")
                let create = try await workspace.atmos("create", "tasks", "list=abc")
                #expect(create.status == 0 && create.errors.contains("there is no lists/abc here"), "\(create)")
                let good = try await workspace.atmos("create", "tasks", "list=1")
                #expect(good.status == 0 && good.errors == "", "\(good)")
                let list = try await workspace.atmos("create", "lists", "title=New").lines[0]
                let below = try await workspace.atmos("create", "tasks", "list=\(list.dropFirst(6))")
                #expect(below.status == 0 && below.errors == "", "\(below)")
            }
        }

        @Test("a day stands for an instant where that leaves no doubt, and else the message says how to write it")
        func days() async throws {
            try await TestAPI.serving(tasks: "fields: { at: { type: instant } }") { (source, workspace) async throws in
                for (title, at) in [("a", "2026-01-04T23:59:59Z"), ("b", "2026-01-05T00:00:00Z")] {
                    try source.add("tasks", ["title": .string(title), "list": 1, "at": .string(at)])
                }
                try await workspace.atmos("pull", "--quiet")
                func titles(_ condition: String) async throws -> Int {
                    let run = try await workspace.atmos("list", "tasks", "--where", condition, "--json")
                    #expect(run.status == 0, "\(run)")
                    return try Value(json: Array(run.output.utf8)).array?.count ?? -1
                }
                #expect(try await titles("at>=2026-01-05") == 1)
                #expect(try await titles("at<2026-01-05") == 1)
                #expect(try await titles("at<2026-01-06") == 2)
                for doubtful in ["at=2026-01-05", "at<=2026-01-05", "at>2026-01-05"] {
                    let run = try await workspace.atmos("list", "tasks", "--where", doubtful)
                    #expect(run.status == 2 && run.errors.contains("at>=DAY with at<THE-NEXT-DAY"), "\(run)")
                }
            }
        }

        @Test("what is asked for and is not here ends with 1, and what stands on standard input is called so")
        func absent() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                let diff = try await workspace.atmos("diff", "tasks/9999")
                #expect(diff == .init(1, errors: "atmos: there is no tasks/9999 here\n"))
                let log = try await workspace.atmos("log", "tasks/9999")
                #expect(log == .init(1, errors: "atmos: there is no tasks/9999 here, and the log tells of none\n"))
                let discard = try await workspace.atmos("discard", "tasks/1")
                #expect(
                    discard == .init(1, errors: "atmos: tasks/1 has nothing to drop: it is as the server has it\n"))
                #expect(try await workspace.atmos("diff", "tasks/1") == .init(0, "nothing to send\n"))
                let input = try await workspace.atmos("create", "tasks", "--from", "-", input: "[1,2]")
                #expect(input.status == 2 && input.errors.hasPrefix("atmos: standard input must hold one JSON object"))
            }
        }

        @Test("a command that there is not: the nearest is named")
        func commandMisspelt() async throws {
            let run = try await TestAPI.offline().atmos("pul")
            #expect(
                run == .init(2, errors: "atmos: there is no command “pul”; did you mean “pull”?; see atmos --help\n"))
        }

        @Test("status says what waits and why, and push in JSON why nobody is signed in")
        func waiting() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "title=x")
                source.intercept = { _ in .answer(500) }
                try await workspace.atmos("push")
                let status = try await workspace.atmos("status")
                #expect(status.lines.dropLast().last?.hasPrefix("tasks/1  edited here, failed: ") == true, "\(status)")
                source.intercept = { _ in .answer(401) }
                let push = try await workspace.atmos("push", "--json")
                #expect(push.status == 4)
                #expect(
                    push.output.contains(#""failures":[{"code":"signInNeeded","message":"read tasks/1: "#), "\(push)")
                #expect(push.errors.contains("the route file has no auth"), "\(push)")
            }
        }

        @Test("diff and a dry run show the body of a form")
        func formBody() async throws {
            let workspace = try Workspace()
            try workspace.write(
                TestAPI.routeFile(base: "http://127.0.0.1:1/api", tasks: "coding: form"), to: "atmosphere.yaml")
            try await workspace.atmos("create", "tasks", "title=Milk", "rank=2")
            let diff = try await workspace.atmos("diff")
            #expect(diff.lines.suffix(3) == [#"  + title: "Milk""#, "  + rank: 2", ""], "\(diff)")
            let dry = try await workspace.atmos("push", "--dry-run")
            #expect(dry.output.hasSuffix("/tasks/ title=Milk&rank=2\n"), "\(dry)")
            let json = try await workspace.atmos("push", "--dry-run", "--json")
            #expect(json.output.contains(#""body":"title=Milk&rank=2""#), "\(json)")
        }

        @Test("discover says how to sign in, and does with a header whose secret is in the environment")
        func discoverSignsIn() async throws {
            let secrets = ["API_TOKEN": "t0p-s3cret"]
            try await TestAPI.serving(top: #"auth: { token: "secret:API_TOKEN" }"#, secrets: secrets) {
                (source, workspace) async throws in
                let text = try workspace.read("atmosphere.yaml")
                let base = try #require(text.firstMatch(of: #/base: (\S+)/#)?.1)
                let refused = try await workspace.atmos("discover", "\(base)/lists/", "-c", "new.yaml")
                #expect(refused.status == 4 && refused.errors.contains("--header 'Authorization"), "\(refused)")
                let run = try await workspace.atmos(
                    "discover", "\(base)/lists/", "-c", "new.yaml", "--header", "Authorization: Token secret:API_TOKEN",
                    environment: secrets)
                #expect(run.status == 0, "\(run)")
                let written = try workspace.read("new.yaml")
                #expect(written.contains("lists:") && !written.contains("t0p-s3cret"))
                #expect(
                    written.contains("secret:API_TOKEN") && !written.contains("asks for no credentials"), "\(written)")
                let check = try await workspace.atmos("check", "-c", "new.yaml", environment: secrets)
                #expect(check.status == 0, "\(check)")
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

        @Test("what is sent at once and put off by the server says that nothing of it is kept")
        func putOff() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                source.intercept = { request in
                    request.method == "GET" ? nil : .answer(429, headers: ["Retry-After": "600"])
                }
                let create = try await workspace.atmos("create", "lists", "title=Shopping", "--now")
                #expect(create.status == 4 && !create.errors.contains("everything is kept"), "\(create)")
                #expect(create.errors.contains("then; nothing was created, and nothing is queued"), "\(create)")
                let edit = try await workspace.atmos("edit", "lists/1", "title=House", "--now")
                #expect(edit.status == 4 && edit.errors.contains("nothing of this was done or queued"), "\(edit)")
                #expect(try await workspace.atmos("diff") == .init(0, "nothing to send\n"))
            }
        }
    }
#endif
