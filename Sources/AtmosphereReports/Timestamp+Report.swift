package import Atmosphere

extension Timestamp {
    /// In UTC, with milliseconds where there are any (RFC 3339).
    package var rfc3339: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let below = rest < 0
        return Instant(
            seconds: below ? seconds - 1 : seconds, nanoseconds: Int32(below ? rest + 1000 : rest) * 1_000_000
        ).description
    }
}
