public import Atmosphere
internal import Synchronization

/// Time that stands still until a test moves it.
///
/// It goes into a synchronizer by its environment:
///
/// ```swift
/// let clock = ManualClock()
/// let api = try await Synchronizer.open(routeFile, adapters: adapters, environment: clock.environment())
/// let running = Task { try await api.run(.init(interval: .seconds(60))) }
/// await clock.waitForSleep()         // the first round is done
/// clock.advance(by: .seconds(60))    // the next one begins
/// ```
///
/// Nothing waits for real: a test that would sleep asks ``waitForSleep()`` instead, which returns when the part that is
/// tested has gone to sleep.
public final class ManualClock: Sendable {
    private struct State {
        var now: Timestamp
        var key = 0
        var sleepers: [Int: (until: Timestamp, continuation: CheckedContinuation<Void, any Error>)] = [:]
        /// Cancelled before they slept.
        var cancelled: Set<Int> = []
        /// Who has gone to sleep since ``ManualClock/waitForSleep()`` returned.
        var news = 0
        var pause = Duration.zero
        var watchers: [CheckedContinuation<Void, Never>] = []
        var random: SimulationRandom
    }

    private let state: Mutex<State>

    /// A clock that stands.
    ///
    /// - Parameters:
    ///   - now: when it stands; 2023-11-14T22:13:20Z by default.
    ///   - seed: decides the identifiers and the random numbers of ``environment()``.
    public init(now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000), seed: UInt64 = 1) {
        state = Mutex(State(now: now, random: SimulationRandom(seed, "environment")))
    }

    /// When it stands; it moves by ``advance(by:)`` alone.
    public var now: Timestamp { state.withLock { $0.now } }

    /// How long the one who went to sleep last wants to sleep, from when it did; zero before anybody has.
    public var pause: Duration { state.withLock { $0.pause } }

    /// How many sleep now.
    public var sleeping: Int { state.withLock { $0.sleepers.count } }

    /// Returns when the clock has come to a time; at once where it is not ahead.
    ///
    /// - Throws: `CancellationError` where the task is cancelled first.
    public func sleep(until: Timestamp) async throws {
        let key = state.withLock { state in
            state.key += 1
            return state.key
        }
        defer { state.withLock { _ = $0.cancelled.remove(key) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (result, watchers): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>])
                (result, watchers) = state.withLock { state in
                    if state.cancelled.contains(key) { return (.failure(CancellationError()), []) }
                    if until <= state.now { return (.success(()), []) }
                    state.pause = state.now.duration(to: until)
                    state.sleepers[key] = (until, continuation)
                    state.news += 1
                    defer { state.watchers = [] }
                    return (nil, state.watchers)
                }
                if let result { continuation.resume(with: result) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(key)
                return state.sleepers.removeValue(forKey: key)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets time go by, and wakes whoever has slept enough, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }.map(\.value.continuation)
        }
        for each in due { each.resume() }
    }

    /// Returns when somebody has gone to sleep since the last time this returned.
    public func waitForSleep() async {
        while true {
            let isThere = state.withLock { state in
                defer { state.news = 0 }
                return state.news > 0
            }
            if isThere { return }
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if state.news == 0 { state.watchers.append(continuation) }
                    return state.news > 0
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// This clock's time, with identifiers and random numbers that follow from the seed alone.
    public func environment() -> SyncEnvironment {
        SyncEnvironment(
            now: { self.now }, sleep: { try await self.sleep(until: $0) },
            makeUUID: { self.state.withLock { $0.random.uuid() } }, random: { self.state.withLock { $0.random.unit() } }
        )
    }
}
