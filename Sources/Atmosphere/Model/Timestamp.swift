/// A point in time in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds.
    public var milliseconds: Int64

    /// A point in time; negative before 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Later than every other point in time.
    static let distantFuture = Timestamp(milliseconds: .max)

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// This time moved by a duration, cut to whole milliseconds.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// How long it is from this time to another; negative where the other is earlier.
    public func duration(to other: Timestamp) -> Duration { .milliseconds(other.milliseconds - milliseconds) }
}
