/// The answer to a query, kept up to date change by change.
struct QueryWindow: Sendable {
    enum Outcome: Sendable, Hashable {
        /// The change does not show.
        case same
        case changed
        /// What comes into the window only the store knows: it has to be asked again.
        case stale
    }

    private struct Row: Sendable {
        var object: LocalObject
        var keys: [ComparisonKey]
        var id: IdentifierKey
    }

    let query: Query
    private let view: @Sendable (LocalObject) -> LocalObject
    private var rows: [Row] = []
    private var keys: [IdentifierKey: [ComparisonKey]] = [:]

    /// - Parameters:
    ///   - query: compiled.
    ///   - view: what the reader is shown of an object.
    init(_ query: Query, view: @escaping @Sendable (LocalObject) -> LocalObject) {
        self.query = query
        self.view = view
    }

    var objects: [LocalObject] { rows.map(\.object) }

    /// What the store answered, in the query's order.
    mutating func fill(_ objects: [LocalObject]) {
        rows = []
        keys = [:]
        for object in objects {
            guard let record = object.record else { continue }
            let row = Row(object: view(object), keys: query.keys(of: record), id: IdentifierKey(object.uri.id))
            rows.append(row)
            keys[row.id] = row.keys
        }
    }

    /// - Parameter object: as it is now; nil where it has no record any more.
    mutating func apply(_ id: String, _ object: LocalObject?) -> Outcome {
        // Which objects stand in front of the window is not known here.
        if query.offset > 0 { return .stale }
        let isFull = query.limit.map { rows.count >= max(0, $0) } ?? false
        let id = IdentifierKey(id)
        let known = keys[id].flatMap { index(of: $0, id) }
        guard let object, let record = object.record, query.matches(record) else {
            guard let known else { return .same }
            remove(known)
            return isFull ? .stale : .changed
        }
        let row = Row(object: view(object), keys: query.keys(of: record), id: id)
        if let known {
            if rows[known].keys == row.keys {
                if rows[known].object == row.object { return .same }
                rows[known] = row
                return .changed
            }
            remove(known)
            let place = place(row.keys, row.id)
            insert(row, at: place)
            // Another may stand between the last of the window and this one.
            return isFull && place == rows.count - 1 ? .stale : .changed
        }
        let place = place(row.keys, row.id)
        if isFull, place == rows.count { return .same }
        insert(row, at: place)
        if isFull { remove(rows.count - 1) }
        return .changed
    }

    private mutating func insert(_ row: Row, at index: Int) {
        rows.insert(row, at: index)
        keys[row.id] = row.keys
    }

    private mutating func remove(_ index: Int) {
        keys[rows[index].id] = nil
        rows.remove(at: index)
    }

    private func index(of keys: [ComparisonKey], _ id: IdentifierKey) -> Int? {
        let place = place(keys, id)
        return place < rows.count && rows[place].id == id ? place : nil
    }

    /// The first row that does not come before.
    private func place(_ keys: [ComparisonKey], _ id: IdentifierKey) -> Int {
        var range = 0..<rows.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let order = query.compare(rows[middle].keys, keys)
            let isBefore = order == .less || order == .equal && rows[middle].id < id
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
