extension Synchronizer {
    // MARK: Changes of the local copy

    /// The objects of a query now, and again whenever a change shows in them.
    ///
    /// A changed object is tested against the query in memory, so the cost follows the change: the store is asked again only
    /// where something outside of the answer may come into it, which takes a limit that was reached, or an offset.
    ///
    /// - Throws: while iterating ``SyncError`` `unknownName`; ``StoreError``.
    public func changes(of query: Query) -> Changes<[LocalObject]> {
        ChangeFeed(self).objects(of: query)
    }

    /// One object now, and again whenever its record or its state changes; nil while there is none. It is followed when the
    /// server gives it another identifier.
    public func changes(at uri: ObjectURI) -> Changes<LocalObject?> {
        ChangeFeed(self).object(at: uri)
    }

    /// What changes in an entity: first that any object may have changed, then which have. Its numbers come along.
    ///
    /// - Throws: while iterating ``SyncError`` `unknownName`; ``StoreError``.
    public func changes(in entity: String) -> Changes<EntityChange> {
        ChangeFeed(self).changes(in: entity)
    }

    /// The objects that wait to be sent or for a decision, now and again whenever they change; see ``pending(entity:)``.
    /// Costs what waits, not what the store holds.
    public func pendingChanges(entity: String? = nil) -> Changes<[LocalObject]> {
        ChangeFeed(self).pending(entity: entity)
    }

    /// How synchronization stands now, and again whenever that changes: numbers by entity, what is being sent and fetched and
    /// how far it has come, whether live updates arrive, and why nothing goes on.
    public func statusChanges() -> Changes<SyncStatus> {
        ChangeFeed(self).status()
    }

    /// How synchronization stands.
    public func syncStatus() async throws -> SyncStatus {
        let entities = try await status()
        return activity.status(entities, live: liveStatus)
    }

    // MARK: Other processes

    /// Notices what other processes write to the store, until the task is cancelled: their changes show in every stream.
    ///
    /// SQLite and JSON files tell in some microseconds whether anybody else has written; a store that cannot tell belongs to
    /// one process.
    ///
    /// - Throws: ``StoreError``; `CancellationError`.
    public func watchOtherProcesses(every interval: Duration = .seconds(1)) async throws {
        while true {
            try await store.checkForOtherWriters()
            try await environment.sleep(environment.now().advanced(by: interval))
        }
    }
}
