internal import AtmosphereExchange

/// Members of JSON in a text that is none as a whole: it is cut off, has something in front of it, or stands in a string or
/// in a script.
extension CassetteRedaction {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The text without the values of secret names that stand in quotation marks: `"token": "…"`, `'token': 7`, and
    /// `\"token\":{…}`, where the JSON is a string of JSON itself.
    func members(in text: String) -> String {
        var text = text
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        return text.withUTF8 { bytes in
            var clean: [UInt8] = []
            var slashes = 0
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                clean.append(byte)
                index += 1
                guard byte != UInt8(ascii: "\\") else {
                    slashes += 1
                    continue
                }
                let depth = slashes
                slashes = 0
                // Any quotation mark may open a name: what stands before it may be anything.
                guard Self.isQuote(byte),
                    let end = Self.end(ofString: bytes, from: index, byte, depth: depth, longest: Self.longestName),
                    let colon = Self.colon(bytes, behind: end),
                    let name = Self.name(bytes[index..<end - depth - 1]), isSecret(name)
                else { continue }
                clean += bytes[index...colon]
                index = Self.hide(bytes, from: colon + 1, in: &clean)
            }
            return String(decoding: clean, as: UTF8.self)
        }
    }

    private static let longestName = 200

    /// Nil for what stands between the marks of two other strings.
    private static func name(_ bytes: Slice<Bytes>) -> String? {
        let isName = !bytes.contains { $0 < 0x20 || ",:{}\"'".utf8.contains($0) }
        return isName ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// Writes a value, if there is one, without what is secret in it: names, brackets, null, true, false and empty strings
    /// stay.
    ///
    /// - Returns: where the value ends.
    private static func hide(_ bytes: Bytes, from start: Int, in clean: inout [UInt8]) -> Int {
        var nesting = 0
        var slashes = 0
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            let depth = slashes
            slashes = byte == UInt8(ascii: "\\") ? slashes + 1 : 0
            switch byte {
            case 0...0x20, UInt8(ascii: ":"), UInt8(ascii: "\\"):
                clean.append(byte)
                index += 1
                continue
            case UInt8(ascii: ","):
                guard nesting > 0 else { return index }
                clean.append(byte)
                index += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                nesting += 1
                clean.append(byte)
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard nesting > 0 else { return index }
                nesting -= 1
                clean.append(byte)
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let end = Self.end(ofString: bytes, from: index + 1, byte, depth: depth)
                let content = bytes[index + 1..<(end.map { $0 - depth - 1 } ?? bytes.count)]
                let isName = nesting > 0 && end.flatMap { Self.colon(bytes, behind: $0) } != nil
                clean.append(byte)
                clean += isName || content.isEmpty ? Array(content) : Array(mark.utf8)
                clean += bytes[content.endIndex..<(end ?? bytes.count)]
                index = end ?? bytes.count
            default:
                let word = Self.word(bytes, from: index)
                let isOpen = ["null", "true", "false"].contains(String(decoding: word, as: UTF8.self))
                clean += isOpen ? Array(word) : Array("\"\(mark)\"".utf8)
                index = word.endIndex
            }
            if nesting == 0 { return index }
        }
        return index
    }

    /// Behind the quotation mark that ends a string.
    ///
    /// - Parameters:
    ///   - start: behind the mark that begins it.
    ///   - depth: how many backslashes stand before the mark; as many stand before the other one.
    private static func end(
        ofString bytes: Bytes, from start: Int, _ quote: UInt8, depth: Int, longest: Int? = nil
    ) -> Int? {
        var slashes = 0
        for index in start..<(longest.map { min(bytes.count, start + $0) } ?? bytes.count) {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") {
                slashes += 1
                continue
            }
            // Each level of strings in strings doubles the backslashes of an escape.
            if byte == quote, slashes % (2 * (depth + 1)) == depth { return index + 1 }
            slashes = 0
        }
        return nil
    }

    /// Where the colon of a name stands that ends there.
    private static func colon(_ bytes: Bytes, behind end: Int) -> Int? {
        let next = bytes[end...].firstIndex { $0 > 0x20 }
        return next.flatMap { bytes[$0] == UInt8(ascii: ":") ? $0 : nil }
    }

    /// A number, or anything else that stands in no quotation marks.
    private static func word(_ bytes: Bytes, from start: Int) -> Slice<Bytes> {
        let word = bytes[start...].prefix { byte in
            switch byte {
            case 0..<0x20, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""),
                UInt8(ascii: "'"), UInt8(ascii: "\\"):
                false
            default: true
            }
        }
        return word[...(word.lastIndex { $0 != 0x20 } ?? word.startIndex)]
    }
}
