import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere

/// Each failed before it was mended; docs/RELIABILITY.md tells the story.
@Suite("Defects that the simulation found")
struct FoundDefectTests {
    @Test("an update whose comparison failed once is sent when the comparison succeeds")
    func failedComparison() async throws {
        let world = try await TinyWorld()
        let id = world.server.insert("tasks", ["title": "theirs"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.loseAnswer(to: "GET")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["mine"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("the tombstone of a deleted object does not remove the one that was created anew in its place")
    func tombstone() async throws {
        let world = try await TinyWorld {
            $0.deletes.field = .member("deleted")
            $0.conflict.deletedThere = .recreate
            $0.lookup = nil
        }
        let id = world.server.insert("tasks", ["title": "theirs"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.edit("tasks", id, ["deleted": true])
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        let records = try await world.synchronizer.records(matching: Query("tasks"))
        #expect(records.map { $0.record["title"] } == ["mine"])
        #expect(records.first?.uri != uri)
        var options = Synchronizer.PullOptions()
        options.full = true
        try await world.synchronizer.pull(options: options)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == records.map(\.uri))
    }

    @Test("a look-up whose answer is a web page or half an object decides nothing, and holds up nothing else")
    func unreadableLookUp() async throws {
        for body in ["<!doctype html>Sign in", #"{"results": [{"id": 1, "tit"#] {
            let world = try await TinyWorld()
            world.server.loseAnswer(to: "POST")
            world.server.answer("GET", with: body, processes: false)
            try await world.synchronizer.save(["title": "mine"], as: "tasks")
            try await world.synchronizer.save(["title": "other"], as: "lists")
            try await world.synchronizer.push()
            #expect(world.server.rows("lists").count == 1)
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").count == 1)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("an object that is deleted while its create is put off is never created")
    func unwantedCreate() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        let gate = Gate()
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false) {
                Response(status: 401, headers: [:], body: ResponseBody([]))
            })
        let slow = try await world.holding("POST", at: gate)
        async let push = slow.push()
        await gate.waitForArrivals()
        try await slow.delete(uri)
        gate.open()
        _ = try await push
        #expect(try await world.synchronizer.pending().isEmpty)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test("where no single object can be read, none is taken for deleted")
    func noRead() async throws {
        let world = try await TinyWorld {
            $0.read.isOffered = false
            $0.version = .none
        }
        let id = world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        world.server.clearLog()
        let error = await #expect(throws: SyncError.self) { try await world.synchronizer.refresh(uri) }
        #expect(error?.code == .wrongState)
        #expect(world.server.log.isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        // A page that comes while a push is on the wire decides nothing, and asks for nothing.
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", "b")])
        async let push = slow.push()
        await gate.waitForArrivals()
        try await world.synchronizer.pull()
        #expect(try await slow.record(at: uri)?["title"] == "b")
        gate.open()
        _ = try await push
        try await world.synchronizer.pull()
        #expect(try await slow.record(at: uri)?["title"] == "b")
        #expect(world.server.rows("tasks")[0]["title"] == "b")
    }

    @Test("a pause ends where the clock is set back, for nobody can tell how much of it is left")
    func clockSetBack() async throws {
        let clock = Mutex(Int64(1_800_000_000_000))
        let time = Box(clock)
        let environment = SyncEnvironment(
            now: { Timestamp(milliseconds: time.value.withLock { $0 }) }, sleep: { _ in }, makeUUID: { "" },
            random: { 0 })
        let gate = OriginGate(limits: Limits(), environment: environment)
        await gate.pause(until: environment.now().advanced(by: .seconds(3)))
        #expect(await gate.pausedUntil != nil)
        time.value.withLock { $0 -= 3_600_000 }
        #expect(await gate.pausedUntil == nil)
    }

    private final class Box: Sendable {
        let value: Mutex<Int64>
        init(_ value: consuming Mutex<Int64>) { self.value = value }
    }
}
