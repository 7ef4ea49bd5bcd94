/// One run of a query over the records of an entity, which arrive in ascending order of identifier.
///
/// Without an order, records that match are handed on as they arrive and nothing is kept. With one, only the values to
/// sort by are kept, and with a limit not many more of them than the limit.
package struct QueryRun {
    private struct Candidate {
        var uri: ObjectURI
        /// Decides between equals.
        var arrival: Int
        var keys: [ComparisonKey]
    }

    private let query: Query
    private var remaining: Int
    private var arrivals = 0
    private var candidates: [Candidate] = []

    package init(_ query: Query) {
        self.query = query
        remaining = max(0, query.limit ?? .max)
    }

    /// False once nothing that arrives can count any more.
    package var isHungry: Bool { remaining > 0 }

    /// The largest number of records that are worth fetching at once.
    package var appetite: Int { query.conditions.isEmpty && query.order.isEmpty ? remaining : .max }

    /// Whether the record is to be handed on at once. Where the query has an order, that comes with ``ordered()``.
    package mutating func takes(_ record: ObjectRecord, at uri: ObjectURI) -> Bool {
        guard remaining > 0, query.matches(record) else { return false }
        guard !query.order.isEmpty else {
            remaining -= 1
            return true
        }
        arrivals += 1
        let keys = query.order.map { ($0.type ?? .json).key(for: record.value(of: $0.field, at: $0.path)) }
        candidates.append(Candidate(uri: uri, arrival: arrivals, keys: keys))
        if let limit = query.limit, candidates.count / 2 >= max(limit, 128) { keepFirst(limit) }
        return false
    }

    /// The objects in the query's order, when all records have arrived; none where it has no order.
    package mutating func ordered() -> [ObjectURI] {
        keepFirst(query.limit ?? .max)
        return candidates.map(\.uri)
    }

    private mutating func keepFirst(_ limit: Int) {
        let query = query
        candidates.sort { left, right in
            for (index, order) in query.order.enumerated() {
                switch left.keys[index].sortOrder(right.keys[index]) {
                case .equal: continue
                case .less: return order.ascending
                case .greater: return !order.ascending
                }
            }
            return left.arrival < right.arrival
        }
        if candidates.count > limit { candidates.removeSubrange(max(0, limit)...) }
    }
}
