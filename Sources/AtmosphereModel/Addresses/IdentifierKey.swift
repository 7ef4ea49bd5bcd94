/// What identifiers are ordered and told apart by: canonical integers by their value, then every other text by its
/// UTF-8 bytes.
///
/// People expect `tasks/9` before `tasks/10`, and a store can keep most identifiers as integers. Bytes and not Swift's
/// text equality decide, because a server may well tell the two Unicode forms of `é` apart.
///
/// This is the order of ``ObjectURI`` inside an entity, in which a store answers queries without an order, breaks ties, and
/// gives what is changed. A store whose own order is another keeps ``ObjectURI/sortKey`` beside each object.
package enum IdentifierKey: Sendable {
    /// The decimal digits of 0 to 2^63 - 1 without leading zeros.
    case integer(Int64)
    /// Every other text, `-1`, `007` and the empty one too.
    case text(String)

    /// The key of an identifier's text.
    package init(_ text: String) {
        self = Self.canonicalInteger(text).map(IdentifierKey.integer) ?? .text(text)
    }

    /// The identifier's text again, byte for byte.
    package var text: String {
        switch self {
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }

    /// Bytes that sort as the keys do and differ where the keys differ, for a store that sorts by bytes: byte by byte, the
    /// shorter first where one is the beginning of the other.
    package var sortKey: [UInt8] {
        switch self {
        case .integer(let number): withUnsafeBytes(of: number.bigEndian) { [0] + Array($0) }
        case .text(let text): [1] + Array(text.utf8)
        }
    }

    private static func canonicalInteger(_ text: String) -> Int64? {
        let digits = text.utf8
        guard let first = digits.first, digits.count <= 19, first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var number: Int64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (shifted, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = shifted.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            if overflowed || carried { return nil }
            number = sum
        }
        return number
    }
}

extension IdentifierKey: Hashable, Comparable {
    /// The same integer, or the same bytes.
    package static func == (left: IdentifierKey, right: IdentifierKey) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        default: false
        }
    }

    /// Integers by value, before every other text; texts by their bytes.
    package static func < (left: IdentifierKey, right: IdentifierKey) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.text(let left), .text(let right)): left.precedesInBytes(right)
        case (.integer, .text): true
        case (.text, .integer): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let number): hasher.combine(number)
        case .text(let text): text.hashBytes(into: &hasher)
        }
    }
}
