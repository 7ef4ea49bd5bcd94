/// What the server has confirmed of an entity, and who has told it: a list that was asked for earlier does not tell of what an
/// answer to a write or a read, a live update or a view has told. All processes that share a store know of it.
///
/// Kept beside the cursors of the store, under a scope that no list has. ``GoneMarks`` has what is gone.
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

    private var latest: PullScope { PullScope(entity: entity) }

    // MARK: Looking

    /// Whether what somebody tells is news to a list, or to a view, that may have a tag.
    static func isNews(by teller: Teller, of resource: Resource) -> Bool {
        guard resource.list.isConditional else { return false }
        if case .lists = teller { return !resource.views.isEmpty }
        return true
    }

    /// Whether anybody but this teller has told anything after a request with this number was sent.
    func hasNews(since sequence: Int64, besides teller: Teller, in snapshot: any StoreSnapshot) throws -> Bool {
        try news(in: snapshot)?.last(besides: teller).map { $0 > sequence } ?? false
    }

    /// When anybody told anything last.
    func lastNews(in snapshot: any StoreSnapshot) throws -> Int64? { try news(in: snapshot)?.latest }

    private func news(in snapshot: any StoreSnapshot) throws -> News? {
        guard let kept = try snapshot.cursor(for: latest), let latest = kept.underway?.number else { return nil }
        return News(latest: latest, teller: kept.request, others: kept.checkpoint.flatMap { Int64($0) })
    }

    // MARK: Noting

    /// - Parameter arrival: a sequence taken when the answer came.
    func note(at arrival: Int64, by teller: Teller, in transaction: any StoreTransaction) throws {
        try transaction.raiseSequence(to: arrival)
        var news = News(latest: arrival, teller: teller.name)
        if var known = try self.news(in: transaction) {
            guard known.add(arrival, teller) else { return }
            news = known
        }
        try transaction.put(
            PullCursor(
                checkpoint: news.others.map { String($0) }, underway: .init(number: news.latest, isFull: false),
                request: news.teller),
            for: latest)
    }

    /// Removes the marks of what is gone that earlier versions have kept here.
    func removeMarks(in transaction: any StoreTransaction) throws {
        for (scope, _) in try transaction.cursors(entity: entity) where scope.parent != nil {
            try transaction.removeCursor(for: scope)
        }
    }
}
