/// Receives live updates and notifications, and stays connected by itself.
///
/// To write one: connect again after every loss, with pauses that grow and are spread by chance; resume where the server
/// offers it, and say ``MessageEvent/Continuity/gap`` wherever something may have been missed. What the server sends is
/// untrusted: bound its size, and hand over only what ``LiveUpdate/init(_:)`` and ``LiveNotification/init(_:)`` take.
public protocol MessageClient: Sendable {
    /// Connects, and reports what arrives, one event at a time and in the order of arrival, until the task is cancelled.
    /// Called once. `receive` returns at once and keeps what it is given.
    ///
    /// - Throws: `CancellationError`; any other error only where no waiting can mend it, such as an address that cannot
    ///   be used. Returning says that nothing will ever arrive again.
    func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws
}

/// What a message client reports.
public enum MessageEvent: Sendable, Hashable {
    /// What a connection has to do with the one before.
    public enum Continuity: Sendable, Hashable {
        /// The first one.
        case new
        /// Everything that was missed follows, or has followed.
        case resumed
        /// Something may have been missed that will never come: pull.
        case gap
    }

    /// Connected and let in; also said of a connection that goes on, where the server tells of a gap.
    case connected(Continuity)
    /// Not connected; it will be tried again. The reason is for people and holds no secret.
    case disconnected(reason: String)
    /// News of one object.
    case update(LiveUpdate)
    /// Something for the application.
    case notification(LiveNotification)
    /// A message that cannot be used, and why; holds nothing of the message.
    case unusable(reason: String)
}

/// Whether live updates arrive.
public enum LiveStatus: Sendable, Hashable {
    /// Nobody follows them.
    case off
    /// The first connection is being made; after a loss it is ``disconnected(since:reason:)``.
    case connecting
    /// Connected and let in since that time.
    case connected(since: Timestamp)
    /// Everything else goes on; what others change is seen with the next pull.
    case disconnected(since: Timestamp, reason: String)
}
