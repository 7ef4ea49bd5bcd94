/// Objects of one entity by state; an object counts in `objects` when it has a working record.
public struct StateCounts: Sendable, Hashable {
    /// Those with a working record, whatever their state.
    public var objects = 0
    /// All that are not synchronized; the following say of them what they are, and one may be several.
    public var changed = 0
    /// New ones that the server does not know.
    public var localOnly = 0
    /// Deleted here, which the server does not know yet.
    public var deleted = 0
    /// A person has to decide.
    public var conflicted = 0
    /// The server refused them for good, or they could not be sent.
    public var rejected = 0
    /// Sent without an answer.
    public var unknown = 0

    /// No objects in any state.
    public init() {}

    /// Adds one object that is not synchronized.
    public mutating func count(_ meta: MetaObject) {
        guard let outgoing = meta.outgoing else { return }
        changed += 1
        if meta.isLocalOnly { localOnly += 1 }
        if meta.isDeleted { deleted += 1 }
        switch outgoing.phase {
        case .waiting, .sending: break
        case .unknown: unknown += 1
        case .conflicted: conflicted += 1
        case .rejected: rejected += 1
        }
    }
}
