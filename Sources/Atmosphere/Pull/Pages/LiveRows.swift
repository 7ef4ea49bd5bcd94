/// The rows that lists have shown without the mark of a deleted object, for tombstones that follow in the same list.
struct LiveRows: Sendable {
    /// As many are kept: 8 bytes for each, and the room of a set around them.
    private static let most = 1 << 20

    /// nil for all.
    private let wanted: Set<IdentifierKey>?
    private var rows: Set<Int> = []
    private var isTooLong = false

    /// - Parameter wanted: nil for all rows.
    init(only wanted: Set<IdentifierKey>? = nil) { self.wanted = wanted }

    mutating func insert(_ items: [PageItem], of scope: PullScope) {
        guard !isTooLong else { return }
        for item in items where !item.isDeleted {
            let key = item.id.key
            if wanted?.contains(key) ?? true { rows.insert(Self.row(key, scope)) }
        }
        guard rows.count > Self.most else { return }
        (rows, isTooLong) = ([], true)
    }

    /// A tombstone follows the row.
    mutating func end(_ id: PageItemID, of scope: PullScope) { rows.remove(Self.row(id.key, scope)) }

    /// Whether a list may have shown a live row of the identifier, with no tombstone behind it. Two identifiers with one hash are
    /// taken for one; of what was too long to be kept, too, anything may have been shown.
    func mayHold(_ id: PageItemID, of scope: PullScope) -> Bool {
        isTooLong || rows.contains(Self.row(id.key, scope))
    }

    private static func row(_ key: IdentifierKey, _ scope: PullScope) -> Int {
        var hasher = Hasher()
        hasher.combine(scope)
        hasher.combine(key)
        return hasher.finalize()
    }
}

extension PageItemID {
    /// What the identifier is told apart by.
    var key: IdentifierKey {
        switch self {
        case .integer(let number) where number >= 0: .integer(number)
        case .integer, .text: IdentifierKey(objectID.text)
        }
    }
}
