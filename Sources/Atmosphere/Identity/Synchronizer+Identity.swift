extension Synchronizer {
    /// Who the server takes us for; nil where the route file has no identity check.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where it takes us for nobody, `refused`, `unreachable`.
    package func identity() async throws -> String? { try await Ownership(self).identity() }
}
