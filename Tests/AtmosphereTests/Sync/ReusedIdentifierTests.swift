import AtmosphereTesting
import Testing

@testable import Atmosphere

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
