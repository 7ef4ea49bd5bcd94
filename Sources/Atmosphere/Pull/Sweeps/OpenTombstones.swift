/// Decides about tombstones of lists (`deletes.field`) that tell nothing by themselves: an object under the parent below which
/// it was seen last may stand below another by now; one that its own list has shown before may have been made anew; and one that
/// was edited here may be shown by a later page.
///
/// A read decides, where single objects can be read whatever they stand below; else the lists are read once more, and what one of
/// them shows is there.
struct OpenTombstones: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let tally: PullTally
    let removing: RemovingObjects
    /// Reads all lists once more, from their first pages, and adds up what they show.
    let listAgain: @Sendable (PullTally) async throws -> Void

    private var lists: KnownLists { KnownLists(resource: resource, routeFile: synchronizer.routeFile) }

    private static let reason = "its list says that it is deleted"

    /// - Parameter listings: the lists that were read.
    func decide(by listings: [PulledList]) async throws {
        let open = try await stillOpen(tally.openTombstones)
        guard !open.isEmpty else { return }
        let sequence = synchronizer.nextSequence()
        if lists.readsAnywhere || resource.read.isOffered && !listings.contains(where: \.isOneOfSeveral) {
            try await open.concurrently(synchronizer.routeFile.limits.concurrent) { try await read($0, sequence) }
        } else {
            try await list(open, listings, sequence)
        }
    }

    /// One of each object, without those of objects that another list has shown since.
    private func stillOpen(_ open: [OpenTombstone]) async throws -> [OpenTombstone] {
        guard !open.isEmpty else { return [] }
        let lists = lists
        return try await synchronizer.store.read { snapshot in
            var seen: Set<ObjectURI> = []
            return try open.filter { tombstone in
                guard seen.insert(tombstone.uri).inserted, let object = try snapshot.object(at: tombstone.uri)
                else { return false }
                return try !lists.isElsewhere(object, than: tombstone.scope, in: snapshot)
            }
        }
    }

    private func read(_ tombstone: OpenTombstone, _ sequence: Int64) async throws {
        let uri = tombstone.uri
        do {
            try await synchronizer.refresh(uri, origin: .pull, isUnlisted: true)
        } catch let error as SyncError where error.code == .refused {
            // What the server does not show the tombstone tells.
            return try await remove(uri, asOf: sequence)
        } catch {
            let failure = try tally.failure(of: error)
            tally.failOne("\(uri) stays here, for its read failed: \(failure.message)", failure)
            return tally.skip(tombstone.scope)
        }
        guard let object = try await synchronizer.object(at: uri) else { return tally.add(.init(deleted: 1)) }
        if object.meta.isGoneThere { return tally.add(.init(conflicted: 1)) }
        synchronizer.note(uri, "\(Self.reason), and could be read: it stays")
    }

    /// Where the second listing is not complete, no cursor moves, and the next pull sees the tombstones again.
    private func list(_ open: [OpenTombstone], _ listings: [PulledList], _ sequence: Int64) async throws {
        let second = PullTally(watching: Set(open.map(\.id.key)))
        synchronizer.note(resource.name, "listed again, to be sure of what was deleted")
        try await listAgain(second)
        tally.merge(second)
        guard !second.isIncomplete else {
            for tombstone in open { tally.skip(tombstone.scope) }
            return
        }
        for tombstone in open {
            if listings.contains(where: { second.mayHaveShown(tombstone.id, of: $0.scope) }) {
                synchronizer.note(tombstone.uri, "\(Self.reason), and is listed: it stays")
            } else {
                try await remove(tombstone.uri, asOf: sequence)
            }
        }
    }

    private func remove(_ uri: ObjectURI, asOf sequence: Int64) async throws {
        try await removing.remove(uri, because: Self.reason, asOf: sequence)
        if try await synchronizer.object(at: uri)?.meta.isGoneThere == true { tally.add(.init(conflicted: 1)) }
    }
}

/// A tombstone that tells nothing by itself.
struct OpenTombstone: Sendable {
    var uri: ObjectURI
    var id: PageItemID
    /// The list that it stands in.
    var scope: PullScope
}
