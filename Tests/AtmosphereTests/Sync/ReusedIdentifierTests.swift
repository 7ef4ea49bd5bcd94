import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Identifiers that a server gives again")
struct ReusedIdentifierTests {
    /// Somebody else has deleted the object with the highest identifier, and the server counts from there.
    private func world() async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "old", "note": "old"])
        try await world.synchronizer.pull()
        world.server.remove("tasks", 1)
        world.server.countFrom(1)
        return (world, ObjectURI(entity: "tasks", id: "1"))
    }

    @Test("an edit of the old object does not go to the new one by itself")
    func edited() async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 0)
        #expect(world.server.rows("tasks").map { $0["note"] } == [nil])
        guard case .conflicted(let conflict)? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        else {
            Issue.record("nobody is asked")
            return
        }
        #expect(conflict.fields == ["note"] && conflict.theirs?["title"] == "new")
        try await world.synchronizer.resolve(uri, .theirs)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: uri)?["note"] == nil)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["new"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a look-up that shows the identifier of an object that is here says so")
    func lookedUp() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        for _ in 0..<20 { world.server.loseAnswer(to: "GET") }
        let uri = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: uri))
        var engine = ChangeEngine(try world.synchronizer.resource("tasks"))
        engine.others = [ScalarText("1")]
        let found = Representation(
            record: ObjectRecord(["id": 1, "title": "old"]), id: ObjectID("1"), version: nil, sequence: 2)
        let plan = engine.lookedUp([found], of: object, arrival: 3, key: "k") { _ in nil }
        #expect(
            plan.note == "not on the server; what the server has with that value is 1, which is another object here")
    }

    /// An old address that leads on to the object under its new identifier.
    private func renamed(_ change: (TinyWorld, ObjectURI) async throws -> Void) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await change(world, ObjectURI(entity: "tasks", id: "1"))
        world.server.remove("tasks", 1)
        world.server.insert("tasks", ["title": "a"])
        let body = #"{"id":2,"title":"a"}"#
        world.server.fail(
            .init(applies: { $0.method == "GET" && $0.url.hasSuffix("tasks/1/") }, processes: false) {
                Response(
                    status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(body.utf8)))
            })
        return world
    }

    @Test("an object that the server has renamed is one, under its new identifier, and its old address leads to it")
    func renamedThere() async throws {
        let world = try await renamed { _, _ in }
        let report = try await world.synchronizer.pull()
        #expect(report.isComplete)
        let new = ObjectURI(entity: "tasks", id: "2")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [new])
        #expect(try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "1"))?.uri == new)
        #expect(try await world.synchronizer.pull().isComplete)
    }

    @Test("what was edited under the old identifier ends no pull, goes nowhere by itself, and can be discarded")
    func editedAndRenamed() async throws {
        let world = try await renamed { world, uri in
            try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        }
        let old = ObjectURI(entity: "tasks", id: "1")
        let new = ObjectURI(entity: "tasks", id: "2")
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await world.synchronizer.object(at: old)?.uri == old)
        try await world.synchronizer.discard(old)
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [new])
        #expect(world.server.rows("tasks").map { $0["title"] } == ["a"])
    }

    @Test("an edit that an action carries, or that is sent no more, does not vanish with the old object")
    func carriedByAction() async throws {
        for isSent in [true, false] {
            let path = try PathTemplate("tasks/{id}/move")
            let first = try await TinyWorld()
            first.server.insert("tasks", ["title": "old", "note": "old"])
            try await first.synchronizer.pull()
            let uri = ObjectURI(entity: "tasks", id: "1")
            try await first.synchronizer.edit(uri, setting: [("note", "mine")])
            first.server.remove("tasks", 1)
            first.server.countFrom(1)
            let world = try await TinyWorld(server: first.server, store: first.store) { tasks in
                tasks.readonly.insert("note")
                guard isSent else { return }
                tasks.actions = [Action(name: "move", method: "POST", path: path, arguments: ["note"])]
            }
            try await world.synchronizer.save(["title": "new"], as: "tasks")
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["note"] } == [nil])
            let object = try #require(try await world.synchronizer.object(at: uri))
            #expect(object.record?["note"] == "mine" && object.record?["title"] == "new")
            switch object.meta.outgoing?.phase {
            case .conflicted(let conflict): #expect(isSent && conflict.fields == ["note"])
            case .rejected(_, let failure): #expect(!isSent && failure.message.contains("another object now"))
            default: Issue.record("nobody is asked")
            }
        }
    }

    @Test("who decides for the edit gets it in the new object")
    func decided() async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { [$0["title"], $0["note"]] } == [["new", "mine"]])
    }

    @Test("a delete of the old object deletes nothing else, and what was only here is replaced")
    func deleted() async throws {
        for isDeleted in [true, false] {
            let (world, uri) = try await world()
            if isDeleted { try await world.synchronizer.delete(uri) }
            try await world.synchronizer.save(["title": "new"], as: "tasks")
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["title"] } == ["new"])
            #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
            #expect(try await world.synchronizer.record(at: uri)?["note"] == nil)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }
}
