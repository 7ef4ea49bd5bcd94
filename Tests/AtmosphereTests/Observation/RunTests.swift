import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere

@Suite("keeping in step")
struct RunTests {
    /// A synchronizer whose time stands still until a test moves it.
    private func synchronizer(_ server: TinyServer, _ clock: HeldClock) async throws -> Synchronizer {
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
        let clock = HeldClock()
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

    @Test("without the server it tries again after growing pauses, and at once when the network comes back")
    func reachability() async throws {
        let server = TinyServer()
        server.goOffline(true)
        let clock = HeldClock()
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

/// A clock that holds sleepers until a test lets time go by.
private final class HeldClock: Sendable {
    private struct State {
        var now = Timestamp(milliseconds: 1_700_000_000_000)
        var key = 0
        var sleepers: [Int: (until: Timestamp, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var news = 0
        var last = Duration.zero
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var now: Timestamp { state.withLock { $0.now } }
    /// How long the last sleeper wants to sleep.
    var pause: Duration { state.withLock { $0.last } }

    func sleep(until: Timestamp) async throws {
        let key = state.withLock { state in
            state.key += 1
            return state.key
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (watcher, isCancelled) = state.withLock { state in
                    state.last = state.now.duration(to: until)
                    if state.cancelled.contains(key) { return (CheckedContinuation<Void, Never>?.none, true) }
                    state.sleepers[key] = (until, continuation)
                    state.news += 1
                    defer { state.watcher = nil }
                    return (state.watcher, false)
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                watcher?.resume()
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(key)
                return state.sleepers.removeValue(forKey: key)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.continuation)
        }
        for each in due { each.resume() }
    }

    /// Returns when somebody has gone to sleep since the last time this returned.
    func waitForSleep() async {
        while true {
            let isThere = state.withLock { state in
                defer { state.news = 0 }
                return state.news > 0
            }
            if isThere { return }
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if state.news > 0 { return true }
                    state.watcher = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }
}
