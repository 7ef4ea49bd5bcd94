import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("A write that is compared by a read before it")
struct ComparedWriteTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    @Test("goes before what waits for a place at the origin, but for what has got that of the read")
    func next() async throws {
        let world = try await TinyWorld { $0.version = .compare }
        for _ in 0..<4 { world.server.insert("tasks", ["title": "a"]) }
        try await world.synchronizer.pull()
        var routeFile = world.synchronizer.routeFile
        routeFile.limits.concurrent = 1
        let (server, read, other) = (world.server, Gate(), Gate())
        let slow = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            guard request.method == "GET" else { return response }
            if request.url.hasSuffix("tasks/1/") { try await read.pass() }
            if request.url.hasSuffix("tasks/2/") { try await other.pass() }
            return response
        }
        let single = try await Synchronizer(
            routeFile: routeFile, store: world.store, transport: slow, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        try await single.edit(uri, setting: [("title", "b")])
        let push = Task { try await single.push() }
        await read.waitForArrivals()
        world.server.clearLog()
        var others: [Task<ObjectRecord?, any Error>] = []
        for id in 2...4 {
            others.append(Task { try await single.refresh(ObjectURI(entity: "tasks", id: "\(id)")) })
            while await single.client.gate.waitingRequests < id - 1 { await Task.yield() }
        }
        read.open()
        await other.waitForArrivals()
        while await single.client.gate.waitingRequests < 3 { await Task.yield() }
        other.open()
        #expect(try await push.value.updated == 1)
        for other in others { _ = try await other.value }
        #expect(server.log.map { $0.prefix(13) } == ["GET tasks/2/", "PATCH tasks/1", "GET tasks/3/", "GET tasks/4/"])
    }
}
