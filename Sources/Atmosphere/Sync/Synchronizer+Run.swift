internal import Synchronization

extension Synchronizer {
    /// When ``run(_:)`` synchronizes.
    public struct Triggers: Sendable {
        /// This long after the last pull, whatever happened; nil for never.
        public var interval: Duration?
        /// As soon as something is saved, edited or deleted here.
        public var onEdit: Bool
        /// When the network comes back.
        public var reachability: (any Reachability)?

        public init(
            interval: Duration? = .seconds(300), onEdit: Bool = true, reachability: (any Reachability)? = nil
        ) {
            self.interval = interval
            self.onEdit = onEdit
            self.reachability = reachability
        }
    }

    /// Keeps the local copy in step until the task is cancelled: synchronizes at the start, at an interval, after edits,
    /// when the network comes back, and when ``requestSynchronization()`` is called.
    ///
    /// One round runs at a time; what asks for one meanwhile gets the next. An edit is pushed, and pulls only where a pull
    /// is due. While the server cannot be reached the pauses grow from one second to the interval. Where another process
    /// pushes, this one only pulls. One call runs at a time: make it where the application starts, not in each window.
    ///
    /// - Throws: ``SyncError`` `signInNeeded`, which no waiting mends, `wrongState` where it runs already;
    ///   ``StoreError``; `CancellationError`.
    public func run(_ triggers: Triggers = Triggers()) async throws {
        guard self.triggers.begin() else {
            throw SyncError(
                code: .wrongState,
                message: "run() is under way for this synchronizer; call it once, where the application starts")
        }
        defer { self.triggers.end() }
        let commits = store.commits()
        try await withThrowingTaskGroup(of: Void.self) { group in
            if triggers.onEdit {
                group.addTask { [box = self.triggers] in
                    for await commit in commits where commit.origin == .application { box.put(.edit) }
                    // The store was closed.
                    box.put(.end)
                }
            }
            if let reachability = triggers.reachability {
                group.addTask { [box = self.triggers] in
                    var wasReachable = true
                    for await isReachable in reachability.changes() {
                        if isReachable, !wasReachable { box.put(.reachable) }
                        wasReachable = isReachable
                    }
                }
            }
            defer { group.cancelAll() }
            try await rounds(triggers)
        }
    }

    private func rounds(_ triggers: Triggers) async throws {
        var failures = 0
        var nextPull = environment.now()
        self.triggers.put(.start)
        while true {
            let asked = await self.triggers.take()
            try Task.checkCancellation()
            if asked.contains(.end) { return }
            if activity.isPaused { continue }
            var isReached = try await runPush()
            // An edit needs no pull, and puts none off; everything else does.
            if isReached, asked != [.edit] || environment.now() >= nextPull {
                isReached = try await runPull()
                let now = environment.now()
                if isReached { nextPull = triggers.interval.map(now.advanced(by:)) ?? .distantFuture }
            }
            failures = isReached ? 0 : failures + 1
            let next = isReached ? nextPull : environment.now().advanced(by: pause(after: failures, triggers))
            self.triggers.wake(at: next, environment)
        }
    }

    private func pause(after failures: Int, _ triggers: Triggers) -> Duration {
        min(Backoff.delay(attempts: failures, random: environment.random()), triggers.interval ?? .seconds(300))
    }

    /// - Returns: whether the server was reached.
    private func runPush() async throws -> Bool {
        do {
            let report = try await push()
            if let reason = report.signInNeeded { throw SyncError(code: .signInNeeded, message: reason) }
            return report.unreachable == nil
        } catch let error as SyncError where error.code == .pushedElsewhere {
            return true
        }
    }

    private func runPull() async throws -> Bool {
        let kinds = try await pull().entities.values
        if let refused = kinds.first(where: { $0.problemKind == .signInNeeded }) {
            throw SyncError(code: .signInNeeded, message: refused.problem ?? "the credentials are not accepted")
        }
        return !kinds.contains { $0.problemKind == .network }
    }

    /// Asks ``run(_:)`` for a round now; pulling to refresh for instance.
    public func requestSynchronization() { triggers.put(.demand) }

    /// From now on ``run(_:)`` starts no round. What runs ends; ``push(entities:)``, ``pull(entities:options:)`` and local
    /// edits go on working when they are called.
    public func pause() { activity.isPaused = true }

    /// Ends ``pause()``; ``run(_:)`` starts a round at once.
    public func resume() {
        guard activity.isPaused else { return }
        activity.isPaused = false
        triggers.put(.demand)
    }
}

/// Says whether the network is there.
///
/// Write one over what the platform offers: on Apple's, `NWPathMonitor`. An `AsyncStream<Bool>` that something else fills
/// is enough.
public protocol Reachability: Sendable {
    /// Whether the network is there now, and each change of it. Each call gives a new sequence, which ends with the task
    /// that reads it.
    func changes() -> AsyncStream<Bool>
}

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
