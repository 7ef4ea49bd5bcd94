import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import Foundation
import HouseStore
import HouseTransport
import Synchronization
import Testing

@Suite("a route file that chooses both")
struct TogetherTests {
    private static let route = #"""
        {"atmosphere": 1, "style": "plain", "base": "https://api.example.com",
         "store": {"kind": "log", "path": "tasks.log"}, "transport": "scripted", "resources": {"tasks": {}}}
        """#

    @Test("the names that a route file says choose them, and what was edited offline is sent after a restart")
    func restart() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport()
        let adapters: [Adapter] = [.plain, .log, .socket, .transport("scripted") { _ in transport }]
        let source = folder.file("atmosphere.json")
        let routeFile = try RouteFile.load(bytes: Array(Self.route.utf8), source: source, adapters: adapters)
        let socket = try RouteFile.load(
            bytes: Array(Self.route.replacing("scripted", with: "socket").utf8), source: source, adapters: adapters)
        #expect(try adapters.transport(for: socket.transport) is SocketTransport)

        transport.expect("GET", "/tasks", .json(#"[{"id":1,"title":"Milk"}]"#))
        var client = try await Synchronizer.open(routeFile, adapters: adapters)
        #expect(try await client.pull().entities["tasks"]?.problem == nil)
        let task = ObjectURI(entity: "tasks", id: "1")
        try await client.edit(task, setting: [("title", "Oat milk")])
        try await client.close()

        client = try await Synchronizer.open(routeFile, adapters: adapters)
        #expect(try await client.pending().map(\.uri) == [task])
        transport.expect("GET", "/tasks/1", .json(#"{"id":1,"title":"Milk"}"#))
        transport.expect("PUT", "/tasks/1", .json(#"{"id":1,"title":"Oat milk"}"#))
        #expect(try await client.push().failures.isEmpty)
        try transport.check()
        #expect(try await client.pending().isEmpty)
        try await client.close()
    }

    @Test("the next round comes at the interval, on a clock that the test moves")
    func interval() async throws {
        let folder = try Folder()
        let asked = Mutex(0)
        let transport = ScriptedTransport { _ in
            asked.withLock { $0 += 1 }
            return Response(
                status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array("[]".utf8)))
        }
        let adapters: [Adapter] = [.plain, .log, .transport("scripted") { _ in transport }]
        let routeFile = try RouteFile.load(
            bytes: Array(Self.route.utf8), source: folder.file("atmosphere.json"), adapters: adapters)
        let clock = ManualClock()
        let client = try await Synchronizer.open(routeFile, adapters: adapters, environment: clock.environment())
        let running = Task { try await client.run(.init(interval: .seconds(60))) }
        await clock.waitForSleep()
        let first = asked.withLock { $0 }
        #expect(first == 1)
        clock.advance(by: .seconds(59))
        #expect(asked.withLock { $0 } == first)
        clock.advance(by: .seconds(1))
        await clock.waitForSleep()
        #expect(asked.withLock { $0 } == 2)
        running.cancel()
        _ = await running.result
        try await client.close()
    }
}
