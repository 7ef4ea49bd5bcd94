/// A JSON number as it was written.
///
/// The lexeme is kept, so `1.10` is sent back as `1.10`; equality, hash and order go by the exact decimal value, so `1`,
/// `1.0` and `10e-1` are equal. No value is ever rounded, however many digits or however large an exponent.
public struct JSONNumber: Sendable {
    /// The number's text (RFC 8259 §6).
    public let lexeme: String

    /// Checks the grammar of RFC 8259 §6: no `+`, no leading zeros, digits on both sides of a point.
    ///
    /// - Returns: nil for anything that JSON does not call a number.
    public init?(_ lexeme: String) {
        guard JSONScanner.isNumber(lexeme) else { return nil }
        self.lexeme = lexeme
    }

    /// A whole number, written in decimal digits.
    public init(_ value: Int) { lexeme = String(value) }

    /// A whole number, written in decimal digits.
    public init(_ value: Int64) { lexeme = String(value) }

    /// Takes a text that the scanner has passed as a number.
    package init(unchecked lexeme: String) { self.lexeme = lexeme }

    /// The value, where it is a whole number of 64 bits, however it is written (`1e3` is 1000).
    public var int64: Int64? {
        if let plain = Int64(lexeme) { return plain }
        return decimal.int64
    }

    /// The nearest binary value; nil where it is too large for one.
    public var double: Double? {
        guard let value = Double(lexeme), value.isFinite else { return nil }
        return value
    }

    private var decimal: Decimal { Decimal(Array(lexeme.utf8)) }
}

extension JSONNumber: Hashable, Comparable {
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.lexeme == right.lexeme { return true }
        if left.lexeme.utf8.count <= 18, right.lexeme.utf8.count <= 18, let first = Int64(left.lexeme),
            let second = Int64(right.lexeme)
        {
            return first == second
        }
        return left.decimal.compare(right.decimal) == 0
    }

    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        if let first = Int64(left.lexeme), let second = Int64(right.lexeme) { return first < second }
        return left.decimal.compare(right.decimal) < 0
    }

    public func hash(into hasher: inout Hasher) { decimal.hash(into: &hasher) }
}

extension JSONNumber: CustomStringConvertible {
    public var description: String { lexeme }
}
