import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Changes whose outcome nobody knows, or that are refused each time")
struct UnknownOutcomeTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    @Test("a list that is not there says nothing of a lost create", arguments: [404, 410])
    func missingList(_ status: Int) async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "a", "uuid": "u"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false) { Response(status: status) })
        try await world.synchronizer.push()
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        _ = uri
    }

    @Test(
        "a write that is answered with a redirect to nowhere may have been done", arguments: [301, 302, 303, 307, 308])
    func redirectToNowhere(_ status: Int) async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: nil, status: status)
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        world.server.answer("PATCH", with: nil, status: status)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 0)
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a look-up leaves out the parameters that would hide the object")
    func lookUpWithout() async throws {
        let world = try await TinyWorld {
            $0.list.query = [.init(name: "since", value: "99")]
            $0.lookup = Lookup(field: "uuid", parameter: "uuid", without: ["since"])
        }
        try await world.synchronizer.save(["title": "a", "uuid": "u"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        #expect(world.server.log.contains("GET tasks/?uuid=u"))
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test("an unknown create that was deleted here vanishes when a person says that it has not happened")
    func resendOfDeleted() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        world.server.loseAnswer(to: "POST", processes: false)
        try await world.synchronizer.push()
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.resolve(uri, .resend)
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 0 && world.server.rows("tasks").isEmpty)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that was decided otherwise while it was read is not adopted, and the person is told")
    func adoptedTooLate() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate)
        let adoption = Task { try await slow.resolve(uri, .adopt(ObjectID("1", .number))) }
        await gate.waitForArrivals()
        try await world.synchronizer.resolve(uri, .resend)
        gate.open()
        let error = await #expect(throws: SyncError.self) { try await adoption.value }
        #expect(error?.code == .wrongState)
        #expect(try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase == .waiting)
    }

    private func refuseEachTime(_ world: TinyWorld, _ status: Int) {
        for _ in 0..<100 { world.server.answer("PATCH", with: "{}", status: status, processes: false) }
    }

    @Test("what was refused each time is tried once more when it is edited")
    func editedRefusal() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task, setting: [("title", "taken")])
        refuseEachTime(world, 409)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        world.server.forgetFaults()
        try await world.synchronizer.edit(task, setting: [("title", "free")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "free")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a conflict because the server refuses each time stays when a pull shows the same again, and goes with news")
    func keptConflict() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        refuseEachTime(world, 409)
        try await world.synchronizer.push()
        var options = Synchronizer.PullOptions()
        options.full = true
        try await world.synchronizer.pull(options: options)
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") })

        world.server.forgetFaults()
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("also where single objects cannot be read, an update that is refused each time is bounded")
    func refusedWithoutRead() async throws {
        let world = try await TinyWorld { $0.read.isOffered = false }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        refuseEachTime(world, 409)
        for _ in 0..<20 {
            try await world.pass(.seconds(3600))
            try await world.synchronizer.push()
        }
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == ChangeEngine.mergeRetries + 1)
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
    }

    @Test("a change whose comparing read is refused is refused, and stands with the server's words")
    func refusedRead() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.delete(task)
        world.server.fail(
            .init(applies: { $0.method == "GET" && $0.url.hasSuffix("tasks/1/") }, processes: false) {
                Response(
                    status: 403, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"{"detail":"not yours any more"}"#.utf8)))
            })
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        let refused = try #require(try await world.synchronizer.object(at: task))
        #expect(refused.meta.outgoing?.lastError?.message == "detail: not yours any more")
        try await world.synchronizer.retry(task)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test("an update that something between has sent twice is in conflict with nobody when it is edited again")
    func twice() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        // This answers the second; the read after it fails.
        world.server.answer("PATCH", with: "{}", status: 412)
        world.server.loseAnswer(to: "GET")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "c")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit that is taken back after a lost answer is taken back there, also where nothing can be read")
    func takenBack() async throws {
        let world = try await TinyWorld {
            $0.read.isOffered = false
            $0.since = nil
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.server.loseAnswer(to: "PATCH")
        world.server.fail(
            .init(applies: { $0.method == "PATCH" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.edit(uri, setting: [("title", "a")])
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        #expect(world.server.rows("tasks")[0]["title"] == "a")
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
