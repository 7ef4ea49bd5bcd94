import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Creates that may be on their way still")
struct LateCreateTests {
    /// From 2026 on sequences tell how much time has gone by.
    private static let start: Int64 = 1_800_000_000_000

    /// A create whose process ended before the server had it, and that was deleted here since.
    private func world() async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld(start: Self.start)
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
        #expect(object.record == nil && object.meta.outgoing?.retry.due != nil)
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
        #expect(!world.server.log.isEmpty && world.server.log.count <= ChangeEngine.mostLateLookUps + 1)
        #expect(world.server.log.allSatisfy { $0 == "GET tasks/?uuid=u1" })
    }

    @Test("the look-up is believed the second time, once the request cannot be on its way any more")
    func time() throws {
        func left(after time: Duration, asked: Bool = true, deleting: Bool = true, status: Int? = nil) throws
            -> Change?
        {
            let resource = try #require(try TinyWorld.routeFile { $0.duplicate = nil }.resource("tasks"))
            var outgoing = outgoing
            outgoing.evidence = .inDoubt(isLookedFor: asked)
            outgoing.lastError = status.map { .init(status: $0, message: "trouble") }
            return look(resource, outgoing, deleting, after: time)
        }
        for deleting in [true, false] {
            let waiting = try left(after: .seconds(19), deleting: deleting)
            #expect(waiting?.phase == .unknown(sent) && waiting?.retry.tries(for: .lookUp) == 1)
            #expect(waiting?.retry.due == Timestamp(milliseconds: 1))
            #expect(waiting?.lastError?.message == "the process ended before its answer came")
            let second = try left(after: .seconds(99), asked: false, deleting: deleting)
            #expect(second?.phase == .unknown(sent) && second?.evidence == .inDoubt(isLookedFor: true))
            #expect(try left(after: .seconds(1), deleting: deleting, status: 502)?.phase == .unknown(sent))
            #expect(try left(after: .seconds(20), deleting: deleting)?.phase == (deleting ? nil : .waiting))
        }
        #expect(try left(after: .seconds(20), deleting: false)?.evidence == .inDoubt(isLookedFor: false))
    }

    @Test("the look-up is believed at once where the server refuses a second create, or the clock was set back")
    func atOnce() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        #expect(look(resource, outgoing, false, after: .zero)?.phase == .waiting)
        var often = outgoing
        often.retry = Retry(.lookUp, tries: ChangeEngine.mostLateLookUps)
        #expect(look(resource, often, true, after: .seconds(1)) == nil)
    }

    private let sent = Attempt(record: ObjectRecord(["title": "mine", "uuid": "u1"]), revision: 1, sequence: 1_000)
    private var outgoing: Change {
        .init(phase: .unknown(sent), idempotencyKey: "k", evidence: .inDoubt(isLookedFor: false))
    }

    /// What a look-up that shows nothing leaves of a create; nil for nothing at all.
    private func look(
        _ resource: Resource, _ outgoing: Change, _ deleting: Bool, after time: Duration
    ) -> Change? {
        var engine = ChangeEngine(resource)
        engine.timeout = .seconds(20)
        let meta = MetaObject(
            uri: ObjectURI(entity: "tasks", id: "new"), id: ObjectID("new", .temporary),
            state: .created(outgoing, deleting: deleting), revision: deleting ? 2 : 1)
        let plan = engine.lookedUp(
            nil, of: LocalObject(record: deleting ? nil : sent.record, meta: meta),
            arrival: sent.sequence + Synchronizer.sequences(in: time), key: "next",
            retryAt: { Timestamp(milliseconds: Int64($0)) })
        guard case .put(let object) = plan.outcome else { return nil }
        return object.meta.outgoing
    }

    /// A create that is on its way when its process ends, to a server that would take a second one.
    private func lost() async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld(start: Self.start) { $0.duplicate = nil }
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.clearLog()
        return (world, uri)
    }

    @Test("one that arrives after the first look-up is not sent again where the server might take both")
    func arrivesLate() async throws {
        let (world, uri) = try await lost()
        // The push ends while it waits to look again.
        world.server.answer("GET", with: #"{"count": 0, "next": null, "results": []}"#, processes: false)
        world.server.fail(
            .init(applies: { $0.method == "GET" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.insert("tasks", ["title": "mine", "uuid": "u1"])
        let report = try await world.synchronizer.push()
        #expect(report.created == 1)
        #expect(world.server.rows("tasks").count == 1)
        #expect(!world.server.log.contains { $0.hasPrefix("POST") })
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine")
    }

    @Test("one that never arrives is sent again when its time is over, and says why it waits")
    func sentAgain() async throws {
        let (world, uri) = try await lost()
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: uri))
        #expect(world.synchronizer.findsOut(object) && object.meta.outgoing?.retry.due != nil)
        #expect(object.meta.outgoing?.lastError?.message == "the process ended before its answer came")
        #expect(!world.server.log.contains { $0.hasPrefix("POST") })
        try await world.pass(.seconds(60))
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test("one that was refused before, and edited, waits as any other when its process ends")
    func refusedBefore() async throws {
        let world = try await TinyWorld(start: Self.start) { $0.duplicate = nil }
        let uri = try await world.synchronizer.save(["title": "bad", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: true, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.clearLog()
        // The look-up is behind.
        world.server.answer("GET", with: #"{"count": 0, "next": null, "results": []}"#, processes: false)
        let report = try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.hasPrefix("POST") }, "\(world.server.log)")
        #expect(report.created == 1 && world.server.rows("tasks").map { $0["title"] } == ["mine"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
