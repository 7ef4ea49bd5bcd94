import AtmosphereTesting
import Synchronization
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

    @Test("goes before what waits for a place at the origin, but for what has got that of the read")
    func next() async throws {
        let world = try await TinyWorld { $0.version = .compare }
        for _ in 0..<4 { world.server.insert("tasks", ["title": "a"]) }
        try await world.synchronizer.pull()
        let gate = Gate()
        let single = try await single(world, at: gate)
        try await single.edit(uri, setting: [("title", "b")])
        let push = Task { try await single.push() }
        await gate.waitForArrivals()
        world.server.clearLog()
        let others = (2...4).map { id in
            Task { try await single.refresh(ObjectURI(entity: "tasks", id: "\(id)")) }
        }
        while await single.client.gate.waitingRequests < 3 { await Task.yield() }
        gate.open()
        #expect(try await push.value.updated == 1)
        for other in others { _ = try await other.value }
        let place = world.server.log.firstIndex { $0.hasPrefix("PATCH tasks/1/") }
        #expect(place.map { $0 <= 1 } == true, "\(world.server.log)")
        #expect(try await single.pending().isEmpty)
    }

    @Test("is decided anew after a pause that the server asks for", arguments: [429, 503])
    func pause(_ status: Int) async throws {
        let world = try await TinyWorld {
            $0.version = .compare
            $0.update.method = "PUT"
            $0.update.body = .whole
        }
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        let server = world.server
        let isFirst = Mutex(true)
        let busy = ScriptedTransport { request in
            let isAskedToWait = isFirst.withLock { isFirst in
                defer { if request.method == "PUT" { isFirst = false } }
                return isFirst && request.method == "PUT"
            }
            guard isAskedToWait else { return try await server.transport.send(request) }
            server.edit("tasks", 1, ["note": "theirs"])
            return Response(status: status, headers: ["Retry-After": "2"], body: ResponseBody([]))
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: busy,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await synchronizer.edit(uri, setting: [("title", "b")])
        for _ in 0..<3 {
            try await synchronizer.push()
            try await synchronizer.environment.sleep(
                synchronizer.environment.now().advanced(by: .seconds(3600)))
        }
        #expect(server.rows("tasks").first?["note"] == "theirs", "\(server.log)")
        #expect(server.rows("tasks").first?["title"] == "b", "\(server.log)")
        #expect(try await synchronizer.pending().isEmpty)
    }
}
