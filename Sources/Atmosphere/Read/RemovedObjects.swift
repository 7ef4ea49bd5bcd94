/// The objects of an entity that the server had and that were removed here, or that were never here and are gone: a live update
/// that was published before, and comes late, brings none of them back without asking the server.
///
/// Kept for a day where the route file has `live`, beside the cursors of the store, under scopes that no list has, as
/// ``Confirmations``.
struct RemovedObjects: Sendable {
    private let entity: String

    init(of resource: Resource) { entity = "#removed/\(resource.name)" }

    /// How long a publisher may keep an update for, and send it again.
    private static let lifetime = Duration.seconds(24 * 60 * 60)

    /// The slash keeps an identifier from being taken for a view.
    private func place(of uri: ObjectURI) -> PullScope { PullScope(entity: entity, parent: "/\(uri.id)") }

    func contains(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> Bool {
        try snapshot.cursor(for: place(of: uri)) != nil
    }

    /// - Parameter sequence: taken when that was told, or before.
    func note(_ uri: ObjectURI, at sequence: Int64, in transaction: any StoreTransaction) throws {
        try transaction.put(
            PullCursor(checkpoint: nil, underway: .init(number: sequence, isFull: false), request: nil),
            for: place(of: uri))
    }

    /// The tombstones of a page to note once it is stored: of a list of changes all, for an update that was published before may
    /// still come; of a whole list, which names all that was ever deleted, those of what is here.
    func tombstones(
        in page: Page, _ range: Range<Int>, _ listing: PulledList, in snapshot: any StoreSnapshot
    ) throws -> [Int] {
        try range.filter { index in
            let item = page.items[index]
            return try item.isDeleted && (!listing.underway.isFull || snapshot.meta(at: page.uri(item)) != nil)
        }
    }

    /// The tombstones whose objects are not here, and that are not noted yet: a list shows the newest of them again each time.
    ///
    /// - Parameter places: of the page's items, all of which are tombstones.
    func news(
        among places: some Sequence<Int>, of page: Page, in snapshot: any StoreSnapshot
    ) throws -> [Int] {
        try places.filter { index in
            let uri = page.uri(page.items[index])
            return try snapshot.meta(at: uri) == nil && !contains(uri, in: snapshot)
        }
    }

    /// Notes the news among these tombstones.
    func note(
        tombstones places: some Sequence<Int>, of page: Page, in transaction: any StoreTransaction
    ) throws {
        for index in try news(among: places, of: page, in: transaction) {
            try note(page.uri(page.items[index]), at: page.sequence, in: transaction)
        }
    }

    /// Forgets what was removed long ago.
    func forgetOld(now sequence: Int64, in store: any Store) async throws {
        try await Confirmations.forget(
            entity, before: sequence - Synchronizer.sequences(in: Self.lifetime), in: store)
    }
}
