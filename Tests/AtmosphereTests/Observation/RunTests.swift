import AtmosphereTesting
import Testing

@testable import Atmosphere

@Suite("keeping in step")
struct RunTests {
    /// A synchronizer whose time stands still until a test moves it.
    private func synchronizer(_ server: TinyServer, _ clock: ManualClock) async throws -> Synchronizer {
        var environment = TinyWorld.environment()
        environment.now = { clock.now }
        environment.sleep = { try await clock.sleep(until: $0) }
        return try await Synchronizer(
            routeFile: try TinyWorld.routeFile(), store: MemoryStore(), transport: server.transport,
            style: TinyWorld.TinyStyle(), environment: environment)
    }

    @Test("it synchronizes at the start, after an edit, at the interval and on demand, and not while it pauses")
    func triggers() async throws {
        let server = TinyServer()
        let clock = ManualClock()
        let api = try await synchronizer(server, clock)
        let running = Task { try await api.run(.init(interval: .seconds(60))) }
        await clock.waitForSleep()
        #expect(server.log == ["GET lists/", "GET tasks/"])
        server.clearLog()
        try await api.save(["title": "a"], as: "tasks")
        await clock.waitForSleep()
        #expect(server.log.count == 1 && server.log[0].hasPrefix("POST tasks/"))
        server.clearLog()
        clock.advance(by: .seconds(60))
        await clock.waitForSleep()
        #expect(server.log.map { $0.prefix(4) } == ["GET ", "GET "])
        server.clearLog()
        api.requestSynchronization()
        await clock.waitForSleep()
        #expect(server.log.count == 2)
        api.pause()
        #expect(try await api.syncStatus().isPaused)
        server.clearLog()
        try await api.save(["title": "b"], as: "tasks")
        api.requestSynchronization()
        #expect(server.log.isEmpty)
        api.resume()
        await clock.waitForSleep()
        #expect(server.rows("tasks").count == 2)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test("edits that come oftener than the interval put no pull off")
    func manyEdits() async throws {
        let server = TinyServer()
        let clock = ManualClock()
        let api = try await synchronizer(server, clock)
        let running = Task { try await api.run(.init(interval: .seconds(60))) }
        await clock.waitForSleep()
        server.clearLog()
        for number in 0..<2 {
            clock.advance(by: .seconds(25))
            try await api.save(["title": .string("\(number)")], as: "tasks")
            await clock.waitForSleep()
        }
        #expect(server.log.map { $0.prefix(4) } == ["POST", "POST"])
        clock.advance(by: .seconds(10))
        await clock.waitForSleep()
        #expect(server.log.count { $0 == "GET lists/" } == 1, "\(server.log)")
        running.cancel()
        _ = await running.result
    }

    @Test("it runs once at a time, and again after its end")
    func once() async throws {
        let clock = ManualClock()
        let api = try await synchronizer(TinyServer(), clock)
        let running = Task { try await api.run() }
        await clock.waitForSleep()
        let refused = await #expect(throws: SyncError.self) { try await api.run() }
        #expect(refused?.code == .wrongState)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        let again = Task { try await api.run() }
        await clock.waitForSleep()
        again.cancel()
        await #expect(throws: CancellationError.self) { try await again.value }
    }

    @Test("without the server it tries again after growing pauses, and at once when the network comes back")
    func reachability() async throws {
        let server = TinyServer()
        server.goOffline(true)
        let clock = ManualClock()
        let api = try await synchronizer(server, clock)
        let (network, tell) = AsyncStream<Bool>.makeStream()
        struct Network: Reachability {
            let stream: AsyncStream<Bool>
            func changes() -> AsyncStream<Bool> { stream }
        }
        let running = Task { try await api.run(.init(reachability: Network(stream: network))) }
        await clock.waitForSleep()
        let first = clock.pause
        clock.advance(by: first)
        await clock.waitForSleep()
        #expect(clock.pause > first)
        #expect(try await api.syncStatus().unreachable != nil)
        server.goOffline(false)
        tell.yield(false)
        tell.yield(true)
        await clock.waitForSleep()
        #expect(try await api.syncStatus().unreachable == nil)
        running.cancel()
        _ = await running.result
    }
}
