extension Synchronizer {
    /// Sends local changes: parents first, one lane per object, independent objects concurrently. A refused record
    /// stops nothing but what depends on it.
    ///
    /// A try that failed is repeated within the call as long as the wait is short; everything else stays for the next
    /// push. Cancelling keeps what was done and leaves the rest as it is. Where the route file has an identity check
    /// and the server takes us for somebody else than at the last complete pull, nothing is sent.
    ///
    /// - Parameter entities: only these; all by default.
    /// - Throws: ``SyncError`` `pushedElsewhere` where another process pushes from this store; ``StoreError``;
    ///   `CancellationError`. Refusals and network errors are in the report and in the objects.
    @discardableResult
    public func push(entities: [String] = []) async throws -> PushReport {
        try await push(resources(entities), isAsked: true)
    }

    /// - Parameter isAsked: somebody asked for it now, so what has failed is tried before its time.
    func push(_ resources: [Resource], isAsked: Bool) async throws -> PushReport {
        try await pushTurn.hold(store) { try await Pusher(self).push(resources, isAsked: isAsked) }
    }

    /// Deletes and actions that wait for other changes, each with the first change that holds it.
    ///
    /// - Parameter object: only the change of this one; all by default.
    package func heldChanges(of object: LocalObject? = nil) async throws -> [ObjectURI: MetaObject] {
        try await store.read { snapshot in
            let held = HeldChanges(routeFile)
            if let object { return try held.holder(of: object, in: snapshot).map { [object.uri: $0] } ?? [:] }
            let counts = try snapshot.counts()
            var holders: [ObjectURI: MetaObject] = [:]
            for resource in routeFile.resources {
                guard let count = counts[resource.name],
                    count.deleted > 0 || count.changed > 0 && resource.actions.contains(where: \.isOrdered)
                else { continue }
                for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                    guard let object = try snapshot.object(at: meta.uri) else { continue }
                    holders[meta.uri] = try held.holder(of: object, in: snapshot)
                }
            }
            return holders
        }
    }

    /// What a push would send, request by request, without sending anything: verb, address, method, path and members,
    /// and what asks for edit leases and gives them back. A record of which no request can be made stops nothing else.
    package func pushPreview(entities: [String] = []) async throws -> PendingPush {
        try await PushPreview(self).requests(of: resources(entities))
    }
}
