/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// nil for other letters; what does not fill a byte at the end is left out.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (word, bits): (UInt32, UInt32) = (0, 0)
        for letter in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        }
        return bytes
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for byte in group { word = word << 8 | UInt32(byte) }
            word <<= UInt32(3 - group.count) * 8
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(word >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
