internal import Atmosphere

extension SourceState {
    /// Fills every table with the same objects for the same random seed, parents first.
    mutating func seed() {
        guard rules.seed > 0 else { return }
        isSeeding = true
        defer { isSeeding = false }
        for (place, resource) in api.resources.enumerated() {
            var random = SourceRandom(state: rules.randomSeed &+ UInt64(place) &* 0x1000)
            for number in 1...rules.seed {
                // 2024-01-01T08:00:00Z and a minute more for each object.
                now = (1_704_096_000 + 60 * Int64(number)) * 1_000_000
                let members = generated(number, resource, &random)
                let id: Value? = resource.assigned == .client ? .string(random.uuid()) : nil
                // Only a parent without objects stands in the way, and then there is nothing to be below.
                _ = try? add(members, id: id, parents: resource.parents.map { _ in nil }, resource)
            }
        }
    }

    private func generated(_ number: Int, _ resource: Resource, _ random: inout SourceRandom) -> Value.Members {
        let name = resource.name.hasSuffix("s") ? String(resource.name.dropLast()) : resource.name
        let title = "\(name.prefix(1).uppercased())\(name.dropFirst()) \(number)"
        let due = SourceTime.date(days: 19_723 + Int64(random.below(365)))
        var members: Value.Members = [
            "title": .string(title),
            "notes": number % 4 == 0 ? nil : .string("Notes on \(title): \(random.words(6))."),
            "status": random.below(3) == 0 ? "completed" : "needsAction",
            "due": number % 7 == 0 ? nil : .string(due)
        ]
        for (field, type) in resource.fields.types.sorted(by: { $0.key < $1.key })
        where members[field] == nil && !resource.isServerSet(field) && !resource.isID(field) {
            members[field] = random.value(of: type, number)
        }
        for reference in resource.references
        where !resource.isParent(reference.field) && reference.entity != resource.name {
            members[reference.field] = anyID(reference.entity, number)
        }
        var above: SourceTable.Row?
        // From the innermost parent outwards, so that the parents are each other's.
        for (place, reference) in resource.parents.enumerated().reversed() {
            if let known = above, let parent = api.resource(resource.parents[place + 1].entity),
                let index = parent.parents.firstIndex(where: { $0.entity == reference.entity })
            {
                members[reference.field] = parent.value(parent.parents[index].field, in: known.members)
            } else {
                members[reference.field] = anyID(reference.entity, number)
            }
            above = anyRow(reference.entity, number)
        }
        if let lookup = resource.lookup?.field { members[lookup] = .string(random.uuid()) }
        return members
    }

    private func anyRow(_ entity: String, _ number: Int) -> SourceTable.Row? {
        guard let rows = tables[entity]?.rows, !rows.isEmpty else { return nil }
        return rows[(number - 1) % rows.count]
    }

    private func anyID(_ entity: String, _ number: Int) -> Value? {
        guard let row = anyRow(entity, number), let resource = api.resource(entity) else { return nil }
        return resource.id.first(in: .object(row.members))
    }
}

/// SplitMix64: the same numbers on every machine.
struct SourceRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func words(_ count: Int) -> String {
        let words = [
            "water", "the", "ferns", "call", "Größe", "measure", "paper", "before", "noon", "again", "水", "it’s"
        ]
        return (0..<count).map { _ in words[below(words.count)] }.joined(separator: " ")
    }

    /// Version 4 (RFC 9562 §5.4).
    mutating func uuid() -> String {
        let digits = Array("0123456789abcdef")
        let (high, low) = (next() & ~0xF000 | 0x4000, next() & ~(3 << 62) | 2 << 62)
        var text = ""
        for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { text.append("-") }
            let word = place < 16 ? high : low
            text.append(digits[Int(word >> (60 - 4 * UInt64(place % 16)) & 15)])
        }
        return text
    }

    mutating func value(of type: FieldType, _ number: Int) -> Value {
        switch type {
        case .string: .string(words(3))
        case .integer: .number(JSONNumber(below(1000)))
        case .decimal: .string("\(below(100)).\(10 + below(90))")
        case .float: JSONNumber("\(below(10)).5").map(Value.number) ?? nil
        case .boolean: .bool(below(2) == 0)
        case .seconds, .milliseconds, .microseconds:
            type.value(of: Instant(seconds: 1_704_096_000 + 3600 * Int64(number)))
        case .instant: .string(SourceTime.text(microseconds: (1_704_096_000 + 3600 * Int64(number)) * 1_000_000))
        case .date: .string(SourceTime.date(days: 19_723 + Int64(below(365))))
        case .json: .array([.string("t\(below(5))"), "x"])
        }
    }
}
