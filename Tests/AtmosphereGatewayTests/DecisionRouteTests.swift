#if Gateway && Source && Curl && YAML
    import Atmosphere
    import AtmosphereSource
    import Testing

    @testable import AtmosphereGateway

    @Suite("What waits and is decided through the gateway", .timeLimit(.minutes(5))) struct DecisionRouteTests {
        /// Both sides have edited the title of one task.
        private func conflicted(_ body: (Bench) async throws -> Void) async throws {
            try await Bench.serving { bench in
                _ = try await bench.ask("PATCH", "/v1/objects/tasks/1", ["title": "mine", "rank": 9])
                try bench.source.edit("tasks", "1", ["title": "theirs"])
                let report = try await bench.sync()
                #expect(report.status == 200, "\(report)")
                try await body(bench)
            }
        }

        @Test("what waits is listed with its reason, and the requests that a push would send")
        func pending() async throws {
            try await Bench.serving { bench in
                _ = try await bench.ask("PATCH", "/v1/objects/tasks/1", ["title": "x"])
                let pending = try await bench.ask("GET", "/v1/pending")
                #expect(
                    pending.items == [
                        ["uri": "tasks/1", "reason": "edited here, goes with the next push", "state": "changed"]
                    ])
                #expect(try await bench.ask("GET", "/v1/pending?entity=lists")["total"] == 0)
                let diff = try await bench.ask("GET", "/v1/diff?object=tasks%2F1")
                let request = diff["requests"]?.array?.first?.members
                #expect(request?["method"] == "PATCH" && request?["body"] == ["title": "x"], "\(diff)")
                #expect(try await bench.ask("GET", "/v1/diff?object=tasks").status == 422)
                #expect(try await bench.ask("GET", "/v1/diff?object=tasks%2F99").status == 404)
                let status = try await bench.ask("GET", "/v1/status")
                #expect(status["entities"]?.members?["tasks"]?.members?["changed"] == 1, "\(status)")
                #expect(status["offline"] == false && status["activities"] == [])
            }
        }

        @Test("a conflict shows base, mine and theirs")
        func conflict() async throws {
            try await conflicted { bench in
                let conflicts = try await bench.ask("GET", "/v1/conflicts")
                let conflict = try #require(conflicts.items.first?.members, "\(conflicts)")
                #expect(conflict["fields"] == ["title"] && conflict["state"] == "conflicted")
                for (side, title) in [("base", "Milk"), ("mine", "mine"), ("theirs", "theirs")] {
                    #expect(conflict[side]?.members?["title"] == .string(title))
                }
                let state = try await bench.ask("GET", "/v1/objects/tasks/1/state")
                #expect(state["decision"] == .object(conflict))
            }
        }

        @Test(
            "each decision is taken, pushed and gone",
            arguments: [
                (#"{"decision":"mine"}"#, "mine"), (#"{"decision":"theirs"}"#, "theirs"),
                (#"{"decision":"both"}"#, "mine\ntheirs"), (#"{"decision":"set","set":{"title":"ours"}}"#, "ours"),
                (#"{"decision":"set","set":{"rank":1},"else":"mine"}"#, "mine")
            ])
        func decisions(_ body: String, _ title: String) async throws {
            try await conflicted { bench in
                let answer = try await bench.ask(
                    "POST", "/v1/objects/tasks/1/resolve", headers: ["Content-Type": "application/json"],
                    bytes: Array(body.utf8))
                #expect(answer.status == 200 && answer["uri"] == "tasks/1", "\(answer)")
                _ = try await bench.sync()
                #expect(try await bench.ask("GET", "/v1/conflicts").items.isEmpty)
                let there = bench.source.objects("tasks").first?.members["title"]?.string ?? ""
                #expect(there == title || title.contains("\n") && there.contains("mine") && there.contains("theirs"))
            }
        }

        @Test(
            "what decides nothing is told, and decides nothing",
            arguments: [
                ("", 422), ("{}", 422), (#"{"decision":"maybe"}"#, 422), (#"{"decision":"set"}"#, 422),
                (#"{"decision":"set","set":{"rank":1}}"#, 422), (#"{"decision":"adopt"}"#, 422),
                (#"{"decision":"adopt","adopt":"2"}"#, 409), (#"{"decision":"resend"}"#, 409),
                (#"{"decision":1}"#, 422), (#"{"decison":"mine"}"#, 422), (#"{"decision":"set","set":[]}"#, 422)
            ])
        func noDecisions(_ body: String, _ status: Int) async throws {
            try await conflicted { bench in
                let answer = try await bench.ask(
                    "POST", "/v1/objects/tasks/1/resolve", headers: ["Content-Type": "application/json"],
                    bytes: Array(body.utf8))
                #expect(answer.status == status, "\(body): \(answer)")
                #expect(try await bench.ask("GET", "/v1/conflicts").items.count == 1)
                let wrong = try await bench.ask("POST", "/v1/objects/tasks/2/resolve", ["decision": "mine"])
                #expect(wrong.status == 409, "\(wrong)")
            }
        }

        @Test("a refusal has the server's words, and is edited and tried again, or dropped")
        func refusal() async throws {
            try await Bench.serving { bench in
                _ = try await bench.ask("PATCH", "/v1/objects/tasks/1", ["title": " "])
                let push = try await bench.ask("POST", "/v1/push")
                #expect(push["remaining"]?.members?["rejected"] == 1, "\(push)")
                let rejected = try await bench.ask("GET", "/v1/rejected")
                #expect(rejected.items.first?.members?["status"] == 400, "\(rejected)")
                let pending = try await bench.ask("GET", "/v1/pending")
                let reason = pending.items.first?.members?["reason"]?.string
                #expect(reason?.hasSuffix("; edit and retry it, or discard it") == true, "\(pending)")
                #expect(rejected.items.first?.members?["fields"]?.array?.first?.members?["field"] == "title")
                #expect(try await bench.ask("POST", "/v1/objects/tasks/1/retry").status == 200)
                #expect(try await bench.ask("POST", "/v1/push")["remaining"]?.members?["rejected"] == 1)
                #expect(try await bench.ask("POST", "/v1/retry")["retried"] == ["tasks/1"])
                let dropped = try await bench.ask("POST", "/v1/objects/tasks/1/discard")
                #expect(dropped.status == 200 && dropped["uri"] == "tasks/1", "\(dropped)")
                #expect(try await bench.ask("GET", "/v1/objects/tasks/1")["title"] == "Milk")
                #expect(try await bench.ask("POST", "/v1/objects/tasks/1/discard").status == 409)
                #expect(try await bench.ask("POST", "/v1/objects/tasks/1/retry").status == 409)
            }
        }

        @Test("a create in doubt is listed, and adopted")
        func doubt() async throws {
            try await Bench.serving { bench in
                // Without a lookup nobody finds out.
                let created = try await bench.ask("POST", "/v1/objects/lists", ["title": "Garden"])
                let place = try #require(created.headers["Location"])
                bench.source.intercept = { $0.method == "POST" ? .processThenClose : nil }
                _ = try await bench.ask("POST", "/v1/push")
                bench.source.intercept = nil
                #expect(bench.source.objects("lists").count == 2)
                let unknown = try await bench.ask("GET", "/v1/unknown")
                #expect(unknown.items.count == 1, "\(unknown)")
                _ = try await bench.ask("POST", "/v1/pull", ["entities": ["lists"]])
                let candidates = try await bench.ask("GET", "\(place)/candidates")
                #expect(candidates.items == ["lists/2"], "\(candidates)")
                let adopted = try await bench.ask("POST", "\(place)/resolve", ["decision": "adopt", "adopt": "2"])
                #expect(adopted.status == 200 && adopted["uri"] == "lists/2", "\(adopted)")
                #expect(try await bench.ask("GET", "/v1/unknown").items.isEmpty)
            }
        }

        @Test("pull, push and sync report as the command does; what went wrong is in the report")
        func syncing() async throws {
            try await Bench.serving(pulled: false) { bench in
                let dry = try await bench.ask("POST", "/v1/pull", ["dryRun": true])
                #expect(dry["entities"]?.members?["tasks"]?.members?["inserted"] == 3, "\(dry)")
                #expect(try await bench.ask("GET", "/v1/objects/tasks")["total"] == 0)
                let pull = try await bench.ask("POST", "/v1/pull")
                #expect(pull["problems"] == [] && pull["entities"]?.members?["lists"]?.members?["inserted"] == 1)
                _ = try await bench.ask("PUT", "/v1/network", ["offline": true])
                let away = try await bench.ask("POST", "/v1/pull")
                #expect(away.status == 200 && away["problems"]?.array?.isEmpty == false, "\(away)")
                let sync = try await bench.sync()
                #expect(sync.status == 200 && sync["push"] != nil, "\(sync)")
                for body in [
                    #"{"entities":["nothing"]}"#, #"{"full":1}"#, #"{"ful":true}"#, #"{"entities":"tasks"}"#,
                    #"{"allowedDeletes":-1}"#, #"{"view":"mine"}"#, #"{"parameters":{}}"#, "[]"
                ] {
                    let answer = try await bench.ask(
                        "POST", "/v1/pull", headers: ["Content-Type": "application/json"], bytes: Array(body.utf8))
                    #expect((400..<500).contains(answer.status), "\(body): \(answer)")
                }
            }
        }

        @Test("where there is nothing to sign in to, that is told")
        func signIn() async throws {
            try await Bench.serving(pulled: false) { bench in
                let state = try await bench.ask("GET", "/v1/sign-in")
                #expect(state["state"] == .null && state["running"] == false)
                #expect(try await bench.ask("POST", "/v1/sign-in").status == 409)
                #expect(try await bench.ask("DELETE", "/v1/sign-in").status == 409)
                #expect(try await bench.ask("GET", "/v1/identity")["identity"] == .null)
                #expect(try await bench.ask("GET", "/v1/log").status == 200)
            }
        }

        @Test("a file is attached, read in ranges while it waits, and dropped")
        func contents() async throws {
            try await Bench.serving { bench in
                let place = "/v1/objects/tasks/1/contents/photo"
                let attached = try await bench.ask(
                    "PUT", "\(place)?name=a/cat.jpg", headers: ["Content-Type": "image/jpeg"],
                    bytes: Array("0123456789".utf8))
                #expect(attached.status == 200 && attached["uri"] == "tasks/1", "\(attached)")
                let pending = try await bench.ask("GET", "/v1/pending")
                #expect(
                    pending.items.first?.members?["uploads"]?.array?.first?.members?["file"] == "cat.jpg", "\(pending)")
                let whole = try await bench.ask("GET", place)
                #expect(whole.status == 200 && whole.headers["Content-Type"] == "image/jpeg")
                #expect(whole.headers["Content-Disposition"] == "attachment")
                #expect(String(decoding: whole.bytes, as: UTF8.self) == "0123456789")
                for (range, bytes) in [
                    ("bytes=0-0", "0"), ("bytes=2-4", "234"), ("bytes=7-", "789"), ("bytes=-3", "789"),
                    ("bytes=8-99", "89")
                ] {
                    let part = try await bench.ask("GET", place, headers: ["Range": range])
                    #expect(
                        part.status == 206 && String(decoding: part.bytes, as: UTF8.self) == bytes, "\(range): \(part)")
                }
                for range in ["bytes=0-1,3-4", "lines=1-2", "bytes=x-y", "bytes=5-2", "bytes"] {
                    #expect(try await bench.ask("GET", place, headers: ["Range": range]).status == 200, "\(range)")
                }
                // The API has no such content: what waits is not given for it.
                let theirs = try await bench.ask("GET", "\(place)?side=theirs")
                #expect(theirs.status == 422 && theirs["serverStatus"] == 404, "\(theirs)")
                #expect(try await bench.ask("GET", "\(place)?side=ours").status == 422)
                let none = try await bench.ask("GET", place, headers: ["Range": "bytes=10-"])
                #expect(none.status == 416 && none.headers["Content-Range"] == "bytes */10")
                // No validator of a content that was read before is the one of this content.
                let since = try await bench.ask("GET", place, headers: ["Range": "bytes=4-", "If-Range": "\"other\""])
                #expect(since.status == 200 && since.bytes.count == 10, "\(since)")
                #expect(since.headers["Content-Range"] == nil)
                let dropped = try await bench.ask("DELETE", place)
                #expect(dropped.status == 200 && dropped["mayBeDone"] == false, "\(dropped)")
                #expect(dropped["dropped"]?.array?.first?.members?["file"] == "cat.jpg", "\(dropped)")
                #expect(try await bench.ask("DELETE", place).status == 409)
                let name = String(repeating: "a", count: 256)
                let long = try await bench.ask("PUT", "\(place)?name=\(name)", bytes: [1])
                #expect(long.status == 422 && long.detail.contains("255 bytes at the most"), "\(long)")
                let odd = try await bench.ask("PUT", "\(place)?name=a%00b", bytes: [1])
                #expect(odd.status == 422 && odd.detail.contains("control characters"), "\(odd)")
                #expect(try await bench.ask("PUT", "/v1/objects/tasks/1/contents/other", bytes: [1]).status == 404)
                #expect(try await bench.ask("PUT", "/v1/objects/tasks/99/contents/photo", bytes: [1]).status == 404)
            }
        }
    }
#endif
