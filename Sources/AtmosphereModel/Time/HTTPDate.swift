/// The date format of HTTP headers (RFC 9110 §5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07", "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12"
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    package static func parse(_ text: String) -> Instant? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months[String(words[2])] else { return nil }
        return Instant("\(words[3])-\(month)-\(words[1])T\(words[4])Z")
    }
}
