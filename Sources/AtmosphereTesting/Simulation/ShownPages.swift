internal import Atmosphere

/// The lists as they stood when each of their pages was given out, which tells the rows that moved from page to page
/// without a trace that a client could see: the total did not fall, because another row came in the place of one that went.
/// A row that went to a later page is no such one, for it is shown twice.
struct ShownPages {
    private var lists: [String: [Int: [ObjectURI]]] = [:]
    /// Rows by client.
    private(set) var unnoticed: [Int: Set<ObjectURI>] = [:]

    /// A page that begins at `start` of all rows of a list.
    mutating func show(_ all: [ObjectURI], from start: Int, size: Int, of list: String, to client: Int) {
        if start == 0 { lists[list] = [:] }
        lists[list, default: [:]][start] = all
        for end in [start, start + size] {
            guard let low = lists[list]?[end - size], let high = lists[list]?[end], high.count >= low.count else {
                continue
            }
            guard !Set(low.prefix(end)).isSubset(of: high) else { continue }
            unnoticed[client, default: []].formUnion(Set(high.prefix(end)).subtracting(low.prefix(end)))
        }
    }
}
