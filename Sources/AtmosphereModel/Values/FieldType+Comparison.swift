extension FieldType {
    /// Whether two values of a member of this type mean the same.
    ///
    /// Numbers may be written as strings (`"0.25"`). A value that does not read as the type is compared as a plain JSON
    /// value; null is equal to null only.
    package func equal(_ left: Value, _ right: Value) -> Bool {
        left == right || key(for: left) == key(for: right)
    }

    /// How two values of a member of this type are ordered.
    ///
    /// - Returns: nil where no order is defined: one of them is null or does not read as the type, or they are arrays
    ///   or objects.
    package func compare(_ left: Value, _ right: Value) -> ValueOrder? { key(for: left).order(key(for: right)) }

    /// The same with the type that is declared for the member, or by JSON value where none is: numbers by value,
    /// strings by Unicode scalars.
    package static func equal(_ left: Value, _ right: Value, as type: FieldType?) -> Bool {
        type?.equal(left, right) ?? (left == right)
    }

    /// See ``equal(_:_:as:)``.
    package static func compare(_ left: Value, _ right: Value, as type: FieldType?) -> ValueOrder? {
        (type ?? .json).compare(left, right)
    }
}

/// How one value stands to another.
package enum ValueOrder: Sendable, Hashable {
    /// How the left value stands to the right one.
    case less, equal, greater

    package init<Key: Comparable>(_ left: Key, _ right: Key) {
        self = left < right ? .less : left == right ? .equal : .greater
    }

    package var reversed: ValueOrder {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}

/// What a value is compared by: read as its declared type where it can be, else as the JSON value it is.
package enum ComparisonKey: Hashable {
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

extension FieldType {
    /// What a value of a member of this type is compared by.
    package func key(for value: Value) -> ComparisonKey { typedKey(for: value) ?? ComparisonKey(value) }

    /// Whether a value is compared as one of the type; null is one of every type.
    package func compares(_ value: Value) -> Bool { self == .json || value.isNull || typedKey(for: value) != nil }

    private func typedKey(for value: Value) -> ComparisonKey? {
        switch self {
        case .json: nil
        case .string: Self.scalarText(value).map { .text(ScalarText($0)) }
        case .integer, .decimal: Self.number(value).map { .number($0) }
        case .float: Self.number(value)?.double.map { .float($0) }
        case .boolean: Self.flag(value).map { .flag($0) }
        case .instant, .seconds, .milliseconds, .microseconds: moment(value).map { .instant($0) }
        case .date: value.string.flatMap { Instant.day($0) }.map { .day($0) }
        }
    }

    private static func scalarText(_ value: Value) -> String? {
        switch value {
        case .string, .number, .bool: value.text
        case .null, .array, .object: nil
        }
    }

    private static func number(_ value: Value) -> JSONNumber? {
        value.number ?? value.string.flatMap { JSONNumber($0) }
    }

    private static func flag(_ value: Value) -> Bool? {
        switch scalarText(value) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}
