/// Characters that nobody sees, or that steer what shows them: a terminal, an editor, a page.
///
/// One rule for all that is printed, logged or put into a table of somebody else's text.
package enum UnseenText {
    /// Control characters, line separators, marks that turn the direction of text, and characters without ink or width.
    ///
    /// U+200C and U+200D are none of them: Persian, Hindi and emoji are written with them.
    package static func contains(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
            0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Whether its category is one of those that nobody sees, where ``contains(_:)`` has a list of its own.
    static func hasUnseenCategory(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The one that text in UTF-8 begins with: its escape, of the same meaning inside JSON, and its bytes.
    ///
    /// - Returns: nil where the text begins with another character, or with a part of one.
    package static func beginning(_ bytes: ArraySlice<UInt8>) -> (escape: String, count: Int)? {
        guard let first = bytes.first, !(0x20..<0x7F).contains(first) else { return nil }
        guard first >= 0x80 else { return (escape(UInt32(first)), 1) }
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard (0xC2..<0xF5).contains(first), bytes.count >= count else { return nil }
        var scalar = UInt32(first & (0x7F >> UInt8(count)))
        for byte in bytes.dropFirst().prefix(count - 1) {
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return contains(scalar) ? (escape(scalar), count) : nil
    }

    /// JSON, or text on one line, with all of them as `\u202e`. In JSON they stand in strings alone, and mean the same.
    package static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            if let (escape, count) = beginning(rest) {
                result += escape.utf8
                rest = rest.dropFirst(count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// As JSON writes it: with two surrogates beyond U+FFFF (RFC 8259 §7).
    private static func escape(_ scalar: UInt32) -> String {
        guard scalar > 0xFFFF else {
            let digits = String(scalar, radix: 16)
            return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        }
        let offset = scalar - 0x10000
        return "\\u\(String(0xD800 + offset >> 10, radix: 16))\\u\(String(0xDC00 + offset & 0x3FF, radix: 16))"
    }
}
