extension Query.Condition {
    /// The field in the terms of an index: an index whose fields have an equal one holds what the condition compares. nil for
    /// a condition without a type, which no index serves.
    public var indexField: QueryIndex.Field? {
        type.map { .init(firstOf: paths.isEmpty ? [.member(field)] : paths, type: $0) }
    }

    /// Which sort keys the condition holds for, exactly: a record matches if and only if the test holds for
    /// ``QueryIndex/Field/sortKey(of:)`` of ``indexField``.
    ///
    /// nil where keys do not tell, and each record must be asked (``Query/matches(_:)``): without a type, and with ``FieldType/json``;
    /// for a value that is a list or an object; for a number as ``FieldType/string`` or ``FieldType/boolean``, because
    /// `1` and `1.0` are equal and have keys of their own there; for `contains`, and for `prefix` of what is no
    /// ``FieldType/string``.
    public var keyTest: KeyTest? {
        guard let type else { return nil }
        let value = comparison == .prefix ? .string(value.text) : value
        switch (type, value) {
        // The key of a number that is compared as a text, or as a truth value, is that of its lexeme.
        case (.string, .number), (.boolean, .number), (.json, _), (_, .array), (_, .object): return nil
        default: break
        }
        let key = type.sortKey(of: value)
        let isOrdered = !value.isNull
        switch comparison {
        case .equal: return .equal(key)
        case .notEqual: return .notEqual(key)
        case .less: return isOrdered ? .range(from: [key[0]], below: key) : .never
        case .lessOrEqual: return isOrdered ? .range(from: [key[0]], below: key + [0]) : .never
        case .greater: return isOrdered ? .range(from: key + [0], below: [key[0] + 1]) : .never
        case .greaterOrEqual: return isOrdered ? .range(from: key, below: [key[0] + 1]) : .never
        // No byte of UTF-8 is 0xFF.
        case .prefix: return type == .string ? .range(from: key, below: key + [0xFF]) : nil
        case .contains, .containsAnyCase: return nil
        }
    }

    /// A condition in terms of sort keys, which are compared byte by byte, the shorter first where one is the beginning of
    /// the other.
    public enum KeyTest: Sendable, Hashable {
        /// Holds for this key.
        case equal([UInt8])
        /// Holds for every other key, that of null and absence too.
        case notEqual([UInt8])
        /// Holds for the keys from the first one on, up to the second one and without it.
        case range(from: [UInt8], below: [UInt8])
        /// Holds for no key.
        case never

        /// Whether the test holds for a sort key.
        package func holds(for key: [UInt8]) -> Bool {
            switch self {
            case .equal(let wanted): key == wanted
            case .notEqual(let unwanted): key != unwanted
            case .range(let from, let below):
                !key.lexicographicallyPrecedes(from) && key.lexicographicallyPrecedes(below)
            case .never: false
            }
        }
    }
}

extension Query.Order {
    /// The field in the terms of an index, whose sort keys have the order's own order; nil for an order without a type.
    public var indexField: QueryIndex.Field? {
        type.map { .init(firstOf: paths.isEmpty ? [.member(field)] : paths, type: $0) }
    }
}
