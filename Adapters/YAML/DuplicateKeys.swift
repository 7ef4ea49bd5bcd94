#if YAML
    import Yams

    /// Gets equal keys past Yams, which refuses them one at a time and without the place of the second one, so that the
    /// route file's own check can report each with both places.
    ///
    /// After each refusal the key that Yams names gets another first character in the text, of the same width, and the
    /// text is composed again; the key's own name is put back later.
    struct DuplicateKeys {
        private struct Spot: Hashable {
            var line: Int
            var column: Int
        }

        /// As many equal keys as anyone makes by mistake; composing costs a pass each, so of a long text it is fewer.
        private let limit: Int
        private static let bytesComposed = 1 << 20

        private(set) var text: String
        private var replaced: [Spot: Unicode.Scalar] = [:]
        /// Where the parser begins a new line: YAML 1.1 (§4.2) has more of them than YAML 1.2.
        private static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
        /// The private use area of plane 15: nothing that anyone writes, and one scalar wide.
        private static let firstReplacement = 0xF0000

        /// What Yams said of the first of them.
        private(set) var first: YamlError?

        init(_ text: String) {
            self.text = text
            limit = min(32, Self.bytesComposed / max(1, text.utf8.count))
        }

        /// - Returns: false where the key cannot be renamed, or too many were.
        mutating func rename(at mark: Mark, _ refusal: YamlError) -> Bool {
            first = first ?? refusal
            // One that is refused again was not the one that was renamed.
            guard replaced.count < limit, replaced[Spot(line: mark.line, column: mark.column)] == nil else {
                return false
            }
            var scalars = text.unicodeScalars
            var line = 1
            var index = scalars.startIndex
            while line < mark.line, index < scalars.endIndex {
                let scalar = scalars[index]
                index = scalars.index(after: index)
                guard Self.lineBreaks.contains(scalar) else { continue }
                if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" {
                    index = scalars.index(after: index)
                }
                line += 1
            }
            guard let start = scalars.index(index, offsetBy: mark.column - 1, limitedBy: scalars.endIndex),
                start < scalars.endIndex
            else { return false }
            // Inside quotes the name begins one further; an escape there cannot be cut in two.
            let isQuoted = scalars[start] == "'" || scalars[start] == "\""
            let first = isQuoted ? scalars.index(after: start) : start
            guard first < scalars.endIndex, !["'", "\"", "\\", "\n"].contains(scalars[first]),
                let replacement = Unicode.Scalar(UInt32(Self.firstReplacement + replaced.count))
            else { return false }
            replaced[Spot(line: mark.line, column: mark.column)] = scalars[first]
            scalars.replaceSubrange(first..<scalars.index(after: first), with: [replacement])
            text = String(scalars)
            return true
        }

        /// A key's name as it was written.
        func original(_ name: String, line: Int, column: Int) -> String {
            guard let scalar = replaced[Spot(line: line, column: column)] else { return name }
            return String(scalar) + String(String.UnicodeScalarView(name.unicodeScalars.dropFirst()))
        }
    }
#endif
