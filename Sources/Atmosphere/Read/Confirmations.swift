/// What the server has confirmed of an entity past its lists, by an answer to a write, a read or a live update: a list that was
/// asked for earlier does not tell of it. All processes that share a store know of it.
///
/// Kept beside the cursors of the store, under scopes that no list has: one for the entity, and one for each object that is gone.
struct Confirmations: Sendable {
    private let entity: String

    init(of resource: Resource) { entity = "#confirmed/\(resource.name)" }

    /// How long an answer to a list may be on its way into the store: a process can be stopped meanwhile.
    private static let longestWay = Duration.seconds(24 * 60 * 60)

    private var latest: PullScope { PullScope(entity: entity) }

    /// The slash keeps an identifier from being taken for a view.
    private func place(of uri: ObjectURI) -> PullScope { PullScope(entity: entity, parent: "/\(uri.id)") }

    // MARK: Looking

    /// Whether anything was confirmed after a request with this number was sent.
    func hasNews(since sequence: Int64, in snapshot: any StoreSnapshot) throws -> Bool {
        try Self.sequence(at: latest, in: snapshot).map { $0 > sequence } ?? false
    }

    /// The items that a page shows and that are not here, because they are gone since the page was asked for.
    func gone(since page: Page, _ range: Range<Int>, in snapshot: any StoreSnapshot) throws -> [Int] {
        guard try hasNews(since: page.sequence, in: snapshot) else { return [] }
        return try range.filter { index in
            let uri = page.uri(at: index)
            guard !page.items[index].isDeleted,
                let gone = try Self.sequence(at: place(of: uri), in: snapshot), gone > page.sequence
            else { return false }
            return try snapshot.meta(at: uri) == nil
        }
    }

    private static func sequence(at scope: PullScope, in snapshot: any StoreSnapshot) throws -> Int64? {
        try snapshot.cursor(for: scope)?.underway?.number
    }

    // MARK: Noting

    /// - Parameter arrival: a sequence taken when the answer came.
    func note(at arrival: Int64, in transaction: any StoreTransaction) throws {
        try note(arrival, for: latest, transaction)
        try transaction.raiseSequence(to: arrival)
    }

    /// The object is gone.
    func note(gone uri: ObjectURI, at arrival: Int64, in transaction: any StoreTransaction) throws {
        try note(arrival, for: place(of: uri), transaction)
        try note(at: arrival, in: transaction)
    }

    private func note(_ arrival: Int64, for scope: PullScope, _ transaction: any StoreTransaction) throws {
        if let known = try Self.sequence(at: scope, in: transaction), known >= arrival { return }
        try transaction.put(PullCursor(underway: .init(number: arrival, isFull: false)), for: scope)
    }

    /// Forgets what is gone for longer than an answer to a list can be on its way.
    func forgetOld(now sequence: Int64, in store: any Store) async throws {
        let oldest = sequence - Synchronizer.sequences(in: Self.longestWay)
        var old = try await store.read { snapshot in
            try snapshot.cursors(entity: entity)
                .filter { $0.scope.parent != nil && ($0.cursor.underway?.number ?? 0) < oldest }.map(\.scope)
        }
        while !old.isEmpty {
            let slice = Array(old.suffix(StoringPages.chunk))
            old.removeLast(slice.count)
            try await store.write(.process, origin: .pull) { transaction in
                for scope in slice { try transaction.removeCursor(for: scope) }
            }
        }
    }
}
