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

    /// Listens to a room of the notification server, from now on and for as long as this process lives.
    ///
    /// It returns at once. Without a connection the room is kept, and asked for with each connection that ``follow(_:catchUp:)``
    /// makes. After the server has let the program in, what was told in the room before is caught up with. A refusal is told
    /// by ``rooms()``, and in the log. A room that is joined already stays so.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` for a name that is not of 1 to 256 bytes; `wrongState` where 256 rooms are joined.
    public func join(_ room: String) throws { try live.rooms.join(room) }

    /// Listens to a room no more, and tells the server so: now, or where there is no connection with the next one.
    ///
    /// A room that was not joined stays so. A room that `live.rooms` of the route file names is not left.
    public func leave(_ room: String) { live.rooms.leave(room) }

    /// The rooms that are joined, those that `live.rooms` names first: as they are now, and then after each change. It ends
    /// with the task that reads it.
    public func rooms() -> AsyncStream<[LiveRoom]> { live.rooms.subscribe() }

    /// Whether live updates arrive now.
    package var liveStatus: LiveStatus { live.status.last ?? .off }

    /// ``liveStatus`` now, and then each change of it.
    package func liveStatuses() -> AsyncStream<LiveStatus> { live.status.subscribe() }
}
