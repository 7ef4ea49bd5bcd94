extension Query {
    /// Whether all conditions hold for a record; the entity, the order and the limit are not looked at.
    ///
    /// A member that is absent counts as null. Null is equal to null only, and less or greater than nothing. A value
    /// given as text also matches a number or a boolean written so (`"5"` and `5`), and the other way round.
    public func matches(_ record: ObjectRecord) -> Bool {
        conditions.allSatisfy { $0.holds(for: record.value(of: $0.field, at: $0.path)) }
    }

    /// The records in the query's order, all of them: absent and null first, then by the declared type; values that do
    /// not read as the type follow by kind. Records that tie stand in ascending order of identifier.
    public func sorted(_ records: [(ObjectURI, ObjectRecord)]) -> [(ObjectURI, ObjectRecord)] {
        let keyed = records.map { entry in
            let keys = order.map { ($0.type ?? .json).key(for: entry.1.value(of: $0.field, at: $0.path)) }
            return (entry: entry, keys: keys, id: ScalarText(entry.0.id))
        }
        return keyed.sorted { left, right in
            for (index, part) in order.enumerated() {
                switch left.keys[index].sortOrder(right.keys[index]) {
                case .equal: continue
                case .less: return part.ascending
                case .greater: return !part.ascending
                }
            }
            return left.id < right.id
        }
        .map(\.entry)
    }

    /// What a store answers: the matching records of the query's entity in its order, as many as the limit allows.
    public func select(
        from records: some Sequence<(ObjectURI, ObjectRecord)>
    ) -> [(ObjectURI, ObjectRecord)] {
        let matching = sorted(records.filter { $0.0.entity == entity && matches($0.1) })
        return limit.map { Array(matching.prefix(max(0, $0))) } ?? matching
    }
}

extension ObjectRecord {
    /// A field's value for a query; null where it is absent.
    func value(of field: String, at path: JSONPath?) -> Value {
        guard let path, case .member(let root)? = path.steps.first else { return self[field] ?? .null }
        return self[root].flatMap { JSONPath(Array(path.steps.dropFirst())).first(in: $0) } ?? .null
    }
}

extension Query.Condition {
    /// Whether the condition holds for the member's value; null where it is absent.
    public func holds(for member: Value) -> Bool {
        switch comparison {
        case .equal: isEqual(member)
        case .notEqual: !isEqual(member)
        case .less: order(member) == .less
        case .lessOrEqual: order(member).map { $0 != .greater } ?? false
        case .greater: order(member) == .greater
        case .greaterOrEqual: order(member).map { $0 != .less } ?? false
        }
    }

    private func isEqual(_ member: Value) -> Bool {
        if let type { return type.equal(member, value) }
        return member == value || keys(member).map { $0 == $1 } ?? false
    }

    private func order(_ member: Value) -> ValueOrder? {
        if let type { return type.compare(member, value) }
        guard let (left, right) = keys(member) else { return ComparisonKey(member).order(ComparisonKey(value)) }
        return left.order(right)
    }

    /// Without a declared type, for a text on one side and a number or a boolean on the other: both as numbers where
    /// the text is one, else as texts.
    private func keys(_ member: Value) -> (ComparisonKey, ComparisonKey)? {
        switch (member, value) {
        case (.string, .number), (.number, .string):
            let left = FieldType.decimal.key(for: member)
            let right = FieldType.decimal.key(for: value)
            return left.order(right) == nil ? nil : (left, right)
        case (.string, .bool), (.bool, .string):
            return (FieldType.string.key(for: member), FieldType.string.key(for: value))
        default: return nil
        }
    }
}
