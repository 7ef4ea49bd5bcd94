import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("What a delete waits for")
struct HeldDeleteTests {
    private let list = ObjectURI(entity: "lists", id: "1")
    private let task = ObjectURI(entity: "tasks", id: "3")

    /// Two lists, and a task of the first.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld(change)
        world.server.insert("lists", ["title": "Home"])
        world.server.insert("lists", ["title": "Work"])
        world.server.insert("tasks", ["title": "Milk", "list": 1])
        try await world.synchronizer.pull()
        return world
    }

    /// The same with the task moved to the second list, and the first one deleted.
    private func moved() async throws -> TinyWorld {
        let world = try await world()
        try await world.synchronizer.edit(task, setting: [("list", 2)])
        try await world.synchronizer.delete(list)
        world.server.clearLog()
        return world
    }

    private func writes(_ server: TinyServer) -> [String] {
        server.log.filter { !$0.hasPrefix("GET") }.map { String($0.prefix { $0 != "{" }).filter { $0 != " " } }
    }

    @Test("a list is deleted after the task that leaves it, also where the move fails at first")
    func failedMove() async throws {
        let world = try await moved()
        world.server.answer("PATCH", with: nil, status: 500, processes: false)
        let report = try await world.synchronizer.push()
        #expect(writes(world.server) == ["PATCHtasks/3/", "PATCHtasks/3/", "DELETElists/1/"], "\(world.server.log)")
        #expect(report.held.isEmpty && report.deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a list is kept while the task that leaves it is refused, and goes when that has gone")
    func refusedMove() async throws {
        let world = try await moved()
        world.server.answer("PATCH", with: #"{"list": ["no"]}"#, status: 422, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.held == [list] && world.server.rows("lists").count == 2)
        let held = try await world.synchronizer.heldChanges()
        #expect(held.mapValues(\.uri) == [list: task])
        try await world.synchronizer.retry(task)
        try await world.synchronizer.push()
        #expect(world.server.rows("lists").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a list is kept where it alone is pushed, and the preview says so")
    func pushedAlone() async throws {
        let world = try await moved()
        #expect(try await world.synchronizer.pushPreview(entities: ["lists"]).requests.isEmpty)
        #expect(try await world.synchronizer.pushPreview().requests.map(\.uri).sorted() == [list, task])
        #expect(try await world.synchronizer.push(entities: ["lists"]).held == [list])
        #expect(writes(world.server) == [])
        #expect(try await world.synchronizer.push().held.isEmpty)
        #expect(writes(world.server) == ["PATCHtasks/3/", "DELETElists/1/"])
    }

    @Test("a caller who waits for the delete is told what holds it")
    func now() async throws {
        let world = try await world()
        try await world.synchronizer.edit(task, setting: [("list", 2)])
        await #expect { try await world.synchronizer.deleteNow(list) } throws: { error in
            guard let error = error as? SyncError, error.code == .wrongState else { return false }
            return error.message.hasPrefix("lists/1 is not deleted before tasks/3 is changed")
        }
        #expect(world.server.rows("lists").count == 2)
        try await world.synchronizer.push()
        try await world.synchronizer.deleteNow(list)
        #expect(world.server.rows("lists").count == 1)
    }

    @Test("an edit of a task that stays in the list holds nothing")
    func stays() async throws {
        let world = try await world()
        try await world.synchronizer.edit(task, setting: [("title", "Oat milk")])
        try await world.synchronizer.delete(list)
        #expect(try await world.synchronizer.push(entities: ["lists"]).deleted == 1)
    }

    @Test("what is below another of its kind is deleted before it, in one push, and a circle is not held")
    func ownKind() async throws {
        let world = try await TinyWorld { $0.references.append(Reference(entity: "tasks", field: "above")) }
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b", "above": 1])
        world.server.insert("tasks", ["title": "c", "above": 2])
        world.server.insert("tasks", ["title": "d", "above": 5])
        world.server.insert("tasks", ["title": "e", "above": 4])
        try await world.synchronizer.pull()
        for id in 1...5 { try await world.synchronizer.delete(ObjectURI(entity: "tasks", id: String(id))) }
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 5 && report.held.isEmpty)
        let chain = writes(world.server).filter { ["DELETEtasks/1/", "DELETEtasks/2/", "DELETEtasks/3/"].contains($0) }
        #expect(chain == ["DELETEtasks/3/", "DELETEtasks/2/", "DELETEtasks/1/"])
    }
}
