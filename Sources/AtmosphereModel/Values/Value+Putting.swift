extension Value.Members {
    /// Sets a value at a path of names; objects are made where they are missing. Of an object that is put where one
    /// stands already only the members that are missing there are taken.
    package mutating func put(_ value: Value, at path: some Collection<String>) {
        guard let name = path.first else {
            if let members = value.members { fill(from: members) }
            return
        }
        let rest = path.dropFirst()
        if rest.isEmpty, self[name]?.members == nil || value.members == nil {
            self[name] = value
            return
        }
        if self[name]?.members == nil { self[name] = .object(Value.Members()) }
        self[name]?.changeMembers { $0.put(value, at: rest) }
    }

    /// Sets members over those that are here; objects that both have are joined, also inside of them.
    package mutating func overlay(_ other: Value.Members) {
        for member in other {
            if let more = member.value.members, self[member.name]?.members != nil {
                self[member.name]?.changeMembers { $0.overlay(more) }
            } else {
                self[member.name] = member.value
            }
        }
    }

    /// What stands at a path of names; nil where nothing does.
    package func value(at path: some Collection<String>) -> Value? {
        guard let name = path.first, let value = self[name] else { return nil }
        let rest = path.dropFirst()
        return rest.isEmpty ? value : value.members?.value(at: rest)
    }

    /// The members that others lack, with their paths, also inside of objects that both have.
    package func leaves(missingIn other: Value.Members) -> [(path: [String], value: Value)] {
        flatMap { member -> [(path: [String], value: Value)] in
            guard let present = other[member.name] else { return [([member.name], member.value)] }
            guard let own = member.value.members, let inner = present.members else { return [] }
            return own.leaves(missingIn: inner).map { ([member.name] + $0.path, $0.value) }
        }
    }

    /// Sets null where an object inside of a member lacks what it had before: so a merge patch removes it (RFC 7396 §1).
    package mutating func removeByNull(since before: Value.Members) {
        for member in before {
            guard let old = member.value.members, self[member.name]?.members != nil else { continue }
            self[member.name]?.changeMembers { inner in
                for name in old.names where inner[name] == nil { inner[name] = Value.null }
                inner.removeByNull(since: old)
            }
        }
    }

    /// Adds the members that are missing, also inside of objects that both have.
    package mutating func fill(from other: Value.Members) {
        for member in other {
            if self[member.name] == nil {
                self[member.name] = member.value
            } else if let more = member.value.members {
                self[member.name]?.changeMembers { $0.fill(from: more) }
            }
        }
    }
}

extension Value {
    /// The same value with another at a path of members and indices: objects are made where they are missing; an index
    /// must be one of an element that is there.
    ///
    /// - Returns: nil where the path cannot be followed.
    package func putting(_ new: Value, at steps: ArraySlice<JSONPath.Step>) -> Value? {
        guard let step = steps.first else { return new }
        switch (step, self) {
        case (.member(let name), .object(var members)):
            guard let inner = (members[name] ?? [:]).putting(new, at: steps.dropFirst()) else { return nil }
            members[name] = inner
            return .object(members)
        case (.index(let index), .array(var elements)):
            guard elements.indices.contains(index),
                let inner = elements[index].putting(new, at: steps.dropFirst())
            else { return nil }
            elements[index] = inner
            return .array(elements)
        default: return Optional.none
        }
    }
}

extension Value {
    /// The value with what stands at a path replaced; where nothing stands there it stays as it is.
    package func replacing(at path: ArraySlice<JSONPath.Step>, _ transform: (Value) throws -> Value) rethrows -> Value {
        guard let step = path.first else { return try transform(self) }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.member(let name), .object(var members)):
            guard let inner = members[name] else { return self }
            members[name] = try inner.replacing(at: rest, transform)
            return .object(members)
        case (.index(let index), .array(var elements)):
            let place = index < 0 ? elements.count + index : index
            guard elements.indices.contains(place) else { return self }
            elements[place] = try elements[place].replacing(at: rest, transform)
            return .array(elements)
        case (.all, .array(let elements)):
            return .array(try elements.map { try $0.replacing(at: rest, transform) })
        case (.all, .object(var members)):
            for name in members.names { members[name] = try members[name]?.replacing(at: rest, transform) }
            return .object(members)
        default: return self
        }
    }
}

extension Value {
    /// The value with each element of a list, or itself where it is none, replaced.
    package func mapElements(_ transform: (Value) throws -> Value) rethrows -> Value {
        if case .array(let elements) = self { return .array(try elements.map(transform)) }
        return try transform(self)
    }
}
