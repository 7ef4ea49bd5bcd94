#if Gateway && Source && Curl && YAML
    import Atmosphere
    import AtmosphereSource
    import Testing

    @testable import AtmosphereGateway

    @Suite("Records through the gateway", .timeLimit(.minutes(5))) struct ObjectRouteTests {
        private func titles(_ bench: Bench, _ query: String) async throws -> [String] {
            let answer = try await bench.ask("GET", "/v1/objects/tasks?\(query)")
            #expect(answer.status == 200, "\(answer)")
            return answer.items.compactMap { $0.members?["title"]?.string }
        }

        @Test("a list has filters, orders, pages and a count")
        func list() async throws {
            try await Bench.serving { bench in
                #expect(try await titles(bench, "sort=title") == ["Bread", "Milk", "Salt"])
                #expect(try await titles(bench, "sort=-rank") == ["Salt", "Milk", "Bread"])
                #expect(try await titles(bench, "sort=list,-title") == ["Salt", "Milk", "Bread"])
                #expect(try await titles(bench, "where=rank%3E1&where=title*%3Dil") == ["Milk"])
                #expect(try await titles(bench, "sort=rank&limit=1&offset=1") == ["Milk"])
                let none = try await bench.ask("GET", "/v1/objects/tasks?limit=0&where=rank%3C3")
                #expect(none["total"] == 2 && none.items.isEmpty && none["limit"] == 0)
                let all = try await bench.ask("GET", "/v1/objects/tasks?meta=true&sort=title")
                #expect(all["total"] == 3 && all["offset"] == 0 && all["limit"] == 100)
                #expect(
                    all["objects"]?.array?.first == ["uri": "tasks/2", "id": "2", "state": "synchronized"], "\(all)")
            }
        }

        @Test(
            "what a list cannot use is told",
            arguments: [
                ("where=x", 422), ("where=rank%3Dtwo", 422), ("limit=1001", 400), ("limit=-1", 400), ("offset=x", 400),
                ("sort=", 422), ("meta=maybe", 400), ("view=mine", 404), ("view=mine&where=rank%3D1", 422),
                ("wher=x", 400), ("where=titel%3DMilk", 422), ("where=title%3DMilk&sort=titel", 422),
                ("where=titel%3DMilk&limit=0", 422)
            ])
        func wrongLists(_ query: String, _ status: Int) async throws {
            try await Bench.serving { bench in
                let answer = try await bench.ask("GET", "/v1/objects/tasks?\(query)")
                #expect(answer.status == status, "\(query): \(answer)")
            }
        }

        @Test("a field that no record has is told as the command tells it; one that the route file names is none")
        func unknownFields() async throws {
            try await Bench.serving { bench in
                for query in [
                    "where=titel%3DMilk", "sort=-titel", "where=titel%21%3DMilk", "where=titel%3Dnull",
                    "where=titel%3CMilk"
                ] {
                    let answer = try await bench.ask("GET", "/v1/objects/tasks?\(query)")
                    #expect(
                        answer.status == 422 && answer.code == "usage"
                            && answer.detail == "no record of tasks has “titel” (did you mean “title”?)", "\(answer)")
                }
                // No record has a day yet.
                #expect(try await titles(bench, "where=due%3D2026-01-01&sort=at") == [])
                #expect(try await titles(bench, "where=title%3DButter") == [])
            }
            try await Bench.serving(pulled: false) { bench in
                let found = try await titles(bench, "where=titel%3DMilk&sort=titel")
                #expect(found == [])
            }
        }

        @Test("create, get, edit, replace and delete work on the local copy, and are pushed")
        func writing() async throws {
            try await Bench.serving { bench in
                let created = try await bench.ask("POST", "/v1/objects/tasks", ["title": "New", "list": 1])
                #expect(created.status == 201, "\(created)")
                let place = try #require(created.headers["Location"])
                #expect(try await bench.ask("GET", place)["title"] == "New")
                let edited = try await bench.ask("PATCH", place, ["title": "Newer", "done": true])
                #expect(edited.status == 200 && edited["title"] == "Newer" && edited["list"] == 1)
                let pushed = try await bench.ask("POST", "/v1/push")
                #expect(pushed.status == 200 && pushed["created"] == 1, "\(pushed)")
                // The address that it had still leads there.
                let got = try await bench.ask("GET", place)
                #expect(got.headers["Content-Location"] == "/v1/objects/tasks/4" && got["id"] == 4)
                #expect(bench.source.objects("tasks").count == 4)
                let whole = try await bench.ask(
                    "PUT", "/v1/objects/tasks/4",
                    got.value.members.map { members in
                        var members = members
                        members["title"] = "Whole"
                        members["done"] = nil
                        return .object(members)
                    })
                #expect(whole.status == 200 && whole["title"] == "Whole" && whole["done"] == nil, "\(whole)")
                #expect(try await bench.ask("DELETE", "/v1/objects/tasks/4").status == 204)
                #expect(try await bench.ask("GET", "/v1/objects/tasks/4").status == 404)
                #expect(try await bench.ask("POST", "/v1/push")["deleted"] == 1)
                #expect(bench.source.objects("tasks").count == 3)
            }
        }

        @Test("a create with a key happens once, before the push and after it")
        func idempotency() async throws {
            try await Bench.serving { bench in
                let key: HeaderFields = ["Idempotency-Key": "018f3a9e-0000-7000-8000-000000000000"]
                func create() async throws -> Bench.Answer {
                    try await bench.ask("POST", "/v1/objects/tasks", ["title": "Once", "list": 1], headers: key)
                }
                let first = try await create()
                #expect(first.status == 201 && first["id"] == "018f3a9e-0000-7000-8000-000000000000", "\(first)")
                #expect(try await create().status == 201)
                #expect(try await bench.ask("GET", "/v1/pending")["total"] == 1)
                #expect(try await bench.ask("POST", "/v1/push")["created"] == 1)
                let again = try await create()
                #expect(again.status == 201 && again["id"] == 4 && again.headers["Location"] == "/v1/objects/tasks/4")
                #expect(try await bench.ask("GET", "/v1/pending")["total"] == 0)
                let wrong = try await bench.ask(
                    "POST", "/v1/objects/tasks", ["title": "x"], headers: ["Idempotency-Key": "mine"])
                #expect(wrong.status == 422, "\(wrong)")
                let other = try await bench.ask(
                    "POST", "/v1/objects/tasks", ["title": "Other", "list": 1], headers: key)
                #expect(other.status == 422 && other.code == "invalidRecord", "\(other)")
            }
        }

        @Test("a create with a key does not happen again when its object was deleted before the push")
        func deletedWithKey() async throws {
            try await Bench.serving { bench in
                let key: HeaderFields = ["Idempotency-Key": "018f3a9e-0000-7000-8000-000000000000"]
                func create() async throws -> Bench.Answer {
                    try await bench.ask("POST", "/v1/objects/tasks", ["title": "Once", "list": 1], headers: key)
                }
                let place = try #require(try await create().headers["Location"])
                #expect(try await bench.ask("DELETE", place).status == 204)
                #expect(try await create().status == 404)
                #expect(try await bench.ask("GET", "/v1/pending")["total"] == 0)
            }
        }

        @Test("entity tags tell a record that has changed")
        func tags() async throws {
            try await Bench.serving { bench in
                let first = try await bench.ask("GET", "/v1/objects/tasks/1")
                let tag = try #require(first.headers["ETag"])
                let same = try await bench.ask("GET", "/v1/objects/tasks/1", headers: ["If-None-Match": tag])
                #expect(same.status == 304 && same.bytes.isEmpty)
                let edit = try await bench.ask(
                    "PATCH", "/v1/objects/tasks/1", ["title": "a"], headers: ["If-Match": tag])
                #expect(edit.status == 200)
                let late = try await bench.ask(
                    "PATCH", "/v1/objects/tasks/1", ["title": "b"], headers: ["If-Match": tag])
                #expect(late.status == 412 && late.code == "changed")
                #expect(try await bench.ask("DELETE", "/v1/objects/tasks/1", headers: ["If-Match": tag]).status == 412)
                #expect(try await bench.ask("GET", "/v1/objects/tasks/1")["title"] == "a")
            }
        }

        @Test("all that writes to one object is refused with the tag of a record that was before")
        func tagsOfAllWrites() async throws {
            try await Bench.serving { bench in
                let place = "/v1/objects/tasks/1"
                func write(
                    _ method: String, _ rest: String, _ body: String, _ tag: String
                ) async throws -> Bench.Answer {
                    try await bench.ask(
                        method, place + rest, headers: ["If-Match": tag, "Content-Type": "application/json"],
                        bytes: Array(body.utf8))
                }
                let old = try #require(try await bench.ask("GET", place).headers["ETag"])
                let edited = try await bench.ask("PATCH", place, ["title": "a"])
                let tag = try #require(edited.headers["ETag"])
                for (method, rest, body) in [
                    ("PATCH", "?now=true", #"{"title":"b"}"#), ("PUT", "", #"{"title":"b"}"#),
                    ("DELETE", "?now=true", ""), ("PUT", "/contents/photo", "x"),
                    ("PUT", "/contents/photo?now=true", "x"), ("DELETE", "/contents/photo", ""),
                    ("POST", "/actions/archive", ""), ("POST", "/resolve", #"{"decision":"mine"}"#),
                    ("POST", "/retry", ""), ("POST", "/discard", "")
                ] {
                    let late = try await write(method, rest, body, old)
                    #expect(late.status == 412 && late.code == "changed", "\(method) \(rest): \(late)")
                }
                #expect(try await bench.synchronizer.pending().map(\.meta.uploads.count) == [0])
                #expect(bench.source.objects("tasks").first?.members["title"] == "Milk")
                // What waits as content leaves the record as it is.
                for (method, rest) in [
                    ("PUT", "/contents/photo"), ("DELETE", "/contents/photo"), ("POST", "/retry"), ("POST", "/discard")
                ] {
                    let done = try await write(method, rest, "x", tag)
                    #expect(done.status == 200, "\(method) \(rest): \(done)")
                }
                #expect(try await write("POST", "/actions/archive", "", old).status == 200)
            }
        }

        @Test("of many edits at once with one tag, one is done", arguments: ["", "?now=true"])
        func editsAtOnce(_ now: String) async throws {
            try await Bench.serving { bench in
                let tag = try #require(try await bench.ask("GET", "/v1/objects/tasks/1").headers["ETag"])
                let done = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                    for number in 1...16 {
                        group.addTask {
                            let answer = try await bench.ask(
                                "PATCH", "/v1/objects/tasks/1\(now)", ["rank": .init(integerLiteral: number + 100)],
                                headers: ["If-Match": tag])
                            return (number, answer.status)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let won = done.filter { $0.1 == 200 }
                #expect(won.count == 1 && done.count { $0.1 == 412 } == 15, "\(done)")
                let rank = try await bench.ask("GET", "/v1/objects/tasks/1")["rank"]?.number?.int64
                #expect(rank == won.first.map { Int64($0.0 + 100) })
            }
        }

        @Test("of many actions at once with one tag, one is called, and of those without a tag each")
        func actionsAtOnce() async throws {
            try await Bench.serving { bench in
                let tag = try #require(try await bench.ask("GET", "/v1/objects/tasks/1").headers["ETag"])
                for headers in [["If-Match": tag], [:]] as [HeaderFields] {
                    let done = try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 1...8 {
                            group.addTask {
                                let answer = try await bench.ask(
                                    "POST", "/v1/objects/tasks/1/actions/archive",
                                    ["rank": .init(integerLiteral: number + 100)], headers: headers)
                                return answer.status
                            }
                        }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                    let isTold = headers["If-Match"] != nil
                    #expect(done.count { $0 == 200 } == (isTold ? 1 : 8), "\(done)")
                    #expect(done.count { $0 == 412 } == (isTold ? 7 : 0), "\(done)")
                }
            }
        }

        @Test("a field is removed by name; null stays null")
        func removing() async throws {
            try await Bench.serving { bench in
                let edited = try await bench.ask("PATCH", "/v1/objects/tasks/1?remove=rank", ["due": nil])
                #expect(edited.status == 200 && edited["rank"] == nil && edited["due"] == .null, "\(edited)")
            }
        }

        @Test("at once: the server's word comes back, and without it nothing is queued")
        func now() async throws {
            try await Bench.serving { bench in
                let created = try await bench.ask("POST", "/v1/objects/tasks?now=true", ["title": "Now", "list": 1])
                #expect(created.status == 201 && created["id"] == 4, "\(created)")
                #expect(try await bench.ask("PATCH", "/v1/objects/tasks/4?now=true", ["title": "Later"]).status == 200)
                let refused = try await bench.ask("POST", "/v1/objects/tasks?now=true", ["title": " ", "list": 1])
                #expect(
                    refused.status == 422 && refused.code == "refused" && refused["serverStatus"] == 400, "\(refused)")
                #expect(refused["fields"]?.array?.isEmpty == false)
                #expect(try await bench.ask("PUT", "/v1/network", ["offline": true])["offline"] == true)
                let away = try await bench.ask("POST", "/v1/objects/tasks?now=true", ["title": "Away", "list": 1])
                #expect(away.status == 503, "\(away)")
                #expect(try await bench.ask("PUT", "/v1/network", ["offline": false])["offline"] == false)
                #expect(try await bench.ask("DELETE", "/v1/objects/tasks/4?now=true").status == 204)
                #expect(bench.source.objects("tasks").count == 3)
                #expect(try await bench.ask("GET", "/v1/pending")["total"] == 0)
            }
        }

        @Test(
            "what cannot be stored is told as the command tells it",
            arguments: [
                ("POST", "/v1/objects/tasks", #"{"rank":"two","list":1}"#, 422, "declares “rank” as an integer"),
                ("POST", "/v1/objects/tasks", #"{"rank":"two","list":1}"#, 422, "to clear it write “rank”: null"),
                (
                    "POST", "/v1/objects/tasks", #"{"rank":12345678901234567890,"list":1}"#, 422,
                    "rank=12345678901234567890: the number is out of range; write one from -9223372036854775808 to 9"
                ),
                ("POST", "/v1/objects/tasks", #"{"id":7,"title":"x","list":1}"#, 422, "leave it out"),
                ("POST", "/v1/objects/tasks", #"{"title":"x","modified":"2026-01-01"}"#, 422, "cannot be set"),
                ("PATCH", "/v1/objects/tasks/1", #"{"modified":"2026-01-01"}"#, 422, "modified"),
                ("PATCH", "/v1/objects/tasks/99", #"{"title":"x"}"#, 404, "there is no tasks/99 here"),
                ("DELETE", "/v1/objects/tasks/99", "", 404, "there is no tasks/99 here"),
                ("POST", "/v1/objects/nothing", "{}", 404, "has no entity “nothing”; it has lists, tasks"),
                ("POST", "/v1/objects/tasks/1/actions/fly", "{}", 404, "fly"),
                ("POST", "/v1/actions/tasks/fly", "{}", 404, "fly")
            ])
        func refusals(_ method: String, _ target: String, _ body: String, _ status: Int, _ words: String) async throws {
            try await Bench.serving { bench in
                let answer = try await bench.ask(
                    method, target, headers: ["Content-Type": "application/json"], bytes: Array(body.utf8))
                #expect(
                    answer.status == status && answer.detail.contains(words), "\(method) \(target) \(body): \(answer)")
                #expect(try await bench.synchronizer.pending().isEmpty)
            }
        }

        @Test("a value of another type is told as a message of its field")
        func fieldMessages() async throws {
            try await Bench.serving(pulled: false) { bench in
                for (value, message) in [
                    ("two" as Value, "must be an integer" as Value),
                    (
                        .number(try #require(JSONNumber("-12345678901234567890"))),
                        "out of range: from -9223372036854775808 to 9223372036854775807"
                    )
                ] {
                    let answer = try await bench.ask("POST", "/v1/objects/tasks", ["rank": value, "list": 1])
                    #expect(answer["fields"] == [["field": "rank", "message": message]], "\(answer)")
                }
            }
        }

        @Test("an action is called at once, and its answer comes back")
        func actions() async throws {
            try await Bench.serving { bench in
                let answer = try await bench.ask("POST", "/v1/objects/tasks/1/actions/archive", ["done": true])
                #expect(answer.status == 200 && answer["answer"] != nil, "\(answer)")
                #expect(try await bench.ask("POST", "/v1/objects/tasks/1/refresh")["record"]?.members?["id"] == 1)
            }
        }

        @Test("how an object stands, and its log")
        func state() async throws {
            try await Bench.serving { bench in
                #expect(try await bench.ask("GET", "/v1/objects/tasks/1/state")["state"] == "synchronized")
                _ = try await bench.ask("PATCH", "/v1/objects/tasks/1", ["title": "x"])
                let state = try await bench.ask("GET", "/v1/objects/tasks/1/state")
                #expect(state["state"] == "changed" && state["edited"] == ["title"], "\(state)")
                #expect(state["reason"] == "edited here, goes with the next push")
                #expect(state["base"]?.members?["title"] == "Milk" && state["decision"] == .null)
                #expect(try await bench.ask("GET", "/v1/objects/tasks/1/log").status == 200)
            }
        }

        @Test("entities are told with what can be done and every setting, and no secret")
        func entities() async throws {
            try await Bench.serving(pulled: false) { bench in
                let answer = try await bench.ask("GET", "/v1/entities")
                #expect(answer.items.compactMap { $0.members?["name"]?.string } == ["lists", "tasks"])
                let all = try await bench.ask("GET", "/v1/settings").items.compactMap(\.members)
                let base = try #require(all.first { $0["path"] == "base" })
                #expect(base["value"]?.string?.hasPrefix("http://127.0.0.1:") == true)
                #expect(base["origin"]?.string?.hasPrefix("tasks.yaml:4:") == true, "\(base)")
                #expect(all.contains { $0["path"] == "resources.tasks.lookup.field" })
                let tasks = try await bench.ask("GET", "/v1/entities/tasks")
                #expect(tasks["id"] == "id" && tasks["parents"] == [["entity": "lists", "field": "list"]])
                #expect(tasks["types"]?.members?["rank"] == "integer" && tasks["readonly"] == ["id", "modified"])
                #expect(tasks["attachments"] == [["name": "photo", "upload": true, "download": true]])
                let settings = try #require(tasks["settings"]?.array)
                let isThere = settings.contains { setting in
                    setting.members?["path"] == "resources.tasks.parent.lists" && setting.members?["value"] == "list"
                }
                #expect(isThere, "\(settings)")
                #expect(try await bench.ask("GET", "/v1")["entities"] == ["lists", "tasks"])
            }
        }
    }
#endif
