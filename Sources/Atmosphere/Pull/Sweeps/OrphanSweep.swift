/// Removes the objects below a parent that is gone: no list shows them any more, or tells of their deletion. Each is
/// confirmed by a GET where single objects can be read. An object that was edited here stays: its push tells.
///
/// Looks through the entity only where a parent is gone since the last pull.
struct OrphanSweep: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let tally: PullTally
    let removing: RemovingObjects
    /// See ``EntityPull/listUnchanged(_:_:_:)``.
    let listUnchanged: @Sendable ([PulledList], PulledList.Ends) async throws -> Bool

    /// - Parameter listings: the lists that were read, which `ends` tells of.
    /// - Returns: objects that a read has to confirm.
    func run(beside listings: [PulledList], _ ends: PulledList.Ends) async throws -> [ObjectURI] {
        guard !resource.list.parentEntities.isEmpty else { return [] }
        var orphans = try await find(beside: listings)
        if !orphans.isEmpty, try await listUnchanged(listings, ends) { orphans = try await find(beside: listings) }
        if !orphans.isEmpty { try await removing.checkStillOurselves() }
        return try await removing.remove(orphans, because: "what it stands below is gone")
    }

    /// The objects below a parent that is gone; none where something speaks against what the lists have shown.
    private func find(beside listings: [PulledList]) async throws -> [ObjectURI] {
        guard !tally.isDoubtful else { return [] }
        let lists = KnownLists(resource: resource, routeFile: synchronizer.routeFile)
        return try await synchronizer.store.read { snapshot -> [ObjectURI] in
            var found: [ObjectURI] = []
            let gone = try lists.others(than: listings, in: snapshot).filter { !$0.scope.isOfTombstones }
            try lists.eachBelow(gone, in: snapshot) { uri, _, parents in
                guard parents.contains(.notHere), case .synchronized = try snapshot.meta(at: uri)?.state else { return }
                found.append(uri)
            }
            return found
        }
    }
}
