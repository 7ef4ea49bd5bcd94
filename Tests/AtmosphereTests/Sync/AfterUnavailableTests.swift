import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// A request is answered with 503 after its work was done, and its repetition in the same exchange ends otherwise.
@Suite("What follows a 503 in one exchange")
struct AfterUnavailableTests {
    /// How the repetition ends, without the server's doing anything.
    enum End: CaseIterable {
        case unauthorized, notFound, unreachable

        func put(into server: TinyServer, _ method: String) {
            server.answer(method, with: "{}", status: 503)
            put(only: server, method)
        }

        func put(only server: TinyServer, _ method: String) {
            switch self {
            case .unauthorized: server.answer(method, with: "{}", status: 401, processes: false)
            case .notFound: server.answer(method, with: "{}", status: 404, processes: false)
            case .unreachable:
                server.fail(
                    .init(
                        applies: { $0.method == method }, processes: false,
                        outcome: {
                            throw TransportError(code: .cannotConnect, message: "refused", mayHaveArrived: false)
                        }))
            }
        }
    }

    private func world(version: Version = .compare) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.version = version
            $0.lookup = nil
            $0.duplicate = nil
            $0.create.idempotencyHeader = "Idempotency-Key"
            $0.update.method = "PUT"
            $0.update.body = .whole
        }
        world.server.knowKeys()
        return world
    }

    /// Until nothing is due any more.
    private func push(_ world: TinyWorld) async throws {
        for _ in 0..<4 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(3600))
        }
    }

    @Test("a create that is edited then does not come twice", arguments: End.allCases)
    func edited(_ end: End) async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        end.put(into: world.server, "POST")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "second")])
        try await push(world)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that is deleted then goes from the server", arguments: End.allCases)
    func deleted(_ end: End) async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        end.put(into: world.server, "POST")
        try await world.synchronizer.push()
        try await world.synchronizer.delete(uri)
        try await push(world)
        #expect(world.server.rows("tasks").isEmpty, "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an update that is taken back then is taken back there", arguments: [End.unauthorized, .unreachable])
    func takenBack(_ end: End) async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        end.put(into: world.server, "PUT")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "a")])
        try await push(world)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["a"], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an update that is edited before it is known whether the object is gone is in no conflict with itself")
    func editedBeforeRead() async throws {
        let world = try await world(version: .none)
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        End.notFound.put(into: world.server, "PUT")
        End.unreachable.put(only: world.server, "GET")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.pending().map(\.meta.outgoing?.phase) == [.waiting], "\(world.server.log)")
        try await push(world)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["c"], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a synchronous edit that reaches nobody then leaves the create as it was, with what was queued")
    func synchronousEdit() async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        End.unreachable.put(into: world.server, "POST")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "second")])
        let before = try await world.synchronizer.object(at: uri)
        End.unreachable.put(only: world.server, "POST")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("note", "now")])
        }
        #expect(try await world.synchronizer.object(at: uri) == before)
        try await push(world)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"], "\(world.server.log)")
        #expect(world.server.rows("tasks").map { $0["note"] } == [nil])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("who waits for a save gets what was done", arguments: End.allCases)
    func synchronous(_ end: End) async throws {
        let world = try await world()
        end.put(into: world.server, "POST")
        let uri = try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "first")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("who waits for a save is told that it may be there, where that cannot be found out", arguments: End.allCases)
    func unknown(_ end: End) async throws {
        let world = try await world()
        end.put(into: world.server, "POST")
        world.server.loseAnswer(to: "POST", processes: false)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        }
        #expect(error?.mayHaveHappened == true)
        #expect(world.server.rows("tasks").count == 1)
    }
}
