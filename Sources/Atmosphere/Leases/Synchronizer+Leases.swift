extension Synchronizer {
    /// Keeps the edit lease of an object while `body` runs, such as while a form is open: acquires it, renews it in
    /// time, and gives it back. Writes to the object that happen meanwhile go under the same lease.
    ///
    /// A renewal that the server refuses ends the lease, and not `body`, and so does the end of its time without a renewal:
    /// ``leaseChanges()`` and the log tell it, and the next write asks for a lease of its own. An object that the server does not know yet needs none.
    ///
    /// - Throws: ``SyncError`` `leased` where somebody else has it, `wrongState` where the route file declares no
    ///   `lease` for the entity, `notFound`, `unreachable`, `signInNeeded`, `refused`; what `body` throws.
    public func withLease<Result: Sendable>(
        on uri: ObjectURI, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await LeaseKeeper(self).keep(on: uri, body)
    }

    /// The edit leases of this process now, and again whenever one is given, renewed, given back, or has ended: of writes
    /// that are on the way, and of ``withLease(on:_:)``.
    ///
    /// Those that are held come in order of address; behind them those that ended before they were given back, the latest
    /// last and a hundred at most, until the object has a lease again. No lease is stored, so those of other processes are
    /// not among them. A lease of ``withLease(on:_:)`` that runs out shows at that moment; one of a write shows with the next
    /// look at it.
    public func leaseChanges() -> Changes<[EditLease]> { ChangeFeed(self).leases() }

    /// As ``leaseChanges()`` shows them now.
    package func editLeases() async -> [EditLease] { await leases.all(now: environment.now()) }
}
