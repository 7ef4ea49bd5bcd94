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

    static let shortest = SecretForms.shortest
    /// From here on nothing is there by chance.
    private static let longestWord = 16

    private let patterns: [Pattern]

    /// As they are, and in hexadecimal and Base64 (``SecretForms``), also in the middle of what was encoded with them; each of
    /// them also with the escapes of URLs, JSON and XML (``EscapedBytes``). Longer ones go first, for one may be a part of another.
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
            patterns.insert(Pattern(bytes: Array(text.utf8), isWord: isWord, isShort: isShort))
            for form in SecretForms.encoded(Array(text.utf8)) {
                patterns.insert(Pattern(bytes: form, isWord: isShort, isShort: isShort))
            }
        }
        self.patterns = patterns.sorted { $0.bytes.count > $1.bytes.count }
    }

    /// Whether a declared secret is taken out of texts: from eight bytes on, and from four on where it has letters and
    /// something else, and is no number.
    static func isTelling(_ text: String) -> Bool {
        let count = text.utf8.count
        guard count < shortest else { return true }
        return count >= Redaction.shortest && text.contains { $0.isLetter } && !text.allSatisfy { $0.isLetter }
            && JSONNumber(text) == nil
    }

    func removed(from bytes: [UInt8]) -> [UInt8] { Self.removed(patterns, from: bytes) }

    func removed(from text: String) -> String { String(decoding: removed(from: Array(text.utf8)), as: UTF8.self) }

    /// A URL without them in its parameters and in the segments of its path, but for those that the route file says. A segment
    /// may begin or end with one: `/bot123456:ABC/send`. Those that are no words go from names and from the host as well.
    func removed(fromURL text: String, keeping segments: Set<String>) -> String {
        var url = SentURL(text)
        url.origin = removed(from: url.origin) { !$0.isWord }
        let path = url.path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard !segments.contains(String(segment)) else { return String(segment) }
            let bytes = Self.removed(patterns, from: Array(segment.utf8), orAtEnds: true)
            return String(decoding: bytes, as: UTF8.self)
        }.joined(separator: "/")
        url.path = removed(from: path) { !$0.isWord && $0.bytes.contains(UInt8(ascii: "/")) }
        for index in url.query.indices {
            url.query[index].name = removed(from: url.query[index].name) { !$0.isWord }
            url.query[index].value = removed(from: url.query[index].value)
        }
        return url.text
    }

    private func removed(from text: String, where isLookedFor: (Pattern) -> Bool) -> String {
        let bytes = Self.removed(patterns.filter(isLookedFor), from: Array(text.utf8), keepsSlashes: true)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameters:
    ///   - orAtEnds: also words, but for short ones, that stand at the beginning or the end of a longer one.
    ///   - keepsSlashes: what replaces one that has slashes has as many, so that a path keeps its length.
    private static func removed(
        _ patterns: [Pattern], from bytes: [UInt8], orAtEnds: Bool = false, keepsSlashes: Bool = false
    ) -> [UInt8] {
        guard !patterns.isEmpty else { return bytes }
        var bytes = bytes
        var readings = EscapedBytes.readings(of: bytes)
        for pattern in patterns {
            for number in readings.indices {
                guard let reading = readings[number] else { continue }
                let ranges = places(of: pattern, in: reading, orAtEnds)
                guard !ranges.isEmpty else { continue }
                bytes = replaced(ranges, in: bytes, keepsSlashes)
                readings = EscapedBytes.readings(of: bytes)
            }
        }
        return bytes
    }

    /// Where the pattern stands in the bytes that are read so.
    private static func places(of pattern: Pattern, in reading: EscapedBytes, _ orAtEnds: Bool) -> [Range<Int>] {
        let source = reading.source
        return reading.places(of: pattern.bytes) { range in
            let isAtEnd = range.lowerBound == 0 || range.upperBound == source.count
            return !pattern.isWord || isWord(source, range) || orAtEnds && isAtEnd && !pattern.isShort
        }
    }

    private static func replaced(_ ranges: [Range<Int>], in bytes: [UInt8], _ keepsSlashes: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var next = 0
        for range in ranges {
            let slashes = keepsSlashes ? bytes[range].count { $0 == UInt8(ascii: "/") } : 0
            let marks = Array(repeating: CassetteRedaction.mark, count: slashes + 1)
            result += bytes[next..<range.lowerBound]
            result += marks.joined(separator: "/").utf8
            next = range.upperBound
        }
        return result + bytes[next...]
    }

    /// Whether no letter or digit stands before or behind; those of an escape (`%3D`, `\n`, `\u000a`) are none.
    private static func isWord(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        if range.upperBound < bytes.count, isLetter(bytes[range.upperBound]) { return false }
        guard range.lowerBound > 0, isLetter(bytes[range.lowerBound - 1]) else { return true }
        let before = bytes[..<range.lowerBound].suffix(6)
        var digits = bytes[..<range.lowerBound].dropLast(2)
        // `%253D` is `%3D`, written once more.
        while digits.suffix(2).elementsEqual("25".utf8) { digits = digits.dropLast(2) }
        return digits.last == UInt8(ascii: "%") || before.dropLast(1).last == UInt8(ascii: "\\")
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
