extension JSONScanner {
    /// The end of the string whose opening quote is at `start`.
    ///
    /// - Parameter hasEscapes: set where there are any.
    @inline(__always)
    func stringEnd(_ start: Int, _ hasEscapes: inout Bool) throws(JSONError) -> Int {
        var index = start &+ 1
        while true {
            index = plainEnd(index)
            let byte = byte(at: index)
            if byte == UInt8(ascii: "\"") { return index &+ 1 }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index = try escapeEnd(index)
            } else if byte >= 0x80 {
                index = try sequencesEnd(index)
            } else {
                throw brokenString(index)
            }
        }
    }

    @inline(__always)
    func stringEnd(_ start: Int) throws(JSONError) -> Int {
        var ignored = false
        return try stringEnd(start, &ignored)
    }

    /// The first byte from `start` on that is not plain: a quote, a backslash, a control character, or not ASCII.
    @inline(__always)
    private func plainEnd(_ start: Int) -> Int {
        var index = start
        while index &+ 16 <= end {
            // As signed numbers the bytes above ASCII are negative, less than any control character.
            let bytes = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<Int8>.self)
            let control = bytes .< SIMD16<Int8>(repeating: 0x20)
            let quote = bytes .== SIMD16<Int8>(repeating: 0x22)
            let backslash = bytes .== SIMD16<Int8>(repeating: 0x5C)
            let special = unsafeBitCast(control .| quote .| backslash, to: SIMD2<UInt64>.self)
            let low = UInt64(littleEndian: special[0])
            if low != 0 { return index &+ low.trailingZeroBitCount &>> 3 }
            let high = UInt64(littleEndian: special[1])
            if high != 0 { return index &+ 8 &+ high.trailingZeroBitCount &>> 3 }
            index &+= 16
        }
        while index < end, base[index] >= 0x20, base[index] < 0x80, base[index] != 0x22, base[index] != 0x5C {
            index &+= 1
        }
        return index
    }

    private func brokenString(_ index: Int) -> JSONError {
        index < end
            ? .at(index, .malformed, "a control character stands unescaped in a string")
            : .at(end, .truncated, "the text ends inside a string")
    }

    /// The end of the escape that begins at `index`.
    @inline(never)
    private func escapeEnd(_ index: Int) throws(JSONError) -> Int {
        switch byte(at: index &+ 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index &+ 2
        case UInt8(ascii: "u"):
            for offset in 2..<6 where JSONText.hexDigit(byte(at: index &+ offset)) == nil {
                guard index &+ offset < end else { throw brokenString(end) }
                throw .at(index, .malformed, "\\u needs four hexadecimal digits")
            }
            return index &+ 6
        default:
            guard index &+ 1 < end else { throw brokenString(end) }
            throw .at(index, .malformed, "no such escape in a string")
        }
    }

    /// The end of the run of multi-byte UTF-8 sequences that begins at `index` (RFC 3629 §4).
    @inline(never)
    private func sequencesEnd(_ start: Int) throws(JSONError) -> Int {
        var index = start
        while index < end, base[index] >= 0x80 {
            let bytes = index &+ 4 <= end ? quad(at: index) : shortQuad(at: index)
            if bytes & 0x0000_C0E0 == 0x0000_80C0 {
                guard bytes & 0x0000_001E != 0 else { throw invalidUTF8(index) }
                index &+= 2
            } else if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
                // Not overlong, not a surrogate.
                let high = bytes & 0x0000_200F
                guard high != 0, high != 0x0000_200D else { throw invalidUTF8(index) }
                index &+= 3
            } else if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
                // Not overlong, not above U+10FFFF.
                let high = (bytes & 0x07) &<< 2 | (bytes & 0x3000) &>> 12
                guard 1...16 ~= high else { throw invalidUTF8(index) }
                index &+= 4
            } else {
                throw invalidUTF8(index)
            }
        }
        return index
    }

    /// Four bytes, the first in the lowest place.
    @inline(__always)
    private func quad(at index: Int) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt32.self))
    }

    /// The same near the end of the text, with zeros behind it.
    private func shortQuad(at index: Int) -> UInt32 {
        (index..<end).reversed().reduce(0) { $0 &<< 8 | UInt32(base[$1]) }
    }

    private func invalidUTF8(_ index: Int) -> JSONError {
        .at(index, .invalidUTF8, "a string holds bytes that are not UTF-8")
    }
}

extension JSONScanner {
    /// The end of the number, `true`, `false` or `null` that begins at `start`.
    @inline(__always)
    func scalarEnd(_ start: Int) throws(JSONError) -> Int {
        let first = byte(at: start)
        if Self.isDigit(first) || first == UInt8(ascii: "-") { return try numberEnd(start) }
        return try literalEnd(start)
    }

    @inline(never)
    private func literalEnd(_ start: Int) throws(JSONError) -> Int {
        switch byte(at: start) {
        case UInt8(ascii: "t"): return try literalEnd(start, "true")
        case UInt8(ascii: "f"): return try literalEnd(start, "false")
        case UInt8(ascii: "n"): return try literalEnd(start, "null")
        default: throw unexpected("a value", at: start)
        }
    }

    @inline(__always)
    private func literalEnd(_ start: Int, _ literal: StaticString) throws(JSONError) -> Int {
        for offset in 0..<literal.utf8CodeUnitCount where byte(at: start &+ offset) != literal.utf8Start[offset] {
            guard start &+ offset < end else { throw .at(end, .truncated, "the text ends inside a literal") }
            throw .at(start, .malformed, "no such literal: true, false and null are the only ones")
        }
        return start &+ literal.utf8CodeUnitCount
    }

    /// The longest number in bytes: comparing two numbers takes several times the memory of their digits.
    static let longestNumber = 4_096

    /// RFC 8259 §6, which also allows a limit on the length.
    @inline(never)
    func numberEnd(_ start: Int) throws(JSONError) -> Int {
        var index = start
        if byte(at: index) == UInt8(ascii: "-") { index &+= 1 }
        if byte(at: index) == UInt8(ascii: "0") {
            index &+= 1
            guard !Self.isDigit(byte(at: index)) else { throw .at(start, .malformed, "a number has a leading zero") }
        } else {
            index = try digitsEnd(index)
        }
        if byte(at: index) == UInt8(ascii: ".") { index = try digitsEnd(index &+ 1) }
        if byte(at: index) | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            let sign = byte(at: index)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index &+= 1 }
            index = try digitsEnd(index)
        }
        guard index &- start <= Self.longestNumber else {
            throw .at(start, .numberTooLong, "a number has more than \(Self.longestNumber) bytes")
        }
        return index
    }

    @inline(__always)
    private func digitsEnd(_ start: Int) throws(JSONError) -> Int {
        var index = start
        // Eight at a time: a digit's high half is 3, and stays 3 when 6 is added.
        while index &+ 8 <= end {
            let word = word(at: index)
            guard word & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030,
                (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
            else { break }
            index &+= 8
        }
        while Self.isDigit(byte(at: index)) { index &+= 1 }
        guard index > start else {
            guard index < end else { throw .at(end, .truncated, "the text ends inside a number") }
            throw .at(index, .malformed, "a number needs a digit here")
        }
        return index
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// Whether a text is a JSON number and nothing else.
    package static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            (try? JSONScanner(bytes).numberEnd(0)) == bytes.count
        }
    }
}
