/// The date formats of HTTP headers (RFC 9110 §5.6.7): IMF-fixdate is written, and the two older forms are read as well.
package enum HTTPDate {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07", "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12"
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`; nil for
    /// anything else.
    ///
    /// Of a year with two digits, 69 to 99 are 1969 to 1999, as in POSIX: no clock is asked.
    package static func parse(_ text: String) -> Instant? {
        // Most texts that are asked about are none: each form begins with the name of a day.
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) else {
            return nil
        }
        let words = text.split(separator: " ")
        switch words.count {
        case 6 where words[5] == "GMT": return instant(words[3], words[2], words[1], words[4])
        case 5:
            let day: Substring = words[2].utf8.count == 1 ? "0\(words[2])" : words[2]
            return instant(words[4], words[1], day, words[3])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]) else { return nil }
            return instant("\(year < 69 ? 20 : 19)\(date[2])", date[1], date[0], words[2])
        default: return nil
        }
    }

    private static func instant(_ year: Substring, _ month: Substring, _ day: Substring, _ time: Substring) -> Instant?
    {
        months[String(month)].flatMap { Instant("\(year)-\($0)-\(day)T\(time)Z") }
    }

    /// Writes the first form that ``parse(_:)`` reads; what is finer than a second is cut off.
    package static func text(_ instant: Instant) -> String {
        // `2024-01-02T03:04:05`, whatever the fraction.
        let whole = Array(Instant(seconds: instant.seconds).description)
        func digits(_ range: Range<Int>) -> String { String(whole[range]) }
        let month = months.first { $0.value == digits(5..<7) }?.key ?? ""
        let days = instant.seconds / 86_400 - (instant.seconds % 86_400 < 0 ? 1 : 0)
        let weekday = weekdays[Int((days % 7 + 7) % 7)]
        return "\(weekday), \(digits(8..<10)) \(month) \(digits(0..<4)) \(digits(11..<19)) GMT"
    }

    /// From that of 1970-01-01 on.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
}
