import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Objects that both sides create under one identifier")
struct CreatedTwiceTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// Tasks are created by PUT under an identifier of the client's; the list tells changes only.
    private func world(
        isConditional: Bool = true, _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> TinyWorld {
        try await TinyWorld {
            $0.lookup = nil
            $0.assigned = .client
            $0.create.method = "PUT"
            $0.create.path = $0.update.path
            $0.create.isConditional = isConditional
            change(&$0)
        }
    }

    private func conflict(_ world: TinyWorld) async throws -> MetaObject.Conflict {
        let phase = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        guard case .conflicted(let conflict)? = phase else {
            throw SyncError(code: .wrongState, message: "not conflicted: \(String(describing: phase))")
        }
        return conflict
    }

    @Test("a pull that shows it before the create was sent asks a person, and passes over nothing")
    func shownBefore() async throws {
        let world = try await world(isConditional: false)
        try await world.synchronizer.save(["id": "1", "title": "mine", "colour": "red"], as: "tasks")
        world.server.insert("tasks", ["title": "theirs", "note": "only theirs", "colour": "red"])
        try await world.synchronizer.pull()
        let found = try await conflict(world)
        #expect(found.fields == ["title"] && found.theirs?["note"] == "only theirs")
        // Nothing goes over it.
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.hasPrefix("PUT") })
        #expect(world.server.rows("tasks")[0]["note"] == "only theirs")
    }

    @Test(
        "decided for either side, or let go, the object is here as it is there",
        arguments: ["mine", "theirs", "none"])
    func decided(_ choice: String) async throws {
        let world = try await world()
        try await world.synchronizer.save(["id": "1", "title": "mine"], as: "tasks")
        world.server.insert("tasks", ["title": "theirs", "note": "n"])
        try await world.synchronizer.pull()
        switch choice {
        case "mine": try await world.synchronizer.resolve(uri, .mine)
        case "theirs": try await world.synchronizer.resolve(uri, .theirs)
        default: try await world.synchronizer.discard(uri)
        }
        try await world.synchronizer.synchronize()
        let title: Value = choice == "mine" ? "mine" : "theirs"
        #expect(world.server.rows("tasks").map { $0["title"] } == [title])
        #expect(world.server.rows("tasks")[0]["note"] == "n")
        let record = try await world.synchronizer.record(at: uri)
        #expect(record?["title"] == title && record?["note"] == "n")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where nothing contradicts, both are one object and nobody is asked")
    func compatible() async throws {
        let world = try await world()
        try await world.synchronizer.save(["id": "1", "title": "same", "colour": "red"], as: "tasks")
        world.server.insert("tasks", ["title": "same", "note": "n"])
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        let row = world.server.rows("tasks")[0]
        #expect(row["title"] == "same" && row["colour"] == "red" && row["note"] == "n")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that was refused where nothing can be read is shown by the next pull, for a decision")
    func refused() async throws {
        let world = try await world { $0.read.isOffered = false }
        try await world.synchronizer.save(["id": "1", "title": "mine"], as: "tasks")
        world.server.insert("tasks", ["title": "theirs"])
        world.server.answer("PUT", with: "{}", status: 412, processes: false)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        let message = try await world.synchronizer.object(at: uri)?.meta.outgoing?.lastError?.message
        #expect(message?.contains("atmos pull tasks --full") == true)
        try await world.synchronizer.pull()
        #expect(try await conflict(world).theirs?["title"] == "theirs")
    }

    @Test("a page from before the object was deleted there says nothing of the one that is made anew")
    func earlierPage() async throws {
        let resource = try #require(try TinyWorld.routeFile { $0.assigned = .client }.resource("tasks"))
        let record = ObjectRecord(["id": "1", "title": "mine"])
        let object = LocalObject(
            record: record,
            meta: MetaObject(
                uri: uri, id: ObjectID("1"), state: .created(.anew(key: "k", after: 7, previous: nil), deleting: false))
        )
        let shown = ObjectRecord(["id": "1", "title": "deleted since"])
        func plan(_ sequence: Int64) -> Plan {
            ChangeEngine(resource).remote(
                .init(record: shown, id: ObjectID("1"), version: nil, sequence: sequence), over: object, uri: uri,
                key: "k2")
        }
        #expect(plan(6).outcome == .keep)
        guard case .put(let met) = plan(8).outcome, case .conflicted? = met.meta.outgoing?.phase else {
            Issue.record("no conflict")
            return
        }
    }

    @Test("one that was deleted there and that two create once more is merged from what both began with")
    func createdOnceMore() async throws {
        let resource = try #require(try TinyWorld.routeFile { $0.assigned = .client }.resource("tasks"))
        let previous = ObjectRecord(["id": "1", "title": "a", "note": "n"])
        let object = LocalObject(
            record: ObjectRecord(["id": "1", "title": "a", "note": "mine"]),
            meta: MetaObject(
                uri: uri, id: ObjectID("1"),
                state: .created(.anew(key: "k", after: 7, previous: previous), deleting: false)))
        let shown = ObjectRecord(["id": "1", "title": "theirs", "note": "n"])
        let plan = ChangeEngine(resource).remote(
            .init(record: shown, id: ObjectID("1"), version: nil, sequence: 8), over: object, uri: uri, key: "k2")
        guard case .put(let met) = plan.outcome, case .waiting? = met.meta.outgoing?.phase else {
            Issue.record("\(plan)")
            return
        }
        #expect(met.record?["title"] == "theirs" && met.record?["note"] == "mine")
        #expect(met.meta.confirmed?.base == shown)
    }
}
