import AtmosphereTesting
import Testing

@testable import Atmosphere

@Suite("Creates that are deleted here while they are on their way")
struct LateCreateTests {
    /// A create whose process ended before the server had it, and that was deleted here since.
    private func world() async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.delete(uri)
        return (world, uri)
    }

    @Test("one that a look-up does not find yet waits, is found when it has come, and deleted there")
    func comesLater() async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: uri))
        #expect(object.record == nil && object.meta.outgoing?.nextAttempt != nil)
        #expect(world.synchronizer.findsOut(object))
        world.server.insert("tasks", ["title": "mine", "uuid": "u1"])
        try await world.pass(.seconds(5))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty && world.server.log.contains("DELETE tasks/1/"))
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that never comes is looked up a few times, never sent again, and gone")
    func neverComes() async throws {
        let (world, uri) = try await world()
        world.server.clearLog()
        for _ in 0..<20 { try await world.synchronizer.push() }
        #expect(try await world.synchronizer.object(at: uri) == nil)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(!world.server.log.isEmpty && world.server.log.count <= Planner.mostLookUps + 1)
        #expect(world.server.log.allSatisfy { $0 == "GET tasks/?uuid=u1" })
    }

    @Test("the look-up is believed once the request cannot be on its way any more")
    func time() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let sent = MetaObject.Snapshot(record: ObjectRecord(["title": "mine"]), revision: 1, sequence: 1_000)
        var outgoing = MetaObject.Outgoing(phase: .unknown(sent), idempotencyKey: "k", mayHaveArrived: true)
        var planner = Planner(resource)
        planner.timeout = .seconds(20)
        func left(after time: Duration) -> MetaObject.Outgoing? {
            let meta = MetaObject(
                uri: ObjectURI(entity: "tasks", id: "new"), id: ObjectID("new", .temporary),
                state: .created(outgoing, deleting: true), revision: 2)
            let plan = planner.lookedUp(
                nil, of: LocalObject(record: nil, meta: meta),
                arrival: sent.sequence + Synchronizer.sequences(in: time), key: "next",
                retryAt: { Timestamp(milliseconds: Int64($0)) })
            guard case .put(let object) = plan.outcome else { return nil }
            return object.meta.outgoing
        }
        let waiting = left(after: .seconds(19))
        #expect(waiting?.phase == .unknown(sent) && waiting?.attempts == 1)
        #expect(waiting?.nextAttempt == Timestamp(milliseconds: 1))
        #expect(left(after: .seconds(20)) == nil)
        // Where the clock was set back the time does not go by.
        outgoing.attempts = Planner.mostLookUps
        #expect(left(after: .seconds(1)) == nil)
    }
}
