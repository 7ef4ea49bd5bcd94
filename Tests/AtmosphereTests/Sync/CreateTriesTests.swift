import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Creates of which several tries were sent, where lists show a part of an object")
struct CreateTriesTests {
    private static let isPost: @Sendable (Request) -> Bool = { $0.method == "POST" }

    /// A server whose lists show neither notes nor colors.
    private func world(_ method: String = "PATCH") async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.update.method = method
            if method == "PUT" { $0.update.body = .whole }
        }
        world.server.list(only: ["id", "title", "uuid", "rev"])
        return world
    }

    /// The process ends when the create is on the wire.
    private func cut(_ world: TinyWorld, processes: Bool) async throws {
        world.server.fail(
            .init(applies: Self.isPost, processes: processes, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
    }

    @Test("an edit made since the first try goes there, where a look-up was behind", arguments: ["PATCH", "PUT"])
    func edited(_ method: String) async throws {
        let world = try await world(method)
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await cut(world, processes: true)
        try await world.synchronizer.edit(uri, setting: ["note": "new", "color": "red"])
        world.server.answer("GET", with: #"{"count": 0, "next": null, "results": []}"#, processes: false)
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        try await settled(world, uri, note: "new")
        #expect(world.server.rows("tasks").first?["color"] == "red")
    }

    @Test("an edit back to what the first try said goes there, where the second is the one that came")
    func editedBack() async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1", "note": "a"], as: "tasks")
        try await cut(world, processes: false)
        try await world.synchronizer.edit(uri, setting: ["note": "b"])
        try await cut(world, processes: true)
        #expect(world.server.rows("tasks").first?["note"] == "b")
        try await world.synchronizer.edit(uri, setting: ["note": "a"])
        try await world.synchronizer.push()
        try await settled(world, uri, note: "a")
    }

    /// Client and server have one object with this note, and nothing waits.
    private func settled(_ world: TinyWorld, _ uri: ObjectURI, note: Value) async throws {
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["note"] == note)
        #expect(world.server.rows("tasks").map { $0["note"] } == [note])
    }
}
