extension Synchronizer {
    /// Keeps the edit lease of an object while `body` runs, such as while a form is open: acquires it, renews it in
    /// time, and gives it back. Writes to the object that happen meanwhile go under the same lease.
    ///
    /// A renewal that the server refuses is noted in the log and ends the lease, and not `body`; the next write asks for
    /// a lease of its own. An object that the server does not know yet needs none.
    ///
    /// - Throws: ``SyncError`` `leased` where somebody else has it, `wrongState` where the route file declares no
    ///   `lease` for the entity, `notFound`, `unreachable`, `signInNeeded`, `refused`; what `body` throws.
    public func withLease<Result: Sendable>(
        on uri: ObjectURI, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await LeaseKeeper(self).keep(on: uri, body)
    }

    /// The edit leases that this process has now, in order of address: of writes that are on the way, and of
    /// ``withLease(on:_:)``. No lease is stored, so those of other processes are not among them.
    package func heldLeases() async -> [HeldLease] { await leases.held(now: environment.now()) }
}
