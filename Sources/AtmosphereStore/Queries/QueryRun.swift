/// One run of a query over the records of an entity, which arrive in ascending order of identifier.
///
/// Without an order, records that match are handed on as they arrive and nothing is kept. With one, only the values to
/// sort by are kept, and with a limit not many more of them than the limit and the offset.
package struct QueryRun {
    private struct Candidate {
        var uri: ObjectURI
        /// Decides between equals.
        var arrival: Int
        var keys: [ComparisonKey]
    }

    private let query: Query
    private let isSorted: Bool
    private var passed: Int
    private var remaining: Int
    private var arrivals = 0
    private var candidates: [Candidate] = []

    /// - Parameter isSorted: records arrive in the query's order already.
    package init(_ query: Query, isSorted: Bool = false) {
        self.query = query
        self.isSorted = isSorted || query.order.isEmpty
        remaining = max(0, query.limit ?? .max)
        passed = max(0, query.offset)
    }

    /// False once nothing that arrives can count any more.
    package var isHungry: Bool { remaining > 0 }

    /// The largest number of records that are worth fetching at once.
    package var appetite: Int {
        guard query.filter.isEverything, isSorted else { return .max }
        let (sum, isTooMany) = remaining.addingReportingOverflow(passed)
        return isTooMany ? .max : sum
    }

    /// Whether the record is to be handed on at once. Where the query has an order, that comes with ``ordered()``.
    package mutating func takes(_ record: ObjectRecord, at uri: ObjectURI) -> Bool {
        guard remaining > 0, query.matches(record) else { return false }
        guard !isSorted else {
            if passed > 0 {
                passed -= 1
                return false
            }
            remaining -= 1
            return true
        }
        arrivals += 1
        candidates.append(Candidate(uri: uri, arrival: arrivals, keys: query.keys(of: record)))
        if let most, candidates.count / 2 >= max(most, 128) { keepFirst(most) }
        return false
    }

    /// The objects in the query's order, when all records have arrived; none where it has no order.
    package mutating func ordered() -> [ObjectURI] {
        keepFirst(most ?? .max)
        return candidates.dropFirst(passed).map(\.uri)
    }

    /// The most candidates that can count.
    private var most: Int? {
        guard let limit = query.limit else { return nil }
        let (sum, isTooMany) = max(0, limit).addingReportingOverflow(passed)
        return isTooMany ? nil : sum
    }

    private mutating func keepFirst(_ limit: Int) {
        let query = query
        candidates.sort { left, right in
            switch query.compare(left.keys, right.keys) {
            case .equal: left.arrival < right.arrival
            case .less: true
            case .greater: false
            }
        }
        if candidates.count > limit { candidates.removeSubrange(max(0, limit)...) }
    }
}
