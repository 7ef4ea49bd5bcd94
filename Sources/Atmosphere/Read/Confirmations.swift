/// What the server has confirmed of an entity, and who has told it: a list that was asked for earlier does not tell of what an
/// answer to a write or a read, a live update or a view has told. All processes that share a store know of it.
///
/// Kept beside the cursors of the store, under scopes that no list has: one for the entity, and one for each object that is gone.
struct Confirmations: Sendable {
    private let entity: String

    init(of resource: Resource) { entity = "#confirmed/\(resource.name)" }

    /// Who tells of objects. The tag of a list, or of a view, stands for what that one has told itself, and for nothing that
    /// another has told later.
    enum Teller: Sendable {
        /// An answer to a write or a read, or a live update.
        case message
        /// The lists of what is there, which a pull reads together.
        case lists
        /// The list of what was deleted, and the tombstones in it.
        case tombstones
        /// A view, with its parameters.
        case view(String)

        init(_ scope: PullScope) {
            if scope.isView {
                self = .view(scope.parent ?? "")
            } else {
                self = scope.isOfTombstones ? .tombstones : .lists
            }
        }

        /// The name under which the store keeps it; nil for a message.
        fileprivate var name: String? {
            switch self {
            case .message: nil
            case .lists: "lists"
            case .tombstones: "tombstones"
            // It begins with a question mark.
            case .view(let parameters): parameters
            }
        }
    }

    /// What was told last, and what was told last by anybody else than who told that.
    private struct News {
        var latest: Int64
        /// Of the latest, see ``Teller/name``.
        var teller: String?
        /// nil where all of it is by one teller.
        var others: Int64?

        func last(besides other: Teller) -> Int64? { teller.hasSameBytes(as: other.name) ? others : latest }

        /// - Returns: whether that says more than before.
        mutating func add(_ arrival: Int64, _ other: Teller) -> Bool {
            if teller.hasSameBytes(as: other.name) {
                guard arrival > latest else { return false }
                latest = arrival
            } else if arrival > latest {
                (latest, teller, others) = (arrival, other.name, latest)
            } else {
                guard others.map({ arrival > $0 }) ?? true else { return false }
                others = arrival
            }
            return true
        }
    }

    /// How long an answer to a list may be on its way into the store: a process can be stopped meanwhile.
    private static let longestWay = Duration.seconds(24 * 60 * 60)

    private var latest: PullScope { PullScope(entity: entity) }

    /// The slash keeps an identifier from being taken for a view.
    private func place(of uri: ObjectURI) -> PullScope { PullScope(entity: entity, parent: "/\(uri.id)") }

    // MARK: Looking

    /// Whether what somebody tells is news to a list, or to a view, that may have a tag.
    static func isNews(by teller: Teller, of resource: Resource) -> Bool {
        guard resource.list.isConditional else { return false }
        if case .lists = teller { return !resource.views.isEmpty }
        return true
    }

    /// Whether anybody but this teller has told anything after a request with this number was sent.
    func hasNews(since sequence: Int64, besides teller: Teller, in snapshot: any StoreSnapshot) throws -> Bool {
        try Self.news(at: latest, in: snapshot)?.last(besides: teller).map { $0 > sequence } ?? false
    }

    /// The items that a page shows and that are not here, because they are gone since the page was asked for.
    func gone(since page: Page, _ range: Range<Int>, in snapshot: any StoreSnapshot) throws -> [Int] {
        guard let newest = try Self.news(at: latest, in: snapshot)?.latest, newest > page.sequence else { return [] }
        return try range.filter { index in
            let uri = page.uri(at: index)
            guard !page.items[index].isDeleted,
                let gone = try Self.news(at: place(of: uri), in: snapshot)?.latest, gone > page.sequence
            else { return false }
            return try snapshot.meta(at: uri) == nil
        }
    }

    /// When a message told last that an object is gone; nil where none did, or long ago.
    func lastGone(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> Int64? {
        try Self.news(at: place(of: uri), in: snapshot)?.latest
    }

    private static func news(at scope: PullScope, in snapshot: any StoreSnapshot) throws -> News? {
        guard let kept = try snapshot.cursor(for: scope), let latest = kept.underway?.number else { return nil }
        return News(latest: latest, teller: kept.request, others: kept.checkpoint.flatMap { Int64($0) })
    }

    // MARK: Noting

    /// - Parameter arrival: a sequence taken when the answer came.
    func note(at arrival: Int64, by teller: Teller, in transaction: any StoreTransaction) throws {
        try note(arrival, by: teller, for: latest, transaction)
        try transaction.raiseSequence(to: arrival)
    }

    /// The object is gone, as a message tells.
    func note(gone uri: ObjectURI, at arrival: Int64, in transaction: any StoreTransaction) throws {
        try note(arrival, by: .message, for: place(of: uri), transaction)
        try note(at: arrival, by: .message, in: transaction)
    }

    private func note(
        _ arrival: Int64, by teller: Teller, for scope: PullScope, _ transaction: any StoreTransaction
    ) throws {
        var news = News(latest: arrival, teller: teller.name)
        if var known = try Self.news(at: scope, in: transaction) {
            guard known.add(arrival, teller) else { return }
            news = known
        }
        try transaction.put(
            PullCursor(
                checkpoint: news.others.map { String($0) }, underway: .init(number: news.latest, isFull: false),
                request: news.teller),
            for: scope)
    }

    /// Forgets what is gone for longer than an answer to a list can be on its way.
    func forgetOld(now sequence: Int64, in store: any Store) async throws {
        try await Self.forget(entity, before: sequence - Synchronizer.sequences(in: Self.longestWay), in: store)
    }

    /// Forgets what is kept beside the cursors of single objects, and is older than a sequence.
    static func forget(_ entity: String, before oldest: Int64, in store: any Store) async throws {
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
