extension Synchronizer {
    /// Asks the server whether it is what the route file says: one page of each list, one object of each, and what the
    /// settings for paging, cursors, versions and lookups promise. Stores nothing here.
    ///
    /// - Parameter writing: also creates, changes and deletes one object of each entity on the server, a copy of one that
    ///   is there. Without it the check only reads.
    /// - Throws: ``StoreError``, `CancellationError`. What the server did wrong is in the report.
    package func check(writing: Bool = false) async throws -> CheckReport {
        try await ServerCheck(self).run(writing: writing)
    }
}
