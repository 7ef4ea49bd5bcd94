import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

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

    @Test("what failed is tried again when the status says, without a pull")
    func nextTry() async throws {
        let server = TinyServer()
        let clock = ManualClock()
        let api = try await synchronizer(server, clock)
        server.insert("tasks", ["title": "theirs"])
        try await api.pull()
        // More than one push tries.
        for _ in 0..<9 { server.answer("PATCH", with: "{}", status: 500, processes: false) }
        try await api.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "mine")])
        let running = Task { try await api.run(.init(interval: .seconds(1_000_000))) }
        await clock.waitForSleep()
        while server.rows("tasks")[0]["title"] != "mine" {
            clock.advance(by: clock.pause)
            await clock.waitForSleep()
        }
        #expect(server.log.count { $0.hasPrefix("PATCH") } == 10)
        #expect(server.log.count { $0 == "GET lists/" } == 2, "before it ran, and at its start")
        running.cancel()
        _ = await running.result
    }

    @Test("where reads are not signed it goes on while nobody is signed in, and sends when somebody is")
    func writesAlone() async throws {
        let server = TinyServer()
        let clock = ManualClock()
        var environment = TinyWorld.environment()
        environment.now = { clock.now }
        environment.sleep = { try await clock.sleep(until: $0) }
        var routeFile = try TinyWorld.routeFile()
        routeFile.signed = .writes
        let asked = AskedAuthenticator(
            settings: .bearer, base: routeFile.base, secrets: SecretSource(environment: [:]),
            storage: MemoryTokenStorage(), environment: environment)
        let api = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            authenticator: asked.accompanied(by: nil, signsReads: false), environment: environment)
        try await api.save(["title": "a"], as: "tasks")
        let running = Task { try await api.run(.init(interval: .seconds(60))) }
        await clock.waitForSleep()
        #expect(server.log == ["GET lists/", "GET tasks/"])
        #expect(try await api.syncStatus().signInNeeded?.contains("run atmos login") == true)
        try await api.signIn(answers: ["token": "t"])
        await clock.waitForSleep()
        #expect(server.rows("tasks").count == 1)
        #expect(try await api.syncStatus().signInNeeded == nil)
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

    private struct Network: Reachability {
        let stream: AsyncStream<Bool>
        func changes() -> AsyncStream<Bool> { stream }
    }

    /// Waits until the status says so.
    private func wait(_ api: Synchronizer, until isSo: (SyncStatus) -> Bool) async throws {
        for try await status in api.statusChanges() where isSo(status) { return }
    }

    @Test("while the network is away an edit is not tried by itself, and goes as soon as it is back")
    func away() async throws {
        let server = TinyServer()
        server.goOffline(true)
        let clock = ManualClock()
        let api = try await synchronizer(server, clock)
        let (network, tell) = AsyncStream<Bool>.makeStream()
        tell.yield(false)
        let running = Task { try await api.run(.init(reachability: Network(stream: network))) }
        await clock.waitForSleep()
        let first = clock.pause
        try await wait(api) { $0.isNetworkAway }
        server.clearLog()
        for title in ["a", "b"] {
            try await api.save(["title": .string(title)], as: "tasks")
            // It has looked at the edit and sleeps again, until the round that was due before.
            await clock.waitForSleep()
            #expect(server.log.isEmpty && clock.pause == first)
        }
        clock.advance(by: first)
        await clock.waitForSleep()
        #expect(!server.log.isEmpty && clock.pause > first)
        server.goOffline(false)
        tell.yield(true)
        try await wait(api) { $0.counts.localOnly == 0 && $0.activities.isEmpty && $0.unreachable == nil }
        #expect(server.rows("tasks").count == 2)
        #expect(try await api.syncStatus().isNetworkAway == false)
        running.cancel()
        _ = await running.result
    }

    @Test("a round that reaches the server proves the system wrong: edits are sent at once again")
    func wrongWord() async throws {
        let server = TinyServer()
        let clock = ManualClock()
        let api = try await synchronizer(server, clock)
        let (network, tell) = AsyncStream<Bool>.makeStream()
        let running = Task {
            try await api.run(.init(interval: .seconds(60), reachability: Network(stream: network)))
        }
        await clock.waitForSleep()
        tell.yield(false)
        try await wait(api) { $0.isNetworkAway }
        api.requestSynchronization()
        try await wait(api) { !$0.isNetworkAway }
        await clock.waitForSleep()
        try await api.save(["title": "a"], as: "tasks")
        await clock.waitForSleep()
        #expect(server.rows("tasks").count == 1)
        running.cancel()
        _ = await running.result
        #expect(try await api.syncStatus().isNetworkAway == false)
    }

    @Test("a server on this machine needs no network")
    func loopback() async throws {
        struct Unasked: Reachability {
            func changes() -> AsyncStream<Bool> {
                Issue.record("nobody has to be asked")
                return AsyncStream { $0.finish() }
            }
        }
        let clock = ManualClock()
        var environment = TinyWorld.environment()
        environment.now = { clock.now }
        environment.sleep = { try await clock.sleep(until: $0) }
        var file = try TinyWorld.routeFile()
        file.base = "http://127.0.0.1:8000/api"
        let api = try await Synchronizer(
            routeFile: file, store: MemoryStore(),
            transport: ScriptedTransport(otherwise: .json("[]")), style: TinyWorld.TinyStyle(),
            environment: environment)
        let running = Task { try await api.run(.init(reachability: Unasked())) }
        await clock.waitForSleep()
        running.cancel()
        _ = await running.result
    }
}
