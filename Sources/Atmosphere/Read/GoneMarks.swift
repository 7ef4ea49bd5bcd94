/// The objects of an entity that are gone: removed here though the server had them, or told to be gone and never here. For a day
/// neither a list that was asked for earlier nor a live update that was published earlier brings one of them back unasked. All
/// processes that share a store know of them.
///
/// Kept beside the cursors of the store, under scopes that no list has, as ``Confirmations``. The marks stand in two halves: the
/// newer one is filled, until it is full or a day old. Then it is the older one, and what was the older one is forgotten. So nothing
/// is looked through to forget marks, and a publisher who tells of ever more objects fills no disk.
struct GoneMarks: Sendable {
    private let entity: String
    private let confirmations: Confirmations

    init(of resource: Resource) {
        entity = resource.name
        confirmations = Confirmations(of: resource)
    }

    /// How long an answer to a list may be on its way into the store, for a process can be stopped meanwhile, and how long a
    /// publisher may keep an update.
    private static let lifetime = Duration.seconds(24 * 60 * 60)

    /// How many marks a half has.
    static let mostInHalf = 5_000

    /// What is known of the newer half.
    private struct Newer {
        var half: Half
        /// The sequence of its first mark.
        var began: Int64
        var count: Int
    }

    private enum Half {
        /// Where earlier versions have kept all marks of live updates.
        case first
        case second

        var other: Half { self == .first ? .second : .first }
    }

    private var head: PullScope { PullScope(entity: "#gone/\(entity)") }

    private func name(of half: Half) -> String {
        switch half {
        case .first: "#removed/\(entity)"
        case .second: "#removed/\(entity)/second"
        }
    }

    /// The slash keeps an identifier from being taken for a view.
    private func place(of uri: ObjectURI, in half: Half) -> PullScope {
        PullScope(entity: name(of: half), parent: "/\(uri.id)")
    }

    // MARK: Looking

    /// Whether the object is known to be gone.
    func contains(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> Bool {
        try [Half.first, .second].contains { try snapshot.cursor(for: place(of: uri, in: $0)) != nil }
    }

    /// When a message told last that the object is gone; nil where none did, or long ago.
    func lastTold(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> Int64? {
        try [Half.first, .second].compactMap { try told(uri, in: $0, snapshot) }.max()
    }

    private func told(_ uri: ObjectURI, in half: Half, _ snapshot: any StoreSnapshot) throws -> Int64? {
        let told = try snapshot.cursor(for: place(of: uri, in: half))?.underway?.number
        return told == 0 ? nil : told
    }

    /// The items that a page shows and that are not here, because they are gone since the page was asked for.
    func gone(since page: Page, _ range: Range<Int>, in snapshot: any StoreSnapshot) throws -> [Int] {
        guard let newest = try confirmations.lastNews(in: snapshot), newest > page.sequence else { return [] }
        return try range.filter { index in
            let uri = page.uri(at: index)
            guard !page.items[index].isDeleted, let told = try lastTold(uri, in: snapshot), told > page.sequence else {
                return false
            }
            return try snapshot.meta(at: uri) == nil
        }
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

    // MARK: Noting

    /// Notes the news among these tombstones.
    func note(
        tombstones places: some Sequence<Int>, of page: Page, in transaction: any StoreTransaction
    ) throws {
        for index in try news(among: places, of: page, in: transaction) {
            try note(page.uri(page.items[index]), at: page.sequence, isTold: false, in: transaction)
        }
    }

    /// - Parameters:
    ///   - sequence: taken when that was told, or before.
    ///   - isTold: a message tells it, and no list.
    func note(
        _ uri: ObjectURI, at sequence: Int64, isTold: Bool, in transaction: any StoreTransaction
    ) throws {
        var newer = try newer(at: sequence, in: transaction)
        if try transaction.cursor(for: place(of: uri, in: newer.half)) == nil {
            if newer.count == Self.mostInHalf { newer = try begin(newer.half.other, at: sequence, in: transaction) }
            newer.count += 1
        }
        let before = try told(uri, in: newer.half, transaction) ?? 0
        let told = isTold ? max(sequence, before) : before
        try transaction.put(
            PullCursor(underway: .init(number: told, isFull: false)), for: place(of: uri, in: newer.half))
        try transaction.put(
            PullCursor(
                checkpoint: String(newer.count), underway: .init(number: newer.began, isFull: newer.half == .second)),
            for: head)
    }

    /// The half that a mark of this moment goes into.
    private func newer(at sequence: Int64, in transaction: any StoreTransaction) throws -> Newer {
        guard let kept = try transaction.cursor(for: head), let underway = kept.underway else {
            return try begin(.second, at: sequence, in: transaction)
        }
        let half: Half = underway.isFull ? .second : .first
        guard sequence - underway.number < Synchronizer.sequences(in: Self.lifetime) else {
            return try begin(half.other, at: sequence, in: transaction)
        }
        return Newer(half: half, began: underway.number, count: kept.checkpoint.flatMap { Int($0) } ?? 0)
    }

    private func begin(_ half: Half, at sequence: Int64, in transaction: any StoreTransaction) throws -> Newer {
        for (scope, _) in try transaction.cursors(entity: name(of: half)) { try transaction.removeCursor(for: scope) }
        try confirmations.removeMarks(in: transaction)
        return Newer(half: half, began: sequence, count: 0)
    }
}
