internal import Synchronization

/// Makes the sequences of changes that a synchronizer offers.
struct ChangeFeed: Sendable {
    private let synchronizer: Synchronizer

    private var hub: ChangeHub { synchronizer.hub }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// See ``Synchronizer/changes(of:)``.
    func objects(of query: Query) -> Changes<[LocalObject]> {
        Changes {
            let subscription = Mutex<QuerySubscription?>(nil)
            return {
                let present = try subscription.withLock { present in
                    if let present { return present }
                    let window = QueryWindow(
                        try self.synchronizer.compiled(query), view: self.synchronizer.viewed)
                    let new = QuerySubscription(self.hub, window)
                    self.hub.join(new)
                    present = new
                    return new
                }
                return try await present.next(self.synchronizer.store)
            }
        }
    }

    /// See ``Synchronizer/changes(at:)``.
    func object(at uri: ObjectURI) -> Changes<LocalObject?> {
        .evaluated {
            let subscription = ObjectSubscription(self.hub, uri)
            self.hub.join(subscription)
            return subscription
        } _: { subscription, _ in
            let object = try await self.synchronizer.object(at: uri)
            if let object { (subscription as? ObjectSubscription)?.follow(object.uri) }
            return .some(object)
        }
    }

    /// See ``Synchronizer/changes(in:)``.
    func changes(in entity: String) -> Changes<EntityChange> {
        Changes {
            let subscription = ChangeSubscription(self.hub, entities: [entity])
            self.hub.join(subscription)
            let isFirst = Mutex(true)
            return {
                _ = try self.synchronizer.resource(entity)
                guard let news = await subscription.news() else { return nil }
                let counts = try await self.synchronizer.store.read { try $0.counts()[entity] ?? StateCounts() }
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

    /// See ``Synchronizer/pendingChanges(entity:)``.
    func pending(entity: String?) -> Changes<[LocalObject]> {
        .evaluated {
            let subscription = ChangeSubscription(self.hub, entities: entity.map { [$0] })
            self.hub.join(subscription)
            return subscription
        } _: { _, _ in
            try await self.synchronizer.pending(entity: entity)
        }
    }

    /// See ``Synchronizer/leaseChanges()``.
    func leases() -> Changes<[EditLease]> {
        .evaluated {
            // Of no entity: commits say nothing of leases.
            let subscription = ChangeSubscription(self.hub, entities: [], followsActivity: true)
            self.hub.join(subscription)
            return subscription
        } _: { _, _ in
            await self.synchronizer.editLeases()
        }
    }

    /// See ``Synchronizer/statusChanges()``.
    func status() -> Changes<SyncStatus> {
        .evaluated {
            let subscription = ChangeSubscription(self.hub, entities: nil, followsActivity: true)
            self.hub.join(subscription)
            return subscription
        } _: { _, _ in
            try await self.synchronizer.syncStatus()
        }
    }
}
