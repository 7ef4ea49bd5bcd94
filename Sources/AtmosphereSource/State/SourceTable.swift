internal import Atmosphere

/// The objects of one entity, in the order of their creation.
struct SourceTable: Sendable {
    struct Row: Sendable {
        /// The identifier's text; with the parents' segments in front where it is unique per parent.
        var key: String
        /// The parents' identifiers, outermost first.
        var parents: [String]
        var members: Value.Members
        /// Microseconds since 1970, different for each change.
        var modified: Int64
        /// Counts the changes, from 1.
        var version: Int64 = 1
        var isDeleted = false
        /// The contents of its members, by their names.
        var contents: [String: SourceContents.Holding] = [:]
        /// What the request held that created it; nil for an object that none did.
        var sent: String?
        /// Counts the objects of the entity, from 1; never used twice.
        var ordinal: Int
    }

    /// Ordered by ordinal.
    private(set) var rows: [Row] = []
    /// How many were ever created.
    private(set) var lastOrdinal = 0
    private var indexOfKey: [ScalarText: Int] = [:]
    /// Rows that still count, by the text of the lookup field.
    private var keyOfLookup: [ScalarText: String] = [:]
    /// Keys of rows made with an idempotency key.
    var keyOfIdempotencyKey: [ScalarText: String] = [:]
    private let lookupPath: JSONPath?
    /// The places of the rows that were put since ``forgetChanges()``, some of them twice.
    private var touched: [Int] = []

    init(_ resource: Resource) {
        lookupPath = resource.lookup.map { resource.mapping.path(of: $0.field) }
    }

    /// A row that is not deleted.
    subscript(key: String) -> Row? {
        guard let row = any(key), !row.isDeleted else { return nil }
        return row
    }

    /// A row, deleted or not.
    func any(_ key: String) -> Row? { indexOfKey[ScalarText(key)].map { rows[$0] } }

    func key(lookup text: String) -> String? { keyOfLookup[ScalarText(text)] }

    /// The rows that were put since ``forgetChanges()``, as they are now.
    var changed: [Row] { Set(touched).sorted().map { rows[$0] } }

    mutating func forgetChanges() { touched = [] }

    mutating func nextOrdinal() -> Int {
        lastOrdinal += 1
        return lastOrdinal
    }

    /// Adds a row with a new ordinal, or changes the one with the same key, which keeps its place.
    mutating func put(_ row: Row) {
        var row = row
        if let index = indexOfKey[ScalarText(row.key)] {
            forgetLookup(rows[index])
            row.ordinal = rows[index].ordinal
            rows[index] = row
            touched.append(index)
        } else {
            indexOfKey[ScalarText(row.key)] = rows.count
            touched.append(rows.count)
            rows.append(row)
        }
        if !row.isDeleted, let text = lookupText(row) { keyOfLookup[ScalarText(text)] = row.key }
    }

    /// Leaves a tombstone.
    mutating func delete(_ key: String, modified: Int64) {
        guard var row = self[key] else { return }
        row.isDeleted = true
        row.modified = modified
        row.version += 1
        put(row)
    }

    /// The rows behind an ordinal.
    func rows(after ordinal: Int) -> ArraySlice<Row> {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].ordinal <= ordinal { low = middle + 1 } else { high = middle }
        }
        return rows[low...]
    }

    private func lookupText(_ row: Row) -> String? {
        lookupPath.flatMap { $0.first(in: .object(row.members))?.scalarText }
    }

    private mutating func forgetLookup(_ row: Row) {
        guard let text = lookupText(row).map({ ScalarText($0) }), keyOfLookup[text]?.hasSameBytes(as: row.key) == true
        else { return }
        keyOfLookup[text] = nil
    }
}
