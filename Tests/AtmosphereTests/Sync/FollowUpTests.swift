import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("What is learned of an object while a push of it is on the wire")
struct FollowUpTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// A push of one edit whose answer is held after the server has done it.
    private struct HeldPush {
        var world: TinyWorld
        var synchronizer: Synchronizer
        var gate: Gate
        var push: Task<PushReport, any Error>

        /// Lets the answer come, once somebody waits for the end of the push.
        func answer(_ uri: ObjectURI) async throws -> PushReport {
            while synchronizer.lanes.waiting(for: uri) == 0 { await Task.yield() }
            gate.open()
            return try await push.value
        }
    }

    private func held(title: Value, _ change: (inout Resource) -> Void = { _ in }) async throws -> HeldPush {
        let world = try await TinyWorld(change)
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", title)])
        let push = Task { try await slow.push() }
        await gate.waitForArrivals()
        world.server.clearLog()
        return HeldPush(world: world, synchronizer: slow, gate: gate, push: push)
    }

    @Test("a read is made again when the push has ended")
    func read() async throws {
        let held = try await held(title: "b")
        held.world.server.edit("tasks", 1, ["note": "theirs"])
        let refresh = Task { [uri] in try await held.synchronizer.refresh(uri) }
        #expect(try await held.answer(uri).updated == 1)
        let record = try await refresh.value
        #expect(record?["title"] == "b" && record?["note"] == "theirs")
        #expect(held.world.server.log == ["GET tasks/1/", "GET tasks/1/"])
        #expect(try await held.synchronizer.pending().isEmpty)
    }

    @Test("a read waits for no push of another process")
    func readElsewhere() async throws {
        let held = try await held(title: "b")
        #expect(try await held.world.synchronizer.refresh(uri)?["title"] == "b")
        #expect(held.world.server.log == ["GET tasks/1/"])
        held.gate.open()
        #expect(try await held.push.value.updated == 1)
    }

    @Test("a pull whose page came during the push reads the object when that has ended")
    func pull() async throws {
        let held = try await held(title: "b")
        held.world.server.edit("tasks", 1, ["note": "theirs"])
        let pull = Task { try await held.synchronizer.pull() }
        #expect(try await held.answer(uri).updated == 1)
        #expect(try await pull.value.isComplete)
        #expect(try await held.synchronizer.record(at: uri)?["note"] == "theirs")
        #expect(try await held.synchronizer.pending().isEmpty)
    }

    @Test("an action is called when the push has ended")
    func action() async throws {
        let path = try PathTemplate("tasks/{id}/move")
        let held = try await held(title: "b") { tasks in
            tasks.readonly.insert("parent")
            tasks.actions = [
                Action(name: "move", method: "POST", path: path, arguments: ["parent"], query: ["parent"])
            ]
        }
        let move = Task { [uri] in try await held.synchronizer.request("move", on: uri, arguments: ["parent": 5]) }
        #expect(try await held.answer(uri).updated == 1)
        #expect(try await move.value?.members?["parent"] == 5)
        #expect(try await held.synchronizer.record(at: uri)?["parent"] == 5)
        #expect(held.world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await held.synchronizer.pending().isEmpty)
    }

    @Test("what is told during the push is older than its answer, so the object is read")
    func told() async throws {
        let held = try await held(title: "b")
        held.world.server.edit("tasks", 1, ["note": "theirs"])
        let record = ObjectRecord(["id": 1, "title": "a", "note": "told"])
        let update = Task { [uri] in try await held.synchronizer.update(uri, with: record) }
        #expect(try await held.answer(uri).updated == 1)
        try await update.value
        let here = try await held.synchronizer.record(at: uri)
        #expect(here?["title"] == "b" && here?["note"] == "theirs")
        #expect(try await held.synchronizer.pending().isEmpty)
    }

    @Test("what is told during a push that is refused is merged, also where nothing can be read")
    func toldAndRefused() async throws {
        let held = try await held(title: "bad") { tasks in
            tasks.read.isOffered = false
            tasks.version = .none
        }
        let record = ObjectRecord(["id": 1, "title": "a", "note": "told"])
        let update = Task { [uri] in try await held.synchronizer.update(uri, with: record) }
        #expect(try await held.answer(uri).updated == 0)
        try await update.value
        let here = try await held.synchronizer.record(at: uri)
        #expect(here?["title"] == "bad" && here?["note"] == "told")
        #expect(held.world.server.log.isEmpty)
    }
}
