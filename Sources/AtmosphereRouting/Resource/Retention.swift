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
}
