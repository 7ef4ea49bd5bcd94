/// How a server may write a secret that was sent to it, beside as it is. Each form may also stand there with the escapes of
/// URLs, JSON or XML (``EscapedBytes``).
package enum SecretForms {
    /// A shorter secret may be a word or a number; in bytes. In the middle of what was encoded with others too little is left
    /// of it.
    package static let shortest = 8

    /// The bytes in hexadecimal and in Base64 (RFC 4648), both alphabets. Where other bytes stand in front, as in
    /// `Basic base64(name:password)`, what they have no part in: of a few bits at both ends nothing can be made.
    package static func encoded(_ bytes: [UInt8]) -> [[UInt8]] {
        let digits = Array("0123456789abcdef".utf8)
        let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        var forms = [hex, Array(String(decoding: hex, as: UTF8.self).uppercased().utf8)]
        for ahead in 0..<3 {
            if ahead > 0, bytes.count < shortest { break }
            let text = Array(Base64.encode([UInt8](repeating: 0, count: ahead) + bytes).utf8)
            let first = (8 * ahead + 5) / 6
            // A short one is looked for alone, and then it ends with its last bits.
            let end = bytes.count < shortest ? (8 * bytes.count + 5) / 6 : 8 * (ahead + bytes.count) / 6
            let form = Array(text[first..<end])
            forms.append(form)
            let safe = form.map { byte in
                byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
            }
            forms.append(safe)
        }
        return forms
    }
}
