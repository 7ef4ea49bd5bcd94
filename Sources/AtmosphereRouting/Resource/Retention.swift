/// How long a copy of an object is kept here. What it drops stays on the server.
package struct Retention: Sendable, Hashable {
    /// Objects whose time lies farther back are dropped.
    package var keep: Duration
    /// The member that holds the time, of a declared type that is a time or a day.
    package var field: String

    /// Keeps what is younger, by the time in a member.
    package init(keep: Duration, field: String) {
        self.keep = keep
        self.field = field
    }
}
