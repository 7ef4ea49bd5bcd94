import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Budgets of tries")
struct RetryBudgetTests {
    @Test(
        "refusals of several kinds add up: an update is in conflict after six in a row, or eighteen with failures between",
        arguments: [([412], 1), ([412, 409], 1), ([412, 500], Retry.turns), ([409, 500, 500], Retry.turns)])
    func updates(_ statuses: [Int], budgets: Int) throws {
        let engine = ChangeEngine(try #require(try TinyWorld.routeFile().resource("tasks")))
        let confirmed = MetaObject.Confirmed(base: ObjectRecord(["id": 1, "title": "a"]), version: "1", sequence: 1)
        var object = LocalObject(
            record: ObjectRecord(["id": 1, "title": "b"]),
            meta: MetaObject(
                uri: ObjectURI(entity: "tasks", id: "1"), id: ObjectID("1"),
                state: .updated(confirmed, Change(idempotencyKey: "k")), revision: 1))
        var refused = 0
        for round in 0..<80 {
            guard
                case .send(_, let sent, let marked) = engine.next(
                    object, now: .distantFuture, sequence: Int64(10 + round), hasCompared: true, hasLease: true)
            else { break }
            let failure = MetaObject.Failure(status: statuses[round % statuses.count], message: "no")
            if failure.status != 500 { refused += 1 }
            let plan = engine.conclude(
                failure.status == 500 ? .failed(failure, mayHaveArrived: true) : .conflict(failure), to: sent,
                of: marked,
                arrival: Int64(10 + round), key: "n", retryAt: { _ in Timestamp(milliseconds: 0) })
            guard case .put(let next) = plan.outcome else {
                Issue.record("\(plan)")
                return
            }
            object = next
        }
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("it goes on")
            return
        }
        #expect(conflict.cause == .refusedEachTime && refused == budgets * (ChangeEngine.mergeRetries + 1))
    }

    @Test(
        "a create with a key that is refused and fails in turn is a person's to decide in the end",
        arguments: [500, 423])
    func creates(_ other: Int) async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.create.idempotencyHeader = "Idempotency-Key"
        }
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        for status in (0..<60).map({ $0 % 2 == 0 ? 409 : other }) {
            world.server.answer("POST", with: "{}", status: status, processes: false)
        }
        for _ in 0..<60 { _ = try? await world.synchronizer.push() }
        let object = try #require(try await world.synchronizer.object(at: uri))
        #expect(!world.synchronizer.findsOut(object) && object.meta.outgoing?.phase != .waiting)
        #expect(world.server.log.count { $0.hasPrefix("POST") } <= 2 * Retry.turns * ChangeEngine.mostRepeats)
    }

    @Test("one 404 today and one another day, with other answers between, refuse no update")
    func notInARow() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        for status in [404, 500, 404] { world.server.answer("PATCH", with: "{}", status: status, processes: false) }
        #expect(try await world.synchronizer.push().updated == 1, "\(world.server.log)")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])

        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        for status in [404, 404] { world.server.answer("PATCH", with: "{}", status: status, processes: false) }
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.rejected().map(\.uri) == [uri])
    }

    @Test("a budget is of tries in a row, and all tries for a purpose have a bound")
    func rows() {
        var retry = Retry()
        for _ in 0..<5 {
            retry.count(.existence)
            #expect(!retry.hasUsedUp(2, for: .existence))
            retry.count(.answer)
        }
        retry.count(.existence)
        #expect(retry.hasUsedUp(2, for: .existence), "six in all")
        var other = Retry(.existence, tries: 1)
        other.count(.existence)
        #expect(other.hasUsedUp(2, for: .existence) && !other.hasUsedUp(1, for: .acceptance))
    }

    @Test("tries for one purpose use nothing up of another")
    func purposes() throws {
        var retry = Retry()
        #expect([retry.count(.lookUp), retry.count(.answer), retry.count(.lookUp)] == [1, 1, 2])
        #expect(retry.total == 3 && retry.tries(for: .deletion) == 0 && !retry.isSpent)
        retry.due = Timestamp(milliseconds: 5)
        retry.spend(.lookUp)
        #expect(retry.spent == .lookUp && retry.due == nil && retry.tries(for: .lookUp) == 2)
    }
}
