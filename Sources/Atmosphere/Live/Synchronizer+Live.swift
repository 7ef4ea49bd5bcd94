extension Synchronizer {
    /// Follows live updates until the task is cancelled: applies or fetches what they say, hands notifications to
    /// ``notifications()``, and catches up after a gap.
    ///
    /// An object that is being pushed waits for its outcome; one that is edited here is merged or conflicted, as with a
    /// pull; the echo of an own push costs no request. Where there is no connection everything else goes on;
    /// ``SyncStatus/live`` says so.
    ///
    /// - Parameters:
    ///   - client: nil for the one that `live` of the route file describes.
    ///   - catchUp: called after the first connection and after a gap, never twice at a time; whether the server was
    ///     reached. ``synchronize(options:)`` by default. An error ends following.
    /// - Throws: ``SyncError`` `wrongState` without a client; what the client throws for settings that cannot be used;
    ///   ``StoreError``; `CancellationError`.
    public func follow(
        _ client: (any MessageClient)? = nil, catchUp: (@Sendable () async throws -> Bool)? = nil
    ) async throws {
        try await LiveFollower(self, client: client, catchUp: catchUp).run()
    }

    /// What the server side tells this user, from the call on. It ends with the task that reads it; a reader who is more
    /// than a thousand behind loses the oldest.
    public func notifications() -> AsyncStream<LiveNotification> { live.notifications.subscribe() }

    /// Whether live updates arrive now.
    package var liveStatus: LiveStatus { live.status.last ?? .off }

    /// ``liveStatus`` now, and then each change of it.
    package func liveStatuses() -> AsyncStream<LiveStatus> { live.status.subscribe() }
}
