extension ObjectRecord {
    /// One member's value, the first of duplicate names; nil where it is absent. Decodes nothing else.
    package func member(named name: String) -> Value? {
        checked { bytes in
            var found: Value?
            try Self.readMembers(bytes) { text, key, value in
                guard JSONText.says(name, text.slice(key)) else { return true }
                found = try Value(json: bytes, range: value)
                return false
            }
            return found
        }
    }

    /// A copy with one member set, appended where it is absent, or removed for nil. All other members keep their
    /// bytes, and the white space around them.
    package func replacing(member name: String, with value: Value?) -> ObjectRecord {
        checked { bytes in
            var found: [(lead: Int, value: Range<Int>)] = []
            var open = 0
            var last: Int?
            try Self.readMembers(bytes) { text, key, value in
                if last == nil { open = key.lowerBound - 1 }
                if JSONText.says(name, text.slice(key)) { found.append((last ?? open, value)) }
                last = value.upperBound
                return true
            }
            var record: [UInt8] = []
            record.reserveCapacity(bytes.count + 64)
            if let value, let first = found.first {
                record += bytes[..<first.value.lowerBound]
                record += value.json()
                record += bytes[first.value.upperBound...]
            } else if let value {
                let end = last ?? Self.brace(bytes) + 1
                record += bytes[..<end]
                if last != nil { record.append(UInt8(ascii: ",")) }
                JSONText.append(name, to: &record)
                record.append(UInt8(ascii: ":"))
                record += value.json()
                record += bytes[end...]
            } else {
                // Every duplicate goes, or the next one would come to light.
                var kept = 0
                for member in found {
                    record += bytes[kept..<member.lead]
                    kept = member.value.upperBound
                }
                record += bytes[kept...]
                // Each takes the comma in front of it along; the first has none, and leaves the next one's behind.
                if let first = found.first, first.lead == open { Self.dropComma(&record, from: open) }
            }
            return ObjectRecord(unchecked: record)
        }
    }

    /// A copy with these members set, appended where they are absent, as by ``replacing(member:with:)`` one after another, in
    /// one pass.
    ///
    /// - Parameter members: each name once.
    package func replacing(_ members: [Value.Member]) -> ObjectRecord {
        guard members.count > 1 else { return members.first.map { replacing(member: $0.name, with: $0.value) } ?? self }
        let new = Value.Members(members)
        return checked { bytes in
            var record: [UInt8] = []
            record.reserveCapacity(bytes.count + 64 * members.count)
            var kept = 0
            var last: Int?
            var found = Set<ScalarText>()
            try Self.readMembers(bytes) { text, key, value in
                last = value.upperBound
                let name = JSONText.decode(text.slice(key))
                // The first of duplicates is the one that counts.
                guard let edited = new[name], found.insert(ScalarText(name)).inserted else { return true }
                record += bytes[kept..<value.lowerBound]
                record += edited.json()
                kept = value.upperBound
                return true
            }
            let end = last ?? Self.brace(bytes) + 1
            record += bytes[kept..<end]
            var isFirst = last == nil
            for member in new where !found.contains(ScalarText(member.name)) {
                if !isFirst { record.append(UInt8(ascii: ",")) }
                isFirst = false
                JSONText.append(member.name, to: &record)
                record.append(UInt8(ascii: ":"))
                record += member.value.json()
            }
            record += bytes[end...]
            return ObjectRecord(unchecked: record)
        }
    }

    private static func dropComma(_ record: inout [UInt8], from start: Int) {
        guard let first = record[start...].firstIndex(where: { $0 > 0x20 }), record[first] == UInt8(ascii: ",") else {
            return
        }
        record.remove(at: first)
    }

    private static func brace(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.firstIndex(of: UInt8(ascii: "{")) ?? 0
    }

    /// - Parameter member: gets what stands between the quotes of the name, and where the value stands; returns whether
    ///   to go on.
    private static func readMembers(
        _ bytes: UnsafeBufferPointer<UInt8>, _ member: (JSONScanner, Range<Int>, Range<Int>) throws -> Bool
    ) throws {
        let text = JSONScanner(bytes)
        _ = try text.readMembers(brace(bytes)) { key, _, value in
            let end = try text.valueEnd(value, depth: 0)
            return try member(text, key, value..<end) ? end : nil
        }
    }

    /// Reads the bytes, which were checked when the record was made.
    package func checked<Result>(_ read: (UnsafeBufferPointer<UInt8>) throws -> Result) -> Result {
        do {
            return try bytes.withUnsafeBufferPointer { try read($0) }
        } catch {
            preconditionFailure("an ObjectRecord holds a valid JSON object by construction")
        }
    }
}

extension ObjectRecord {
    /// The record with the members that only `known` has.
    package func completed(over known: ObjectRecord) -> ObjectRecord {
        var members = members
        let before = members.count
        for member in known.members where members[member.name] == nil { members[member.name] = member.value }
        return members.count == before ? self : ObjectRecord(members)
    }
}
