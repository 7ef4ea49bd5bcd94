import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Answers to batches")
struct BatchAnswerTests {
    private func world(_ batch: Batch = .tiny(), _ change: (inout Resource) -> Void = { _ in }) async throws
        -> TinyWorld
    {
        let world = try await TinyWorld {
            $0.batches = [batch]
            change(&$0)
        }
        for title in ["a", "b", "c"] {
            try await world.synchronizer.save(["title": .string(title), "uuid": .string(title)], as: "tasks")
        }
        return world
    }

    private func posts(_ world: TinyWorld) -> Int { world.server.log.count { $0.hasPrefix("POST") } }
    private func lookUps(_ world: TinyWorld) -> [String] {
        world.server.log.filter { $0.contains("?uuid=") }.map { String($0.suffix(1)) }.sorted()
    }
    private func titles(_ world: TinyWorld) -> [String] {
        world.server.rows("tasks").map { $0["title"]?.text ?? "" }.sorted()
    }

    /// The batch reaches the server, which answers this instead.
    private func answer(_ world: TinyWorld, status: Int = 200, _ body: String, processes: Bool = true) {
        world.server.answer("POST", with: body, status: status, processes: processes)
    }

    @Test("when the answer is lost every create is looked up, and none is made twice")
    func lost() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "POST")
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(posts(world) == 1)
        #expect(lookUps(world) == ["a", "b", "c"])
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a lost batch that never arrived is found missing and sent again")
    func neverArrived() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "POST", processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(posts(world) == 2)
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("without any means each create of a lost batch stays unknown, and is not sent again")
    func lostWithoutLookUp() async throws {
        let world = try await world { $0.lookup = nil }
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        try await world.synchronizer.push()
        #expect(posts(world) == 1)
        #expect(try await world.synchronizer.status()[1].counts.unknown == 3)
    }

    @Test("results in another order are known by their key")
    func reordered() async throws {
        let world = try await world(.tinyKeyed())
        answer(
            world,
            #"{"results":[{"key":"3","status":201,"body":{"id":3,"title":"c","uuid":"c"}},"#
                + #"{"key":"1","status":201,"body":{"id":1,"title":"a","uuid":"a"}},"#
                + #"{"key":"2","status":201,"body":{"id":2,"title":"b","uuid":"b"}}]}"#)
        try await world.synchronizer.push()
        #expect(posts(world) == 1)
        #expect(lookUps(world).isEmpty)
        for (id, title) in [("1", "a"), ("2", "b"), ("3", "c")] {
            #expect(
                try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: id))?["title"] == .string(title))
        }
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("too few or too many results say nothing by their place: everything is looked up", arguments: [2, 4])
    func wrongCount(count: Int) async throws {
        let world = try await world()
        let results = (1...count).map { #"{"status":201,"body":{"id":\#($0),"title":"x"}}"# }
        answer(world, #"{"results":[\#(results.joined(separator: ","))]}"#)
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(posts(world) == 1)
        #expect(lookUps(world) == ["a", "b", "c"])
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("with keys only those without one clear result are looked up")
    func missingKey() async throws {
        let world = try await world(.tinyKeyed())
        answer(
            world,
            #"{"results":[{"key":"1","status":201,"body":{"id":1,"title":"a","uuid":"a"}},"#
                + #"{"key":"9","status":201,"body":{"id":9}},"#
                + #"{"key":"3","status":201,"body":{"id":3}},{"key":"3","status":400}]}"#)
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(lookUps(world) == ["b", "c"])
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("of two refusals with one key none is believed, and nothing counts as accepted", arguments: [400, 500])
    func refusedTwice(status: Int) async throws {
        let world = try await TinyWorld { $0.batches = [.tinyKeyed()] }
        try await world.synchronizer.save(["title": "a", "uuid": "a"], as: "tasks")
        let refusal = #"{"key":"1","status":\#(status),"body":{"detail":"no"}}"#
        answer(world, #"{"results":[\#(refusal),\#(refusal)]}"#, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.created == 1)
        #expect(posts(world) == 2)
        #expect(lookUps(world) == ["a"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "results that show each other's objects are nobody's, by place and by key, and an edit made meanwhile stays",
        arguments: [false, true])
    func exchangedUpdates(isKeyed: Bool) async throws {
        let world = try await TinyWorld { $0.batches = [isKeyed ? .tinyKeyed() : .tiny()] }
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        let uris = ["1", "2"].map { ObjectURI(entity: "tasks", id: $0) }
        for uri in uris { try await world.synchronizer.edit(uri, setting: [("note", .string(uri.id))]) }
        answer(
            world,
            #"{"results":[{"key":"1","status":200,"body":{"id":2,"title":"b","note":"2","rev":4}},"#
                + #"{"key":"2","status":200,"body":{"id":1,"title":"a","note":"1","rev":3}}]}"#)
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        let push = Task { try await slow.push() }
        await gate.waitForArrivals()
        try await world.synchronizer.edit(uris[1], setting: [("title", "later")])
        gate.open()
        _ = try await push.value
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == uris)
        try await world.pass(.seconds(100))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["1", "2"])
        #expect(world.server.rows("tasks").map { $0["title"] } == ["a", "later"])
        #expect(try await world.synchronizer.record(at: uris[1])?["title"] == "later")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("results that show what other items have created make no object another one")
    func exchangedCreates() async throws {
        let world = try await world()
        let made = try await world.synchronizer.pending()
        answer(
            world,
            #"{"results":[{"status":201,"body":{"id":2,"title":"b","uuid":"b"}},"#
                + #"{"status":201,"body":{"id":1,"title":"a","uuid":"a"}},"#
                + #"{"status":201,"body":{"id":3,"title":"c","uuid":"c"}}]}"#)
        #expect(try await world.synchronizer.push().created == 3)
        #expect(posts(world) == 1)
        #expect(lookUps(world) == ["a", "b", "c"])
        for object in made {
            #expect(try await world.synchronizer.record(at: object.uri)?["title"] == object.record?["title"])
        }
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "an answer that cannot be read, and a server's failure, leave each create to be looked up",
        arguments: [(200, "{}"), (200, "nonsense"), (200, "<html>"), (500, "{}"), (502, "")])
    func unreadable(status: Int, body: String) async throws {
        let world = try await world()
        answer(world, status: status, body)
        try await world.synchronizer.push()
        #expect(posts(world) == 1)
        #expect(lookUps(world) == ["a", "b", "c"])
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "a job that creates later is waited for, and nothing is sent to it twice",
        arguments: ["", #","results":null"#])
    func job(results: String) async throws {
        let world = try await world()
        answer(world, #"{"job":{"status":"queued"}\#(results)}"#, processes: false)
        for _ in 1...3 { try await world.synchronizer.push() }
        #expect(posts(world) == 1)
        #expect(try await world.synchronizer.status()[1].counts.unknown == 3)
        for title in ["a", "b", "c"] {
            world.server.insert("tasks", ["title": .string(title), "uuid": .string(title)])
        }
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        #expect(posts(world) == 1)
        #expect(titles(world) == ["a", "b", "c"])
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 3)
    }

    @Test("a refused sign-in counts for no item, and a server that asks to wait is waited for")
    func wholeRefusals() async throws {
        let world = try await world()
        answer(world, status: 401, #"{"detail":"sign in"}"#, processes: false)
        let refused = try await world.synchronizer.push()
        #expect(refused.signInNeeded?.contains("detail: sign in (401)") == true)
        #expect(try await world.synchronizer.pending().map { $0.meta.outgoing?.retry.total } == [0, 0, 0])
        answer(world, status: 429, "{}", processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(lookUps(world).isEmpty)
        #expect(titles(world) == ["a", "b", "c"])
    }

    @Test("one item that is asked to wait pauses, and is sent again in the same push")
    func itemAsksToWait() async throws {
        let world = try await world()
        answer(
            world,
            #"{"results":[{"status":429,"body":{}},{"status":400,"body":{"detail":"no"}},"#
                + #"{"status":400,"body":{"detail":"no"}}]}"#, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.created == 1)
        #expect(titles(world) == ["a"])
        #expect(try await world.synchronizer.status()[1].counts.rejected == 2)
    }

    @Test("a batch that is refused as a whole is halved until the one that is refused is known")
    func atomic() async throws {
        let world = try await world()
        try await world.synchronizer.save(["title": "d", "uuid": "d"], as: "tasks")
        for _ in 1...3 {
            world.server.fail(
                .init(
                    applies: { request in
                        guard case .bytes(let bytes) = request.body else { return false }
                        return String(decoding: bytes, as: UTF8.self).contains(#""title":"b""#)
                    }, processes: false,
                    outcome: {
                        Response(
                            status: 422, headers: ["Content-Type": "application/json"],
                            body: ResponseBody(Array(#"{"title":["No."]}"#.utf8)))
                    }))
        }
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(titles(world) == ["a", "c", "d"])
        // All four, the half with it, and itself.
        #expect(posts(world) == 5)
        let pending = try await world.synchronizer.pending()
        #expect(pending.map { $0.record?["title"] } == ["b"])
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
    }

    @Test("a path that is not there deletes nothing here")
    func missingEndpoint() async throws {
        let world = try await TinyWorld { $0.batches = [.tiny()] }
        world.server.insert("tasks", ["title": "t"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.delete(uri)
        answer(world, status: 404, #"{"detail":"no such page"}"#, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 0)
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        #expect(world.server.rows("tasks").count == 1)
        let message = try await world.synchronizer.pending().first?.meta.outgoing?.lastError?.message ?? ""
        let remedy = "with 404: mend batch.post or batch.delete of tasks"
        #expect(message.contains("“POST tasks/batch” (batch.post) \(remedy)"), "\(message)")
    }

    @Test("a push that is cancelled before the batch leaves keeps every object as it was")
    func cancelled() async throws {
        let world = try await world()
        world.server.fail(
            .init(
                applies: { $0.method == "POST" }, processes: false,
                outcome: { throw ResourceClient.CancelledBeforeSending() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        let phases = try await world.synchronizer.pending().map { $0.meta.outgoing?.phase == .waiting }
        #expect(phases == [true, true, true])
        try await world.synchronizer.push()
        #expect(titles(world) == ["a", "b", "c"])
    }
}
