extension Synchronizer {
    /// When ``run(_:)`` synchronizes.
    public struct Triggers: Sendable {
        /// This long after the last pull, whatever happened; nil for never.
        public var interval: Duration?
        /// As soon as something is saved, edited or deleted here.
        public var onEdit: Bool
        /// At once when the network comes back. While it is away an edit asks for no round of its own, which would only
        /// fail. A server on this machine needs no network, so nothing is asked then.
        public var reachability: (any Reachability)?

        /// Every 300 seconds and after each edit, whatever the network is said to be.
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
    /// is due; what failed is tried again when the status says, without a pull, and no sooner for the edit of something else.
    /// While the server cannot be reached the pauses grow from one second to the interval, and begin anew when the network
    /// comes back. Where another process pushes, this one only pulls. One call runs at a time: make it where the
    /// application starts, not in each window.
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
        // Nobody is asked any more, so nothing is known against it.
        defer { activity.hear(network: true) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if triggers.onEdit {
                group.addTask { [box = self.triggers] in
                    for await commit in commits where commit.origin == .application { box.put(.edit) }
                    // The store was closed.
                    box.put(.end)
                }
            }
            if let reachability = triggers.reachability, !RequestOrigin(routeFile.base).isLoopback {
                group.addTask { [box = self.triggers, activity = self.activity] in
                    for await isThere in reachability.changes() where activity.hear(network: isThere) {
                        box.put(.reachable)
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
        var next = nextPull
        self.triggers.put(.start)
        while true {
            let asked = await self.triggers.take()
            try Task.checkCancellation()
            if asked.contains(.end) { return }
            if activity.isPaused { continue }
            if asked == [.edit], activity.isNetworkAway {
                // It goes with the round that is due anyway, or with the one when the network comes back.
                self.triggers.wake(at: next, environment)
                continue
            }
            if asked.contains(.reachable) { failures = 0 }
            let isAsked = !asked.isSubset(of: [.edit, .timer])
            var isReached = try await runPush(isAsked: isAsked)
            // Neither an edit nor another try needs a pull, and they put none off; everything else does.
            if isReached, isAsked || environment.now() >= nextPull {
                isReached = try await runPull()
                let now = environment.now()
                if isReached { nextPull = triggers.interval.map(now.advanced(by:)) ?? .distantFuture }
                // An edit that a pull has found in the application's own model layer, say.
                if isReached, try await hasUnsent() { isReached = try await runPush(isAsked: false) }
            }
            failures = isReached ? 0 : failures + 1
            // It is there after all, whatever the system says.
            if isReached { activity.hear(network: true) }
            if isReached {
                next = min(nextPull, try await nextTry() ?? .distantFuture)
            } else {
                next = environment.now().advanced(by: pause(after: failures, triggers))
            }
            self.triggers.wake(at: next, environment)
        }
    }

    /// Whether something waits that no push has tried yet.
    private func hasUnsent() async throws -> Bool {
        try await pending().contains { object in
            guard let outgoing = object.meta.outgoing, case .waiting = outgoing.phase else { return false }
            return outgoing.lastError == nil && object.meta.waitsFor.isEmpty && missingOperation(object) == nil
        }
    }

    /// When the first of what failed, or waits for somebody's lease, is tried again; nil where nothing does.
    private func nextTry() async throws -> Timestamp? {
        let now = environment.now()
        return try await store.read { snapshot in
            try snapshot.changed(entity: nil, after: nil, limit: .max).compactMap { meta in
                guard self.routeFile.resource(meta.uri.entity) != nil, let outgoing = meta.outgoing else { return nil }
                switch outgoing.phase {
                case .conflicted(let conflict): return conflict.retryAt
                case .rejected: return nil
                case .waiting, .sending, .unknown: return outgoing.retry.due
                }
            }.filter { $0 > now }.min()
        }
    }

    private func pause(after failures: Int, _ triggers: Triggers) -> Duration {
        min(Backoff.delay(attempts: failures, random: environment.random()), triggers.interval ?? .seconds(300))
    }

    /// - Returns: whether the server was reached.
    private func runPush(isAsked: Bool) async throws -> Bool {
        do {
            let report = try await push(routeFile.resources, isAsked: isAsked)
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
