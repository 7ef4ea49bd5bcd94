/// Synchronizes at the start, at an interval, after edits, when the network comes back, and when somebody asks.
struct SyncRunner: Sendable {
    private let synchronizer: Synchronizer
    private let triggers: Synchronizer.Triggers

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var environment: SyncEnvironment { synchronizer.environment }
    private var activity: SyncActivities { synchronizer.activity }
    private var box: TriggerBox { synchronizer.triggers }

    init(_ synchronizer: Synchronizer, _ triggers: Synchronizer.Triggers) {
        self.synchronizer = synchronizer
        self.triggers = triggers
    }

    /// Runs until the task is cancelled or the store is closed. The caller has taken the synchronizer's ``TriggerBox``.
    func run() async throws {
        let commits = synchronizer.store.commits()
        // Nobody is asked any more, so nothing is known against it.
        defer { activity.hear(network: true) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if triggers.onEdit {
                group.addTask { [box] in
                    for await commit in commits where commit.origin == .application { box.put(.edit) }
                    // The store was closed.
                    box.put(.end)
                }
            }
            if let reachability = triggers.reachability, !RequestOrigin(routeFile.base).isLoopback {
                group.addTask { [box, activity] in
                    for await isThere in reachability.changes() where activity.hear(network: isThere) {
                        box.put(.reachable)
                    }
                }
            }
            defer { group.cancelAll() }
            try await rounds()
        }
    }

    private func rounds() async throws {
        var failures = 0
        var nextPull = environment.now()
        var next = nextPull
        box.put(.start)
        while true {
            let asked = await box.take()
            try Task.checkCancellation()
            if asked.contains(.end) { return }
            if activity.isPaused { continue }
            if asked == [.edit], activity.isNetworkAway {
                // It goes with the round that is due anyway, or with the one when the network comes back.
                box.wake(at: next, environment)
                continue
            }
            if asked.contains(.reachable) { failures = 0 }
            let isAsked = !asked.isSubset(of: [.edit, .timer])
            var isReached = try await push(isAsked: isAsked)
            // Neither an edit nor another try needs a pull, and they put none off; everything else does.
            if isReached, isAsked || isDue(nextPull) {
                isReached = try await pull()
                let now = environment.now()
                if isReached { nextPull = triggers.interval.map(now.advanced(by:)) ?? .distantFuture }
                // An edit that a pull has found in the application's own model layer, say.
                if isReached, try await hasUnsent() { isReached = try await push(isAsked: false) }
            }
            failures = isReached ? 0 : failures + 1
            // It is there after all, whatever the system says.
            if isReached { activity.hear(network: true) }
            if isReached {
                let nextTry = try await nextTry()
                next = min(nextPull, nextTry ?? .distantFuture)
            } else {
                next = environment.now().advanced(by: pause(after: failures))
            }
            box.wake(at: next, environment)
        }
    }

    /// Whether the time of the next pull has come; not by a clock that was set back alone.
    private func isDue(_ nextPull: Timestamp) -> Bool {
        let now = environment.now()
        guard let interval = triggers.interval else { return now >= nextPull }
        return !nextPull.isAwaited(at: now, atMost: interval)
    }

    /// Whether something waits that no push has tried yet.
    private func hasUnsent() async throws -> Bool {
        let held = try await synchronizer.heldChanges()
        return try await synchronizer.pending().contains { object in
            guard let outgoing = object.meta.outgoing, case .waiting = outgoing.phase else { return false }
            return outgoing.lastError == nil && object.meta.waitsFor.isEmpty && held[object.uri] == nil
                && synchronizer.missingOperation(object) == nil
        }
    }

    /// When the first of what failed, or waits for somebody's lease, is tried again; nil where nothing does.
    private func nextTry() async throws -> Timestamp? {
        let now = environment.now()
        return try await synchronizer.store.read { snapshot in
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

    private func pause(after failures: Int) -> Duration {
        min(Backoff.delay(attempts: failures, random: environment.random()), triggers.interval ?? .seconds(300))
    }

    /// - Returns: whether a pull has a chance: the server was reached, and where it shows its lists to who is signed in alone,
    ///   somebody is.
    private func push(isAsked: Bool) async throws -> Bool {
        do {
            let report = try await synchronizer.push(routeFile.resources, isAsked: isAsked)
            let leavesPull = report.leavesPull(to: routeFile)
            if let reason = report.signInNeeded, !leavesPull {
                throw SyncError(code: .signInNeeded, message: reason)
            }
            return leavesPull
        } catch let error as SyncError where error.code == .pushedElsewhere {
            return true
        }
    }

    private func pull() async throws -> Bool {
        let kinds = try await synchronizer.pull().entities.values
        if let refused = kinds.first(where: { $0.problemKind == .signInNeeded }) {
            throw SyncError(code: .signInNeeded, message: refused.problem ?? "the credentials are not accepted")
        }
        return !kinds.contains { [.unreached, .silent, .network].contains($0.problemKind) }
    }
}
