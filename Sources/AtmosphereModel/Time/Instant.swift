/// A point in time, exact to the nanosecond, read from the texts that APIs write.
///
/// Compares as time: `2026-01-02T03:04:05Z`, `2026-01-02T03:04:05.000Z` and `2026-01-02T04:04:05+01:00` are equal.
public struct Instant: Sendable, Hashable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before.
    public var seconds: Int64
    /// Of the second: 0 to 999,999,999.
    public var nanoseconds: Int32

    /// An instant of these parts; nothing is checked.
    ///
    /// - Parameter nanoseconds: of the second, 0 to 999,999,999; nothing is carried over.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Reads a date and time as RFC 3339 §5.6 writes it.
    ///
    /// A space may stand for the `T`; the fraction has up to nine digits; the offset may lack its colon or its minutes,
    /// and a text without any is taken as UTC. A leap second (`:60`) is the second that follows.
    ///
    /// - Returns: nil for everything else, and for days and times that do not exist.
    public init?(_ text: String) {
        var reader = TimeReader(text)
        guard let days = reader.date(), reader.skip("T", "t", " "), let time = reader.time() else { return nil }
        guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
        seconds = days * 86_400 + time - offset
        nanoseconds = fraction
    }

    /// To the millisecond below; no farther than 64 bits of milliseconds reach.
    package var timestamp: Timestamp {
        Timestamp(milliseconds: 0).advanced(by: .seconds(seconds))
            .advanced(by: .milliseconds(Int64(nanoseconds) / 1_000_000))
    }
}

extension Instant: Comparable {
    public static func < (left: Instant, right: Instant) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Instant {
    /// The days since 1970-01-01 of a text that is a date (`2026-01-02`), or an instant, of which the date as written
    /// counts.
    package static func day(_ text: String) -> Int64? {
        var reader = TimeReader(text)
        guard let days = reader.date(), reader.isAtEnd || Instant(text) != nil else { return nil }
        return days
    }
}

/// Reads the parts of a date and time, left to right.
private struct TimeReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ allowed: Unicode.Scalar...) -> Bool {
        guard let next = rest.first, allowed.contains(where: { UInt8(ascii: $0) == next }) else { return false }
        rest.removeFirst()
        return true
    }

    /// Exactly so many digits.
    private mutating func number(_ count: Int, in range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        return range.contains(number) ? number : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// Days since 1970-01-01.
    mutating func date() -> Int64? {
        guard let year = number(4, in: 0...9999), skip("-"), let month = number(2, in: 1...12), skip("-"),
            let day = number(2, in: 1...31), day <= Self.daysOfMonth(month, year)
        else { return nil }
        return Self.days(year, month, day)
    }

    /// Seconds since midnight.
    mutating func time() -> Int64? {
        guard let hour = number(2, in: 0...23), skip(":"), let minute = number(2, in: 0...59), skip(":"),
            let second = number(2, in: 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// In nanoseconds; 0 where there is none.
    mutating func fraction() -> Int32? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix(while: Self.isDigit)
        guard 1...9 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        let number = digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
        return (digits.count..<9).reduce(number) { number, _ in number * 10 }
    }

    /// In seconds east of Greenwich; 0 where there is none.
    mutating func offset() -> Int64? {
        if isAtEnd || skip("Z", "z") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("+", "-"), let hours = number(2, in: 0...23) else { return nil }
        var minutes: Int64 = 0
        if !isAtEnd {
            _ = skip(":")
            guard let number = number(2, in: 0...59) else { return nil }
            minutes = number
        }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private static func daysOfMonth(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// The proleptic Gregorian calendar, counted in years that begin in March, so that the leap day is the last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // One cycle of 400 years more keeps the year 0 from going below zero.
        let marchYear = (month > 2 ? year : year - 1) + 400
        let marchMonth = (month + 9) % 12
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        return days - 146_097 - 719_468
    }
}
