import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Changes of an entity that the route file does not have any more")
struct UndeclaredEntityTests {
    @Test("they are counted, hold up nothing, and can be dropped")
    func changes() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        world.server.loseAnswer(to: "POST")
        let lost = try await world.synchronizer.save(["title": "lost"], as: "tasks")
        try await world.synchronizer.push()
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        var routeFile = world.synchronizer.routeFile
        routeFile.resources.removeAll { $0.name == "tasks" }
        let renamed = try await Synchronizer(
            routeFile: routeFile, store: world.store, transport: world.server.transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await renamed.save(["title": "Home"], as: "lists")
        try await renamed.synchronize()
        #expect(world.server.rows("lists").count == 1)
        let status = try await renamed.status()
        #expect(status.map(\.entity) == ["lists", "tasks"] && status.map(\.isDeclared) == [true, false])
        #expect(status[1].counts.changed == 2)
        #expect(try await renamed.candidates(for: lost).isEmpty)
        #expect(try await renamed.pending().map(\.uri).sorted() == [lost, uri].sorted())
        for each in [lost, uri] { try await renamed.discard(each) }
        #expect(try await renamed.status().map(\.entity) == ["lists"])
        #expect(try await renamed.pending().isEmpty)
    }
}
