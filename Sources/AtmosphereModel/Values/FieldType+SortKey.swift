extension FieldType {
    /// Bytes that sort as values of the type do, for stores that keep indexes: byte by byte, the shorter first where one
    /// is the beginning of the other. Null and absence come first. Arrays and objects, which have no order, all have the same
    /// bytes.
    ///
    /// The bytes are right for an order, and not for every comparison:
    ///
    /// - Values that are equal may have other bytes: `1` and `1.0` are equal numbers also where the type is ``string`` or
    ///   ``boolean``, and their keys are those of the texts, or of a truth value and a number.
    /// - Values with the same bytes may differ: all arrays and objects.
    ///
    /// ``Query/Condition/keyTest`` says for each condition what it means in terms of these bytes, exactly, or that they do
    /// not tell; then ``Query/matches(_:)`` decides.
    package func sortKey(of value: Value) -> [UInt8] { key(for: value).bytes }
}

extension ComparisonKey {
    /// See ``FieldType/sortKey(of:)``. The first byte is the kind, in the order of kinds.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .null: [0x10]
        case .flag(let flag): [0x11, flag ? 1 : 0]
        case .number(let number): [0x12] + number.sortKey
        case .float(let number): [0x13] + Self.bytes(number)
        case .day(let day): [0x14] + Self.bytes(UInt64(bitPattern: day) ^ 1 << 63)
        case .instant(let instant):
            [0x15] + Self.bytes(UInt64(bitPattern: instant.seconds) ^ 1 << 63)
                + Self.bytes(UInt64(instant.nanoseconds)).suffix(4)
        case .text(let text): [0x16] + Array(text.text.utf8)
        case .nested: [0x17]
        }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// IEEE 754 sorts by its bits, negative numbers the other way round.
    private static func bytes(_ number: Double) -> [UInt8] {
        let bits = (number == 0 ? 0 : number).bitPattern
        return bytes(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    }
}

extension JSONNumber {
    /// Sign, exponent and digits; all but the sign are inverted for a negative number.
    fileprivate var sortKey: [UInt8] {
        let decimal = Decimal(Array(lexeme.utf8))
        guard !decimal.digits.isEmpty else { return [0x80] }
        let size = decimal.exponent.sortKey + Array(decimal.digits) + [0]
        return decimal.isNegative ? [0x40] + size.map(~) : [0xC0] + size
    }
}

extension JSONNumber.Exponent {
    /// Small ones, which nearly all are, take one byte.
    fileprivate var sortKey: [UInt8] {
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
