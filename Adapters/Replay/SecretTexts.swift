internal import AtmosphereExchange

/// Texts to take out wherever they stand.
///
/// Those of less than 16 bytes, which could be words, are taken out as whole words only, and those of less than eight only
/// where they are declared to be secrets and are neither a word nor a number (``isTelling(_:)``): a name or a short password
/// stands in paths and records by chance, and what is recorded must still be what was meant. A letter that is none of ASCII ends a word: a language without spaces, or quotation marks of its own, is no reason
/// to keep a secret.
struct SecretTexts {
    private struct Pattern: Hashable {
        var bytes: [UInt8]
        var isWord: Bool
        /// A word that is found nowhere but alone.
        var isShort: Bool
    }

    static let shortest = 8
    /// From here on nothing is there by chance.
    private static let longestWord = 16

    private let patterns: [Pattern]

    /// As they are, as URLs and JSON have them, and in hexadecimal and Base64, also in the middle of what was encoded with
    /// them. Longer ones go first, for one may be a part of another.
    ///
    /// - Parameters:
    ///   - secrets: that were found in what passed.
    ///   - declared: that somebody has said are secrets.
    init(_ secrets: some Sequence<String>, declared: some Sequence<String> = [String]()) {
        var patterns: Set<Pattern> = []
        let long = secrets.filter { $0.utf8.count >= Self.shortest }
        for text in Set(long).union(declared.filter(Self.isTelling)) {
            let isShort = text.utf8.count < Self.shortest
            let isWord = text.utf8.count < Self.longestWord
            for form in [
                Array(text.utf8), Array(PercentEncoding.query(text).utf8),
                Array(Value.string(text).json().dropFirst().dropLast())
            ] {
                patterns.insert(Pattern(bytes: form, isWord: isWord, isShort: isShort))
            }
            for form in Self.encoded(Array(text.utf8)) {
                patterns.insert(Pattern(bytes: form, isWord: isShort, isShort: isShort))
            }
        }
        self.patterns = patterns.sorted { $0.bytes.count > $1.bytes.count }
    }

    /// The bytes in hexadecimal and in Base64 (RFC 4648), both alphabets. Where other bytes stand in front, as in
    /// `Basic base64(name:password)`, what they have no part in: of a few bits at both ends nothing can be made.
    private static func encoded(_ bytes: [UInt8]) -> [[UInt8]] {
        let digits = Array("0123456789abcdef".utf8)
        let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        var forms = [hex, Array(String(decoding: hex, as: UTF8.self).uppercased().utf8)]
        for ahead in 0..<3 {
            // Of a short one too little is left in the middle of others.
            if ahead > 0, bytes.count < shortest { break }
            let text = Array(Base64.encode([UInt8](repeating: 0, count: ahead) + bytes).utf8)
            let first = (8 * ahead + 5) / 6
            let form = Array(text[first..<(8 * (ahead + bytes.count) / 6)])
            forms.append(form)
            let safe = form.map { byte in
                byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
            }
            forms += [safe, Array(PercentEncoding.query(String(decoding: form, as: UTF8.self)).utf8)]
        }
        return forms
    }

    /// Whether a declared secret is taken out of texts: from eight bytes on, and from four on where it has letters and
    /// something else, and is no number.
    static func isTelling(_ text: String) -> Bool {
        let count = text.utf8.count
        guard count < shortest else { return true }
        return count >= Redaction.shortest && text.contains { $0.isLetter } && !text.allSatisfy { $0.isLetter }
            && JSONNumber(text) == nil
    }

    func removed(from bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for pattern in patterns { bytes = Self.removed(pattern, from: bytes) }
        return bytes
    }

    func removed(from text: String) -> String { String(decoding: removed(from: Array(text.utf8)), as: UTF8.self) }

    /// A URL without them in its parameters and in the segments of its path, but for those that the route file says. A segment
    /// may begin or end with one: `/bot123456:ABC/send`. Those that are no words go from names and from the host as well.
    func removed(fromURL text: String, keeping segments: Set<String>) -> String {
        var url = SentURL(text)
        url.origin = removed(from: url.origin) { !$0.isWord }
        let path = url.path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard !segments.contains(String(segment)) else { return String(segment) }
            let bytes = patterns.reduce(Array(segment.utf8)) { Self.removed($1, from: $0, orAtEnds: !$1.isShort) }
            return String(decoding: bytes, as: UTF8.self)
        }.joined(separator: "/")
        url.path = removed(from: path) { !$0.isWord && $0.bytes.contains(UInt8(ascii: "/")) }
        for index in url.query.indices {
            url.query[index].name = removed(from: url.query[index].name) { !$0.isWord }
            url.query[index].value = removed(from: url.query[index].value)
        }
        return url.text
    }

    /// What replaces one that has slashes has as many, so that a path keeps its length.
    private func removed(from text: String, where isLookedFor: (Pattern) -> Bool) -> String {
        let bytes = patterns.filter(isLookedFor).reduce(Array(text.utf8)) { bytes, pattern in
            let slashes = pattern.bytes.count { $0 == UInt8(ascii: "/") }
            let marks = Array(repeating: CassetteRedaction.mark, count: slashes + 1)
            return Self.removed(pattern, from: bytes, by: marks.joined(separator: "/"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter orAtEnds: also a word that stands at the beginning or the end of a longer one.
    private static func removed(
        _ pattern: Pattern, from bytes: [UInt8], orAtEnds: Bool = false, by mark: String = CassetteRedaction.mark
    ) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == pattern.bytes[0], bytes[index...].starts(with: pattern.bytes),
                !pattern.isWord || isWord(bytes, index..<index + pattern.bytes.count)
                    || orAtEnds && (index == 0 || index + pattern.bytes.count == bytes.count)
            {
                result += mark.utf8
                index += pattern.bytes.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Whether no letter or digit stands before or behind; those of an escape (`%3D`, `\n`, `\u000a`) are none.
    private static func isWord(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        if range.upperBound < bytes.count, isLetter(bytes[range.upperBound]) { return false }
        guard range.lowerBound > 0, isLetter(bytes[range.lowerBound - 1]) else { return true }
        let before = bytes[..<range.lowerBound].suffix(6)
        return before.dropLast(2).last == UInt8(ascii: "%") || before.dropLast(1).last == UInt8(ascii: "\\")
            || before.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
