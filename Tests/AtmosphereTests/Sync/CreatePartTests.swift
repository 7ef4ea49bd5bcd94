import AtmosphereTesting
import Testing

@testable import Atmosphere

@Suite("Creates of which the server takes a part")
struct CreatePartTests {
    /// A server that takes nothing but the title of a new object.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            change(&$0)
        }
        world.server.put("tasks", 1, ["title": "new", "n": 0])
        world.server.answer("POST", with: #"{"id":1,"rev":1,"title":"new","n":0}"#, status: 201, processes: false)
        return world
    }

    private let one = ObjectURI(entity: "tasks", id: "1")
    private let members: Value.Members = ["title": "new", "n": 7, "note": "keep me", "done": false]

    @Test("what a create leaves out goes with an update")
    func updated() async throws {
        let world = try await world()
        try await world.synchronizer.save(members, as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 1, "\(report)")
        let row = try #require(world.server.rows("tasks").first)
        #expect(row["n"] == 7 && row["note"] == "keep me" && row["done"] == nil)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what an update leaves out as well is kept for a person, and so is all of it where there is no update")
    func refused() async throws {
        for canUpdate in [true, false] {
            let world = try await world { $0.update.isOffered = canUpdate }
            world.server.answer("PATCH", with: #"{"id":1,"rev":1,"title":"new","n":0}"#, processes: false)
            try await world.synchronizer.save(members, as: "tasks")
            try await world.synchronizer.push()
            let refused = try #require(try await world.synchronizer.rejected().first)
            #expect(refused.uri == one && refused.record?["n"] == 7 && refused.record?["note"] == "keep me")
            #expect(world.server.log.count { $0.hasPrefix("PATCH") } == (canUpdate ? 1 : 0))
        }
    }

    @Test("who waits for the create is told, and nothing stays queued")
    func now() async throws {
        let world = try await world()
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(members, as: "tasks")
        }
        #expect(error?.message.contains("create tasks/1: the server accepted the create and left n, note out") == true)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: one)?["n"] == 0)
    }

    @Test("what is never shown, or as it is by default, is no part that was left out")
    func hidden() async throws {
        let world = try await world { $0.writeonly = ["note"] }
        try await world.synchronizer.save(["title": " new ", "note": "secret", "done": false], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 0)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("of two creates for which the server finds one object, the second is asked about, and keeps what it sent")
    func foundByTwo() throws {
        let resource = try #require(try TinyWorld.routeFile { $0.lookup = nil }.resource("tasks"))
        let sent = ObjectRecord(["title": "x", "color": "blue"])
        let theirs = ObjectRecord(["id": 1, "title": "x", "color": "red"])
        let snapshot = MetaObject.Snapshot(record: sent, revision: 1, sequence: 5)
        var outgoing = MetaObject.Outgoing(phase: .sending(snapshot), idempotencyKey: "k")
        outgoing.knownBefore = 5
        let uri = ObjectURI(entity: "tasks", id: "new")
        let object = LocalObject(
            record: sent,
            meta: MetaObject(
                uri: uri, id: ObjectID("new", .temporary), state: .created(outgoing, deleting: false), revision: 1))
        let answer = Planner.Representation(record: theirs, id: ObjectID("1", .number), version: nil, sequence: 5)
        let confirmed = MetaObject.Confirmed(base: theirs, sequence: 7)
        for isOthers in [true, false] {
            var planner = Planner(resource)
            planner.named = LocalObject(
                record: theirs,
                meta: MetaObject(uri: one, id: ObjectID("1", .number), state: .synchronized(confirmed)))
            planner.isNamedByOther = isOthers
            let plan = planner.conclude(
                .accepted(answer), to: snapshot, of: object, arrival: 9, key: "k2", retryAt: { _ in .distantFuture })
            guard case .put(let kept) = plan.outcome else {
                Issue.record("nothing is kept")
                return
            }
            #expect(kept.meta.isLocalOnly == isOthers && (kept.record == sent) == isOthers)
            guard isOthers else { continue }
            #expect(kept.meta.outgoing?.lastError?.message.contains("created from here as well") == true)
        }
    }
}
