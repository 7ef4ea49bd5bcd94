/// Takes secrets out of texts that a server wrote.
///
/// A secret of fewer than four bytes is a word or a part of many: taking it out of every text would leave nothing that a
/// person can read, and would protect nothing, for it is found by trying. So it is taken out only where it stands as a
/// value: as the whole text, right behind a quotation mark or a slash, or behind `=` or `:`.
package struct Redaction: Sendable {
    /// In bytes; of shorter secrets `atmos check` warns.
    package static let shortest = 4

    private let secrets: [[UInt8]]

    /// Longer secrets go first, for one may be a part of another.
    package init(_ secrets: [Secret]) {
        self.secrets = secrets.map { Array($0.value.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// The text with `[secret]` in the place of every secret.
    package func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            let parts = Array(text.utf8).split(around: secret, onlyValues: secret.count < Self.shortest)
            guard parts.count > 1 else { return text }
            return String(decoding: Array(parts.joined(separator: Array("[secret]".utf8))), as: UTF8.self)
        }
    }

    func callAsFunction(_ failure: MetaObject.Failure) -> MetaObject.Failure {
        guard !secrets.isEmpty else { return failure }
        var failure = failure
        failure.message = self(failure.message)
        failure.fields = failure.fields.map { .init(field: self($0.field), message: self($0.message)) }
        return failure
    }
}

extension [UInt8] {
    /// The parts before, between and after each occurrence; bytes, for a secret need not end where a character does.
    fileprivate func split(around pattern: [UInt8], onlyValues: Bool) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + pattern.count <= count {
            let end = index + pattern.count
            if self[index] == pattern[0], self[index..<end].elementsEqual(pattern),
                !onlyValues || isValue(from: index, to: end)
            {
                parts.append(self[start..<index])
                index = end
                start = index
            } else {
                index += 1
            }
        }
        return parts + [self[start...]]
    }

    /// Whether what stands there is told as a value, and not in passing.
    private func isValue(from start: Int, to end: Int) -> Bool {
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
