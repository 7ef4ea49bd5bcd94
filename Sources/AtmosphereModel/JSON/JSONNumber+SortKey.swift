extension JSONNumber {
    /// Sign, exponent and digits; all but the sign are inverted for a negative number.
    var sortKey: [UInt8] {
        let decimal = Decimal(Array(lexeme.utf8))
        guard !decimal.digits.isEmpty else { return [0x80] }
        let size = decimal.exponent.sortKey + Array(decimal.digits) + [0]
        return decimal.isNegative ? [0x40] + size.map(~) : [0xC0] + size
    }
}

extension JSONNumber.Exponent {
    /// Small ones, which nearly all are, take one byte.
    var sortKey: [UInt8] {
        switch self {
        case .small(let number) where -100...100 ~= number: [UInt8(128 + number)]
        case .small(let number):
            [number < 0 ? 2 : 0xFD]
                + withUnsafeBytes(of: (UInt64(bitPattern: Int64(number)) ^ 1 << 63).bigEndian) { Array($0) }
        case .large(let isNegative, let digits):
            (isNegative ? [1] : [0xFE])
                + withUnsafeBytes(of: UInt64(digits.count).bigEndian) { bytes in
                    let size = Array(bytes) + digits
                    return isNegative ? size.map(~) : size
                }
        }
    }
}
