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

    /// What a server does not give.
    public enum Refusal: Sendable, Hashable {
        /// Nobody is let in with this key, and why; it is tried again, but better mended. What may pass by itself, such
        /// as too many clients, is a ``MessageEvent/disconnected(reason:)`` and nothing else.
        case key(reason: String)
        /// Let in, but not to listen to these rooms.
        case rooms([String])

        /// For people; holds no secret.
        package var reason: String {
            switch self {
            case .key(let reason): return "the server refuses the key (\(reason))"
            case .rooms(let rooms):
                let names = rooms.prefix(10).joined(separator: ", ") + (rooms.count > 10 ? ", …" : "")
                return "the server refuses rooms: this key may not listen to \(names), which live.rooms names"
            }
        }
    }

    /// Connected and let in; also said of a connection that goes on, where the server tells of a gap.
    case connected(Continuity)
    /// Not connected; it will be tried again. The reason is for people and holds no secret.
    case disconnected(reason: String)
    /// The server refuses something that was asked for. A refused key is followed by a ``disconnected(reason:)``.
    case refused(Refusal)
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
