import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("A write that is compared by a read before it")
struct ComparedWriteTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// A second synchronizer on the same store and server, which sends one request at a time and holds reads of single
    /// objects after the server has answered them.
    private func single(_ world: TinyWorld, at gate: Gate) async throws -> Synchronizer {
        var routeFile = world.synchronizer.routeFile
        routeFile.limits.concurrent = 1
        let server = world.server
        let slow = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            if request.method == "GET" { try await gate.pass() }
            return response
        }
        return try await Synchronizer(
            routeFile: routeFile, store: world.store, transport: slow, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
    }

    @Test("goes behind that read, before whatever waits for a place at the origin")
    func next() async throws {
        let world = try await TinyWorld { $0.version = .compare }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let gate = Gate()
        let single = try await single(world, at: gate)
        try await single.edit(uri, setting: [("title", "b")])
        let push = Task { try await single.push() }
        await gate.waitForArrivals()
        world.server.clearLog()
        let refresh = Task { [uri] in try await single.refresh(uri) }
        while await single.client.gate.waitingRequests == 0 { await Task.yield() }
        gate.open()
        #expect(try await push.value.updated == 1)
        #expect(try await refresh.value?["title"] == "b")
        #expect(world.server.log.first?.hasPrefix("PATCH tasks/1/") == true)
        #expect(try await single.pending().isEmpty)
    }
}
