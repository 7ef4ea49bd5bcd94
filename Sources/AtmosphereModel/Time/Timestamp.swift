/// A point in time in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds.
    public var milliseconds: Int64

    /// A point in time; negative before 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Later than every other point in time.
    package static let distantFuture = Timestamp(milliseconds: .max)

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// This time moved by a duration, cut to whole milliseconds; no farther than 64 bits of milliseconds reach, for times
    /// and lengths also come from servers and files.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (length, isTooLarge) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(length)
        guard !isTooLong, !isTooLarge, !isTooFar else {
            return Timestamp(milliseconds: duration < .zero ? .min : .max)
        }
        return Timestamp(milliseconds: sum)
    }

    /// How long it is from this time to another; negative where the other is earlier.
    package func duration(to other: Timestamp) -> Duration {
        // A duration has 128 bits.
        .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
    }

    /// The whole second that begins at this time or next after it.
    package var secondAbove: Instant {
        let (second, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return Instant(seconds: rest > 0 ? second + 1 : second)
    }
}
