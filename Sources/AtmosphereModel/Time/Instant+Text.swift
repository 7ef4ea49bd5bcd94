extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC, with as many digits of the fraction as it has, in groups of three.
    public var description: String {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            days -= 1
            rest += 86_400
        }
        let (year, month, day) = Self.date(daysSinceEpoch: days)
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let time = "\(Self.padded(rest / 3600, 2)):\(Self.padded(rest / 60 % 60, 2)):\(Self.padded(rest % 60, 2))"
        return "\(date)T\(time)\(fraction)Z"
    }

    /// This instant in the form in which an API wrote another one: the same separator, as many digits of the fraction,
    /// the same offset, or none.
    ///
    /// - Parameter lexeme: a text that ``init(_:)`` or ``HTTPDate`` reads, or a date; anything else gives ``description``.
    package func text(like lexeme: String) -> String {
        if HTTPDate.parse(lexeme) != nil { return HTTPDate.text(self) }
        if lexeme.utf8.count == 10, Instant.day(lexeme) != nil { return String(description.prefix(10)) }
        let separator = lexeme.dropFirst(10).prefix(1)
        let fraction = lexeme.dropFirst(19).prefix { $0 == "." || $0.isNumber }
        let offset = lexeme.dropFirst(19 + fraction.count)
        guard let written = Instant(lexeme), let local = Instant(String(lexeme.dropLast(offset.count))) else {
            return description
        }
        let whole = moved(by: .seconds(local.seconds - written.seconds)).description
        let digits = Self.padded(Int64(nanoseconds), 9).prefix(max(0, fraction.count - 1))
        return "\(whole.prefix(10))\(separator)\(whole.dropFirst(11).prefix(8))"
            + (fraction.isEmpty ? "" : ".\(digits)") + offset
    }

    /// The first and the last second that can be written (RFC 3339: years of four digits).
    package static let writable = Int64(-62_167_219_200)...253_402_300_799

    /// The instant that lies `duration` later, or earlier where it is negative; no farther than the years 0 to 9999 reach,
    /// beyond which no text can say it.
    package func moved(by duration: Duration) -> Instant {
        let (whole, attoseconds) = duration.components
        let (sum, isTooFar) = self.seconds.addingReportingOverflow(whole)
        guard !isTooFar, Self.writable.contains(sum) else {
            return Instant(seconds: whole < 0 ? Self.writable.lowerBound : Self.writable.upperBound)
        }
        var seconds = sum
        var nanoseconds = Int64(nanoseconds) + attoseconds / 1_000_000_000
        if nanoseconds < 0 {
            nanoseconds += 1_000_000_000
            seconds = max(seconds - 1, Self.writable.lowerBound)
        } else if nanoseconds >= 1_000_000_000 {
            nanoseconds -= 1_000_000_000
            seconds = min(seconds + 1, Self.writable.upperBound)
        }
        return Instant(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    private var fraction: String {
        let nanoseconds = Int64(nanoseconds)
        if nanoseconds == 0 { return "" }
        if nanoseconds % 1_000_000 == 0 { return "." + Self.padded(nanoseconds / 1_000_000, 3) }
        if nanoseconds % 1000 == 0 { return "." + Self.padded(nanoseconds / 1000, 6) }
        return "." + Self.padded(nanoseconds, 9)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// A day of the proleptic Gregorian calendar, counted in years that begin in March so that leap days come last.
    private static func date(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let calendarMonth = month < 10 ? month + 3 : month - 9
        return (
            yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
