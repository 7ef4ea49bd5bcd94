extension Synchronizer {
    /// How a pull goes about it.
    public struct PullOptions: Sendable {
        /// Ask for everything, not for changes since the last pull; finds what is absent.
        public var full = false
        /// Store nothing; count what would change.
        public var dryRun = false
        /// How many objects may be deleted because they are absent from a complete list; nil for the built-in guard of
        /// 20 or 10 % of the entity, whichever is more. A number also accepts another identity than that of the last
        /// complete pull.
        public var allowedDeletes: Int?
        /// Also take versions that are older than those that are here, of ordered versions (`version.order`): for a server
        /// that was restored from a copy. Without it a full pull warns of them. Of use with ``full`` alone.
        public var acceptsOlder = false
        /// Called after each page; must return quickly.
        package var progress: @Sendable (PullProgress) -> Void = { _ in }

        /// Changes since the last pull, stored, with the built-in guard against deletes.
        public init() {}
    }

    /// Brings changes from the server: parents before children, pages in order, a short transaction per hundred
    /// objects. What is edited here is merged, never overwritten.
    ///
    /// Interrupted, it goes on from the last stored page the next time. An entity that fails does not stop the others
    /// unless they are listed under it and its own list was not read; nor does the list of one parent that fails stop those
    /// of the others. A server that cannot be reached, asks to wait, or does
    /// not accept the credentials ends the pull, and the report names what was not asked for. Where the route file has an
    /// identity check and the server takes us for somebody else than made what is here (by a complete pull, one that was
    /// interrupted, or a push), nothing is asked for, until a pull with ``PullOptions/allowedDeletes`` accepts the new
    /// identity: then all is listed anew.
    ///
    /// - Throws: ``StoreError``, `CancellationError`. What the server did wrong is in the report.
    @discardableResult
    public func pull(entities: [String] = [], options: PullOptions = PullOptions()) async throws -> PullReport {
        try await Puller(self).pull(entities, options)
    }
}
