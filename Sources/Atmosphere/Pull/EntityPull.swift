/// The pull of one entity: every list it stands in, then what is absent from all of them.
struct EntityPull: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// Who the server takes us for, where the route file asks.
    let identity: String?
    /// See ``IdentityTurns``; how many there were before it listed anything.
    let turns: Int
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?
    let tally: PullTally
    /// The checkpoint that is kept is of no more use.
    var replacesCheckpoint = false
    /// The lists are read once more, to be sure of what they did not show.
    var isConfirming = false
    /// Parents whose lists alone are read; nil for all lists. What is absent from these is looked for in them.
    var below: Set<ObjectURI>?
    /// The parents whose own lists were not read as a whole: what no list shows may be below one that is not here.
    let partlyListed: [String]

    init(
        synchronizer: Synchronizer, resource: Resource, options: Synchronizer.PullOptions, identity: String? = nil,
        view: ViewCall? = nil, tally: PullTally = PullTally(), partlyListed: [String] = []
    ) {
        self.synchronizer = synchronizer
        self.resource = resource
        self.options = options
        self.identity = identity
        turns = synchronizer.identityTurns.count
        self.view = view
        self.tally = tally
        self.partlyListed = partlyListed
    }

    /// Whether the lists of some parents can be read without the others: they stand under these, and where they show absence, a read
    /// tells what has become of an object.
    func canBeRead(below objects: Set<ObjectURI>) -> Bool {
        view == nil && resource.tombstones == nil && (!resource.deletes.byAbsence || removing.confirmsAbsence)
            && objects.allSatisfy { resource.list.parentEntities.last == $0.entity }
    }

    func run() async throws -> PullReport.Entity {
        do {
            return try await runOnce()
        } catch let error as ResumeRefused {
            // What the interrupted listing had shown may have been deleted since, so all of it begins anew.
            try await lists.forgetPositions()
            let anew = EntityPull(
                synchronizer: synchronizer, resource: resource, options: options, identity: identity,
                partlyListed: partlyListed)
            var report = try await anew.run()
            report.add(tally.report)
            report.warnings.insert(error.message, at: 0)
            return report
        } catch let error as CursorExpired {
            // All lists, for what is absent from one could stand in another.
            var whole = options
            whole.full = true
            var anew = EntityPull(
                synchronizer: synchronizer, resource: resource, options: whole, identity: identity,
                partlyListed: partlyListed)
            anew.replacesCheckpoint = true
            synchronizer.note(resource.name, "\(error.message); everything is listed anew")
            var report = try await anew.runOnce()
            let hasLost = error.scope.isOfTombstones || resource.deletes.field != nil
            let remains =
                resource.deletes.byAbsence || !hasLost ? "" : "; what was deleted there meanwhile may not show"
            report.warnings.insert("\(error.message); everything is listed anew\(remains)", at: 0)
            return report
        }
    }

    /// - Throws: ``ResumeRefused``; ``CursorExpired``, but not of a full pull; ``StoreError``; `CancellationError`.
    private func runOnce() async throws -> PullReport.Entity {
        do {
            let tombstones = try await TombstonePull(beside: self)
            let (listings, absence) = try await lists.find()
            if view == nil, !options.dryRun {
                let readdressing = Readdressing(synchronizer: synchronizer, resource: resource)
                for remark in try await readdressing.run() { tally.remark(remark) }
            }
            let lost = try await LostCreates(resource: resource, store: synchronizer.store)
            let ends = try await read(listings, lost)
            try await openTombstones(listings, lost).decide(by: listings)
            let (absent, isLookedFor) = try await sweep(listings, ends, absence, lost)
            if let doubt = tally.doubtfulMark(of: resource) { tally.remark("\(resource.name): \(doubt)") }
            if let warning = storing.versions.warning(of: tally.older) { tally.warn(warning) }
            if !options.dryRun {
                let reads = SingleReads(synchronizer: synchronizer, resource: resource, tally: tally)
                try await reads.run(absent, of: listings)
            }
            // What was deleted after the lists were read stands there by now.
            let deleted = try await tombstones?.run(after: listings, lost)
            if !options.dryRun {
                try await retention.run()
                try await completing.complete(
                    listings, ends, absence: absence, isLookedFor: isLookedFor, deleted)
                try await KeyedCreates(of: resource).forgetOld(now: synchronizer.nextSequence(), in: synchronizer.store)
            }
        } catch let error as TransportError {
            tally.fail(error.message, .init(error), error.isFinal ? error.code : nil)
        } catch let error as SyncError {
            tally.fail(error.message, .init(error))
        } catch let error as ExtractionError {
            tally.fail("\(resource.name): \(error.message)", .answer)
        }
        if !options.dryRun { synchronizer.note(resource.name, tally.report.summary) }
        return tally.report
    }

    /// Reads lists, and stores what they show.
    private func read(_ listings: [PulledList], _ lost: LostCreates) async throws -> PulledList.Ends {
        let storing = storing
        return try await reading.read(listings) { try await storing.store($0, lost) }
    }

    /// Reads lists once more, from their first pages.
    ///
    /// - Parameter whole: of these everything is read, and not only what has changed.
    func readAgain(_ listings: [PulledList], _ lost: LostCreates, whole: Set<PullScope> = []) async throws {
        var again = self
        again.isConfirming = true
        let fromStart = listings.map { listing in
            var listing = listing
            listing.underway.position = nil
            if whole.contains(listing.scope) { listing.underway.isFull = true }
            return listing
        }
        _ = try await again.read(fromStart, lost)
    }

    private func openTombstones(_ listings: [PulledList], _ lost: LostCreates) -> OpenTombstones {
        OpenTombstones(
            synchronizer: synchronizer, resource: resource, tally: tally, removing: removing, isPart: below != nil
        ) { second, whole in
            var options = options
            options.progress = { _ in }
            let again = EntityPull(
                synchronizer: synchronizer, resource: resource, options: options, identity: identity, tally: second)
            try await again.readAgain(listings, lost, whole: whole)
        }
    }

    /// Reads the lists that have not changed, and so have not shown what is in them, where an object can stand in several: what
    /// another one does not show may be in them.
    ///
    /// - Returns: whether any was read.
    private func listUnchanged(
        _ listings: [PulledList], _ ends: PulledList.Ends, _ lost: LostCreates
    ) async throws -> Bool {
        let unchanged = listings.filter { ends[$0.scope]?.isUnchanged == true }
        guard !unchanged.isEmpty, !resource.isUniquePerParent else { return false }
        synchronizer.note(resource.name, "what has not changed is listed, to be sure of what is absent")
        try await readAgain(unchanged, lost)
        return true
    }

    /// Removes what no list shows any more, once every list has come to its end.
    ///
    /// - Returns: objects that a read has to confirm, and whether the lists have told all that is absent.
    private func sweep(
        _ listings: [PulledList], _ ends: PulledList.Ends, _ absence: Int64?, _ lost: LostCreates
    ) async throws -> (absent: [ObjectURI], isLookedFor: Bool) {
        guard view == nil else { return ([], false) }
        guard below == nil else { return (try await absent(from: listings, ends), false) }
        var absent: [ObjectURI] = []
        // A list that has not changed shows nothing; where there is no list at all, everything is absent.
        let showsSomething = listings.isEmpty || listings.contains { ends[$0.scope]?.isUnchanged != true }
        if let absence, showsSomething {
            let sweep = AbsenceSweep(
                synchronizer: synchronizer, resource: resource, options: options, trust: trust, tally: tally,
                removing: removing, listAgain: { try await readAgain($0, lost) },
                listUnchanged: { try await listUnchanged($0, $1, lost) })
            absent += try await sweep.run(absence, from: listings, ends)
        }
        let isLookedFor = absence != nil && !tally.isDoubtful
        let orphans = OrphanSweep(
            synchronizer: synchronizer, resource: resource, tally: tally, removing: removing,
            listUnchanged: { try await listUnchanged($0, $1, lost) })
        absent += try await orphans.run(beside: listings, ends)
        return (absent, isLookedFor)
    }

    /// What the lists of some parents do not show any more, of all that stands in them. Where that is too much to go unasked, the
    /// next pull of all lists says so.
    ///
    /// - Returns: objects that a read has to confirm.
    private func absent(from listings: [PulledList], _ ends: PulledList.Ends) async throws -> [ObjectURI] {
        let whole = listings.filter { listing in
            listing.underway.isFull && listing.underway.position == nil && trust.isKnown(listing.known)
                && ends[listing.scope].map { !$0.isUnchanged } == true
        }
        guard resource.deletes.byAbsence, !whole.isEmpty, !tally.isDoubtful else { return [] }
        let scopes = Set(whole.map(\.scope))
        let known = KnownLists(resource: resource, routeFile: synchronizer.routeFile)
        let unlisted = try await tally.unlisted(resource.name, in: synchronizer.store)
        let (absent, count) = try await synchronizer.store.read { snapshot in
            let absent = try unlisted.filter { uri in
                try known.list(of: uri, in: snapshot).map { scopes.contains($0.scope) } ?? false
            }
            return (absent, try snapshot.counts()[resource.name]?.objects ?? 0)
        }
        guard !absent.isEmpty, absent.count <= AbsenceSweep.mostUnasked(of: count) else { return [] }
        try await removing.checkStillOurselves()
        return absent
    }

    // MARK: Who does what

    var trust: CursorTrust {
        CursorTrust(
            resource: resource, identity: identity, server: synchronizer.routeFile.server,
            acceptsOthers: options.allowedDeletes != nil)
    }

    var lists: ListsToRead {
        ListsToRead(
            synchronizer: synchronizer, resource: resource, options: options, identity: identity, view: view,
            trust: trust, tally: tally, reading: resource.listReading, below: below, partlyListed: partlyListed)
    }

    var reading: ReadingLists {
        ReadingLists(
            synchronizer: synchronizer, resource: resource, options: options, view: view, trust: trust, tally: tally,
            isConfirming: isConfirming)
    }

    var storing: StoringPages {
        StoringPages(
            synchronizer: synchronizer, resource: resource, options: options, view: view, tally: tally,
            isConfirming: isConfirming, isPart: below != nil)
    }

    var removing: RemovingObjects {
        RemovingObjects(
            synchronizer: synchronizer, resource: resource, options: options, identity: identity, turns: turns,
            tally: tally)
    }

    var retention: RetentionSweep {
        RetentionSweep(synchronizer: synchronizer, resource: resource, tally: tally)
    }

    var completing: CompletingLists {
        CompletingLists(
            synchronizer: synchronizer, resource: resource, options: options, identity: identity, view: view,
            trust: trust, tally: tally, replacesCheckpoint: replacesCheckpoint, isPart: below != nil)
    }
}
