/// How long a copy of an object is kept here. What it drops stays on the server.
public struct Retention: Sendable, Hashable {
    /// Objects whose time lies farther back are dropped.
    public var keep: Duration
    /// The member that holds the time, of a declared type that is a time or a day.
    public var field: String

    /// Keeps what is younger, by the time in a member.
    public init(keep: Duration, field: String) {
        self.keep = keep
        self.field = field
    }

    /// The objects of an entity that are older; without a time that can be read an object is none of them.
    func expired(_ entity: String, type: FieldType?, at now: Timestamp) -> Query {
        let limit = Instant(seconds: 0).moved(by: .milliseconds(now.milliseconds)).moved(by: .zero - keep).description
        // A day is over when the next has begun.
        let text = type == .date ? String(limit.prefix(10)) : limit
        return Query(entity, where: [.init(field, .less, .string(text), type: type)])
    }
}
