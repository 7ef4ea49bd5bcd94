/// A cookie that an answer sets, or takes away (RFC 6265 §5.2).
struct SetCookie {
    let name: String
    let value: String
    private var age: Int64?
    private var expires: Timestamp?

    /// nil for a text without `=` before its first semicolon.
    init?(_ header: String) {
        var parts = header.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
        let first = parts.removeFirst()
        guard let value = first.value else { return nil }
        (name, self.value) = (first.name, value)
        for (name, value) in parts {
            switch (name.lowercased(), value) {
            // One that is no number counts for nothing (§5.2.2).
            case ("max-age", let value?): age = Int64(value) ?? age
            case ("expires", let value?): expires = HTTPDate.parse(Self.usual(value))?.timestamp ?? expires
            default: break
            }
        }
    }

    /// Whether a client forgets it at once (§5.3).
    func isOver(at now: Timestamp) -> Bool {
        if let age { return age <= 0 }
        return expires.map { $0 <= now } ?? false
    }

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trim)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// Many servers write `01-Jan-1970` with the day of the week in three letters.
    private static func usual(_ date: String) -> String {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].prefix { $0 != " " }.count == 4 ? parts.joined(separator: " ") : date
    }

    private static func trim(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
