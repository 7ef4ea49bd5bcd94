/// Percent-encoding of URI parts (RFC 3986 §2).
package enum PercentEncoding {
    /// Encodes everything but unreserved characters, so that the result is one path segment.
    package static func segment(_ text: String) -> String { encode(text, keeping: isUnreserved) }

    /// Encodes a query name or value: unreserved characters stay, a space becomes `%20`, a `+` becomes `%2B`.
    package static func query(_ text: String) -> String { encode(text, keeping: isUnreserved) }

    /// Decodes `%XX`; what is not a valid escape, or not UTF-8, stays as it is.
    package static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(validating: bytes(of: text), as: UTF8.self) ?? text
    }

    /// What a server makes of a text: each `%XX` is a byte, and everything else stays as it is.
    package static func bytes(of text: some StringProtocol) -> [UInt8] {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = hexDigit(source[index + 1]), let low = hexDigit(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return bytes
    }

    /// The names and values of a query or a form, decoded; a `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
    /// Divided by bytes: a sign with a combining mark behind it is the sign.
    package static func pairs(in form: some StringProtocol) -> [(name: String, value: String)] {
        form.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = sides.map { side in
                decode(String(decoding: side.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self))
            }
            return (texts[0], texts.count > 1 ? texts[1] : "")
        }
    }

    private static func encode(_ text: String, keeping keep: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if keep(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
