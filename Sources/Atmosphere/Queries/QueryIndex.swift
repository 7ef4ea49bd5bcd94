/// What a store keeps sorted, so that a query costs what it answers and not what the store holds.
///
/// It serves queries whose filter compares its first fields with `==` and perhaps the next one with any comparison, and
/// those that are sorted by the fields behind the ones that were compared with `==`.
public struct QueryIndex: Sendable, Hashable {
    /// A field and the type that it is compared by. Another type would sort it otherwise, so it is always said.
    public struct Field: Sendable, Hashable {
        /// Where it stands in a stored record.
        public var path: JSONPath
        /// The type that the values are sorted by, see ``sortKey(of:)``.
        public var type: FieldType

        /// A field at a path of the stored record, sorted as a type.
        public init(_ path: JSONPath, type: FieldType) {
            self.path = path
            self.type = type
        }

        /// The sort key of a record; see ``FieldType/sortKey(of:)``.
        public func sortKey(of record: ObjectRecord) -> [UInt8] { type.sortKey(of: record.value(of: "", at: path)) }
    }

    /// The entity whose records are sorted.
    public var entity: String
    /// Sorted by the first, then by the next.
    public var fields: [Field]

    /// An index over the fields, in this order.
    public init(_ entity: String, _ fields: [Field]) {
        self.entity = entity
        self.fields = fields
    }
}

extension Query.Condition {
    /// The field in the terms of an index; nil without a type.
    package var indexField: QueryIndex.Field? { type.map { .init(path ?? .member(field), type: $0) } }

    /// Which sort keys the condition holds for, exactly; nil where keys do not tell.
    package var keyTest: KeyTest? {
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
        case .contains: return nil
        }
    }

    /// A condition in terms of sort keys.
    package enum KeyTest: Sendable, Hashable {
        case equal([UInt8])
        case notEqual([UInt8])
        case range(from: [UInt8], below: [UInt8])
        case never
    }
}

extension Query.Order {
    package var indexField: QueryIndex.Field? { type.map { .init(path ?? .member(field), type: $0) } }
}

extension Resource {
    /// The indexes that the resource declares, as a store needs them. A field without a type has none.
    var queryIndexes: [QueryIndex] {
        indexes.compactMap { names in
            let found = names.compactMap { name in
                fields.types[name].map { QueryIndex.Field(mapping.path(of: name), type: $0) }
            }
            return found.count == names.count && !names.isEmpty ? QueryIndex(self.name, found) : nil
        }
    }
}
