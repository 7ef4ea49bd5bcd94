import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Changes of members that are sent no more")
struct UnsendableTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    /// A client whose route file has changed since the edits were made.
    private func world(
        then change: (inout Resource) -> Void, edits: (TinyWorld) async throws -> Void
    ) async throws -> TinyWorld {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "n": 0])
        try await world.synchronizer.pull()
        try await edits(world)
        world.server.clearLog()
        return try await TinyWorld(server: world.server, store: world.store, change)
    }

    private func refusal(_ world: TinyWorld, _ uri: ObjectURI) async throws -> String? {
        let outgoing = try await world.synchronizer.object(at: uri)?.meta.outgoing
        if case .rejected(_, let failure)? = outgoing?.phase { return failure.message }
        return nil
    }

    private static let changes: [@Sendable (inout Resource) -> Void] = [
        { $0.readonly.insert("n") }, { $0.update.without.insert("n") }
    ]

    @Test(
        "the edit is refused with the member and the remedy, whatever else was edited", arguments: [0, 1], [true, false]
    )
    func edit(_ change: Int, _ alone: Bool) async throws {
        let world = try await world(then: Self.changes[change]) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5)] + (alone ? [] : [("title", "b")]))
        }
        let report = try await world.synchronizer.push()
        #expect(report.updated == 0)
        #expect(try await refusal(world, task)?.contains("does not let “n” be sent any more") == true)
        #expect(world.server.log.allSatisfy { $0.hasPrefix("GET") })
        // What the server shows does not take it away.
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.pull()
        #expect(try await refusal(world, task) != nil)
        let record = try await world.synchronizer.record(at: task)
        #expect(record?["n"] == 5 && record?["note"] == "theirs")
        // A person lets it go, and the rest is sent.
        try await world.synchronizer.retry(task)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        let row = world.server.rows("tasks").first
        #expect(row?["n"] == 0 && row?["title"] == (alone ? "a" : "b"))
    }

    @Test("a value in whose place every write sends another is refused where it is given, and where it waits")
    func overridden() async throws {
        let world = try await world(then: {
            $0.update.set = ["n": 1, "meta": ["by": "app"]]
            $0.create.set = ["n": 2]
        }) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5), ("meta", ["a": 1])])
        }
        #expect(try await world.synchronizer.push().updated == 0)
        #expect(try await refusal(world, task)?.contains("does not let “n” be sent any more") == true)
        try await world.synchronizer.retry(task)
        #expect(try await world.synchronizer.push().updated == 1)
        let edit = await #expect(throws: SyncError.self) {
            try await world.synchronizer.edit(task, setting: [("n", 7)])
        }
        #expect(edit?.code == .invalidRecord && edit?.message.contains("(update.set)") == true)
        let create = await #expect(throws: SyncError.self) {
            try await world.synchronizer.save(["title": "new", "n": 7], as: "tasks")
        }
        #expect(create?.code == .invalidRecord && create?.message.contains("(create.set)") == true)
        // What says the same, or something beside it, is nobody's loss.
        try await world.synchronizer.save(["title": "new", "n": 2], as: "tasks")
        try await world.synchronizer.edit(task, setting: [("meta", ["b": 1])])
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 1)
        #expect(world.server.rows("tasks").map { $0["n"] } == [1, 2])
    }

    @Test("where the route file lets it be sent again, it is")
    func mended() async throws {
        let world = try await world(then: Self.changes[0]) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5)])
        }
        try await world.synchronizer.push()
        let mended = try await TinyWorld(server: world.server, store: world.store)
        try await mended.synchronizer.retry(task)
        #expect(try await mended.synchronizer.push().updated == 1)
        #expect(world.server.rows("tasks").first?["n"] == 5)
    }

    @Test("a member that is read elsewhere now is no reason to drop its edit")
    func readElsewhere() async throws {
        let world = try await world(then: {
            $0.mapping = FieldMapping([.init(name: "n", read: .member("nn"), write: .member("nn"))])
        }) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5)])
        }
        try await world.synchronizer.push()
        #expect(try await refusal(world, task)?.contains("“n”") == true)
    }

    private static let elsewhere: @Sendable (inout Resource) -> Void = {
        $0.mapping = FieldMapping([.init(name: "n", read: .member("nn"), write: .member("nn"))])
    }

    @Test(
        "nor is what the server shows, nor another edit: where the member is read there again, it is sent",
        arguments: [true, false], [true, false])
    func readThereAgain(pushes: Bool, alone: Bool) async throws {
        let world = try await world(then: Self.elsewhere) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5)] + (alone ? [] : [("title", "b")]))
        }
        if pushes {
            #expect(try await world.synchronizer.push().updated == 0)
            #expect(try await refusal(world, task)?.contains("“n”") == true)
        }
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.pending().count == 1)
        let again = try await TinyWorld(server: world.server, store: world.store)
        if pushes { try await again.synchronizer.retry(task) }
        #expect(try await again.synchronizer.push().updated == 1)
        let row = world.server.rows("tasks").first
        #expect(row?["n"] == 5 && row?["note"] == "theirs" && row?["title"] == (alone ? "a" : "b"))
    }

    @Test("an edit that is sent at once does not go past it")
    func editedAtOnce() async throws {
        let world = try await world(then: Self.elsewhere) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5)])
        }
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(task, setting: [("title", "b")])
        }
        #expect(error?.code == .wrongState && error?.message.contains("“n”") == true)
        let again = try await TinyWorld(server: world.server, store: world.store)
        #expect(try await again.synchronizer.push().updated == 1)
        #expect(world.server.rows("tasks").first?["n"] == 5)
    }

    @Test("a retry lets it go, and sends the rest")
    func retriedElsewhere() async throws {
        let world = try await world(then: Self.elsewhere) { world in
            try await world.synchronizer.edit(task, setting: [("n", 5), ("title", "b")])
        }
        try await world.synchronizer.push()
        try await world.synchronizer.retry(task)
        #expect(try await world.synchronizer.push().updated == 1)
        let row = world.server.rows("tasks").first
        #expect(row?["n"] == 0 && row?["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    /// The new object that waits is refused for its member `n`, and goes without it when a person lets it.
    private func expectRefusedOnce(_ world: TinyWorld) async throws {
        let made = try #require(try await world.synchronizer.pending().first?.uri)
        #expect(try await world.synchronizer.push().created == 0)
        #expect(try await refusal(world, made)?.contains("“n”") == true)
        try await world.synchronizer.retry(made)
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").last?["n"] == nil)
    }

    @Test("a value of a new object that no field shows any more is not left out of its create")
    func createElsewhere() async throws {
        let world = try await world(then: Self.elsewhere) { world in
            try await world.synchronizer.save(["title": "new", "n": 8], as: "tasks")
        }
        try await expectRefusedOnce(world)
    }

    @Test("what a field leaves behind that was set and taken back is no edit")
    func takenBack() {
        let mapping = FieldMapping([.init(name: "due", read: JSONPath([.member("plan"), .member("due")]))])
        let base = ObjectRecord(["id": 1, "plan": .null, "due": 3])
        let set = mapping.record(["id": 1, "due": "2026-01-01"], over: base)
        let back = mapping.record(["id": 1, "due": .null], over: set)
        #expect(mapping.unseenChanges(from: base, to: set).isEmpty)
        #expect(mapping.unseenChanges(from: base, to: back).isEmpty)
        let other = ObjectRecord(["id": 1, "plan": ["end": 1], "due": 4])
        #expect(mapping.unseenChanges(from: base, to: other) == ["plan", "due"])
    }

    @Test("so is the value of a new object")
    func create() async throws {
        let world = try await world(then: Self.changes[0]) { world in
            try await world.synchronizer.save(["title": "new", "n": 8], as: "tasks")
        }
        try await expectRefusedOnce(world)
    }

    @Test("a create that is on the wire is not dropped, and what was sent is not made twice")
    func discardOnTheWire() async throws {
        let world = try await TinyWorld()
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        async let push = slow.push()
        await gate.waitForArrivals()
        await #expect { try await world.synchronizer.discard(made) } throws: { error in
            let error = error as? SyncError
            return error?.code == .wrongState && error?.message.contains("atmos delete tasks/") == true
        }
        gate.open()
        #expect(try await push.created == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
