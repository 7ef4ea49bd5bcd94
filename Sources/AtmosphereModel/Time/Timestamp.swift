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

    /// How long ago this time was, for times that are kept. nil where it lies ahead: the clock was set back since, and nobody can
    /// tell.
    package func age(at now: Timestamp) -> Duration? { self <= now ? duration(to: now) : nil }

    /// Whether this time, which somebody waits for, is still to come. Nobody waits for longer than `longest`: one that lies farther
    /// ahead was reckoned before the clock was set back.
    package func isAwaited(at now: Timestamp, atMost longest: Duration) -> Bool {
        self > now && now.duration(to: self) <= longest
    }

    /// The whole second that begins at this time or next after it.
    package var secondAbove: Instant {
        let (second, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return Instant(seconds: rest > 0 ? second + 1 : second)
    }
}
