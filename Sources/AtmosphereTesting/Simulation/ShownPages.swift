internal import Atmosphere

/// The lists as they stood when each of their pages was given out, which tells the rows that moved from page to page
/// without a trace that a client could see: the total did not fall, because another row came in the place of one that went.
/// A row that went to a later page is no such one, for it is shown twice.
struct ShownPages {
    private var lists: [String: [Int: [ObjectURI]]] = [:]
    /// Rows by client.
    private(set) var unnoticed: [Int: Set<ObjectURI>] = [:]
    /// Rows that moved to a page that was given out before, by list: in its last listing, and in the one before.
    private var slid: [String: (last: Set<ObjectURI>, before: Set<ObjectURI>)] = [:]

    /// When the first page of each list was given out.
    private var begun: [String: Int64] = [:]

    /// A page whose answer has no date, with the rows in front of it and when they were changed. What was changed since the list
    /// began counts as read, for a later page shows later times.
    mutating func pass(_ rows: [(updated: Int64, uri: ObjectURI)], of list: String, at now: Int64, to client: Int) {
        guard !rows.isEmpty else { return begun[list] = now }
        let start = begun[list] ?? .max
        unnoticed[client, default: []].formUnion(rows.filter { $0.updated >= start }.map(\.uri))
    }

    /// A page that begins at `start` of all rows of a list.
    mutating func show(_ all: [ObjectURI], from start: Int, size: Int, of list: String, to client: Int) {
        if start == 0 {
            lists[list] = [:]
            slid[list] = ([], slid[list]?.last ?? [])
        }
        lists[list, default: [:]][start] = all
        for end in [start, start + size] {
            guard let low = lists[list]?[end - size], let high = lists[list]?[end] else { continue }
            let moved = Set(high.prefix(end)).subtracting(low.prefix(end))
            slid[list, default: ([], [])].last.formUnion(moved)
            guard high.count >= low.count, !Set(low.prefix(end)).isSubset(of: high) else { continue }
            unnoticed[client, default: []].formUnion(moved)
        }
    }

    /// Whether a row moved to a page that was given out before in two listings, one after the other.
    func slidTwice(_ uri: ObjectURI, of list: String) -> Bool {
        slid[list].map { $0.last.contains(uri) && $0.before.contains(uri) } ?? false
    }
}
