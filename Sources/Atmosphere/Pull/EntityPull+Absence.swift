/// What follows when every list has come to its end.
extension EntityPull {
    /// Removes what a complete listing did not show, each confirmed by a GET where single objects can be read, else all of
    /// them by a second listing.
    func removeAbsent(_ listing: Int64?, from listings: [Listing], _ lost: LostCreates) async throws {
        guard let listing else { return }
        let entity = resource.name
        var candidates = try await absent(listing, from: listings)
        guard !candidates.isEmpty else { return }
        let known = try await synchronizer.store.read { try $0.counts()[entity]?.objects ?? 0 }
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
        if !confirmsAbsence, mayHaveMoved(listings) {
            try await listAgain(listings, lost)
            candidates = try await absent(listing, from: listings)
        }
        if !candidates.isEmpty { try await checkStillOurselves() }
        try await remove(candidates, because: "absent from the server’s complete list")
    }

    /// Whom a server does not know any more it may show less, without a word.
    private func checkStillOurselves() async throws {
        guard let identity, let now = try await synchronizer.identity() else { return }
        guard now.hasSameBytes(as: identity) else {
            throw SyncError(
                code: .signInNeeded,
                message: "the server took us for “\(identity)” when the listing began, and takes us for “\(now)” now, "
                    + "so what it does not show may be there; sign in as before and pull again")
        }
        guard synchronizer.identityTurns.count == turns else {
            throw SyncError(
                code: .signInNeeded,
                message: "the server took us for somebody else than “\(identity)” while it was listing, so what it "
                    + "does not show may be there; pull again")
        }
    }

    /// What the lists did not show; nothing where one of them is not complete, and nothing of those that prove no absence.
    private func absent(_ listing: Int64, from listings: [Listing]) async throws -> [ObjectURI] {
        guard !tally.isDoubtful else { return [] }
        let entity = resource.name
        let silent = tally.unchanged.union(unproven(listings))
        let candidates =
            options.dryRun
            ? try await tally.unlisted(entity, in: synchronizer.store)
            : try await synchronizer.store.write(.process, origin: .pull) {
                try $0.unlisted(entity: entity, listing: listing, after: nil, limit: .max)
            }
        let hasParents = !resource.list.parentEntities.isEmpty
        return silent.isEmpty && !hasParents ? candidates : try await elsewhere(candidates, than: silent)
    }

    /// Whether a row can have moved from a page that was to come to one that had been read, or to another parent's list:
    /// what took one request was seen all at once.
    private func mayHaveMoved(_ listings: [Listing]) -> Bool {
        listings.count > 1 || tally.pagesRead > 1 || listings.contains { $0.underway.position != nil }
    }

    /// Reads the lists once more, from their first pages. What neither time was shown is not there: a row that moves
    /// once while the lists are read is missed once.
    private func listAgain(_ listings: [Listing], _ lost: LostCreates) async throws {
        synchronizer.note(resource.name, "listed again, to be sure of what is absent")
        var again = self
        again.isConfirming = true
        let (second, unchanged) = (again, tally.unchanged)
        try await listings.filter { !unchanged.contains($0.scope) }.concurrently(limit) { listing in
            var listing = listing
            listing.underway.position = nil
            try await second.pull(listing) { try await second.store($0, lost) }
        }
    }

    /// The objects that do not stand in one of these lists, which say nothing of what is absent, nor in that of a parent that
    /// is deleted here and not there, which nobody reads.
    private func elsewhere(_ candidates: [ObjectURI], than scopes: Set<PullScope>) async throws -> [ObjectURI] {
        try await synchronizer.store.read { snapshot in
            try candidates.filter { uri in
                guard let (scope, parents) = try list(of: uri, in: snapshot) else { return false }
                return !scopes.contains(scope) && !parents.contains(.deletedHere)
            }
        }
    }

    /// The list that an object stands in, and what is here of the parents that the list's path names; nil where the object is
    /// not here.
    private func list(
        of uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> (scope: PullScope, parents: [ObjectPlace.Parent.Presence])? {
        guard let object = try snapshot.object(at: uri) else { return nil }
        let place = try ObjectPlace(object, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
        let parents = resource.list.parentEntities.compactMap { place.parents[$0] }
        let ids = parents.map { PercentEncoding.segment($0.id.text) }
        let scope = PullScope(entity: resource.name, parent: ids.isEmpty ? nil : ids.joined(separator: "/"))
        return (scope, parents.map(\.presence))
    }

    /// Removes the objects below a parent that is gone: no list shows them any more, or tells of their deletion. Each is
    /// confirmed by a GET where single objects can be read. An object that was edited here stays: its push tells.
    ///
    /// Looks through the entity only where a parent is gone since the last pull.
    func removeOrphans(beside listings: [Listing]) async throws {
        guard view == nil, !resource.list.parentEntities.isEmpty, !tally.isDoubtful else { return }
        let orphans = try await synchronizer.store.read { snapshot -> [ObjectURI] in
            var found: [ObjectURI] = []
            let gone = try others(than: listings, in: snapshot).filter { !$0.scope.isOfTombstones }
            try eachBelow(gone, in: snapshot) { uri, _, parents in
                guard parents.contains(.notHere), case .synchronized = try snapshot.meta(at: uri)?.state else { return }
                found.append(uri)
            }
            return found
        }
        if !orphans.isEmpty { try await checkStillOurselves() }
        try await remove(orphans, because: "what it stands below is gone")
    }

    private func remove(_ absent: [ObjectURI], because reason: String) async throws {
        for uri in absent {
            if options.dryRun {
                tally.add(Stored(deleted: 1))
            } else if confirmsAbsence {
                tally.readAbsent(uri)
            } else {
                try await remove(uri, because: reason)
            }
        }
    }

    /// - Parameter known: a sequence from before what shows that the object is gone was asked for: what has been confirmed since
    ///   is newer. nil for what a list just told.
    func remove(_ uri: ObjectURI, because reason: String, asOf known: Int64? = nil) async throws {
        let sequence = known ?? synchronizer.nextSequence()
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
        synchronizer.note(uri, "removed: \(reason)")
    }

    /// Reads single objects that a page could not decide. One that the server refuses to show stays as it is and holds up
    /// no other: what whoever asks may not see any more is not known to be gone.
    func readAgain() async throws {
        guard !options.dryRun else { return }
        let absent = Set(tally.absent)
        try await tally.takeReads().concurrently(limit) { uri in
            let wasThere = try await synchronizer.object(at: uri) != nil
            do {
                try await synchronizer.refresh(uri, origin: .pull, isUnlisted: absent.contains(uri))
            } catch let error as SyncError where error.code == .refused {
                return tally.refuse(uri, error)
            }
            if wasThere, try await synchronizer.object(at: uri) == nil { tally.add(Stored(deleted: 1)) }
        }
        let refused = tally.refused.sorted { $0.key < $1.key }
        for (_, error) in refused.prefix(Self.mostRefusals) {
            let status = error.failure?.status ?? 0
            tally.warn(
                "\(error.message): it stays here as it is; if that means that it is gone, write “errors: { rules: "
                    + "[{ status: \(status), method: GET, treat: gone }] }” for \(resource.name)")
        }
        if refused.count > Self.mostRefusals {
            tally.warn(
                "\(refused.count - Self.mostRefusals) more \(resource.name) that the server refuses to show stay as they are"
            )
        }
    }

    /// What no list shows and a read does stays, with a word: many servers keep what was deleted, and say so in a member.
    func remarkOnUnlisted() async throws {
        let refused = tally.refused
        let absent = tally.absent.filter { refused[$0] == nil }
        guard !absent.isEmpty, !options.dryRun else { return }
        let left = try await synchronizer.store.read { snapshot in
            try absent.filter { if case .synchronized? = try snapshot.meta(at: $0)?.state { true } else { false } }
        }
        guard let first = left.first else { return }
        tally.warn(
            "\(left.count) of \(resource.name) stood in no list and could be read all the same, such as \(first), so they "
                + "stay; where a member says that an object is deleted, name it: deletes: { absent: true, field: "
                + "MEMBER }")
    }

    /// As many objects that the server refuses to show are told one by one.
    static let mostRefusals = 5

    /// Makes the candidates the cursors: everything before this was stored.
    ///
    /// - Parameters:
    ///   - absence: the number of the listing that showed what is absent; nil where nothing was looked for.
    ///   - tombstones: what has read the list of what was deleted, under the scopes `ofDeleted`; nil where nothing has.
    func complete(
        _ listings: [Listing], absence: Int64?, _ tombstones: TombstonePull?, _ ofDeleted: [Listing]
    ) async throws {
        let members = view == nil ? nil : tally.shown
        // Read before, for a look through the entity would keep a save waiting.
        let filled = view == nil ? try await filledLists(besides: listings + ofDeleted) : []
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            let tagged = try settled(listings, absence, in: transaction)
            for listing in listings { try complete(listing, members, tagged, in: transaction) }
            if let pull = tombstones?.pull {
                let tagged = try pull.settled(ofDeleted, nil, in: transaction)
                for listing in ofDeleted { try pull.complete(listing, nil, tagged, in: transaction) }
            }
            if view == nil {
                try forgetViews(in: transaction)
                try forgetOthers(than: listings + ofDeleted, filled, in: transaction)
            }
            if resource.deletes.byAbsence { try transaction.endListing(entity: resource.name) }
        }
    }

    /// The lists of which all that they say is settled here. Of another list the next pull has to hear everything again, and
    /// not only that it has not changed.
    private func settled(
        _ listings: [Listing], _ absence: Int64?, in snapshot: any StoreSnapshot
    ) throws -> Set<PullScope> {
        guard resource.list.isConditional else { return [] }
        let unchanged = tally.unchanged
        let same = Set(listings.map(\.scope).filter(unchanged.contains))
        guard !tally.isDoubtful else { return same }
        let showsAbsence = resource.deletes.byAbsence && view == nil
        // What is edited here stays, absent or not, until its push or a person has decided.
        let waits =
            try showsAbsence
            && snapshot.changed(entity: resource.name, after: nil, limit: .max)
                .contains { !$0.isLocalOnly && !$0.isGoneThere }
        let others = listings.filter { listing in
            guard showsAbsence, listing.underway.isFull else { return true }
            return !waits && absence != nil && isKnown(listing.known)
        }
        return same.union(others.map(\.scope))
    }

    /// - Parameter settled: see ``settled(_:_:in:)``.
    private func complete(
        _ listing: Listing, _ members: [String]?, _ settled: Set<PullScope>, in transaction: any StoreTransaction
    ) throws {
        let now = synchronizer.environment.now()
        let isSkipped = tally.skipped.contains(listing.scope)
        // A list of everything seldom shows tombstones: those since the last cursor are still to be asked for.
        let mayKeepCursor = !replacesCursor && asksForTombstones
        var cursor = listing.known
        if isSkipped {
            // In a list in the order of its cursor what came before the gap was reached all the same.
            cursor.checkpoint = try transaction.cursor(for: listing.scope)?.checkpoint
        } else {
            let isDue = isFullDue(cursor, now: now) && !hasExpired(cursor, now: now) && !isAnothers(cursor)
            if !mayKeepCursor || !(options.full || isDue) || cursor.checkpoint == nil {
                cursor.checkpoint = tally.candidates[listing.scope] ?? (replacesCursor ? nil : cursor.checkpoint)
            }
            if resource.since == nil { cursor.checkpoint = nil }
            var fullEnded = cursor.complete?.fullEnded
            if listing.underway.isFull { fullEnded = isWatched(listing.underway.position) ? now : nil }
            cursor.complete = .init(ended: now, fullEnded: fullEnded, identity: identity)
            cursor.begunAs = nil
            cursor.server = synchronizer.routeFile.server
            cursor.request = listing.request
        }
        // A tag says that all of the list is here.
        cursor.complete?.tag = isSkipped || !settled.contains(listing.scope) ? nil : tally.tags[listing.scope]
        // A view that has not changed has shown nothing: its members are those that it had.
        if !tally.unchanged.contains(listing.scope) { cursor.members = members }
        try transaction.put(cursor, for: listing.scope)
    }

    /// Whether what moved before a listing was gone on with would have shown.
    private func isWatched(_ position: PullPosition?) -> Bool {
        position.map { $0.isWatched || resource.keeps($0) } ?? true
    }

    /// The list of a parent that is gone is not asked for any more. Should the parent come back, everything has to be asked
    /// for, because its children went with it here. The list stays known as long as an object is below it, for
    /// ``removeOrphans(beside:)`` to look at in the next pull.
    ///
    /// - Parameter filled: the lists that an object is below.
    private func forgetOthers(
        than listings: [Listing], _ filled: Set<PullScope>, in transaction: any StoreTransaction
    ) throws {
        for (scope, cursor) in try others(than: listings, in: transaction) {
            guard filled.contains(scope) else {
                try transaction.removeCursor(for: scope)
                continue
            }
            var cursor = cursor
            cursor.forgetPlaces()
            try transaction.put(cursor, for: scope)
        }
    }

    /// The lists that are known and were not read, for their parents are gone, with their cursors.
    private func others(
        than listings: [Listing], in snapshot: any StoreSnapshot
    ) throws -> [(scope: PullScope, cursor: PullCursor)] {
        let listed = Set(listings.map(\.scope))
        return try snapshot.cursors(entity: resource.name).filter { !$0.scope.isView && !listed.contains($0.scope) }
    }

    /// The other lists that an object is below.
    private func filledLists(besides listings: [Listing]) async throws -> Set<PullScope> {
        try await synchronizer.store.read { snapshot in
            var filled: Set<PullScope> = []
            try eachBelow(try others(than: listings, in: snapshot), in: snapshot) { _, scope, _ in filled.insert(scope)
            }
            return filled
        }
    }

    /// Looks through the entity, where one of these lists is there to look for.
    private func eachBelow(
        _ lists: [(scope: PullScope, cursor: PullCursor)], in snapshot: any StoreSnapshot,
        _ body: (ObjectURI, PullScope, [ObjectPlace.Parent.Presence]) throws -> Void
    ) throws {
        guard !lists.isEmpty else { return }
        let scopes = Set(lists.map(\.scope))
        try snapshot.records(matching: Query(resource.name)) { uri, _ in
            if let (scope, parents) = try list(of: uri, in: snapshot), scopes.contains(scope) {
                try body(uri, scope, parents)
            }
            return true
        }
    }

    /// A view that somebody else was shown, or another server has shown, is to be asked for anew.
    private func forgetViews(in transaction: any StoreTransaction) throws {
        for (scope, cursor) in try transaction.cursors(entity: resource.name)
        where scope.isView && isForeign(scope, cursor) {
            try transaction.removeCursor(for: scope)
        }
    }

    /// Rows can move from page to page while they are read, or to another parent, and a list may have more pages than the
    /// route file knows of, so absence proves nothing alone. Where no single object can be read, a second listing has to do.
    private var confirmsAbsence: Bool { resource.read.isOffered }
}
