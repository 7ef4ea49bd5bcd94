/// How one object stands to the server, for an application to show.
public enum ObjectStatus: Sendable, Hashable {
    /// What the application would do to the server's object.
    public enum Change: String, Sendable, Hashable {
        /// Which of the three requests is to be sent.
        case create, update, delete
    }

    /// Why a change has not been sent.
    public enum Reason: Sendable, Hashable {
        /// The next push sends it.
        case push
        /// These objects have to be on the server first.
        case parents([ObjectURI])
        /// A try failed; the next one is due then.
        case retry(at: Timestamp?, after: MetaObject.Failure)
    }

    /// As the server last said, with nothing of its own to send.
    case synchronized
    /// Kept here and not sent yet, for the reason given.
    case waiting(Change, Reason)
    /// On the wire, or was when the process ended.
    case sending(Change)
    /// Both sides changed; a person decides with ``Synchronizer/resolve(_:_:)``.
    case conflicted(Change, MetaObject.Conflict)
    /// The server refused it for good; edit, ``Synchronizer/retry(_:)`` or ``Synchronizer/discard(_:)``.
    case rejected(Change, MetaObject.Failure)
    /// Sent without an answer, and nothing tells whether it happened; see ``Synchronizer/resolve(_:_:)``.
    case unknown(Change)
}

extension ObjectStatus {
    /// What waits to be sent; nil where nothing does.
    public var change: Change? {
        switch self {
        case .synchronized: nil
        case .waiting(let change, _), .sending(let change), .conflicted(let change, _), .rejected(let change, _),
            .unknown(let change):
            change
        }
    }

    /// A person must decide, or nothing more happens to the object.
    public var needsDecision: Bool {
        switch self {
        case .conflicted, .rejected, .unknown: true
        case .synchronized, .waiting, .sending: false
        }
    }
}
