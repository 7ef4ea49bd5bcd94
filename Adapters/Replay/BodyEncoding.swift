internal import AtmosphereExchange

/// How the bytes of a body are characters, so that its text can be looked through and written again as it was.
enum BodyEncoding: Equatable {
    case utf8
    /// UTF-16 or UTF-32, with as many bytes to a unit.
    case wide(Int, isBigEndian: Bool)
    /// Each byte is the character of its number (ISO-8859-1). Whatever holds ASCII in single bytes can be read so.
    case latin1

    /// Those that the bytes may be in. What looks like a wide one may be something else, and is looked at as that, too.
    static func possible(for bytes: [UInt8]) -> [BodyEncoding] {
        let narrow = String(validating: bytes, as: UTF8.self) == nil ? BodyEncoding.latin1 : .utf8
        return wideOne(bytes).map { [$0, narrow] } ?? [narrow]
    }

    /// By the byte order mark, or by the zeros around a first character of ASCII (RFC 4627 §3, XML 1.0 appendix F).
    private static func wideOne(_ bytes: [UInt8]) -> BodyEncoding? {
        let first = Array(bytes.prefix(4))
        let zeros = first.map { $0 == 0 }
        if first == [0xFF, 0xFE, 0, 0] || zeros == [false, true, true, true] { return .wide(4, isBigEndian: false) }
        if first == [0, 0, 0xFE, 0xFF] || zeros == [true, true, true, false] { return .wide(4, isBigEndian: true) }
        if first.starts(with: [0xFF, 0xFE]) || zeros.starts(with: [false, true]) { return .wide(2, isBigEndian: false) }
        if first.starts(with: [0xFE, 0xFF]) || zeros.starts(with: [true, false]) { return .wide(2, isBigEndian: true) }
        return nil
    }

    /// With the byte order mark, if there is one.
    func text(of bytes: [UInt8]) -> String {
        switch self {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .latin1: return String(decoding: bytes.map { UInt16($0) }, as: UTF16.self)
        case .wide(let width, let isBigEndian):
            var units: [UInt32] = []
            for start in stride(from: 0, through: bytes.count - width, by: width) {
                var unit: UInt32 = 0
                for place in 0..<width {
                    unit = unit << 8 | UInt32(bytes[start + (isBigEndian ? place : width - 1 - place)])
                }
                units.append(unit)
            }
            guard width == 2 else { return String(decoding: units, as: UTF32.self) }
            return String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
        }
    }

    func bytes(of text: String) -> [UInt8] {
        switch self {
        case .utf8: return Array(text.utf8)
        case .latin1: return text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
        case .wide(let width, let isBigEndian):
            let units: [UInt32] =
                width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map { $0.value }
            var bytes: [UInt8] = []
            for unit in units {
                for place in 0..<width {
                    bytes.append(UInt8(truncatingIfNeeded: unit >> (8 * (isBigEndian ? width - 1 - place : place))))
                }
            }
            return bytes
        }
    }

    /// Changes the text of a body. Where nothing is to be changed, the bytes stay as they are.
    static func changed(_ bytes: [UInt8], by change: (String) -> String) -> [UInt8] {
        possible(for: bytes).reduce(bytes) { bytes, encoding in
            let text = encoding.text(of: bytes)
            let clean = change(text)
            return clean.hasSameBytes(as: text) ? bytes : encoding.bytes(of: clean)
        }
    }

    /// Whether a body that should be JSON or markup can be looked through as such: it is no compressed one, and in no
    /// encoding of which nothing is known.
    static func isReadable(_ bytes: [UInt8]) -> Bool {
        guard let encoding = possible(for: bytes).first else { return false }
        let text = encoding.text(of: bytes)
        guard !text.utf8.contains(where: { $0 < 0x09 || (0x0E..<0x1B).contains($0) }) else { return false }
        guard encoding == .latin1, let first = bytes.first(where: { $0 > 0x20 }) else { return true }
        return "<{[\"".utf8.contains(first)
    }
}
