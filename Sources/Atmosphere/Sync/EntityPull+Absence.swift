/// What follows when every list has come to its end.
extension EntityPull {
    /// Removes what a complete listing did not show, each confirmed by a GET where single objects can be read.
    func removeAbsent(_ listing: Int64?) async throws {
        guard let listing, tally.skipped.isEmpty, tally.report.warnings.isEmpty,
            tally.report.problem == nil
        else { return }
        let entity = resource.name
        let unchanged = tally.unchanged
        let known = try await synchronizer.store.read { try $0.counts()[entity]?.objects ?? 0 }
        var candidates =
            options.dryRun
            ? try await tally.unlisted(entity, in: synchronizer.store)
            : try await synchronizer.store.write(.process, origin: .pull) {
                try $0.unlisted(entity: entity, listing: listing, after: nil, limit: .max)
            }
        if !unchanged.isEmpty { candidates = try await elsewhere(candidates, than: unchanged) }
        let allowed = options.allowedDeletes ?? max(20, known / 10)
        guard candidates.count <= allowed else {
            if options.dryRun {
                tally.add(Stored(deleted: candidates.count))
            }
            throw SyncError(
                code: .tooManyDeletes,
                message: "\(candidates.count) of \(known) \(entity) are absent from the server's list, more than the "
                    + "\(allowed) that may go unasked; check the credentials and filters, then allow it with "
                    + "--allow-deletes \(candidates.count)")
        }
        for uri in candidates {
            if options.dryRun {
                tally.add(Stored(deleted: 1))
            } else if resource.confirmsAbsence {
                tally.readLater(uri)
            } else {
                try await remove(uri)
            }
        }
    }

    /// The objects that do not stand in one of these lists, which showed nothing because nothing in them has changed.
    private func elsewhere(_ candidates: [ObjectURI], than scopes: Set<PullScope>) async throws -> [ObjectURI] {
        let resource = resource
        let routeFile = synchronizer.routeFile
        let named = resource.list.path.parentEntities
        return try await synchronizer.store.read { snapshot in
            try candidates.filter { uri in
                guard let object = try snapshot.object(at: uri) else { return false }
                let place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
                let ids = named.compactMap { place.parents[$0]?.id.text }.map { PercentEncoding.segment($0) }
                let scope = PullScope(entity: resource.name, parent: ids.isEmpty ? nil : ids.joined(separator: "/"))
                return !scopes.contains(scope)
            }
        }
    }

    private func remove(_ uri: ObjectURI) async throws {
        let sequence = synchronizer.nextSequence()
        let resource = resource
        let routeFile = synchronizer.routeFile
        let key = synchronizer.environment.makeUUID()
        let removed = try await synchronizer.store.write(.process, origin: .pull) { transaction -> Bool in
            let plan = Planner(resource).remote(
                .init(record: nil, id: nil, version: nil, sequence: sequence),
                over: try transaction.object(at: uri), uri: uri, key: key)
            try ObjectWriter(routeFile: routeFile, transaction: transaction).apply(plan, to: uri)
            return plan.outcome == .remove
        }
        guard removed else { return }
        tally.add(Stored(deleted: 1))
        synchronizer.note(uri, "removed: absent from the server’s complete list")
    }

    /// Reads single objects that a page could not decide.
    func readAgain() async throws {
        guard !options.dryRun else { return }
        try await tally.takeReads().concurrently(limit) { uri in
            let wasThere = try await synchronizer.object(at: uri) != nil
            try await synchronizer.refresh(uri)
            if wasThere, try await synchronizer.object(at: uri) == nil { tally.add(Stored(deleted: 1)) }
        }
    }

    /// Makes the candidates the cursors: everything before this was stored.
    func complete(_ listings: [Listing]) async throws {
        let now = synchronizer.environment.now()
        let candidates = tally.candidates
        let skipped = tally.skipped
        let tags = tally.tags
        let members = view == nil ? nil : tally.shown
        // A list of everything seldom shows tombstones: those since the last cursor are still to be asked for.
        let keepsCursor =
            options.full && !replacesCursor && resource.deletes.field != nil && !resource.deletes.byAbsence
        let resource = resource
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for listing in listings {
                var cursor = listing.cursor
                if !listing.isForeign, !skipped.contains(listing.scope) {
                    if !keepsCursor || cursor.cursor == nil {
                        cursor.cursor = candidates[listing.scope] ?? cursor.cursor
                    }
                    cursor.identity = identity
                    cursor.lastPull = now
                }
                cursor.candidate = nil
                cursor.position = nil
                cursor.listing = nil
                cursor.tag = tags[listing.scope]?.tag
                cursor.tagTarget = tags[listing.scope]?.target
                cursor.members = members
                try transaction.put(cursor, for: listing.scope)
            }
            if view == nil { try Self.forgetOthers(than: listings, of: resource, in: transaction) }
            if resource.deletes.byAbsence { try transaction.endListing(entity: resource.name) }
        }
    }

    /// The list of a parent that is gone is not asked for any more. Should the parent come back, its children went with
    /// it here, so everything has to be asked for.
    private static func forgetOthers(
        than listings: [Listing], of resource: Resource, in transaction: any StoreTransaction
    ) throws {
        let scopes = Set(listings.map(\.scope))
        for (scope, _) in try transaction.cursors(entity: resource.name) where !scope.isView && !scopes.contains(scope)
        {
            try transaction.removeCursor(for: scope)
        }
    }
}

extension Resource {
    /// Rows can move from page to page while they are read, or to another parent, and a list may have more pages than the
    /// route file knows of, so absence proves nothing alone.
    var confirmsAbsence: Bool { read.isOffered }
}
