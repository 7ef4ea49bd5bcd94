/// The date format of HTTP headers (RFC 9110 §5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07", "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12"
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    package static func parse(_ text: String) -> Instant? {
        // Most texts that are asked about are none.
        guard text.utf8.last == UInt8(ascii: "T") else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months[String(words[2])] else { return nil }
        return Instant("\(words[3])-\(month)-\(words[1])T\(words[4])Z")
    }

    /// Writes what ``parse(_:)`` reads; what is finer than a second is cut off.
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
