/// Makes the tentative checkpoints the checkpoints, when every list has come to its end and all that they show is stored.
struct CompletingLists: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// Who the server takes us for, where the route file asks.
    let identity: String?
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?
    let trust: CursorTrust
    let tally: PullTally
    /// The checkpoint that is kept is of no more use.
    let replacesCheckpoint: Bool
    /// See ``EntityPull/below``.
    let isPart: Bool

    private var lists: KnownLists { KnownLists(resource: resource, routeFile: synchronizer.routeFile) }

    /// - Parameters:
    ///   - ends: how the lists have ended.
    ///   - absence: the number of the listing that showed what is absent; nil where nothing was looked for.
    ///   - isLookedFor: what that listing showed to be absent was looked for, and nothing spoke against it.
    ///   - deleted: what has read the lists of what was deleted; nil where nothing has.
    func complete(
        _ listings: [PulledList], _ ends: PulledList.Ends, absence: Int64?, isLookedFor: Bool,
        _ deleted: TombstonePull.Done?
    ) async throws {
        let read = listings + (deleted?.listings ?? [])
        // Read before, for a look through the entity would keep a save waiting.
        let filled = view == nil && !isPart ? try await filledLists(besides: read) : []
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            try put(listings, ends, absence, isLookedFor: isLookedFor, in: transaction)
            if let deleted {
                try deleted.completing.put(
                    deleted.listings, deleted.ends, nil, isLookedFor: false, in: transaction)
            }
            if view == nil, !isPart {
                try settleDropped(listings, in: transaction)
                try forgetViews(in: transaction)
                try forgetOthers(than: read, filled, in: transaction)
            }
            if resource.deletes.byAbsence, !isPart { try transaction.endListing(entity: resource.name) }
        }
    }

    /// What retention has dropped too early is here again, where all lists were read as a whole.
    private func settleDropped(_ listings: [PulledList], in transaction: any StoreTransaction) throws {
        guard resource.retention != nil, tally.skipped.isEmpty, listings.allSatisfy(\.underway.isFull) else { return }
        try DroppedCopies(of: resource).settle(at: synchronizer.environment.now(), in: transaction)
    }

    /// Makes the tentative checkpoints of lists their checkpoints.
    private func put(
        _ listings: [PulledList], _ ends: PulledList.Ends, _ absence: Int64?, isLookedFor: Bool,
        in transaction: any StoreTransaction
    ) throws {
        let settled = try settled(listings, ends, absence, in: transaction)
        let isWhole = listings.allSatisfy { $0.underway.isFull }
        // A list that was interrupted goes on where it was. What it had shown is known no more where absence is looked for.
        let interrupted = resource.deletes.byAbsence ? [] : tally.interrupted
        for listing in listings where !interrupted.contains(listing.scope) {
            let end = ends[listing.scope]
            guard end != nil || !trust.acceptsOthers else {
                try transaction.put(unlisted(listing.known), for: listing.scope)
                continue
            }
            let isSettled = settled.contains(listing.scope)
            let fullEnded = fullEnded(of: listing, isWhole: isWhole, isLookedFor: isLookedFor)
            try put(listing, end ?? .init(), isSettled: isSettled, fullEnded: fullEnded, in: transaction)
        }
    }

    /// The lists of which all that they say is settled here. Of another list the next pull has to hear everything again, and
    /// not only that it has not changed.
    private func settled(
        _ listings: [PulledList], _ ends: PulledList.Ends, _ absence: Int64?, in snapshot: any StoreSnapshot
    ) throws -> Set<PullScope> {
        guard resource.list.isConditional else { return [] }
        let same = Set(listings.map(\.scope).filter { ends[$0]?.isUnchanged == true })
        guard !tally.isDoubtful else { return same }
        let showsAbsence = resource.deletes.byAbsence && view == nil
        // What is edited here stays, absent or not, until its push or a person has decided.
        let waits =
            try showsAbsence
            && snapshot.changed(entity: resource.name, after: nil, limit: .max)
                .contains { !$0.isLocalOnly && !$0.isGoneThere }
        let others = listings.filter { listing in
            guard showsAbsence, listing.underway.isFull else { return true }
            return !waits && absence != nil && trust.isKnown(listing.known)
        }
        return same.union(others.map(\.scope))
    }

    private func put(
        _ listing: PulledList, _ end: PulledList.End, isSettled: Bool, fullEnded: Timestamp?,
        in transaction: any StoreTransaction
    ) throws {
        let now = synchronizer.environment.now()
        let isSkipped = tally.skipped.contains(listing.scope)
        // A list of everything seldom shows tombstones: those since the last checkpoint are still to be asked for.
        let mayKeepCheckpoint = !replacesCheckpoint && asksForTombstones
        var cursor = listing.known
        if isSkipped {
            // In a list in the order of its cursor what came before the gap was reached all the same.
            cursor.checkpoint = listing.checkpoint(keptIn: try transaction.cursor(for: listing.scope))
            cursor.complete?.fullEnded = fullEnded
        } else {
            let isDue =
                (listing.isReadAnew || listing.lacksDropped || trust.isFullDue(cursor, now: now))
                && !trust.hasExpired(cursor, now: now) && !trust.isAnothers(cursor)
            if !mayKeepCheckpoint || !(options.full || isDue) || cursor.checkpoint == nil {
                cursor.checkpoint = end.checkpoint ?? (replacesCheckpoint ? nil : cursor.checkpoint)
            }
            if resource.since == nil { cursor.checkpoint = nil }
            cursor.complete = .init(ended: now, fullEnded: fullEnded, identity: identity, reading: cursor.reading)
            cursor.begunAs = nil
            cursor.server = synchronizer.routeFile.server
            cursor.request = listing.request
        }
        // A tag says that all of the list is here.
        cursor.complete?.tag = isSkipped || !isSettled ? nil : end.tag
        cursor.refused = tally.refused.contains(listing.scope) ? now : nil
        // A view that has not changed has shown nothing: its members are those that it had.
        if !end.isUnchanged { cursor.members = view == nil ? nil : tally.shown }
        try transaction.put(cursor, for: listing.scope)
    }

    /// When a list was last listed in full, and what it did not show was looked for. Where that was to be done and something
    /// spoke against it, the next pull lists everything once more.
    ///
    /// - Parameters:
    ///   - isWhole: all lists of the entity were listed in full.
    ///   - isLookedFor: see ``complete(_:_:absence:isLookedFor:_:)``.
    private func fullEnded(of listing: PulledList, isWhole: Bool, isLookedFor: Bool) -> Timestamp? {
        let known = listing.known.complete?.fullEnded
        guard listing.underway.isFull else { return known }
        if tally.skipped.contains(listing.scope) {
            return isWhole && view == nil && resource.deletes.byAbsence ? nil : known
        }
        let isAbsenceKnown =
            isLookedFor || view != nil || !resource.deletes.byAbsence
            // Nothing is looked for as long as a list is refused, however often the others are listed.
            || tally.isDoubtfulByRefusalsAlone
            // Nothing of it was here before.
            || listing.isNew && listing.underway.position == nil
        // Beside lists of changes it shows everything only because it has no checkpoint yet, as an empty list.
        guard isAbsenceKnown else { return isWhole ? nil : known }
        return isWatched(listing.underway.position) ? synchronizer.environment.now() : nil
    }

    /// Whether what moved before a listing was gone on with would have shown.
    private func isWatched(_ position: PullPosition?) -> Bool {
        position.map { $0.isWatched || resource.keeps($0) } ?? true
    }

    /// Whether deletions show only in what has changed since a checkpoint: a list of everything seldom shows tombstones.
    private var asksForTombstones: Bool { resource.deletes.field != nil && !resource.deletes.byAbsence }

    /// The other lists that an object is below.
    private func filledLists(besides listings: [PulledList]) async throws -> Set<PullScope> {
        try await synchronizer.store.read { try lists.filled(besides: listings, in: $0) }
    }

    /// The list of a parent that is gone is not asked for any more. Should the parent come back, everything has to be asked
    /// for, because its children went with it here. The list stays known as long as an object is below it, for
    /// ``OrphanSweep`` to look at in the next pull.
    ///
    /// - Parameter filled: the lists that an object is below.
    private func forgetOthers(
        than listings: [PulledList], _ filled: Set<PullScope>, in transaction: any StoreTransaction
    ) throws {
        for (scope, cursor) in try lists.others(than: listings, in: transaction) {
            guard filled.contains(scope) else {
                try transaction.removeCursor(for: scope)
                continue
            }
            try transaction.put(unlisted(cursor), for: scope)
        }
    }

    /// The cursor of a list whose parent is gone. No pull of it will say as whom, so who accepts another identity accepts it for
    /// that list, too: else nothing would be sent, and so nothing of what a push or a person has to tell about the parent.
    private func unlisted(_ cursor: PullCursor) -> PullCursor {
        var cursor = trust.acceptsOthers ? trust.accepted(cursor) : cursor
        cursor.forgetPlaces()
        return cursor
    }

    /// A view that somebody else was shown, or another server has shown, is to be asked for anew.
    private func forgetViews(in transaction: any StoreTransaction) throws {
        for (scope, cursor) in try transaction.cursors(entity: resource.name)
        where scope.isView && trust.isForeign(scope, cursor) {
            try transaction.removeCursor(for: scope)
        }
    }
}
