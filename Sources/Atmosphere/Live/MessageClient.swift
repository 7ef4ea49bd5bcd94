/// Receives live updates and notifications, and stays connected by itself.
///
/// To write one: connect again after every loss, with pauses that grow and are spread by chance; resume where the server
/// offers it, and say ``MessageEvent/gap`` wherever something may have been missed. What the server sends is untrusted: bound
/// its size. ``MessageEvent/update(_:)`` and ``MessageEvent/notification(_:)`` say of the rest whether it can be used.
public protocol MessageClient: Sendable {
    /// Connects, and reports what arrives, one event at a time and in the order of arrival, until the task is cancelled.
    /// Called once. `receive` returns at once and keeps what it is given.
    ///
    /// - Throws: `CancellationError`; any other error only where no waiting can mend it, such as an address that cannot
    ///   be used. Returning says that nothing will ever arrive again.
    func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws

    /// Listens to these rooms, beside those that the client was made with, and to no others.
    ///
    /// Called before ``run(_:)`` and whenever the rooms change, from any task, one call at a time. It returns at once. With each
    /// connection the client asks for all rooms, and over a connection it tells the server the difference. What the
    /// server answers is ``MessageEvent/roomsJoined(_:)`` and ``MessageEvent/roomsRefused(_:)``. A room that is joined after
    /// the connection was made is followed by ``MessageEvent/gap``: nobody has told what was said in it before.
    ///
    /// Does nothing by default, for a client that hears what it was made to hear: ``Synchronizer/rooms()`` then shows of no room
    /// that the server lets it listen there.
    func listen(to rooms: [String])
}

extension MessageClient {
    public func listen(to rooms: [String]) {}
}

/// What a message client reports. The client makes it; what it means is the synchronizer's to know.
public struct MessageEvent: Sendable, Hashable {
    /// What is reported.
    package var content: Content

    private init(_ content: Content) { self.content = content }

    /// Connected and let in for the first time.
    public static let connected = MessageEvent(.connected(.new))
    /// Connected again, and everything that was missed follows, or has followed.
    public static let resumed = MessageEvent(.connected(.resumed))
    /// Connected, and something may have been missed that will never come: pull. Also said of a connection that goes on,
    /// where the server tells of a gap.
    public static let gap = MessageEvent(.connected(.gap))

    /// Not connected; it will be tried again.
    ///
    /// - Parameter reason: for people; holds no secret.
    public static func disconnected(reason: String) -> MessageEvent { MessageEvent(.disconnected(reason: reason)) }

    /// Nobody is let in with this key; it is tried again, but better mended. ``disconnected(reason:)`` follows. What may pass
    /// by itself, such as too many clients, is a ``disconnected(reason:)`` and nothing else.
    ///
    /// - Parameter reason: for people; holds no secret.
    public static func keyRefused(reason: String) -> MessageEvent { MessageEvent(.refused(.key(reason: reason))) }

    /// Let in, but not to listen to these rooms.
    public static func roomsRefused(_ rooms: [String]) -> MessageEvent { MessageEvent(.refused(.rooms(rooms))) }

    /// Let in, and listening to these rooms, which are asked for by ``MessageClient/listen(to:)`` or were from the start.
    public static func roomsJoined(_ rooms: [String]) -> MessageEvent { MessageEvent(.joined(rooms)) }

    /// News of one object, as an `update` event of a notification server says it:
    /// `{id, uri: {entity, id}, attributes | patch | edits | deleted: true, whole, version, next}`, with `whole: true` beside
    /// attributes that are all that the object has.
    ///
    /// Without a `uri` that can be used the event is ``unusable(reason:)``; where anything else cannot be used, it says of the
    /// object only that it has changed.
    public static func update(_ value: Value) -> MessageEvent {
        do { return .update(try LiveUpdate(value)) } catch { return .unusable(reason: error.description) }
    }

    /// Something for the application, as a `notification` event of a notification server says it: `{id, data}`; else
    /// ``unusable(reason:)``.
    public static func notification(_ value: Value) -> MessageEvent {
        do { return .notification(try LiveNotification(value)) } catch { return .unusable(reason: error.description) }
    }

    /// What a message calls itself, so that it is known when it comes twice; nil where that is no text of 1 to 256 bytes and
    /// no number. Without it the message counts all the same.
    static func identifier(_ value: Value?) -> String? {
        guard let id = value?.string ?? value?.number?.lexeme, (1...256).contains(id.utf8.count) else { return nil }
        return id
    }

    /// A message that cannot be used.
    ///
    /// - Parameter reason: why; holds nothing of the message.
    public static func unusable(reason: String) -> MessageEvent { MessageEvent(.unusable(reason: reason)) }

    /// What a message client reports, for who reads it.
    package enum Content: Sendable, Hashable {
        /// See ``MessageEvent/connected``, ``MessageEvent/resumed`` and ``MessageEvent/gap``.
        case connected(Continuity)
        /// See ``MessageEvent/disconnected(reason:)``.
        case disconnected(reason: String)
        /// The server lets the client listen to these rooms.
        case joined([String])
        /// The server refuses something that was asked for. A refused key is followed by ``disconnected(reason:)``.
        case refused(Refusal)
        /// News of one object.
        case update(LiveUpdate)
        /// Something for the application.
        case notification(LiveNotification)
        /// A message that cannot be used, and why; holds nothing of the message.
        case unusable(reason: String)
    }

    /// What a connection has to do with the one before.
    package enum Continuity: Sendable, Hashable {
        /// The first one.
        case new
        /// Everything that was missed follows, or has followed.
        case resumed
        /// Something may have been missed that will never come: pull.
        case gap
    }

    /// What a server does not give.
    package enum Refusal: Sendable, Hashable {
        /// Nobody is let in with this key, and why.
        case key(reason: String)
        /// Let in, but not to listen to these rooms.
        case rooms([String])

        /// For people; holds no secret.
        package var reason: String {
            switch self {
            case .key(let reason): return "the server refuses the key (\(reason))"
            case .rooms(let rooms):
                let names = rooms.prefix(10).joined(separator: ", ") + (rooms.count > 10 ? ", …" : "")
                return "the server refuses rooms: this key may not listen to \(names)"
            }
        }
    }

    /// Connected and let in.
    package static func connected(_ continuity: Continuity) -> MessageEvent { MessageEvent(.connected(continuity)) }
    /// The server lets the client listen to these rooms.
    package static func joined(_ rooms: [String]) -> MessageEvent { roomsJoined(rooms) }
    /// The server refuses something that was asked for.
    package static func refused(_ refusal: Refusal) -> MessageEvent { MessageEvent(.refused(refusal)) }
    /// News of one object that was read.
    package static func update(_ update: LiveUpdate) -> MessageEvent { MessageEvent(.update(update)) }
    /// A notification that was read.
    package static func notification(_ notification: LiveNotification) -> MessageEvent {
        MessageEvent(.notification(notification))
    }
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
