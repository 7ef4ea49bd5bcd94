#if Command
    import Atmosphere
    import AtmosphereSource
    import Synchronization
    import Testing

    @testable import AtmosCommands

    @Suite("sync --watch", .timeLimit(.minutes(5))) struct WatchTests {
        @Test("it sends another command's edit, and a signal ends it with 0", arguments: [false, true])
        func watch(terminates: Bool) async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let (requests, continuation) = AsyncStream<String>.makeStream()
                source.intercept = {
                    continuation.yield("\($0.method) \($0.path)")
                    return nil
                }
                var seen = requests.makeAsyncIterator()
                // The interval is longer than the test may take: what is sent later is sent because of the edit.
                let run = try workspace.start(["sync", "--watch", "--interval", "1h"])
                while let request = await seen.next(), request != "GET /api/tasks/" {}
                while try await workspace.atmos("edit", "tasks/1", "title=Bread").status != 0 {}
                while let request = await seen.next(), request != "PATCH /api/tasks/1/" {}
                while let request = await seen.next(), request != "GET /api/tasks/" {}
                if terminates { run.terminate() } else { run.interrupt() }
                let ended = try await run.end()
                #expect(ended.status == 0 && ended.errors == "", "\(ended)")
                #expect(source.objects("tasks").first?["title"] == "Bread")
                #expect(ended.lines[0].contains(#/^\d{4}-.*Z  lists: 1 new; tasks: 1 new$/#), "\(ended)")
                #expect(ended.lines.suffix(2) == ["stopped", ""], "\(ended)")
            }
        }

        @Test("a server that is away is told once, and so is its return")
        func away() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let (requests, continuation) = AsyncStream<Void>.makeStream()
                let isAway = Flag()
                source.intercept = { _ in
                    continuation.yield()
                    return await isAway.value ? .close : nil
                }
                var seen = requests.makeAsyncIterator()
                await isAway.set(true)
                let run = try workspace.start(["sync", "--watch", "--interval", "1s"])
                for _ in 0..<2 { _ = await seen.next() }
                await isAway.set(false)
                // Two lists of one round, and the first of the next.
                for _ in 0..<4 { _ = await seen.next() }
                run.terminate()
                let ended = try await run.end()
                #expect(ended.status == 0, "\(ended)")
                // Whether the second list of the first round was asked for before the server came back does not matter.
                let told = ended.errors.split(separator: "\n")
                #expect(told.count { $0.hasPrefix("atmos: lists: ") } == 1 && told.count <= 2, "\(ended)")
                #expect(ended.output.contains("the server is there again"), "\(ended)")
            }
        }

        @Test("what remains is told once, and again once an edit of it is refused, too")
        func remaining() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let list = try await workspace.atmos("create", "lists", "title=Away").lines[0]
                let id = try #require(list.split(separator: "/").last)
                try await workspace.atmos("create", "tasks", "title=Milk", "list=\(id)")
                let (requests, continuation) = AsyncStream<String>.makeStream()
                source.intercept = {
                    continuation.yield("\($0.method) \($0.path)")
                    return $0.method == "POST" ? .answer(400, body: Array(#"{"title":["no"]}"#.utf8)) : nil
                }
                var seen = requests.makeAsyncIterator()
                let run = try workspace.start(["sync", "--watch", "--interval", "1s"])
                while let request = await seen.next(), request != "POST /api/lists/" {}
                // Two more rounds, in which nothing is sent.
                for _ in 0..<3 { while let request = await seen.next(), request != "GET /api/tasks/" {} }
                while try await workspace.atmos("edit", list, "title=Far").status != 0 {}
                while let request = await seen.next(), request != "POST /api/lists/" {}
                for place in ["tasks", "lists"] {
                    while let request = await seen.next(), request != "GET /api/\(place)/" {}
                }
                run.terminate()
                let ended = try await run.end()
                #expect(ended.status == 0 && ended.errors == "", "\(ended)")
                let told = ended.lines.filter { $0.hasSuffix("Z  remaining: 1 held, 1 rejected (atmos rejected)") }
                #expect(told.count == 2 && ended.output.contains("Z  held: tasks/"), "\(ended)")
            }
        }

        @Test("an edit lease of its own that the server does not accept any more is told", arguments: [false, true])
        func lease(isJSON: Bool) async throws {
            let lease =
                "lease: { acquire: { post: \"tasks/{id}/lock/\" }, ttl: 2m, token: { body: token, send: X-Lock } }"
            try await TestAPI.serving(tasks: lease) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "title=Bread")
                source.intercept = {
                    $0.method == "PATCH" ? .answer(423, body: Array(#"{"detail":"Locked."}"#.utf8)) : nil
                }
                let run = try workspace.start(["sync", "--watch", "--interval", "1h"] + (isJSON ? ["--json"] : []))
                let words =
                    isJSON
                    ? #""lease":"tasks/1","ended":"Locked."# : "Z  the edit lease of tasks/1 has ended: Locked."
                while !run.outputSoFar.contains(words) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                run.terminate()
                let ended = try await run.end()
                #expect(ended.status == 0, "\(ended)")
                if isJSON { try JSONShape.hold(ended.lines, to: "sync") }
            }
        }

        @Test("a store that is moved away while it runs ends it with 1, and the next one is sent from")
        func movedStore() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                let run = try workspace.start(["sync", "--watch", "--interval", "1h"])
                while !run.outputSoFar.contains("tasks: 1 new") {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                try workspace.moveStoreAway()
                let ended = try await run.end()
                #expect(ended.status == 1, "\(ended)")
                #expect(ended.errors.contains("atmosphere.db: it was moved away or replaced"), "\(ended)")
                try await workspace.atmos("pull")
                try await workspace.atmos("edit", "tasks/1", "title=Bread")
                let next = try await workspace.atmos("sync")
                #expect(next.status == 0, "\(next)")
                #expect(source.objects("tasks").first?["title"] == "Bread")
            }
        }

        @Test("credentials that are not accepted end it with 4")
        func signIn() async throws {
            let top = #"auth: { token: "secret:API_TOKEN" }"#
            try await TestAPI.serving(top: top, secrets: ["API_TOKEN": "right"]) { (_, workspace) async throws in
                let run = try await workspace.atmos("sync", "--watch", environment: ["API_TOKEN": "wrong"])
                #expect(run.status == 4 && !run.errors.contains("wrong"), "\(run)")
            }
        }

        @Test("the pause is the interval, and grows from a second while the server is away")
        func plan() {
            var plan = WatchPlan(interval: .seconds(90))
            #expect(plan.pause(reached: true, random: 0.5) == .seconds(90))
            let pauses = (0..<9).map { _ in plan.pause(reached: false, random: 0) }
            #expect(pauses == [0.5, 1, 2, 4, 8, 16, 32, 45, 45].map { .seconds($0) })
            #expect(plan.pause(reached: false, random: 0.5) == .seconds(67.5))
            _ = plan.pause(reached: false, random: 0)
            plan.networkIsBack()
            #expect(plan.failures == 1 && plan.pause(reached: false, random: 0) == .seconds(1))
            #expect(plan.pause(reached: true, random: 0) == .seconds(90) && plan.failures == 0)
            plan.networkIsBack()
            #expect(plan.failures == 0)
        }

        @Test("the network's way out and back is told once each, and its return is noticed")
        func network() async {
            struct Words: Reachability {
                let words: [Bool]
                func changes() -> AsyncStream<Bool> {
                    AsyncStream { continuation in
                        for word in words { continuation.yield(word) }
                        continuation.finish()
                    }
                }
            }
            let told = Mutex<[Bool]>([])
            let news = NetworkNews(Words(words: [true, false, false])) { word in told.withLock { $0.append(word) } }
            await news.run()
            #expect(news.isAway && !news.isBack && told.withLock { $0 } == [false])
            news.prove()
            #expect(!news.isAway && !news.isBack)
            let back = NetworkNews(Words(words: [false, true, true])) { word in told.withLock { $0.append(word) } }
            await back.run()
            #expect(!back.isAway && back.isBack && told.withLock { $0 } == [false, false, true])
            #expect(back.takeReturn() && !back.takeReturn() && !back.isBack)
        }

        @Test(
            "an interval that is none ends with 2",
            arguments: [["--interval", "5m"], ["--watch", "--interval", "often"], ["--watch", "--interval", "10ms"]])
        func wrongInterval(_ arguments: [String]) async throws {
            let run = try await TestAPI.offline().start(["sync"] + arguments).end()
            #expect(run.status == 2 && run.errors.contains("--interval"), "\(run)")
        }
    }

    private actor Flag {
        private(set) var value = false

        func set(_ value: Bool) { self.value = value }
    }
#endif
