import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

/// A create whose answer was lost, which has come in as an object of its own before it is sent again under its key.
@Suite("Changes of one object under two addresses")
struct JoinedChangeTests {
    private let twin = ObjectURI(entity: "tasks", id: "1")

    private func world() async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.create.idempotencyHeader = "Idempotency-Key"
        }
        world.server.knowKeys()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        // The process ends before it can send it again.
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
        return (world, uri)
    }

    private func isAsked(_ world: TinyWorld) async throws -> Bool {
        let object = try #require(try await world.synchronizer.object(at: twin))
        guard case .rejected(.mistaken, let failure)? = object.meta.outgoing?.phase else { return false }
        #expect(failure.message.contains("deleted under one"))
        return true
    }

    @Test("a delete under one goes on where nobody has edited the other", arguments: [true, false])
    func deleted(_ isTwin: Bool) async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.delete(isTwin ? twin : uri)
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.deleted == 1)
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.object(at: uri) == nil)
        #expect(try await world.synchronizer.object(at: twin) == nil)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what the server left out of the create is nobody's edit, and keeps no delete from going on")
    func leftOut() async throws {
        let (world, uri) = try await world()
        world.server.edit("tasks", 1, ["title": ""])
        try await world.synchronizer.pull()
        try await world.synchronizer.delete(twin)
        world.server.answer("POST", with: #"{"id": 1, "title": "", "rev": 1}"#, status: 201)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.object(at: uri) == nil)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a delete of a create whose answer says nothing but its identifier goes on", arguments: [true, false])
    func named(_ isTwin: Bool) async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.delete(isTwin ? twin : uri)
        world.server.answer("POST", with: #"{"id": 1}"#, status: 201)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where the one was edited and the other deleted, a person decides", arguments: [true, false])
    func asks(_ isTwinDeleted: Bool) async throws {
        for decision in ["retry", "delete", "discard"] {
            let (world, uri) = try await world()
            try await world.synchronizer.edit(isTwinDeleted ? uri : twin, setting: [("note", "mine")])
            try await world.synchronizer.delete(isTwinDeleted ? twin : uri)
            for _ in 0..<2 {
                try await world.synchronizer.push()
                try await world.synchronizer.pull()
                #expect(try await isAsked(world))
                #expect(world.server.rows("tasks").map { $0["note"] } == [nil])
                #expect(try await world.synchronizer.record(at: uri)?["note"] == "mine")
            }
            switch decision {
            case "retry": try await world.synchronizer.retry(uri)
            case "delete": try await world.synchronizer.delete(uri)
            default: try await world.synchronizer.discard(uri)
            }
            try await world.synchronizer.push()
            let notes: [Value?] = decision == "delete" ? [] : [decision == "retry" ? "mine" : nil]
            #expect(world.server.rows("tasks").map { $0["note"] } == notes)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("that question stays where the edit clashes with another's, and the clash is asked about behind it")
    func asksFirst() async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.edit(twin, setting: [("title", "mine")])
        try await world.synchronizer.delete(uri)
        world.server.edit("tasks", 1, ["title": "theirs"])
        for _ in 0..<2 {
            try await world.synchronizer.push()
            try await world.synchronizer.pull()
            #expect(try await isAsked(world))
        }
        try await world.synchronizer.retry(twin)
        try await world.synchronizer.push()
        guard case .conflicted(let conflict)? = try await world.synchronizer.object(at: twin)?.meta.outgoing?.phase
        else {
            Issue.record("nobody is asked about the clash")
            return
        }
        #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
    }

    @Test("edits that clash are for a person, and what was shown of the rest stays confirmed")
    func clashes() async throws {
        let (world, uri) = try await world()
        world.server.edit("tasks", 1, ["title": "theirs", "note": "theirs"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: uri))
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("nobody is asked")
            return
        }
        #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        #expect(object.meta.confirmed?.base["title"] == "first" && object.meta.confirmed?.base["rev"] == 2)
        #expect(object.record?["title"] == "mine" && object.record?["note"] == "theirs")
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { [$0["title"], $0["note"]] } == [["mine", "theirs"]])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("while another lane sends for the one, that of the other ends, and both changes come")
    func twoLanes() async throws {
        let (world, uri) = try await world()
        let (gate, posted) = (Gate(), Gate())
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("note", "late")])
        async let saved = slow.editNow(twin, setting: [("title", "now")])
        await gate.waitForArrivals()
        world.server.fail(
            .init(
                applies: { $0.method == "POST" }, processes: false,
                outcome: {
                    posted.open()
                    return nil
                }))
        async let pushed = slow.push()
        try await posted.pass()
        gate.open()
        #expect(try await saved == twin)
        #expect(try await pushed.created == 1)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { [$0["title"], $0["note"]] } == [["now", "late"]])
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a lane whose object is another's now ends, and counts what it has sent")
    func endOfLane() {
        var lane = LaneMachine()
        _ = lane.step(.start)
        let snapshot = Attempt(record: ObjectRecord(["title": "a"]), revision: 1, sequence: 1)
        _ = lane.step(.decided(.request(.send(.create, snapshot))))
        let plan = Plan(next: .read, confirmed: .create)
        #expect(lane.step(.applied(plan, standing: .held(.inAnotherLane))).isEmpty)
        #expect(lane.end == .held(.inAnotherLane) && lane.sent == [.create])
    }

    @Test("an address that somebody holds is not taken over, and one's own is")
    func locks() async throws {
        let locks = LaneLocks()
        let (old, new) = (ObjectURI(entity: "tasks", id: "a"), ObjectURI(entity: "tasks", id: "b"))
        try await locks.run(old) {
            #expect(locks.move(from: old, to: new))
            #expect(locks.move(from: new, to: old))
            #expect(locks.move(from: old, to: new))
        }
        try await locks.run([new]) {
            try await locks.run([old]) { #expect(!locks.move(from: old, to: new)) }
        }
    }

    /// Two creates for which the server finds one object, of which the first is not shown before the second is answered.
    private func found(
        _ change: (TinyWorld, _ first: ObjectURI, _ second: ObjectURI) async throws -> Void
    ) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        let first = try await world.synchronizer.save(["title": "same"], as: "tasks")
        world.server.answer("POST", with: #"{"id": 1}"#, status: 201)
        for _ in 0..<20 { world.server.answer("GET", with: nil, status: 500) }
        try await world.synchronizer.push()
        let second = try await world.synchronizer.save(["title": "same"], as: "tasks")
        try await change(world, first, second)
        world.server.answer("POST", with: #"{"id": 1, "title": "same", "rev": 1}"#, processes: false)
        try await world.synchronizer.push()
        world.server.forgetFaults()
        for _ in 0..<2 {
            try await world.pass(.seconds(3600))
            try await world.synchronizer.synchronize()
        }
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
        #expect(try await world.synchronizer.record(at: first) == world.synchronizer.record(at: second))
        return world
    }

    @Test("what was edited in a create that was not shown comes to what both creates are now")
    func foundForBoth() async throws {
        let world = try await found { world, first, _ in
            try await world.synchronizer.edit(first, setting: [("note", "of the first")])
        }
        let row = try #require(world.server.rows("tasks").first)
        #expect(row["note"] == "of the first" && world.server.rows("tasks").count == 1)
    }

    @Test("of two creates that are one object a delete of the one leaves the other")
    func foundForDeleted() async throws {
        let world = try await found { world, first, _ in try await world.synchronizer.delete(first) }
        #expect(world.server.rows("tasks").map { $0["title"] } == ["same"])
    }

    @Test("two creates that the server calls by one identifier, and shows neither, are not one")
    func sameIdentifier() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        for _ in 0..<2 { world.server.answer("POST", with: #"{"id": 1}"#, status: 201, processes: false) }
        let a = try await world.synchronizer.save(["title": "a"], as: "tasks")
        let b = try await world.synchronizer.save(["title": "b"], as: "tasks")
        for _ in 0..<3 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(3600))
        }
        #expect(try await world.synchronizer.record(at: a)?["title"] == "a")
        #expect(try await world.synchronizer.record(at: b)?["title"] == "b")
        #expect(try await world.synchronizer.pending().count == 2)
    }

    @Test("what an attempt has left as it was is as in the base, whatever base that is")
    func restated() throws {
        let engine = ChangeEngine(try #require(try TinyWorld.routeFile().resource("tasks")))
        var change = Change(idempotencyKey: "k")
        change.unanswered = [ObjectRecord(["id": 1, "title": "old", "note": "sent"])]
        let (old, new): (ObjectRecord, ObjectRecord) = (
            ObjectRecord(["id": 1, "title": "old", "note": "n"]), ObjectRecord(["id": 1, "title": "new", "note": "n"])
        )
        let restated = engine.restated(change, from: old, onto: new)
        #expect(restated.unanswered == [ObjectRecord(["id": 1, "title": "new", "note": "sent"])])
    }
}
