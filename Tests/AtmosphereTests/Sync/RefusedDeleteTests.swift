import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("A delete that is refused")
struct RefusedDeleteTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    /// A client that has pulled one task and deleted it.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.version = .none
            change(&$0)
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.delete(task)
        world.server.clearLog()
        return world
    }

    /// The server's answer to what it does not know, and to what is forbidden.
    private func forbid(_ method: String, on world: TinyWorld) {
        world.server.answer(method, with: #"{"detail":"No permission."}"#, status: 403, processes: false)
    }

    /// The methods of what was asked about the task itself.
    private func asked(_ world: TinyWorld) -> [String] {
        world.server.log.compactMap { $0.hasSuffix(" tasks/1/") ? String($0.dropLast(9)) : nil }
    }

    private func refusal(_ world: TinyWorld) async throws -> String? {
        let outgoing = try await world.synchronizer.object(at: task)?.meta.outgoing
        if case .rejected(_, let failure)? = outgoing?.phase { return failure.message }
        return nil
    }

    @Test("one that was done is done, by a read that shows nothing", arguments: [400, 403, 422])
    func done(_ status: Int) async throws {
        let world = try await world()
        world.server.loseAnswer(to: "DELETE")
        world.server.answer("DELETE", with: #"{"detail":"No permission."}"#, status: status, processes: false)
        let report = try await world.synchronizer.push()
        #expect(report.deleted == 1 && report.standing.isEmpty)
        #expect(asked(world) == ["DELETE", "DELETE", "GET"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that was discarded while it was on the wire, and is done, is gone here, too")
    func discardedOnTheWire() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("DELETE", at: gate)
        async let report = slow.push()
        await gate.waitForArrivals()
        try await world.synchronizer.discard(task)
        gate.open()
        #expect(try await report.deleted == 1)
        #expect(try await world.synchronizer.object(at: task) == nil)
    }

    @Test("so is one that a process had on the wire when it ended")
    func interrupted() async throws {
        let world = try await world()
        try await world.store.write(.power, origin: .push) { [task] transaction in
            var meta = try #require(try transaction.meta(at: task))
            let revision = meta.revision
            meta.outgoing?.phase = .sending(.init(record: nil, revision: revision, sequence: 1))
            try transaction.put([meta])
        }
        world.server.remove("tasks", 1)
        forbid("DELETE", on: world)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that was not done is refused with what the server said, and sent no more")
    func notDone() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "DELETE", processes: false)
        forbid("DELETE", on: world)
        #expect(try await world.synchronizer.push().deleted == 0)
        #expect(try await refusal(world)?.contains("No permission.") == true)
        #expect(asked(world) == ["DELETE", "DELETE", "GET"])
        try await world.synchronizer.push()
        #expect(asked(world).count == 3)
        try await world.synchronizer.discard(task)
        #expect(try await world.synchronizer.record(at: task)?["title"] == "a")
    }

    @Test("so is one that the transport has sent twice", arguments: [true, false])
    func sentTwice(isDone: Bool) async throws {
        let world = try await world()
        if isDone { world.server.remove("tasks", 1) }
        forbid("DELETE", on: world)
        #expect(try await world.synchronizer.push().deleted == (isDone ? 1 : 0))
        #expect(try await refusal(world)?.contains("No permission.") == (isDone ? nil : true))
        #expect(asked(world) == ["DELETE", "GET"])
    }

    @Test("where nothing can be read it is refused with what the server said")
    func unreadable() async throws {
        let world = try await world { $0.read.isOffered = false }
        forbid("DELETE", on: world)
        #expect(try await world.synchronizer.push().deleted == 0)
        #expect(try await refusal(world)?.contains("No permission.") == true)
        #expect(asked(world) == ["DELETE"])
    }

    @Test("one that was refused goes again where the object is deleted again", arguments: [true, false])
    func again(isNow: Bool) async throws {
        let world = try await world()
        forbid("DELETE", on: world)
        try await world.synchronizer.push()
        #expect(try await refusal(world)?.contains("No permission.") == true)
        if isNow {
            try await world.synchronizer.deleteNow(task)
        } else {
            try await world.synchronizer.delete(task)
            #expect(try await refusal(world) == nil)
            #expect(try await world.synchronizer.push().deleted == 1)
        }
        #expect(asked(world) == ["DELETE", "GET", "DELETE"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where the read is refused too a person decides, and an error rule says it for ever")
    func undecided() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "DELETE")
        forbid("DELETE", on: world)
        forbid("GET", on: world)
        #expect(try await world.synchronizer.push().deleted == 0)
        let message = try #require(try await refusal(world))
        #expect(message.contains("tasks/1") && message.contains("No permission."), "\(message)")
        #expect(message.contains("errors: { rules: [{ status: 403, method: GET, treat: gone }] }"), "\(message)")
        #expect(message.contains("atmos retry tasks/1") && message.contains("atmos discard tasks/1"), "\(message)")
        try await world.synchronizer.retry(task)
        world.server.clearLog()
        forbid("DELETE", on: world)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(asked(world) == ["DELETE", "GET"])
    }

    @Test("with such a rule the read says that it is gone")
    func ruled() async throws {
        let world = try await world {
            var rule = ErrorRules.Rule(statuses: [403], treatment: .gone)
            rule.methods = ["GET"]
            $0.errors.rules = [rule]
        }
        world.server.loseAnswer(to: "DELETE")
        forbid("DELETE", on: world)
        forbid("GET", on: world)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a read to compare before the repeated delete says no more than that one")
    func compared() async throws {
        let world = try await world { $0.version = .compare }
        world.server.loseAnswer(to: "DELETE")
        // Past the read that went before the first delete.
        world.server.fail(
            .init(
                applies: { $0.method == "GET" }, processes: true,
                outcome: { nil }))
        forbid("GET", on: world)
        #expect(try await world.synchronizer.push().deleted == 0)
        #expect(asked(world) == ["GET", "DELETE", "GET"])
        #expect(try await refusal(world)?.contains("treat: gone") == true)
    }

    @Test("a read without an answer leaves it to a later push")
    func unread() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "DELETE")
        forbid("DELETE", on: world)
        world.server.loseAnswer(to: "GET")
        forbid("DELETE", on: world)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(asked(world) == ["DELETE", "DELETE", "GET", "DELETE", "GET"])
    }

    @Test("a tombstone settles what a person was asked")
    func tombstone() async throws {
        let world = try await world { $0.deletes.field = .member("gone") }
        world.server.loseAnswer(to: "DELETE", processes: false)
        forbid("DELETE", on: world)
        forbid("GET", on: world)
        try await world.synchronizer.push()
        #expect(try await refusal(world) != nil)
        world.server.edit("tasks", 1, ["gone": true])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
