/// What a value is compared by: read as its declared type where it can be, else as the JSON value it is.
package enum ComparisonKey: Hashable, Sendable {
    // Keys of different cases sort in this order.
    case null
    case flag(Bool)
    case number(JSONNumber)
    case float(Double)
    case day(Int64)
    case instant(Instant)
    case text(ScalarText)
    case nested(Value)

    /// Without a declared type.
    package init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .flag(flag)
            case .number(let number): .number(number)
            case .string(let text): .text(ScalarText(text))
            case .array, .object: .nested(value)
            }
    }

    /// nil between different cases, and for what has no order.
    package func order(_ other: ComparisonKey) -> ValueOrder? {
        switch (self, other) {
        case (.flag(let left), .flag(let right)): ValueOrder(left ? 1 : 0, right ? 1 : 0)
        case (.number(let left), .number(let right)): ValueOrder(left, right)
        case (.float(let left), .float(let right)): ValueOrder(left, right)
        case (.day(let left), .day(let right)): ValueOrder(left, right)
        case (.instant(let left), .instant(let right)): ValueOrder(left, right)
        case (.text(let left), .text(let right)): ValueOrder(left, right)
        default: nil
        }
    }

    /// An order of everything, for sorting: null first.
    package func sortOrder(_ other: ComparisonKey) -> ValueOrder { order(other) ?? ValueOrder(rank, other.rank) }

    private var rank: Int {
        switch self {
        case .null: 0
        case .flag: 1
        case .number: 2
        case .float: 3
        case .day: 4
        case .instant: 5
        case .text: 6
        case .nested: 7
        }
    }
}

extension ComparisonKey {
    /// See ``FieldType/sortKey(of:)``. The first byte is the kind, in the order of kinds.
    var sortKey: [UInt8] {
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
