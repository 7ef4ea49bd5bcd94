/// How many creates of an entity were marked as being sent, by all processes that share a store. Whoever keeps a list of the
/// creates without an answer reads it again when that number has grown.
///
/// Kept beside the cursors of the store, under a scope that no list has, as ``Confirmations``.
struct SentCreates: Sendable {
    private let scope: PullScope

    init(of resource: Resource) { scope = PullScope(entity: "#sent/\(resource.name)") }

    func count(in snapshot: any StoreSnapshot) throws -> Int64 {
        try snapshot.cursor(for: scope)?.underway?.number ?? 0
    }

    /// A create is marked in the same transaction.
    ///
    /// - Returns: how many there are with it.
    @discardableResult
    func noteOne(in transaction: any StoreTransaction) throws -> Int64 {
        let next = try count(in: transaction) &+ 1
        try transaction.put(PullCursor(underway: .init(number: next, isFull: false)), for: scope)
        return next
    }
}
