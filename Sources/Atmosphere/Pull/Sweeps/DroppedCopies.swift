/// When ``RetentionSweep`` has dropped copies of an entity. Where that lies ahead of the clock, the clock was set back since: some
/// of what was dropped is to be kept by now, and a list of changes does not bring it back.
///
/// Kept beside the cursors of the store, under a scope that no list has.
struct DroppedCopies: Sendable {
    private let scope: PullScope

    init(of resource: Resource) { scope = PullScope(entity: "#dropped/\(resource.name)") }

    /// Whether copies were dropped too early, and when.
    ///
    /// - Returns: a sequence: what a list has shown to a listing with a lower number may have been dropped again. nil where
    ///   nothing was dropped too early.
    func tooEarly(at now: Timestamp, in snapshot: any StoreSnapshot) throws -> Int64? {
        guard let kept = try snapshot.cursor(for: scope), let time = kept.complete?.ended, time.age(at: now) == nil
        else { return nil }
        return kept.underway?.number ?? 0
    }

    /// Copies are dropped.
    func note(at now: Timestamp, _ sequence: Int64, in transaction: any StoreTransaction) throws {
        // What was dropped too early is still to be asked for.
        guard try tooEarly(at: now, in: transaction) == nil else { return }
        try put(now, sequence, transaction)
    }

    /// All lists were read as a whole, so what was dropped too early is here again.
    func settle(at now: Timestamp, in transaction: any StoreTransaction) throws {
        guard let sequence = try tooEarly(at: now, in: transaction) else { return }
        // The sweep of this pull may have dropped something, too.
        try put(now, sequence, transaction)
    }

    private func put(_ now: Timestamp, _ sequence: Int64, _ transaction: any StoreTransaction) throws {
        try transaction.put(
            PullCursor(complete: .init(ended: now), underway: .init(number: sequence, isFull: false)), for: scope)
        try transaction.raiseSequence(to: sequence)
    }
}
