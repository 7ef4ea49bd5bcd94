internal import Synchronization

/// What asks for a round of ``Synchronizer/run(_:)``, until it is taken.
final class TriggerBox: Sendable {
    enum Cause: Sendable, Hashable {
        case start, edit, timer, reachable, demand, end
    }

    private struct State {
        var isTaken = false
        var causes: Set<Cause> = []
        var reader: CheckedContinuation<Void, Never>?
        var alarm: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func put(_ cause: Cause) {
        let reader = state.withLock { state in
            state.causes.insert(cause)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Forgets what an earlier run has left.
    ///
    /// - Returns: whether nobody else takes the causes.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isTaken else { return false }
            state.isTaken = true
            state.causes = []
            return true
        }
    }

    /// From now on somebody else may take them.
    func end() { state.withLock { $0.isTaken = false } }

    /// Waits for a cause, or for the end of the task.
    func take() async -> Set<Cause> {
        await withTaskCancellationHandler {
            while true {
                let causes = state.withLock { state in
                    defer { state.causes = [] }
                    if !state.causes.isEmpty { state.alarm.take()?.cancel() }
                    return state.causes
                }
                if !causes.isEmpty || Task.isCancelled { return causes }
                await withCheckedContinuation { continuation in
                    let isLate = state.withLock { state in
                        if !state.causes.isEmpty { return true }
                        state.reader = continuation
                        return false
                    }
                    if isLate { continuation.resume() }
                }
            }
        } onCancel: {
            put(.end)
        }
    }

    /// Puts the timer's cause at that time, unless something else comes first.
    func wake(at time: Timestamp, _ environment: SyncEnvironment) {
        guard time != .distantFuture else { return }
        let alarm = Task { [weak self] in
            do { try await environment.sleep(time) } catch { return }
            if !Task.isCancelled { self?.put(.timer) }
        }
        state.withLock { state in
            state.alarm?.cancel()
            state.alarm = alarm
        }
    }

    deinit { state.withLock { $0.alarm?.cancel() } }
}
