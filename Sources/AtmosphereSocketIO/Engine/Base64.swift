/// Base64 with the plain alphabet and padding (RFC 4648 §4), as Engine.IO writes binary packets into polling payloads.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// For each byte its six bits; 0xFF for what is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + encodedCount(bytes.count))
        var index = 0
        while index < bytes.count {
            let left = min(3, bytes.count - index)
            var word = UInt32(bytes[index]) << 16
            if left > 1 { word |= UInt32(bytes[index + 1]) << 8 }
            if left > 2 { word |= UInt32(bytes[index + 2]) }
            text.append(alphabet[Int(word >> 18)])
            text.append(alphabet[Int(word >> 12 & 63)])
            text.append(left > 1 ? alphabet[Int(word >> 6 & 63)] : UInt8(ascii: "="))
            text.append(left > 2 ? alphabet[Int(word & 63)] : UInt8(ascii: "="))
            index += 3
        }
    }

    /// The alphabet for URLs without padding (RFC 4648 §5), as JSON Web Tokens have it (RFC 7515 §2).
    ///
    /// - Returns: nil for anything else, as ``decode(_:)``; padding, white space and the plain alphabet are refused.
    package static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: plain.append(byte)
            }
        }
        // A single character holds no byte.
        guard plain.count % 4 != 1 else { return nil }
        while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
        return decode(plain[...])
    }

    /// - Returns: nil where a character, the length or the padding is wrong, or where the unused bits of the last
    ///   character are not zero: one sequence of bytes has one text.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var padding = 0
        if text.last == UInt8(ascii: "=") { padding = text.dropLast().last == UInt8(ascii: "=") ? 2 : 1 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var word: UInt32 = 0
        var digits = 0
        for byte in text.dropLast(padding) {
            let value = values[Int(byte)]
            guard value != 0xFF else { return nil }
            word = word << 6 | UInt32(value)
            digits += 1
            if digits == 4 {
                bytes.append(UInt8(truncatingIfNeeded: word >> 16))
                bytes.append(UInt8(truncatingIfNeeded: word >> 8))
                bytes.append(UInt8(truncatingIfNeeded: word))
                word = 0
                digits = 0
            }
        }
        switch padding {
        case 1:
            guard digits == 3, word & 3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: word >> 10))
            bytes.append(UInt8(truncatingIfNeeded: word >> 2))
        case 2:
            guard digits == 2, word & 15 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: word >> 4))
        default: break
        }
        return bytes
    }
}
