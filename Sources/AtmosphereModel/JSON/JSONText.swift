/// The text of JSON strings: escapes to characters and back.
package enum JSONText {
    /// Decodes what stands between the quotes of a string that the scanner has passed.
    ///
    /// The escape of a single surrogate has no character and becomes U+FFFD.
    package static func decode(_ inside: UnsafeBufferPointer<UInt8>) -> String {
        guard hasEscapes(inside) else { return String(decoding: inside, as: UTF8.self) }
        return String(decoding: unescaped(inside), as: UTF8.self)
    }

    /// Whether both hold the same bytes.
    package static func areSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
            return left.count == right.count
        }
        var index = 0
        while index &+ 8 <= left.count {
            let word = UnsafeRawPointer(first + index).loadUnaligned(as: UInt64.self)
            guard word == UnsafeRawPointer(second + index).loadUnaligned(as: UInt64.self) else { return false }
            index &+= 8
        }
        while index < left.count {
            guard first[index] == second[index] else { return false }
            index &+= 1
        }
        return true
    }

    /// Whether the inside of a string, which may have escapes, says `text`.
    package static func says(_ text: String, _ inside: UnsafeBufferPointer<UInt8>) -> Bool {
        let same = text.utf8.withContiguousStorageIfAvailable { areSame($0, inside) } ?? false
        return same || hasEscapes(inside) && decode(inside).hasSameBytes(as: text)
    }

    package static func hasEscapes(_ inside: UnsafeBufferPointer<UInt8>) -> Bool {
        firstBackslash(in: inside, from: 0) < inside.count
    }

    /// The end of the text where there is none.
    private static func firstBackslash(in inside: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = inside.baseAddress else { return inside.count }
        var index = start
        while index &+ 8 <= inside.count {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
            let special = (word ^ 0x5C5C_5C5C_5C5C_5C5C).lowestZeroByte
            if special != 0 { return index &+ special.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < inside.count, base[index] != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }

    /// The string's UTF-8 bytes with the escapes decoded.
    package static func unescaped(_ inside: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(inside.count)
        var index = 0
        while true {
            let plainEnd = firstBackslash(in: inside, from: index)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: inside[index..<plainEnd]))
            guard plainEnd < inside.count else { return bytes }
            index = plainEnd
            switch inside[index + 1] {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                let (scalar, length) = scalar(at: index, in: inside)
                bytes.append(contentsOf: UTF8.encode(scalar)!)
                index += length
                continue
            case let other: bytes.append(other)
            }
            index += 2
        }
    }

    /// The character of the `\u` escape at `index`, or of the surrogate pair that begins there, and its length.
    private static func scalar(at index: Int, in inside: UnsafeBufferPointer<UInt8>) -> (Unicode.Scalar, Int) {
        let first = unit(at: index, in: inside)
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        if first < 0xDC00, index + 12 <= inside.count, inside[index + 6] == UInt8(ascii: "\\"),
            inside[index + 7] == UInt8(ascii: "u")
        {
            let second = unit(at: index + 6, in: inside)
            if 0xDC00...0xDFFF ~= second,
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
            {
                return (scalar, 12)
            }
        }
        return ("\u{FFFD}", 6)
    }

    private static func unit(at index: Int, in inside: UnsafeBufferPointer<UInt8>) -> UInt32 {
        (2..<6).reduce(0) { $0 << 4 | UInt32(hexDigit(inside[index + $1]) ?? 0) }
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension JSONText {
    /// Appends a string with its quotes; only what must be escaped is (RFC 8259 §7).
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { characters in
            var start = 0
            while true {
                let plainEnd = firstToEscape(in: characters, from: start)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: characters[start..<plainEnd]))
                guard plainEnd < characters.count else { return }
                appendEscape(characters[plainEnd], to: &bytes)
                start = plainEnd + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The end of the text where there is none.
    private static func firstToEscape(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = text.baseAddress else { return text.count }
        var index = start
        while index &+ 8 <= text.count {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
            let control = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
            let quote = (word ^ 0x2222_2222_2222_2222).lowestZeroByte
            let special = control | quote | (word ^ 0x5C5C_5C5C_5C5C_5C5C).lowestZeroByte
            if special != 0 { return index &+ special.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < text.count, base[index] >= 0x20, base[index] != 0x22, base[index] != 0x5C { index &+= 1 }
        return index
    }

    private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            let low = byte & 15
            bytes += [
                UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), UInt8(ascii: "0") + byte >> 4,
                low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
            ]
        }
    }
}
