internal import AtmosphereExchange

/// A published event as it is written to a broker outside of this process.
///
/// `{"v": 1, "id": …, "kind": "update", "to": ["u:ann", "r:tasks"], "data": …}`. What was written there is not trusted:
/// anything else is refused, and no type is made from a name that stands in it.
enum EventEnvelope {
    private static let version: Value = 1
    private static let limits = JSONLimits(depth: 64, bytes: 32 << 20)

    static func encode(_ event: PublishedEvent) -> [UInt8] {
        let audiences = event.audiences.map { audience -> Value in
            switch audience {
            case .user(let name): .string("u:\(name)")
            case .room(let name): .string("r:\(name)")
            }
        }
        let value: Value = [
            "v": version, "id": .string(event.id), "kind": .string(event.kind.rawValue), "to": .array(audiences),
            "data": event.data
        ]
        return value.json()
    }

    /// - Returns: nil for what was not written by ``encode(_:)``, or by another version of it.
    static func decode(_ bytes: [UInt8]) -> PublishedEvent? {
        guard let members = try? Value(json: bytes, limits: limits).members, members["v"] == version,
            let id = members["id"]?.string, let kind = members["kind"]?.string.flatMap(PublishedEvent.Kind.init),
            let names = members["to"]?.array, names.count <= 10_000, let data = members["data"]
        else { return nil }
        var audiences: [Audience] = []
        for name in names {
            guard let name = name.string, name.utf8.count <= 300 else { return nil }
            if let user = name.rest(after: "u:") {
                audiences.append(.user(String(user)))
            } else if let room = name.rest(after: "r:") {
                audiences.append(.room(String(room)))
            } else {
                return nil
            }
        }
        return PublishedEvent(id: id, kind: kind, audiences: audiences, data: data)
    }
}
