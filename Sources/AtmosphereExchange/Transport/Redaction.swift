/// Takes secrets out of texts that a server wrote.
///
/// A secret of fewer than four bytes is a word or a part of many: taking it out of every text would leave nothing that a
/// person can read, and would protect nothing, for it is found by trying. So it is taken out only where it stands as a
/// value: as the whole text, right behind a quotation mark or a slash, or behind `=` or `:`.
package struct Redaction: Sendable {
    /// In bytes; of shorter secrets `atmos check` warns.
    package static let shortest = 4

    /// Where a pattern counts.
    private enum Rule {
        case anywhere
        /// Where no letter or digit stands beside it.
        case alone
        /// Where it is told as a value, and not in passing.
        case asValue
    }

    private struct Pattern {
        var bytes: [UInt8]
        var rule: Rule
    }

    private static let mark = "[secret]"

    private let patterns: [Pattern]

    /// Makes the list of what is looked for; the texts are looked through later.
    package init(_ secrets: [Secret]) {
        patterns = secrets.flatMap { secret -> [Pattern] in
            let bytes = Array(secret.value.utf8)
            guard !bytes.isEmpty else { return [] }
            guard bytes.count >= Self.shortest else { return [Pattern(bytes: bytes, rule: .asValue)] }
            let rule: Rule = bytes.count < SecretForms.shortest ? .alone : .anywhere
            let encoded = SecretForms.encoded(bytes).map { Pattern(bytes: $0, rule: rule) }
            return [Pattern(bytes: bytes, rule: .anywhere)] + encoded
        }
    }

    /// The text with `[secret]` in the place of every secret, also of one that is written with escapes or is encoded.
    package func callAsFunction(_ text: String) -> String {
        guard !patterns.isEmpty else { return text }
        let bytes = Array(text.utf8)
        return cleaned(bytes, upTo: bytes.count)
    }

    /// The first so many characters of the text, without secrets. Looked through is what is told, and behind it as much as
    /// the rest of a secret can take that begins there.
    package func callAsFunction(_ text: String, upTo limit: Int) -> String {
        let told = text.prefix(limit)
        guard !patterns.isEmpty else { return String(told) }
        guard told.endIndex < text.endIndex else { return String(self(text).prefix(limit)) }
        let longest = patterns.reduce(0) { max($0, $1.bytes.count) } * Self.longestEscape
        let count = told.utf8.count
        let clean = cleaned(Array(text.utf8.prefix(count + longest)), upTo: count)
        return String(clean.prefix(limit))
    }

    /// What a peer says, for one line of a message or of the log: without secrets, without characters that nobody sees, and
    /// of a long text the beginning.
    package func line(_ text: String) -> String {
        let told = self(text, upTo: Self.longestLine).unicodeScalars.prefix(Self.longestLine)
        return String(String.UnicodeScalarView(told.map { UnseenText.contains($0.value) ? " " : $0 }))
    }

    private static let longestLine = 200

    /// Of one byte, also where it is written in a string that stands in another.
    private static let longestEscape = 12

    /// - Parameter count: where the text ends that is told; behind it secrets may end that begin before.
    private func cleaned(_ bytes: [UInt8], upTo count: Int) -> String {
        let readings = EscapedBytes.readings(of: bytes).compactMap(\.self)
        var places: [Range<Int>] = []
        for pattern in patterns {
            // The marks that tell a value stand in the text as it is.
            let counting = pattern.rule == .asValue ? readings.prefix(1) : readings[...]
            for reading in counting {
                places += reading.places(of: pattern.bytes) { Self.isMeant(bytes, $0, pattern.rule) }
            }
        }
        var result: [UInt8] = []
        var end = 0
        for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) where place.lowerBound < count {
            // One may be a part of another, or begin in it.
            if place.lowerBound >= end {
                result += bytes[end..<place.lowerBound]
                result += Self.mark.utf8
            }
            end = max(end, place.upperBound)
        }
        if end < count { result += bytes[end..<count] }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isMeant(_ bytes: [UInt8], _ place: Range<Int>, _ rule: Rule) -> Bool {
        switch rule {
        case .anywhere: true
        case .alone: bytes.isAlone(place)
        case .asValue: bytes.isValue(from: place.lowerBound, to: place.upperBound)
        }
    }

    func callAsFunction(_ failure: MetaObject.Failure) -> MetaObject.Failure {
        guard !patterns.isEmpty else { return failure }
        var failure = failure
        failure.message = self(failure.message)
        failure.fields = failure.fields.map { .init(field: self($0.field), message: self($0.message)) }
        return failure
    }

    /// What of a failure is told, without secrets: so many characters of each text, and of many fields the first.
    func callAsFunction(_ failure: MetaObject.Failure, upTo limit: Int) -> MetaObject.Failure {
        var failure = failure
        failure.message = self(failure.message, upTo: limit)
        failure.fields = failure.fields.prefix(Self.mostFields).map {
            .init(field: self($0.field, upTo: limit), message: self($0.message, upTo: limit))
        }
        return failure
    }

    private static let mostFields = 100
}

extension [UInt8] {
    /// Whether no letter or digit stands beside a place.
    fileprivate func isAlone(_ place: Range<Int>) -> Bool {
        if place.lowerBound > 0, self[place.lowerBound - 1].isASCIIAlphanumeric { return false }
        return place.upperBound == count || !self[place.upperBound].isASCIIAlphanumeric
    }

    /// Whether what stands there is told as a value, and not in passing.
    fileprivate func isValue(from start: Int, to end: Int) -> Bool {
        if start == 0 { return end == count }
        if end < count, self[end].isASCIIAlphanumeric || self[end] == UInt8(ascii: "_") { return false }
        if "\"'`/".utf8.contains(self[start - 1]) { return true }
        for quote in ["“", "‘", "«", "„"] where self[..<start].suffix(quote.utf8.count).elementsEqual(quote.utf8) {
            return true
        }
        let mark = self[..<start].last { $0 != UInt8(ascii: " ") }
        return mark == UInt8(ascii: "=") || mark == UInt8(ascii: ":")
    }
}
