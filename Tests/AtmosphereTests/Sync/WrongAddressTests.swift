import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("A 404 at an address that may be wrong")
struct WrongAddressTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    /// A client that has pulled some tasks.
    private func world(
        _ titles: [Value] = ["a"], _ change: @escaping (inout Resource) throws -> Void
    ) async throws -> TinyWorld {
        var failure: (any Error)?
        let world = try await TinyWorld { resource in
            do { try change(&resource) } catch { failure = error }
        }
        if let failure { throw failure }
        for title in titles { world.server.insert("tasks", ["title": title]) }
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    private func refusal(_ world: TinyWorld, _ uri: ObjectURI? = nil) async throws -> String {
        let object = try #require(try await world.synchronizer.object(at: uri ?? task))
        guard case .rejected(_, let failure)? = object.meta.outgoing?.phase else {
            Issue.record("not refused: \(object.meta.state)")
            return ""
        }
        return failure.message
    }

    @Test("a delete is kept where a read shows the object", arguments: [Version.none, .compare])
    func wrongDelete(_ version: Version) async throws {
        let world = try await world {
            $0.version = version
            $0.delete = Operation(method: "DELETE", path: try PathTemplate("task/{id}/"))
        }
        try await world.synchronizer.delete(task)
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 0 && world.server.rows("tasks").count == 1)
        let message = try await refusal(world)
        #expect(message.contains("“DELETE task/{id}/” (delete) with 404: mend delete.path of tasks"), "\(message)")
        #expect(message.contains("delete: null") && message.contains("atmos retry tasks/1"))
        #expect(world.server.log.count { $0.hasPrefix("DELETE") } == 2)
        // A pull brings nothing back, for the delete waits for a person.
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
    }

    @Test("an update is kept where a read shows the object")
    func wrongUpdate() async throws {
        let world = try await world { $0.update.path = try PathTemplate("task/{id}/") }
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        try await world.synchronizer.push()
        let message = try await refusal(world)
        #expect(message.contains("mend update.path of tasks"), "\(message)")
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 2)
        #expect(try await world.synchronizer.object(at: task)?.record?["title"] == "b")
    }

    @Test("a change is kept where the list shows what no read finds", arguments: [1, 3])
    func wrongRead(_ count: Int) async throws {
        let world = try await world(Array(repeating: "a", count: count)) {
            $0.read.path = try PathTemplate("task/{id}/")
            $0.delete = Operation(method: "DELETE", path: try PathTemplate("task/{id}/"))
        }
        // The third is not on the first page, so another one is read.
        let last = ObjectURI(entity: "tasks", id: String(count))
        try await world.synchronizer.delete(last)
        try await world.synchronizer.push()
        let message = try await refusal(world, last)
        #expect(message.contains("the server lists \(count == 1 ? "it," : "tasks/1 and tasks/2,")"), "\(message)")
        #expect(message.contains("mend read.path of tasks") && message.contains("read: null"))
        #expect(world.server.rows("tasks").count == count)
    }

    @Test("what is gone is gone, and once it is known that the address is right a 404 needs no other proof")
    func reallyGone() async throws {
        let world = try await world(["a", "b", "c", "d"]) { $0.version = .none }
        for id in [1, 2] { world.server.remove("tasks", id) }
        for id in ["1", "2", "3"] { try await world.synchronizer.delete(.init(entity: "tasks", id: id)) }
        for id in 1...3 {
            world.server.clearLog()
            try await world.synchronizer.push()
            #expect(try await world.synchronizer.pending().isEmpty, "\(id)")
        }
        #expect(world.server.rows("tasks").map { $0["title"] } == ["d"])
        world.server.remove("tasks", 4)
        try await world.synchronizer.delete(.init(entity: "tasks", id: "4"))
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log == ["DELETE tasks/4/"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where no single object can be read the list decides", arguments: [true, false])
    func withoutRead(_ isRight: Bool) async throws {
        let world = try await world {
            $0.read.isOffered = false
            if !isRight { $0.delete.path = try PathTemplate("task/{id}/") }
        }
        if isRight { world.server.remove("tasks", 1) }
        try await world.synchronizer.delete(task)
        try await world.synchronizer.push()
        if isRight {
            #expect(try await world.synchronizer.pending().isEmpty)
        } else {
            let message = try await refusal(world)
            #expect(message.contains("the server lists it") && message.contains("mend delete.path"), "\(message)")
        }
    }

    @Test("a list that cannot be asked now leaves the change waiting, and one with more pages leaves it to a person")
    func undecided() async throws {
        let world = try await world(["a", "b", "c"]) { $0.read.isOffered = false }
        world.server.remove("tasks", 3)
        world.server.insert("tasks", ["title": "d"])
        let third = ObjectURI(entity: "tasks", id: "3")
        try await world.synchronizer.delete(third)
        world.server.loseAnswer(to: "GET")
        var report = try await world.synchronizer.push()
        #expect(!report.failures.isEmpty || report.unreachable != nil)
        #expect(try await world.synchronizer.pending().count == 1)
        try await world.pass(.seconds(3600))
        report = try await world.synchronizer.push()
        let message = try await refusal(world, third)
        #expect(message.contains("the first page of its list does not hold it"), "\(message)")
    }

    @Test("an error rule says that a 404 is enough")
    func declared() async throws {
        let world = try await world {
            $0.version = .none
            $0.errors.rules = [ErrorRules.Rule(statuses: [404], treatment: .gone)]
        }
        world.server.remove("tasks", 1)
        try await world.synchronizer.delete(task)
        try await world.synchronizer.push()
        #expect(world.server.log == ["DELETE tasks/1/"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a delete for which a caller waits says that it was not about the object", arguments: [true, false])
    func deleteNow(_ isRight: Bool) async throws {
        let world = try await world {
            $0.version = .none
            if !isRight { $0.delete.path = try PathTemplate("task/{id}/") }
        }
        if isRight {
            world.server.remove("tasks", 1)
            try await world.synchronizer.deleteNow(task)
            #expect(try await world.synchronizer.object(at: task) == nil)
        } else {
            await #expect { try await world.synchronizer.deleteNow(task) } throws: { error in
                let error = error as? SyncError
                return error?.code == .refused && error?.message.contains("mend delete.path of tasks") == true
            }
            #expect(try await world.synchronizer.object(at: task)?.record?["title"] == "a")
        }
    }

    @Test("a refresh by a wrong address removes nothing")
    func refresh() async throws {
        let world = try await world { $0.read.path = try PathTemplate("task/{id}/") }
        await #expect { try await world.synchronizer.refresh(task) } throws: { error in
            (error as? SyncError)?.message.contains("mend read.path of tasks") == true
        }
        #expect(try await world.synchronizer.object(at: task)?.record?["title"] == "a")
    }

    @Test("what an update has done stays where the read after it goes to a wrong address")
    func readBack() async throws {
        let world = try await world {
            $0.version = .none
            $0.read.path = try PathTemplate("task/{id}/")
        }
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        world.server.answer("PATCH", with: nil, status: 204)
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1)
        #expect(report.failures.map(\.failure.message).contains { $0.contains("mend read.path of tasks") }, "\(report)")
        #expect(try await world.synchronizer.object(at: task)?.record?["title"] == "b")
    }

    @Test("a list that leaves members out and reads that find nothing are told, and nothing counts as deleted")
    func partialList() async throws {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.read.path = (try? PathTemplate("task/{id}/")) ?? $0.read.path
        }
        world.server.insert("tasks", ["title": "a", "note": "n"])
        world.server.list(only: ["id", "rev", "title"])
        let report = try await world.synchronizer.pull()
        let told = report.entities["tasks"].map { "\($0)" } ?? ""
        #expect(told.contains("mend read.path of tasks"), "\(told)")
    }
}
