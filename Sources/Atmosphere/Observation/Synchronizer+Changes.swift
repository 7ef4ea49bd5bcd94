internal import Synchronization

extension Synchronizer {
    // MARK: Changes of the local copy

    /// The objects of a query now, and again whenever a change shows in them.
    ///
    /// A changed object is tested against the query in memory, so the cost follows the change: the store is asked again only
    /// where something outside of the answer may come into it, which takes a limit that was reached, or an offset.
    ///
    /// - Throws: while iterating ``SyncError`` `unknownName`; ``StoreError``.
    public func changes(of query: Query) -> Changes<[LocalObject]> {
        Changes {
            let subscription = Mutex<QuerySubscription?>(nil)
            return {
                let present = try subscription.withLock { present in
                    if let present { return present }
                    let window = QueryWindow(try self.compiled(query), view: self.viewed)
                    let new = QuerySubscription(self.hub, window)
                    self.hub.join(new)
                    present = new
                    return new
                }
                return try await present.next(self.store)
            }
        }
    }

    /// One object now, and again whenever its record or its state changes; nil while there is none. It is followed when the
    /// server gives it another identifier.
    public func changes(at uri: ObjectURI) -> Changes<LocalObject?> {
        .evaluated {
            let subscription = ObjectSubscription(self.hub, uri)
            self.hub.join(subscription)
            return subscription
        } _: { subscription, _ in
            let object = try await self.object(at: uri)
            if let object { (subscription as? ObjectSubscription)?.follow(object.uri) }
            return .some(object)
        }
    }

    /// What changes in an entity: first that any object may have changed, then which have. Its numbers come along.
    ///
    /// - Throws: while iterating ``SyncError`` `unknownName`; ``StoreError``.
    public func changes(in entity: String) -> Changes<EntityChange> {
        Changes {
            let subscription = ChangeSubscription(self.hub, entities: [entity])
            self.hub.join(subscription)
            let isFirst = Mutex(true)
            return {
                _ = try self.resource(entity)
                guard let news = await subscription.news() else { return nil }
                let counts = try await self.store.read { try $0.counts()[entity] ?? StateCounts() }
                let isFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                let ids = isFirst ? [] : news.objects[entity] ?? []
                let uris = ids.isEmpty ? nil : Set(ids.map { ObjectURI(entity: entity, id: $0) })
                return EntityChange(entity: entity, changed: uris, counts: counts)
            }
        }
    }

    /// The objects that wait to be sent or for a decision, now and again whenever they change; see ``pending(entity:)``.
    /// Costs what waits, not what the store holds.
    public func pendingChanges(entity: String? = nil) -> Changes<[LocalObject]> {
        .evaluated {
            let subscription = ChangeSubscription(self.hub, entities: entity.map { [$0] })
            self.hub.join(subscription)
            return subscription
        } _: { _, _ in
            try await self.pending(entity: entity)
        }
    }

    /// How synchronization stands now, and again whenever that changes: numbers by entity, what is being sent and fetched and
    /// how far it has come, whether live updates arrive, and why nothing goes on.
    public func statusChanges() -> Changes<SyncStatus> {
        .evaluated {
            let subscription = ChangeSubscription(self.hub, entities: nil, followsActivity: true)
            self.hub.join(subscription)
            return subscription
        } _: { _, _ in
            try await self.syncStatus()
        }
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

/// What changed in an entity.
public struct EntityChange: Sendable, Hashable {
    /// The entity that was followed.
    public var entity: String
    /// nil where any object may have changed.
    public var changed: Set<ObjectURI>?
    /// Its objects by state, after the change.
    public var counts: StateCounts
}
