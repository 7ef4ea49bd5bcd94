public import Atmosphere

extension RESTSource {
    /// What a source has gone through: for a test of an application against a bad network.
    public struct Summary: Sendable, Hashable {
        /// Objects of one entity that were created with the same content, which is what a create that was sent twice
        /// leaves behind. An application that means to create equal objects is counted too.
        public struct Duplicate: Sendable, Hashable {
            /// The entity of the objects.
            public var entity: String
            /// As in ``ObjectURI/id``, in the order of their creation.
            public var ids: [String]
        }

        /// Requests that arrived.
        public var requests = 0
        /// Those that had an effect or could have had one; a ``Fault/duplicate`` counts once.
        public var processed = 0
        /// Faults that happened, by kind.
        public var faults: [Fault: Int] = [:]
        /// Objects created by requests.
        public var created = 0
        /// In the order of entities, then of creation.
        public var duplicates: [Duplicate] = []

        /// `{"requests": 7, "processed": 6, "faults": {"drop-after": 1}, "created": 2, "duplicates": []}`.
        public var value: Value {
            let counts = faults.sorted { $0.key.rawValue < $1.key.rawValue }
            return [
                "requests": .number(JSONNumber(requests)), "processed": .number(JSONNumber(processed)),
                "faults": .object(
                    Value.Members(counts.map { .init(name: $0.key.rawValue, value: .number(JSONNumber($0.value))) })),
                "created": .number(JSONNumber(created)),
                "duplicates": .array(
                    duplicates.map { duplicate in
                        ["entity": .string(duplicate.entity), "ids": .array(duplicate.ids.map { .string($0) })]
                    })
            ]
        }
    }

    /// What has happened so far, apart from what ``clearLog()`` has removed; duplicates since the source was made.
    public var summary: Summary {
        var summary = Summary()
        for entry in log {
            summary.requests += 1
            if entry.processed != nil { summary.processed += 1 }
            if let fault = entry.fault { summary.faults[fault, default: 0] += 1 }
        }
        (summary.created, summary.duplicates) = duplicates()
        return summary
    }
}

extension SourceState {
    /// How many objects requests have created, and which of them have the same content.
    var duplicates: (created: Int, [RESTSource.Summary.Duplicate]) {
        var created = 0
        var found: [RESTSource.Summary.Duplicate] = []
        for resource in api.resources {
            var rows: [String: [String]] = [:]
            var order: [String] = []
            for row in tables[resource.name]?.rows ?? [] {
                guard let content = row.sent else { continue }
                created += 1
                if rows[content] == nil { order.append(content) }
                rows[content, default: []].append(row.key)
            }
            for content in order {
                guard let ids = rows[content], ids.count > 1 else { continue }
                found.append(.init(entity: resource.name, ids: ids))
            }
        }
        return (created, found)
    }

    /// What tells whether two creates were meant to be one: the fields of the body, but for those that name the request.
    static func content(of sent: Value.Members, parents: [String], _ resource: Resource) -> String {
        let names = [resource.lookup?.field].compactMap(\.self)
        let fields = sent.filter { !names.contains($0.name) && !resource.isID($0.name) }.sorted { $0.name < $1.name }
        let text = String(decoding: Value.object(Value.Members(fields)).json(), as: UTF8.self)
        return parents.joined(separator: "/") + text
    }
}
