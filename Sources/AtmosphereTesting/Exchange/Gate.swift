import Synchronization

/// Holds tasks until a test lets them go.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var nextKey = 0
        /// Cancelled, perhaps before they were held.
        var cancelled: Set<Int> = []
        var held: [Int: CheckedContinuation<Void, any Error>] = [:]
        var watchers: [(count: Int, key: Int, continuation: CheckedContinuation<Void, Never>)] = []
        /// Watchers of tasks that have ended.
        var abandoned: Set<Int> = []

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let arrived = arrived
            let due = watchers.filter { $0.count <= arrived }
            watchers.removeAll { $0.count <= arrived }
            return due.map(\.continuation)
        }
    }
    private let state = Mutex(State())

    /// A closed gate.
    public init() {}

    /// Returns when the gate is open.
    ///
    /// - Throws: `CancellationError` where the task is cancelled first.
    public func pass() async throws {
        let key = newKey()
        defer { state.withLock { _ = $0.cancelled.remove(key) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (result, watchers): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>])
                (result, watchers) = state.withLock { state in
                    state.arrived += 1
                    let watchers = state.takeWatchers()
                    if state.cancelled.contains(key) { return (.failure(CancellationError()), watchers) }
                    if state.isOpen { return (.success(()), watchers) }
                    state.held[key] = continuation
                    return (nil, watchers)
                }
                if let result { continuation.resume(with: result) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(key)
                return state.held.removeValue(forKey: key)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Lets everyone pass from now on; opening twice changes nothing.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [:] }
            return state.held.values
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns when `count` tasks have come to the gate, whether they have passed it or not.
    public func waitForArrivals(_ count: Int = 1) async { await watch(count, key: newKey()) }

    /// Returns when the task, or what it waits for, has come to the gate.
    ///
    /// - Parameter what: what the task does, for a message.
    /// - Throws: what the task threw without coming here; ``ConformanceFailure`` where it ended without.
    func waitForArrival(of task: Task<some Sendable, any Error>, _ what: String) async throws {
        let key = newKey()
        Task {
            _ = await task.result
            abandon(key)
        }
        await watch(1, key: key)
        guard state.withLock({ $0.arrived == 0 }) else { return }
        _ = try await task.value
        throw ConformanceFailure("\(what) came to an end, and nothing was waited for")
    }

    private func newKey() -> Int {
        state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
    }

    private func watch(_ count: Int, key: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let isOver = state.arrived >= count || state.abandoned.contains(key)
                if !isOver { state.watchers.append((count, key, continuation)) }
                return isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func abandon(_ key: Int) {
        let watchers = state.withLock { state in
            state.abandoned.insert(key)
            defer { state.watchers.removeAll { $0.key == key } }
            return state.watchers.filter { $0.key == key }
        }
        for watcher in watchers { watcher.continuation.resume() }
    }
}
