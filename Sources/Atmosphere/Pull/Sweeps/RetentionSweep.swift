/// Drops from the local copy what the route file says is kept no longer.
struct RetentionSweep: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let tally: PullTally

    /// Drops synchronized objects whose time has passed; what waits to be sent, and what somebody holds a lease on, stays.
    func run() async throws {
        guard let retention = resource.retention else { return }
        let now = synchronizer.environment.now()
        let sequence = synchronizer.nextSequence()
        let query = try synchronizer.compiled(Self.query(for: resource, olderThan: retention, at: now))
        var expired = try await synchronizer.store.read { snapshot in
            var found: [ObjectURI] = []
            try snapshot.records(matching: query) { uri, _ in
                found.append(uri)
                return true
            }
            return found
        }
        while !expired.isEmpty {
            var slice: [ObjectURI] = []
            let leases = LeaseKeeper(synchronizer)
            for uri in expired.suffix(StoringPages.chunk) where await leases.lease(of: uri, resource) == nil {
                slice.append(uri)
            }
            expired.removeLast(min(StoringPages.chunk, expired.count))
            let dropped = try await synchronizer.store.write(.process, origin: .pull) { [slice, resource] transaction in
                // Each may have been edited, or have become another, since it was looked for.
                let dropped = try slice.filter { uri in
                    guard let object = try transaction.object(at: uri), !object.meta.isChanged else { return false }
                    return object.record.map(query.matches) ?? false
                }
                try transaction.delete(dropped)
                try transaction.removeMeta(dropped)
                if !dropped.isEmpty { try DroppedCopies(of: resource).note(at: now, sequence, in: transaction) }
                return dropped
            }
            tally.add(.init(expired: dropped.count))
            for uri in dropped {
                synchronizer.note(uri, "dropped from the local copy: “\(retention.field)” is farther back than is kept")
            }
        }
    }

    /// The objects of an entity that are older than is kept; without a time that can be read an object is none of them.
    private static func query(for resource: Resource, olderThan retention: Retention, at now: Timestamp) -> Query {
        let limit = Instant(seconds: 0).moved(by: .milliseconds(now.milliseconds)).moved(by: .zero - retention.keep)
            .description
        let type = resource.fields.types[retention.field]
        // A day is over when the next has begun.
        let text = type == .date ? String(limit.prefix(10)) : limit
        return Query(resource.name, where: [.init(retention.field, .less, .string(text), type: type)])
    }
}
