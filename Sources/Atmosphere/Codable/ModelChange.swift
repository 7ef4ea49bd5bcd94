/// What a model's edit says, put into the record that it belongs to.
///
/// Only what differs between the model before and after is written; what the model does not name of members and elements
/// stays, and a value that means the same keeps its text.
enum ModelChange {
    /// The top-level members to set, with their new values.
    static func changes(
        from before: Value.Members, to after: Value.Members, in present: Value.Members
    ) -> [(name: String, value: Value?)] {
        let names = after.names + before.names.filter { after[$0] == nil }
        var changes: [(name: String, value: Value?)] = []
        for name in names where before[name] != after[name] {
            if let new = after[name] {
                changes.append((name, merged(before[name], new, into: present[name])))
            } else if present[name] != nil {
                // An optional that became nil: null, as servers say it, and nothing where nothing was.
                changes.append((name, Value.null))
            }
        }
        return changes
    }

    private static func merged(_ before: Value?, _ after: Value, into present: Value?) -> Value {
        switch (before, after, present) {
        case (.object(let old)?, .object(let new), .object(var members)?):
            for change in changes(from: old, to: new, in: members) { members[change.name] = change.value }
            return .object(members)
        case (.array(let old)?, .array(let new), .array(let elements)?) where old.count == elements.count:
            return .array(merged(old, new, into: elements))
        default: return written(after, like: present)
        }
    }

    private static func merged(_ old: [Value], _ new: [Value], into elements: [Value]) -> [Value] {
        let sources = ElementSources(from: old, to: new).sources
        return new.enumerated().map { index, element in
            guard let source = sources[index] else { return element }
            return old[source] == element ? elements[source] : merged(old[source], element, into: elements[source])
        }
    }

    /// A value in the form in which a record had the one before it: a number as a text where it was one, a time with the
    /// same offset and digits, a day where there was a day.
    private static func written(_ new: Value, like old: Value?) -> Value {
        switch (new, old) {
        case (.number(let number), .string(let text)?) where JSONNumber(text) != nil: return .string(number.lexeme)
        case (.string(let written), .string(let text)?):
            guard let instant = Instant(written), instant.description == written else { return new }
            if Instant(text) != nil { return .string(instant.text(like: text)) }
            return Instant.day(text) == nil ? new : .string(String(written.prefix(10)))
        default: return new
        }
    }
}
