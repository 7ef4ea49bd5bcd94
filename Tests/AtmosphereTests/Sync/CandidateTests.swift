import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("What a lost create may have become")
struct CandidateTests {
    private let found = ObjectURI(entity: "tasks", id: "1")

    @Test("what another create of this client has become is no candidate, and cannot be adopted")
    func ownObject() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        world.server.loseAnswer(to: "POST")
        world.server.loseAnswer(to: "POST", processes: false)
        let first = try await world.synchronizer.save(["title": "milk"], as: "tasks")
        let second = try await world.synchronizer.save(["title": "milk"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.candidates(for: first) == [found])
        #expect(try await world.synchronizer.candidates(for: second) == [found])
        try await world.synchronizer.resolve(first, .adopt(ObjectID("1", .number)))
        #expect(try await world.synchronizer.candidates(for: second).isEmpty)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.resolve(second, .adopt(ObjectID("1", .number)))
        }
        #expect(error?.code == .wrongState)
        #expect(error?.message.hasPrefix("tasks/1 is what \(first), another create") == true, "\(error?.message ?? "")")
        try await world.synchronizer.resolve(second, .resend)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 2)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what a person adopts is the object, also where the server has refused the create and it says something else")
    func adoptedDuplicate() async throws {
        let world = try await TinyWorld { $0.duplicate = Duplicate(statuses: [409], field: nil) }
        world.server.answer("POST", with: "{}", status: 409, processes: false)
        for _ in 0..<20 { world.server.answer("GET", with: #"{"count":0,"next":null,"results":[]}"#) }
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        world.server.forgetFaults()
        world.server.insert("tasks", ["title": "theirs", "note": "n"])
        try await world.synchronizer.edit(uri, setting: [("colour", "red")])
        try await world.synchronizer.resolve(uri, .adopt(ObjectID("1", .number)))
        #expect(try await world.synchronizer.object(at: uri)?.uri == found)
        try await world.synchronizer.push()
        let row = world.server.rows("tasks")[0]
        #expect(row["note"] == "n" && row["colour"] == "red" && world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("whoever adopts nothing is told that an identifier is missing")
    func nothing() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        world.server.loseAnswer(to: "POST", processes: false)
        let uri = try await world.synchronizer.save(["title": "milk"], as: "tasks")
        try await world.synchronizer.push()
        world.server.clearLog()
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.resolve(uri, .adopt(ObjectID("", .string)))
        }
        #expect(error?.code == .invalidRecord)
        #expect(error?.message.hasPrefix("an identifier is missing") == true, "\(error?.message ?? "")")
        #expect(world.server.log.isEmpty)
    }

    @Test("an own create that was answered meanwhile is no candidate either")
    func answered() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        world.server.loseAnswer(to: "POST", processes: false)
        let lost = try await world.synchronizer.save(["title": "milk"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.save(["title": "milk"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: found)?["title"] == "milk")
        #expect(try await world.synchronizer.candidates(for: lost).isEmpty)
    }

    @Test("where no single object can be read a person adopts what a pull has brought, and later edits are sent")
    func withoutRead() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.read.isOffered = false
            $0.version = .none
        }
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "milk"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("note", "two litres")])
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.resolve(uri, .adopt(ObjectID("1", .number)))
        }
        #expect(error?.code == .notFound && error?.message.contains("pull first") == true)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.candidates(for: uri) == [found])
        try await world.synchronizer.resolve(uri, .adopt(ObjectID("1", .number)))
        #expect(try await world.synchronizer.object(at: uri)?.uri == found)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["two litres"])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    /// Tasks stand below their lists.
    private static func nest(_ tasks: inout Resource) {
        tasks.list.path = (try? PathTemplate("lists/{lists.id}/tasks/")) ?? tasks.list.path
        tasks.create.path = (try? PathTemplate("lists/{lists.id}/tasks/")) ?? tasks.create.path
        tasks.read.path = (try? PathTemplate("lists/{lists.id}/tasks/{id}/")) ?? tasks.read.path
        tasks.delete.path = (try? PathTemplate("lists/{lists.id}/tasks/{id}/")) ?? tasks.delete.path
        tasks.parents = [Reference(entity: "lists", field: "list")]
        tasks.lookup = nil
        tasks.since = nil
    }

    @Test("a create below a parent that was deleted here while its answer was missing is adopted, and deleted there")
    func deletedMeanwhile() async throws {
        let world = try await TinyWorld { Self.nest(&$0) }
        world.server.insert("lists", ["title": "l"])
        try await world.synchronizer.pull()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "milk", "list": 1], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.pull()
        let candidate = ObjectURI(entity: "tasks", id: "2")
        #expect(try await world.synchronizer.candidates(for: uri) == [candidate])
        try await world.synchronizer.resolve(uri, .adopt(ObjectID("2", .number)))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty, "\(world.server.log)")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create with a key that was deleted here while its answer was missing goes again, and is deleted then")
    func deletedMeanwhileWithKey() async throws {
        let world = try await TinyWorld {
            Self.nest(&$0)
            $0.create.idempotencyHeader = "Idempotency-Key"
        }
        world.server.knowKeys()
        world.server.insert("lists", ["title": "l"])
        try await world.synchronizer.pull()
        for _ in 0..<12 { world.server.loseAnswer(to: "POST") }
        let uri = try await world.synchronizer.save(["title": "milk", "list": 1], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.delete(uri)
        world.server.forgetFaults()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty, "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
