extension Query {
    /// Whether the filter holds for a record; the entity, the order, the limit and the offset are not looked at.
    ///
    /// A member that is absent counts as null. Null is equal to null only, and less or greater than nothing. A value
    /// given as text also matches a number or a boolean written so (`"5"` and `5`), and the other way round.
    public func matches(_ record: ObjectRecord) -> Bool { filter.holds(for: record) }

    /// The records in the query's order, all of them: absent and null first, then by the declared type; values that do
    /// not read as the type follow by kind. Records that tie stand in ascending order of identifier.
    public func sorted(_ records: [(ObjectURI, ObjectRecord)]) -> [(ObjectURI, ObjectRecord)] {
        let keyed = records.map { entry in (entry: entry, keys: keys(of: entry.1), id: IdentifierKey(entry.0.id)) }
        return keyed.sorted { left, right in
            switch compare(left.keys, right.keys) {
            case .equal: left.id < right.id
            case .less: true
            case .greater: false
            }
        }
        .map(\.entry)
    }

    /// What a store answers: the matching records of the query's entity in its order, from the offset on, as many as the
    /// limit allows.
    public func select(
        from records: some Sequence<(ObjectURI, ObjectRecord)>
    ) -> [(ObjectURI, ObjectRecord)] {
        let matching = sorted(records.filter { $0.0.entity == entity && matches($0.1) }).dropFirst(max(0, offset))
        return limit.map { Array(matching.prefix(max(0, $0))) } ?? Array(matching)
    }

    /// What the order looks at in a record.
    package func keys(of record: ObjectRecord) -> [ComparisonKey] {
        order.map { ($0.type ?? .json).key(for: record.value(of: $0.field, at: $0.paths)) }
    }

    /// How two records stand to each other in the query's order, but for their identifiers.
    package func compare(_ left: [ComparisonKey], _ right: [ComparisonKey]) -> ValueOrder {
        for (index, part) in order.enumerated() {
            let order = left[index].sortOrder(right[index])
            if order != .equal { return part.ascending ? order : order.reversed }
        }
        return .equal
    }
}

extension Query.Filter {
    /// Whether it holds for a record.
    package func holds(for record: ObjectRecord) -> Bool {
        switch self {
        case .condition(let condition): condition.holds(for: record.value(of: condition.field, at: condition.paths))
        case .and(let parts): parts.allSatisfy { $0.holds(for: record) }
        case .or(let parts): parts.contains { $0.holds(for: record) }
        case .not(let part): !part.holds(for: record)
        }
    }
}

extension Query.Condition {
    /// Whether the condition holds for the member's value; null where it is absent.
    package func holds(for member: Value) -> Bool {
        switch comparison {
        case .equal: isEqual(member)
        case .notEqual: !isEqual(member)
        case .less: order(member) == .less
        case .lessOrEqual: order(member).map { $0 != .greater } ?? false
        case .greater: order(member) == .greater
        case .greaterOrEqual: order(member).map { $0 != .less } ?? false
        case .contains: isIn(member)
        case .containsAnyCase: isInAnyCase(member)
        case .prefix: text(of: member).map { Array($0.utf8).starts(with: value.text.utf8) } ?? false
        }
    }

    private func isIn(_ member: Value) -> Bool {
        if case .array(let elements) = member { return elements.contains { isEqual($0) } }
        return text(of: member)?.hasBytes(value.text) ?? false
    }

    private func isInAnyCase(_ member: Value) -> Bool {
        let wanted = value.text.lowercased()
        if case .array(let elements) = member {
            return elements.contains { isEqual($0) || text(of: $0)?.lowercased() == wanted }
        }
        return text(of: member)?.lowercased().hasBytes(wanted) ?? false
    }

    /// What a text is looked for in: a text, or with the declared type `string` also a number or a truth value.
    private func text(of member: Value) -> String? {
        switch member {
        case .string(let text): text
        case .number, .bool: type == .string ? member.text : nil
        case .null, .array, .object: nil
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
