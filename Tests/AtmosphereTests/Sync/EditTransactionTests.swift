import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Transactions over several objects")
struct EditTransactionTests {
    private struct Enough: Error {}

    private let task = ObjectURI(entity: "tasks", id: "1")
    private let other = ObjectURI(entity: "tasks", id: "2")

    /// Two tasks that the server has.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld(change)
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    @Test("its edits are kept together and pushed in their order, and reads inside show them")
    func kept() async throws {
        let world = try await world()
        let (task, other) = (task, other)
        let list = try await world.synchronizer.transaction { edits in
            let list = try edits.save(["title": "Home"], as: "lists")
            try edits.edit(task, setting: [("list", edits.reference(to: list).value), ("note", "x")])
            try edits.edit(task, setting: ["title": "c"])
            try edits.delete(other)
            #expect(try edits.record(at: task)?["title"] == "c" && edits.record(at: task)?["note"] == "x")
            #expect(try edits.record(at: other) == nil && edits.object(at: list)?.meta.isLocalOnly == true)
            let shown = try edits.objects(matching: Query("tasks", order: [.ascending("title")]))
            #expect(try shown.map(\.uri) == [task] && edits.count(Query("lists")) == 1)
            return list
        }
        #expect(try await world.synchronizer.pending().count == 3)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.log.first?.hasPrefix("POST lists/") == true, "\(world.server.log)")
        let present = try #require(try await world.synchronizer.object(at: list)?.uri)
        #expect(world.server.rows("tasks").map { $0["list"]?.text } == [present.id])
    }

    @Test("a thrown error leaves nothing, whatever was edited before it")
    func thrown() async throws {
        let world = try await world()
        let (task, other) = (task, other)
        await #expect(throws: Enough.self) {
            try await world.synchronizer.transaction { edits in
                try edits.save(["title": "Home"], as: "lists")
                try edits.edit(task, setting: ["title": "c"])
                try edits.delete(other)
                throw Enough()
            }
        }
        // A refused edit is such an error, too.
        let refused = await #expect(throws: SyncError.self) {
            try await world.synchronizer.transaction { edits in
                try edits.edit(task, setting: ["title": "c"])
                try edits.edit(other, setting: ["rev": 7])
            }
        }
        #expect(refused?.code == .invalidRecord)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.count(Query("lists")) == 0)
        #expect(try await world.synchronizer.record(at: task)?["title"] == "a")
        #expect(try await world.synchronizer.record(at: other)?["title"] == "b")
    }

    @Test("what the server has to delete first is not deleted in one; a new object is")
    func onlineDeletes() async throws {
        let world = try await world { $0.deletes.onlineOnly = true }
        let task = task
        let refused = await #expect(throws: SyncError.self) {
            try await world.synchronizer.transaction { try $0.delete(task) }
        }
        #expect(refused?.code == .wrongState && refused?.message.contains("deletes: online") == true)
        try await world.synchronizer.transaction { edits in
            let made = try edits.save(["title": "c"], as: "tasks")
            try edits.delete(made)
        }
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
