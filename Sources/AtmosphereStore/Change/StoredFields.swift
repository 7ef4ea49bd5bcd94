/// Reads the members of a stored JSON object; whatever is not as it was written throws ``StoreError`` `damaged`.
package struct StoredFields {
    private let members: Value.Members
    /// What the members describe, for messages.
    private let thing: String

    package init(_ value: Value?, of thing: String) throws(StoreError) {
        guard case .object(let members)? = value else { throw .damaged(thing, "it is not an object") }
        self.members = members
        self.thing = thing
    }

    package func value(_ name: String) -> Value? { members[name] }

    package func text(_ name: String) throws(StoreError) -> String {
        guard let text = try optionalText(name) else { throw missing(name) }
        return text
    }

    package func optionalText(_ name: String) throws(StoreError) -> String? {
        switch members[name] {
        case nil: nil
        case .string(let text)?: text
        default: throw wrong(name, "a text")
        }
    }

    package func integer(_ name: String) throws(StoreError) -> Int64 {
        guard let number = try optionalInteger(name) else { throw missing(name) }
        return number
    }

    package func optionalInteger(_ name: String) throws(StoreError) -> Int64? {
        guard let value = members[name] else { return nil }
        guard let number = value.number?.int64, Self.countable.contains(number) else {
            throw wrong(name, "an integer of at most 62 bits")
        }
        return number
    }

    /// Revisions, sequences, commits and times are counted on from: no sum of two such numbers overflows.
    package static let countable = -(Int64(1) << 62)...(1 << 62)

    /// False where it is absent.
    package func flag(_ name: String) throws(StoreError) -> Bool {
        guard let value = members[name] else { return false }
        guard let flag = value.bool else { throw wrong(name, "true or false") }
        return flag
    }

    /// Empty where it is absent.
    package func list(_ name: String) throws(StoreError) -> [Value] {
        guard let value = members[name] else { return [] }
        guard let list = value.array else { throw wrong(name, "a list") }
        return list
    }

    /// Empty where it is absent.
    package func names(_ name: String) throws(StoreError) -> [String] {
        var names: [String] = []
        for value in try list(name) {
            guard let text = value.string else { throw wrong(name, "a list of names") }
            names.append(text)
        }
        return names
    }

    package func fields(_ name: String) throws(StoreError) -> StoredFields {
        guard let value = members[name] else { throw missing(name) }
        return try StoredFields(value, of: "\(thing), \(name)")
    }

    package func optionalRecord(_ name: String, of uri: ObjectURI) throws(StoreError) -> ObjectRecord? {
        guard let value = members[name] else { return nil }
        return try ObjectRecord(embedded: value, of: uri)
    }

    package func missing(_ name: String) -> StoreError { .damaged(thing, "“\(name)” is missing") }
    package func wrong(_ name: String, _ expected: String) -> StoreError {
        .damaged(thing, "“\(name)” is not \(expected)")
    }
}

/// Collects members for ``StoredFields`` to read; what is nil, empty, zero or false is left out. What is written can be read:
/// a number of more than 62 bits is written as the one next to it that has no more.
package struct StoredFieldsWriter {
    private var members: [Value.Member] = []

    package init() {}

    package var value: Value { .object(Value.Members(unique: members)) }

    package mutating func set(_ name: String, _ value: Value?) {
        if let value { members.append(Value.Member(name: name, value: value)) }
    }
    package mutating func set(_ name: String, _ text: String?) { set(name, text.map(Value.string)) }
    package mutating func set(_ name: String, _ number: Int64?) {
        let range = StoredFields.countable
        set(name, number.map { .number(JSONNumber(min(max($0, range.lowerBound), range.upperBound))) })
    }
    package mutating func setUnlessZero(_ name: String, _ number: Int64) { if number != 0 { set(name, number) } }
    package mutating func set(_ name: String, flag: Bool) { if flag { set(name, Value.bool(true)) } }
    package mutating func set(_ name: String, list: [Value]) { if !list.isEmpty { set(name, Value.array(list)) } }
    package mutating func set(_ name: String, _ record: ObjectRecord?) { set(name, record?.embedded) }
}
