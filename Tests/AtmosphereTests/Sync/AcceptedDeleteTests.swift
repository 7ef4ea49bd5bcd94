import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Deletes that are accepted and may not be done")
struct AcceptedDeleteTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    /// A client that has pulled one task.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.version = .none
            change(&$0)
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    private func refusal(_ world: TinyWorld) async throws -> String? {
        let outgoing = try await world.synchronizer.object(at: task)?.meta.outgoing
        if case .rejected(_, let failure)? = outgoing?.phase { return failure.message }
        return nil
    }

    private static let shown = #"{"id":1,"rev":1,"title":"a"}"#

    @Test("one that is done costs one read where the answer shows the object, and else none")
    func done() async throws {
        let answers: [(Int, String?, Bool)] = [
            (200, Self.shown, true), (200, nil, false), (200, #"{"ok":true}"#, false), (204, nil, false),
            (200, #"{"error":"unknown field"}"#, true), (200, #"{"error":null,"status":"ok"}"#, false)
        ]
        for (status, body, reads) in answers {
            let world = try await world()
            try await world.synchronizer.delete(task)
            world.server.answer("DELETE", with: body, status: status)
            let report = try await world.synchronizer.push()
            #expect(report.deleted == 1 && report.failures.isEmpty)
            #expect(world.server.log == ["DELETE tasks/1/"] + (reads ? ["GET tasks/1/"] : []))
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("an answer with the mark of a deleted object is final, and so is one where nothing can be read")
    func final() async throws {
        let changes: [(String, @Sendable (inout Resource) -> Void)] = [
            (#"{"id":1,"title":"a","gone":true}"#, { $0.deletes.field = .member("gone") }),
            (
                #"{"id":1,"title":"a","gone":true}"#,
                {
                    $0.deletes.field = .member("gone")
                    $0.delete.method = "PATCH"
                }
            ),
            (Self.shown, { $0.read.isOffered = false })
        ]
        for (body, change) in changes {
            let world = try await world(change)
            try await world.synchronizer.delete(task)
            let method = world.synchronizer.routeFile.resources[1].delete.method
            world.server.answer(method, with: body, processes: false)
            #expect(try await world.synchronizer.push().deleted == 1)
            #expect(world.server.log == ["\(method) tasks/1/"])
        }
    }

    @Test("one that was not done is refused, and goes again where a person says so")
    func notDone() async throws {
        let world = try await world()
        try await world.synchronizer.delete(task)
        world.server.answer("DELETE", with: Self.shown, processes: false)
        #expect(try await world.synchronizer.push().deleted == 0)
        let message = try #require(try await refusal(world))
        #expect(message.contains("accepted the delete and shows the object all the same"), "\(message)")
        try await world.synchronizer.pull()
        #expect(try await refusal(world) != nil)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        try await world.synchronizer.retry(task)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test(
        "one that is answered with an error inside a success is looked at, and refused where it was not done",
        arguments: [#"{"status":"error","message":"locked"}"#, #"{"ok":false}"#, #"{"errors":["locked"]}"#])
    func errorInside(_ body: String) async throws {
        let world = try await world()
        try await world.synchronizer.delete(task)
        world.server.answer("DELETE", with: body, processes: false)
        #expect(try await world.synchronizer.push().deleted == 0)
        #expect(try await refusal(world)?.contains("accepted the delete and shows the object all the same") == true)
    }

    @Test("what an own update has done whose answer was lost makes no other object of it")
    func ownUpdate() async throws {
        let world = try await world()
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        world.server.loseAnswer(to: "PATCH")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        try await world.synchronizer.delete(task)
        world.server.answer("DELETE", with: #"{"ok":false}"#, processes: false)
        #expect(try await world.synchronizer.push().deleted == 0)
        #expect(try await refusal(world)?.contains("accepted the delete and shows the object all the same") == true)
        try await world.synchronizer.retry(task)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test("what has become another object by it is in a trash, and done")
    func trashed() async throws {
        let world = try await world()
        try await world.synchronizer.delete(task)
        world.server.answer("DELETE", with: Self.shown, processes: false)
        world.server.edit("tasks", 1, ["title": "trashed"])
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one for later is asked for with later pushes, and not sent again", arguments: [nil, #"{"job":7}"#])
    func later(_ body: String?) async throws {
        let world = try await world()
        try await world.synchronizer.delete(task)
        world.server.answer("DELETE", with: body, status: 202, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 0 && report.standing == [task])
        // A pull that still shows it brings nothing back.
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        world.server.remove("tasks", 1)
        try await world.pass(.seconds(3600))
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.log.count { $0.hasPrefix("DELETE") } == 1)
    }

    @Test("one for later that is never done is left to a person")
    func never() async throws {
        let world = try await world()
        try await world.synchronizer.delete(task)
        world.server.answer("DELETE", with: nil, status: 202, processes: false)
        for _ in 0..<12 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(3600))
        }
        #expect(try await refusal(world) != nil)
        #expect(world.server.log.count { $0 == "GET tasks/1/" } == ChangeEngine.mostLookUps)
        try await world.synchronizer.discard(task)
        #expect(try await world.synchronizer.record(at: task)?["title"] == "a")
    }

    @Test("a caller who waits for it is told")
    func now() async throws {
        let world = try await world()
        world.server.answer("DELETE", with: Self.shown, processes: false)
        await #expect { try await world.synchronizer.deleteNow(task) } throws: { error in
            (error as? SyncError)?.code == .refused
        }
        #expect(try await world.synchronizer.record(at: task)?["title"] == "a")
        world.server.answer("DELETE", with: Self.shown)
        try await world.synchronizer.deleteNow(task)
        #expect(try await world.synchronizer.object(at: task) == nil)
    }

    @Test(
        "a caller who waits for it is told where the read that follows says nothing of the object",
        arguments: [(200, "{\"id\":1,\"ti"), (200, "<html>Sign in</html>"), (409, "{}")])
    func nowUnread(status: Int, body: String) async throws {
        let world = try await world()
        world.server.answer("DELETE", with: Self.shown, processes: false)
        world.server.answer("GET", with: body, status: status, processes: false)
        await #expect(throws: SyncError.self) { try await world.synchronizer.deleteNow(task) }
        #expect(try await world.synchronizer.record(at: task)?["title"] == "a")
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test("one that waits already is sent at once where somebody asks for that")
    func waiting() async throws {
        let world = try await world()
        try await world.synchronizer.delete(task)
        try await world.synchronizer.deleteNow(task)
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    // MARK: Other methods than DELETE

    /// A client whose deletes move a task to a trash.
    private func trashWorld(_ method: String) async throws -> TinyWorld {
        try await world {
            $0.delete.method = method
            $0.delete.set = ["gone": true]
            $0.deletes.field = .member("gone")
        }
    }

    @Test(
        "one of another method that was not done is refused as a DELETE is, also at once", arguments: ["PATCH", "POST"],
        [Self.shown, #"{"ok":false}"#, #"{"id":1,"rev":1,"title":"a","gone":false}"#])
    func notTrashed(_ method: String, _ body: String) async throws {
        let world = try await trashWorld(method)
        world.server.answer(method, with: body, processes: false)
        await #expect { try await world.synchronizer.deleteNow(task) } throws: { error in
            (error as? SyncError)?.code == .refused
        }
        #expect(try await world.synchronizer.record(at: task)?["title"] == "a")
        try await world.synchronizer.delete(task)
        world.server.answer(method, with: body, processes: false)
        #expect(try await world.synchronizer.push().deleted == 0)
        #expect(try await refusal(world)?.contains("accepted the delete and shows the object all the same") == true)
        try await world.synchronizer.pull()
        #expect(try await refusal(world) != nil)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
    }

    @Test(
        "one of another method for later is asked for, and not sent again", arguments: ["PATCH", "POST"],
        [nil, #"{"job":7}"#])
    func trashedLater(_ method: String, _ body: String?) async throws {
        let world = try await trashWorld(method)
        try await world.synchronizer.delete(task)
        world.server.answer(method, with: body, status: 202, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 0 && report.standing == [task])
        world.server.edit("tasks", 1, ["gone": true])
        try await world.pass(.seconds(3600))
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.log.count { $0.hasPrefix(method) } == 1)
    }

    @Test("one that sets what it says is done, also where nothing had shown that before")
    func changed() async throws {
        let world = try await world {
            $0.delete.method = "PATCH"
            $0.delete.set = ["state": "archived"]
        }
        try await world.synchronizer.delete(task)
        world.server.answer("PATCH", with: Self.shown, processes: false)
        world.server.answer("GET", with: #"{"id":1,"rev":1,"title":"a","state":"archived"}"#, processes: false)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(world.server.log == [#"PATCH tasks/1/ {"state":"archived"}"#, "GET tasks/1/"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
