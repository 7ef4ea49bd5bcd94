/// What Atmosphere itself knows of one object: its state, its base, its version and what is still to be sent.
///
/// An object without a meta object is unknown to synchronization. The application never writes one.
public struct MetaObject: Sendable, Hashable {
    /// The object's address; changes with its identifier when the server has given a permanent one.
    public var uri: ObjectURI
    /// The identifier as the server writes it; temporary until the server has answered the create.
    public var id: ObjectID
    /// Where the object stands, with its base and what is to be sent.
    package var state: State
    /// Counts local edits, so that an edit made while a push is on the wire is recognized.
    package var revision: Int64
    /// Objects the server does not know yet and that this one refers to; it is sent after them.
    public var waitsFor: [ObjectURI]
    /// Contents that wait to be uploaded, in their order, once the server has the object and its other changes. An object
    /// that has some is not synchronized.
    public var uploads: [Upload] = []

    /// A meta object that was never edited and waits for nothing, unless `revision` and `waitsFor` say otherwise.
    package init(
        uri: ObjectURI, id: ObjectID, state: State, revision: Int64 = 0, waitsFor: [ObjectURI] = []
    ) {
        self.uri = uri
        self.id = id
        self.state = state
        self.revision = revision
        self.waitsFor = waitsFor
    }

    /// Where the object stands between here and the server. There are no other combinations.
    package enum State: Sendable, Hashable {
        /// The working record is the base; nothing is to be sent.
        case synchronized(Confirmed)
        /// The server does not know the object. `deleting`: it was deleted here after the create may have been sent,
        /// so the delete waits for the create's outcome.
        case created(Change, deleting: Bool)
        /// The working record differs from the base.
        case updated(Confirmed, Change)
        /// Deleted here (no working record), not yet on the server.
        case deleted(Confirmed, Change)
    }

    /// What the server last confirmed.
    package struct Confirmed: Sendable, Hashable {
        /// The record as the server last confirmed it.
        package var base: ObjectRecord
        /// The version token the base came with: an ETag, a field's text; nil where versions are compared by content.
        package var version: String?
        /// The start sequence of the request that set the base. A representation requested earlier is ignored.
        package var sequence: Int64
        /// Members that the server has set since, or may have, for content of this client, or for an edit or an action that was
        /// sent at once, and has not shown: the base has their values from before.
        package var stale: [String]

        /// What a request with this start sequence has shown.
        package init(base: ObjectRecord, version: String? = nil, sequence: Int64, stale: [String] = []) {
            self.base = base
            self.version = version
            self.sequence = sequence
            self.stale = stale
        }

        /// Whether the server has set a member since, or may have.
        package func isStale(_ member: String) -> Bool { stale.contains { $0.hasSameBytes(as: member) } }
    }

    /// The server's side of a conflict; base and mine are the state's base and the working record.
    public struct Conflict: Sendable, Hashable {
        /// The server's record; nil when the server deleted the object.
        public var theirs: ObjectRecord?
        /// The version of ``theirs``.
        package var version: String?
        /// The start sequence of the request that showed it.
        package var sequence: Int64
        /// What the sides are at odds about.
        package var cause: Cause
        /// What was sent before without an answer and must not be sent twice, an action or an upload: once the sides are
        /// joined its outcome is unknown again.
        package var lost: Attempt?

        /// What two sides can be at odds about.
        package enum Cause: Sendable, Hashable {
            /// Both have changed these members.
            case clash([String])
            /// One has deleted the object, and the other has edited it.
            case deletion
            /// The server refuses the change each time, as made to an older version than the one that it shows.
            case refusedEachTime
            /// Somebody else has the edit lease; a push tries again from then on, without a person.
            case leased(until: Timestamp)
        }

        /// The members that both sides changed; empty for a conflict about something else.
        public var fields: [String] { if case .clash(let fields) = cause { fields } else { [] } }

        /// When a push tries again by itself: where somebody else has the edit lease. nil where a person decides.
        public var retryAt: Timestamp? { if case .leased(let until) = cause { until } else { nil } }

        /// A conflict with what the server shows; nil where it has deleted the object.
        package init(_ cause: Cause, theirs: ObjectRecord?, version: String?, sequence: Int64) {
            self.cause = cause
            self.theirs = theirs
            self.version = version
            self.sequence = sequence
        }
    }

    /// Why the last try failed.
    public struct Failure: Sendable, Hashable {
        /// The HTTP status; nil where there was no answer.
        public var status: Int?
        /// For a person; never holds a secret or a body.
        public var message: String
        /// The server's messages by field, in the server's order.
        public var fields: [FieldMessage]

        /// A failure; of `message` and `fields` nothing may be secret.
        package init(status: Int? = nil, message: String, fields: [FieldMessage] = []) {
            self.status = status
            self.message = message
            self.fields = fields
        }

        /// The message in one line, with what the server said of single fields where it does not hold that already.
        package var summary: String {
            let others = fields.lines(missingIn: message)
            return others.isEmpty ? message : "\(message) (\(others.joined(separator: "; ")))"
        }
    }

    /// What the server said of one member.
    public struct FieldMessage: Sendable, Hashable {
        /// As the record calls it.
        public var field: String
        /// In the server's words, without what may be secret.
        public var message: String

        /// A message for one member.
        package init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }
}

extension MetaObject {
    /// The change on its way to the server; nil when synchronized.
    package var outgoing: Change? {
        get {
            switch state {
            case .synchronized: nil
            case .created(let outgoing, _), .updated(_, let outgoing), .deleted(_, let outgoing): outgoing
            }
        }
        set {
            guard let newValue else { return }
            switch state {
            case .synchronized: break
            case .created(_, let deleting): state = .created(newValue, deleting: deleting)
            case .updated(let confirmed, _): state = .updated(confirmed, newValue)
            case .deleted(let confirmed, _): state = .deleted(confirmed, newValue)
            }
        }
    }

    /// What the server last confirmed; nil for an object that it does not know.
    package var confirmed: Confirmed? {
        get {
            switch state {
            case .synchronized(let confirmed), .updated(let confirmed, _), .deleted(let confirmed, _): confirmed
            case .created: nil
            }
        }
        set {
            guard let newValue else { return }
            switch state {
            case .synchronized: state = .synchronized(newValue)
            case .updated(_, let outgoing): state = .updated(newValue, outgoing)
            case .deleted(_, let outgoing): state = .deleted(newValue, outgoing)
            case .created: break
            }
        }
    }

    /// The record as the server last confirmed it; nil for an object that it does not know.
    public var base: ObjectRecord? { confirmed?.base }

    /// Edited here and not yet on the server.
    public var isChanged: Bool { outgoing != nil }

    /// Never confirmed by the server.
    package var isLocalOnly: Bool { if case .created = state { true } else { false } }

    /// Deleted here and not yet on the server.
    package var isDeleted: Bool {
        switch state {
        case .deleted, .created(_, deleting: true): true
        default: false
        }
    }
}

extension MetaObject {
    /// What the server has last shown of the object as a whole: what it confirmed, or what a conflict is about.
    package var lastShown: ObjectRecord? {
        if case .conflicted(let conflict) = outgoing?.phase, let theirs = conflict.theirs { return theirs }
        return confirmed?.base
    }

    /// The same of an object that the server has confirmed, with its version.
    package var newest: Confirmed? {
        guard var newest = confirmed else { return nil }
        if case .conflicted(let conflict) = outgoing?.phase, let theirs = conflict.theirs {
            (newest.base, newest.version, newest.sequence) = (theirs, conflict.version, conflict.sequence)
        }
        return newest
    }
}
