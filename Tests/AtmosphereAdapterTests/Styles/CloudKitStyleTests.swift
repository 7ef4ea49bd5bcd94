#if YAML
    import AtmosphereCloudKit
    import AtmosphereTesting
    import AtmosphereYAML
    import Synchronization
    import Testing

    @testable import Atmosphere

    @testable import AtmosphereExchange

    @testable import AtmosphereRouting

    /// Against a strict server that follows Apple's reference: there is no peer of Apple's to be had.
    @Suite("The styles cloudkit and cloudkit-changes", .timeLimit(.minutes(5))) struct CloudKitStyleTests {
        /// How the list is made, and what tells that an object is gone.
        enum Kind: String, CaseIterable {
            case queries = "cloudkit"
            case changes = "cloudkit-changes"
        }

        private func server(_ kind: Kind) -> CloudKitServer {
            let server = CloudKitServer(zone: kind == .queries ? "_defaultZone" : "Tasks")
            for number in 1...8 {
                server.put("r\(number)", ["title": .string("Task \(number)"), "rank": .init(integerLiteral: number)])
            }
            server.put("other", ["name": "no task"], type: "List")
            return server
        }

        private func client(_ server: CloudKitServer, _ kind: Kind, seed: Int) async throws -> (
            Synchronizer, OfflineSwitch
        ) {
            let text = """
                atmosphere: 1
                style: \(kind.rawValue)
                base: \(CloudKitServer.base)
                store: memory
                resources:
                  tasks:
                    singular: Task
                    \(kind == .queries ? "deletes: absent" : "path: Tasks")

                """
            let adapters: [Adapter] = [.yaml, .cloudKit, .cloudKitChanges]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: adapters)
            let network = OfflineSwitch(server.transport)
            let now = Mutex(Int64(1_767_225_600_000))
            let count = Mutex(seed * 1000)
            let environment = SyncEnvironment(
                now: { Timestamp(milliseconds: now.withLock { $0 }) },
                sleep: { until in now.withLock { $0 = max($0, until.milliseconds) } },
                makeUUID: {
                    "00000000-0000-4000-8000-00000000" + String(10_000 + count.withLock { ($0 += 1, $0).1 }).suffix(4)
                },
                random: { 0.5 })
            let synchronizer = try await Synchronizer(
                routeFile: file, store: MemoryStore(), transport: network,
                style: adapters.style(named: kind.rawValue), environment: environment)
            return (synchronizer, network)
        }

        private func uri(_ name: String) -> ObjectURI { ObjectURI(entity: "tasks", id: name) }

        /// What each client has, as the server would say it.
        private func rows(_ client: Synchronizer) async throws -> [String: Value] {
            var rows: [String: Value] = [:]
            for (uri, record) in try await client.records(matching: Query("tasks")) {
                rows[uri.id] = .object(
                    Value.Members(record.members.filter { ["title", "rank", "note"].contains($0.name) }))
            }
            return rows
        }

        @Test(
            "two clients agree with the server after offline work, a conflict and deletions", arguments: Kind.allCases)
        func converge(_ kind: Kind) async throws {
            let server = server(kind)
            let (first, network) = try await client(server, kind, seed: 1)
            let (second, _) = try await client(server, kind, seed: 2)
            for each in [first, second] {
                let report = try await each.pull()
                #expect(report.isComplete, "\(report)")
                #expect(report.entities["tasks"]?.inserted == 8)
            }
            let record = try #require(try await first.record(at: uri("r3")))
            #expect(record["title"] == "Task 3" && record["rank"] == 3 && record["recordName"] == "r3")
            #expect(record["modified"] == 1_704_096_000_001)

            network.isOffline = true
            let new = try await first.save(["title": "New", "rank": 9], as: "tasks")
            try await first.edit(uri("r1"), setting: [("title", "Mine")])
            try await first.edit(uri("r2"), setting: [("note", "mine")])
            try await first.delete(uri("r4"))
            server.put("r1", ["title": "Task 1", "rank": 100])
            try await second.edit(uri("r2"), setting: [("title", "Theirs")])
            try await second.delete(uri("r5"))
            _ = try await second.push()
            network.isOffline = false
            let report = try await first.push()
            #expect(report.created == 1 && report.deleted == 1, "\(report)")
            for each in [first, second, first] {
                let report = try await each.pull()
                #expect(report.isComplete, "\(report)")
            }

            let here = server.rows.filter { $0.key != "other" }
            #expect(here[new.id] == ["title": "New", "rank": 9])
            #expect(here["r1"] == ["title": "Mine", "rank": 100])
            #expect(here["r2"] == ["title": "Theirs", "rank": 2, "note": "mine"])
            #expect(here["r4"] == nil && here["r5"] == nil && here.count == 7)
            for each in [first, second] {
                #expect(try await rows(each) == here)
                #expect(try await each.pending().isEmpty)
            }
        }

        @Test("both sides of one field are a conflict that a person decides", arguments: Kind.allCases)
        func clash(_ kind: Kind) async throws {
            let server = server(kind)
            let (client, _) = try await client(server, kind, seed: 1)
            try await client.pull()
            try await client.edit(uri("r1"), setting: [("title", "Mine")])
            server.put("r1", ["title": "Theirs", "rank": 1])
            _ = try await client.push()
            #expect(try await client.status().first?.counts.conflicted == 1)
            try await client.resolve(uri("r1"), .mine)
            _ = try await client.push()
            #expect(server.rows["r1"] == ["title": "Mine", "rank": 1])
        }

        @Test("one record is refused with its reason, and the others of the same request are written")
        func perRecord() async throws {
            let server = server(.queries)
            let (client, _) = try await client(server, .queries, seed: 1)
            try await client.pull()
            try await client.edit(uri("r1"), setting: [("title", "")])
            try await client.edit(uri("r2"), setting: [("rank", nil)])
            let report = try await client.push()
            #expect(report.updated == 1, "\(report)")
            let refused = try await client.pending()
            #expect(refused.map(\.uri.id) == ["r1"])
            #expect(refused.first?.meta.outgoing?.lastError?.message == "title must not be empty")
            #expect(refused.first?.meta.outgoing?.lastError?.status == 400)
            #expect(server.rows["r2"] == ["title": "Task 2"])
            #expect(
                server.requests.last {
                    $0.hasPrefix("records/modify")
                }?.contains(#""fields":{"rank":{"value":null}},"recordName":"r2","recordChangeTag":"2"}"#) == true)
        }

        @Test("what exists already was created before, by an answer that was lost")
        func lostAnswer() async throws {
            let server = server(.queries)
            let (client, _) = try await client(server, .queries, seed: 1)
            let new = try await client.save(["title": "New"], as: "tasks")
            server.put(new.id, ["title": "New"])
            let before = server.rows.count
            _ = try await client.push()
            #expect(server.rows.count == before)
            #expect(try await client.status().first?.counts.rejected == 0)
        }

        @Test("a sync token is sent back, and a pull without changes is one request")
        func token() async throws {
            let server = server(.changes)
            let (client, _) = try await client(server, .changes, seed: 1)
            try await client.pull()
            let before = server.requests.count
            let report = try await client.pull()
            #expect(report.isComplete && server.requests.count == before + 1)
            #expect(
                server.requests.last
                    == #"changes/zone {"zones":[{"zoneID":{"zoneName":"Tasks"},"desiredRecordTypes":["Task"],"syncToken":"t:9"}]}"#
            )
            server.put("r3", nil)
            server.put("r9", ["title": "Task 9"])
            try await client.pull()
            #expect(try await rows(client).keys.sorted() == ["r1", "r2", "r4", "r5", "r6", "r7", "r8", "r9"])
        }

        @Test(
            "an error in the place of a record leaves what is here, is told, and is asked for again",
            arguments: Kind.allCases)
        func failedRecord(_ kind: Kind) async throws {
            let server = server(kind)
            let (client, _) = try await client(server, kind, seed: 1)
            try await client.pull()
            server.put("r2", ["title": "Changed", "rank": 20])
            server.put("r3", ["title": "Changed too", "rank": 30])
            server.hide("r2", "TRY_AGAIN_LATER")
            for _ in 1...2 {
                let report = try await client.pull()
                #expect(!report.isComplete)
                let problem = report.entities["tasks"]?.problem ?? ""
                #expect(problem.contains("1 left out: item "), "\(report)")
                #expect(problem.contains("$.serverErrorCode says “TRY_AGAIN_LATER”"), "\(report)")
                #expect(try await rows(client)["r2"] == ["title": "Task 2", "rank": 2])
                #expect(try await rows(client)["r3"] == ["title": "Changed too", "rank": 30])
                #expect(try await client.status().first?.counts.conflicted == 0)
            }
            server.hide("r2", nil)
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await rows(client)["r2"] == ["title": "Changed", "rank": 20])
        }

        @Test("a record that never came is no item without an identifier", arguments: Kind.allCases)
        func onlyFailed(_ kind: Kind) async throws {
            let server = CloudKitServer(zone: kind == .queries ? "_defaultZone" : "Tasks")
            server.put("r1", ["title": "Task 1", "rank": 1])
            server.hide("r1", "INTERNAL_ERROR")
            let (client, _) = try await client(server, kind, seed: 1)
            let report = try await client.pull()
            #expect(report.entities["tasks"]?.problem?.contains("says “INTERNAL_ERROR”") == true, "\(report)")
            #expect(try await rows(client).isEmpty)
            server.hide("r1", nil)
            try await client.pull()
            #expect(try await rows(client) == ["r1": ["title": "Task 1", "rank": 1]])
        }

        @Test(
            "an error of the zone is told as what it is, and the token is kept for the next pull",
            arguments: ["ZONE_NOT_FOUND", "THROTTLED", "TRY_AGAIN_LATER", "AUTHENTICATION_REQUIRED"])
        func zoneError(_ code: String) async throws {
            let server = server(.changes)
            let (client, _) = try await client(server, .changes, seed: 1)
            try await client.pull()
            server.put("r2", ["title": "Changed", "rank": 20])
            server.refuseZone(code)
            let isTriedAgain = code == "THROTTLED" || code == "TRY_AGAIN_LATER"
            do {
                let report = try await client.pull()
                #expect(report.isComplete == isTriedAgain, "\(report)")
                if !isTriedAgain {
                    let problem = report.entities["tasks"]?.problem ?? ""
                    #expect(problem.contains("the zone cannot be read"), "\(report)")
                }
            } catch let error as SyncError where code == "AUTHENTICATION_REQUIRED" {
                #expect(error.code == .signInNeeded)
                #expect(error.message.contains("the zone cannot be read"))
            }
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await rows(client)["r2"] == ["title": "Changed", "rank": 20])
            #expect(try await rows(client).count == 8)
        }

        @Test("a refused record is sent again when its result says, and no sooner", arguments: [nil, 20])
        func retryAfter(_ seconds: Int?) async throws {
            let server = server(.queries)
            let (client, _) = try await client(server, .queries, seed: 1)
            try await client.pull()
            server.refuse("r1", "THROTTLED")
            server.askToWait(seconds)
            try await client.edit(uri("r1"), setting: [("title", "Again")])
            let start = client.environment.now()
            _ = try await client.push()
            _ = try await client.push()
            #expect(server.rows["r1"]?.members?["title"] == "Again")
            let waited = start.duration(to: client.environment.now())
            #expect(seconds == nil ? waited < .seconds(20) : waited >= .seconds(20), "\(waited)")
        }

        @Test("throttling waits and goes on, and a missing zone is told")
        func serverErrors() async throws {
            let server = server(.queries)
            let (client, _) = try await client(server, .queries, seed: 1)
            try await client.pull()
            server.refuse("r1", "TRY_AGAIN_LATER")
            try await client.edit(uri("r1"), setting: [("title", "Again")])
            _ = try await client.push()
            _ = try await client.push()
            #expect(server.rows["r1"]?.members?["title"] == "Again")
            let elsewhere = CloudKitServer(zone: "Other")
            let (lost, _) = try await self.client(elsewhere, .queries, seed: 3)
            let report = try await lost.pull()
            #expect(report.entities["tasks"]?.problem?.contains("no such zone") == true, "\(report)")
        }
    }
#endif
