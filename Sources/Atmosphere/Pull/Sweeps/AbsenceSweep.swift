/// Removes what a complete listing did not show, each confirmed by a GET where single objects can be read, else all of
/// them by a second listing. An edited object, whose push tells elsewhere whether it is there, is then among them as soon as its
/// push was answered with 404.
struct AbsenceSweep: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    let trust: CursorTrust
    let tally: PullTally
    let removing: RemovingObjects
    /// Reads lists once more, from their first pages.
    let listAgain: @Sendable ([PulledList]) async throws -> Void
    /// See ``EntityPull/listUnchanged(_:_:_:)``.
    let listUnchanged: @Sendable ([PulledList], PulledList.Ends) async throws -> Bool

    /// How many of an entity's objects may be removed unasked, for they are absent.
    static func mostUnasked(of known: Int) -> Int { max(20, known / 10) }

    /// - Parameters:
    ///   - listing: the number of the listing that showed what is absent.
    ///   - listings: the lists, each read to its end, which `ends` tells of.
    /// - Returns: objects that a read has to confirm.
    func run(_ listing: Int64, from listings: [PulledList], _ ends: PulledList.Ends) async throws -> [ObjectURI] {
        let entity = resource.name
        let unchanged = Set(listings.map(\.scope).filter { ends[$0]?.isUnchanged == true })
        let sequence = synchronizer.nextSequence()
        let silent = unchanged.union(listings.filter { !trust.isKnown($0.known) }.map(\.scope))
        let disputed = try await disputed(silent)
        var candidates = try await absent(listing, silent)
        if !candidates.isEmpty, try await listUnchanged(listings, ends) {
            candidates = try await absent(listing, silent)
        }
        guard !candidates.isEmpty else { return disputed }
        let known = try await synchronizer.store.read { try $0.counts()[entity]?.objects ?? 0 }
        let allowed = options.allowedDeletes ?? Self.mostUnasked(of: known)
        guard candidates.count <= allowed else {
            if options.dryRun {
                tally.add(.init(deleted: candidates.count))
            }
            throw SyncError(
                code: .tooManyDeletes,
                message: "\(candidates.count) of \(known) \(entity) are absent from the server's list, more than the "
                    + "\(allowed) that may go unasked; check the credentials and filters, then allow it with "
                    + "--allow-deletes \(candidates.count)")
        }
        if !removing.confirmsAbsence, mayHaveMoved(listings) {
            // What neither time was shown is not there: a row that moves once while the lists are read is missed once.
            synchronizer.note(resource.name, "listed again, to be sure of what is absent")
            try await listAgain(listings.filter { !unchanged.contains($0.scope) })
            candidates = try await absent(listing, silent)
        }
        if !candidates.isEmpty { try await removing.checkStillOurselves() }
        let reason = "absent from the server’s complete list"
        return try await removing.remove(candidates, because: reason, asOf: sequence) + disputed
    }

    /// What a person decides about stays whatever the lists show, and is read where they do not show it: of what is gone there
    /// is another decision to be made.
    private func disputed(_ silent: Set<PullScope>) async throws -> [ObjectURI] {
        guard removing.confirmsAbsence, !options.dryRun, !tally.isDoubtful else { return [] }
        let conflicts = try await tally.unlistedConflicts(resource.name, in: synchronizer.store)
        let hasParents = !resource.list.parentEntities.isEmpty
        return silent.isEmpty && !hasParents ? conflicts : try await elsewhere(conflicts, than: silent)
    }

    /// What the lists did not show; nothing where one of them is not complete, and nothing of those that prove no absence.
    ///
    /// - Parameter silent: lists that have shown nothing, for they have not changed, or that prove no absence: what was created
    ///   below a new parent may have been so as somebody else.
    private func absent(_ listing: Int64, _ silent: Set<PullScope>) async throws -> [ObjectURI] {
        guard !tally.isDoubtful else { return [] }
        let entity = resource.name
        var candidates =
            options.dryRun
            ? try await tally.unlisted(entity, in: synchronizer.store)
            : try await synchronizer.store.write(.process, origin: .pull) {
                try $0.unlisted(entity: entity, listing: listing, after: nil, limit: .max)
            }
        if !removing.confirmsAbsence, !options.dryRun {
            candidates += try await tally.unlistedDenied(entity, listing, in: synchronizer.store)
        }
        let hasParents = !resource.list.parentEntities.isEmpty
        return silent.isEmpty && !hasParents ? candidates : try await elsewhere(candidates, than: silent)
    }

    /// Whether a row can have moved from a page that was to come to one that had been read, or to another parent's list:
    /// what took one request was seen all at once.
    private func mayHaveMoved(_ listings: [PulledList]) -> Bool {
        listings.count > 1 || tally.pagesRead > 1 || listings.contains { $0.underway.position != nil }
    }

    /// The objects that do not stand in one of these lists, which say nothing of what is absent, nor in that of a parent that
    /// is deleted here and not there, which nobody reads.
    private func elsewhere(_ candidates: [ObjectURI], than scopes: Set<PullScope>) async throws -> [ObjectURI] {
        let lists = KnownLists(resource: resource, routeFile: synchronizer.routeFile)
        return try await synchronizer.store.read { snapshot in
            try candidates.filter { uri in
                // An edit here may have moved it, and the server does not know of that.
                try [false, true].allSatisfy { isAsShown in
                    guard let (scope, parents) = try lists.list(of: uri, isAsShown: isAsShown, in: snapshot) else {
                        return false
                    }
                    return !scopes.contains(scope) && !parents.contains(.deletedHere)
                }
            }
        }
    }
}
