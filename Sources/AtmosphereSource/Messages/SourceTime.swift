internal import Atmosphere

/// Times of the source: microseconds since 1970, as texts of RFC 3339 and of HTTP.
enum SourceTime {
    /// `2024-01-02T03:04:05.000006Z`.
    static func text(microseconds: Int64) -> String {
        let (seconds, fraction) = divide(microseconds, 1_000_000)
        let (days, time) = divide(seconds, 86_400)
        return "\(date(days: days))T\(clock(time)).\(padded(fraction, 6))Z"
    }

    /// `Tue, 02 Jan 2024 03:04:05 GMT` (RFC 9110 §5.6.7).
    static func httpDate(microseconds: Int64) -> String {
        let (days, time) = divide(divide(microseconds, 1_000_000).quotient, 86_400)
        let (year, month, day) = civil(days: days)
        // 1970-01-01 was a Thursday.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(divide(days, 7).remainder)]
        return "\(weekday), \(padded(day, 2)) \(months[Int(month) - 1]) \(padded(year, 4)) \(clock(time)) GMT"
    }

    /// `2024-01-02`.
    static func date(days: Int64) -> String {
        let (year, month, day) = civil(days: days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Reads what a client may send as “changed since”: RFC 3339, an HTTP date, or seconds since 1970.
    static func microseconds(_ text: String) -> Int64? {
        if let instant = Instant(text) { return instant.seconds * 1_000_000 + Int64(instant.nanoseconds) / 1000 }
        if let seconds = Int64(text), (-(1 << 40)...1 << 40).contains(seconds) { return seconds * 1_000_000 }
        return HTTPDate.parse(text).map { $0.seconds * 1_000_000 }
    }

    static func isDate(_ text: String) -> Bool { Instant.day(text) != nil }

    /// `2024-01-02T03:04:05.006Z`.
    static func text(milliseconds: Int64) -> String {
        let text = text(microseconds: milliseconds * 1000)
        return "\(text.dropLast(4))Z"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
    ]

    private static func clock(_ seconds: Int64) -> String {
        "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Rounds down, also below zero.
    private static func divide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }

    /// The proleptic Gregorian date, found year by year and month by month from an estimate.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        var year = 1970 + divide(days * 400, 146_097).quotient
        while start(of: year) > days { year -= 1 }
        while start(of: year + 1) <= days { year += 1 }
        var rest = days - start(of: year)
        let isLeap = start(of: year + 1) - start(of: year) == 366
        for (index, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
            if rest < length { return (year, Int64(index) + 1, rest + 1) }
            rest -= Int64(length)
        }
        return (year, 12, 31)
    }

    /// The days from 1970-01-01 to the first day of a year.
    private static func start(of year: Int64) -> Int64 {
        let before = year - 1
        return 365 * (year - 1970) + divide(before, 4).quotient - divide(before, 100).quotient
            + divide(before, 400).quotient - 477
    }
}
