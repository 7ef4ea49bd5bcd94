import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("A write that is refused as if there were no such object")
struct RefusedWriteTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    /// A client with one task that the server lets it read and not write.
    private func world(
        _ status: Int, to method: String, body: String = #"{"detail":"Not for you."}"#,
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> TinyWorld {
        let world = try await TinyWorld(change)
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        for _ in 0..<40 { world.server.answer(method, with: body, status: status, processes: false) }
        world.server.clearLog()
        return world
    }

    private func writes(_ world: TinyWorld) -> Int { world.server.log.count { !$0.hasPrefix("GET") } }

    /// It is told, sent no more, and goes with what the server has and with what a person decides.
    private func expectRefused(_ world: TinyWorld, sent: Int) async throws {
        let object = try #require(try await world.synchronizer.object(at: task))
        guard case .rejected(_, let failure)? = object.meta.outgoing?.phase else {
            Issue.record("not refused: \(object.meta.state)")
            return
        }
        #expect(failure.message.contains("Not for you.") && failure.message.contains("atmos retry tasks/1"))
        #expect(failure.message.contains("may read it and not change it"), "\(failure.message)")
        #expect(writes(world) == sent)
        try await world.synchronizer.push()
        #expect(writes(world) == sent)
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: task)?["note"] == "theirs")
        try await world.synchronizer.retry(task)
        try await world.synchronizer.push()
        #expect(writes(world) == 2 * sent)
        try await world.synchronizer.discard(task)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an update is refused with what the server said", arguments: [404, 410])
    func update(_ status: Int) async throws {
        let world = try await world(status, to: "PATCH")
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 0)
        let failure = try await world.synchronizer.object(at: task)?.meta.outgoing?.lastError
        #expect(failure?.message.contains("with \(status): mend update.path") == true)
        try await expectRefused(world, sent: 2)
    }

    @Test("so is an action")
    func action() async throws {
        let world = try await world(404, to: "POST") { tasks in
            tasks.readonly.insert("parent")
            tasks.version = .none
            tasks.actions = [
                Action(
                    name: "move", method: "POST", path: try! PathTemplate("tasks/{id}/move"), arguments: ["parent"],
                    query: ["parent"], mayRepeat: true)
            ]
        }
        try await world.synchronizer.edit(task, setting: [("parent", 2)])
        try await world.synchronizer.push()
        try await expectRefused(world, sent: 2)
    }

    @Test("so is an item of a batch")
    func batch() async throws {
        let body = #"{"results":[{"status":404,"body":{"detail":"Not for you."}}]}"#
        let world = try await world(200, to: "POST", body: body) { $0.batches = [.tiny()] }
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        try await world.synchronizer.push()
        try await expectRefused(world, sent: 2)
    }

    @Test("where the batch is answered so, that is named, and no request that was not sent", arguments: [false, true])
    func missingBatch(_ saysPath: Bool) async throws {
        let world = try await world(404, to: "POST") {
            $0.batches = [.tiny { if saysPath { $0.update?.path = ["path"] } }]
        }
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        try await world.synchronizer.push()
        let message = try #require(try await world.synchronizer.object(at: task)?.meta.outgoing?.lastError?.message)
        let path = saysPath ? ", update.path" : ""
        let remedy = "with 404: mend batch.post\(path) or batch.update of tasks"
        #expect(message.contains("“POST tasks/batch” (batch.post) \(remedy)"), "\(message)")
        #expect(!message.contains("PATCH") && message.contains("update.path") == saysPath, "\(message)")
        try await expectRefused(world, sent: 2)
    }

    @Test("a server that contradicts itself for ever is asked a few times, and then a person is")
    func contradicting() async throws {
        let world = try await world(404, to: "PATCH")
        world.server.forgetFaults()
        for _ in 0..<60 {
            world.server.answer("PATCH", with: #"{"detail":"Gone."}"#, status: 404, processes: false)
            world.server.answer("PATCH", with: #"{"detail":"Newer."}"#, status: 409, processes: false)
        }
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        world.server.clearLog()
        for _ in 0..<12 { try await world.synchronizer.push() }
        // Three times the two that a server has in a row, and what it says between them.
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 11)
        #expect(try await world.synchronizer.rejected().map(\.uri) == [task])
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: task)?["note"] == "theirs")
        world.server.forgetFaults()
        try await world.synchronizer.retry(task)
        #expect(try await world.synchronizer.push().standing == [])
        #expect(world.server.rows("tasks").first?["title"] == "b")
    }

    @Test("a failure that a later try made good is not told any more")
    func madeGood() async throws {
        let world = try await world(500, to: "PATCH")
        world.server.forgetFaults()
        world.server.answer("PATCH", with: nil, status: 500, processes: false)
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1 && report.failures.count == 1 && report.standing.isEmpty)
    }
}
