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
