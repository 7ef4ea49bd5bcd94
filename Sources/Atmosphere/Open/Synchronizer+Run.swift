extension Synchronizer {
    /// When ``run(_:)`` synchronizes.
    public struct Triggers: Sendable {
        let interval: Duration?
        let onEdit: Bool
        let reachability: (any Reachability)?

        /// Every 300 seconds and after each edit, whatever the network is said to be, where nothing else is given.
        ///
        /// - Parameters:
        ///   - interval: this long after the last pull, whatever happened; nil for never.
        ///   - onEdit: as soon as something is saved, edited or deleted here.
        ///   - reachability: at once when the network comes back. While the network is away an edit asks for no round of
        ///     its own, which would only fail. A server on this machine needs no network, so nothing is asked then.
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
        try await SyncRunner(self, triggers).run()
    }

    /// Asks ``run(_:)`` for a round now; pulling to refresh for instance.
    public func requestSynchronization() { triggers.put(.demand) }

    /// From now on ``run(_:)`` starts no round. What runs ends; ``push(entities:)``, ``pull(entities:options:)`` and local
    /// edits go on working when they are called.
    public func pause() { activity.isPaused = true }

    /// Ends ``pause()``; ``run(_:)`` starts a round at once. Whether the server can be reached is not known before.
    public func resume() {
        guard activity.isPaused else { return }
        activity.isPaused = false
        triggers.put(.demand)
    }
}
