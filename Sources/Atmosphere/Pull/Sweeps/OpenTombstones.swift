/// Decides about tombstones of lists (`deletes.field`) that tell nothing by themselves: an object under the parent below which
/// it was seen last may stand below another by now; one under another parent may have left that, or have moved there before it
/// was deleted; one that its own list has shown before may have been made anew; and one that was edited here may be shown by a
/// later page.
///
/// An object that another list has shown in this pull is there. Of others a read decides, where single objects can be read
/// whatever they stand below; else the lists are read once more, and what one of them shows is there.
struct OpenTombstones: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let tally: PullTally
    let removing: RemovingObjects
    /// Not all lists were read: an object may stand in one of the others.
    let isPart: Bool
    /// Reads all lists once more, from their first pages, some of them as a whole, and adds up what they show.
    let listAgain: @Sendable (PullTally, Set<PullScope>) async throws -> Void

    private var lists: KnownLists { KnownLists(resource: resource, routeFile: synchronizer.routeFile) }

    private static let reason = "its list says that it is deleted"

    /// - Parameter listings: the lists that were read.
    func decide(by listings: [PulledList]) async throws {
        let open = try await stillOpen(tally.openTombstones, listings)
        guard !open.isEmpty else { return }
        let sequence = synchronizer.nextSequence()
        if lists.readsAnywhere || resource.read.isOffered && !listings.contains(where: \.isOneOfSeveral) {
            try await open.concurrently(synchronizer.routeFile.limits.concurrent) { try await read($0, sequence) }
        } else if isPart {
            for tombstone in open { tally.skip(tombstone.scope) }
        } else {
            try await list(open, listings, sequence)
        }
    }

    /// One of each object, without those of objects that another list has shown, or that stand in one that nobody has read.
    private func stillOpen(_ open: [OpenTombstone], _ listings: [PulledList]) async throws -> [OpenTombstone] {
        guard !open.isEmpty else { return [] }
        let lists = lists
        let read = Set(listings.map(\.scope))
        return try await synchronizer.store.read { snapshot in
            var seen: Set<ObjectURI> = []
            return try open.compactMap { tombstone -> OpenTombstone? in
                let uri = tombstone.uri
                guard !seen.contains(uri), let object = try snapshot.object(at: uri) else { return nil }
                var tombstone = tombstone
                tombstone.other = try lists.otherList(of: object, than: tombstone.scope, in: snapshot)
                if let other = tombstone.other, !read.contains(other) || tally.mayHaveShown(tombstone.id, of: other) {
                    synchronizer.note(
                        uri, "has a tombstone in \(tombstone.scope), and stands in another list: it stays")
                    return nil
                }
                seen.insert(uri)
                return tombstone
            }
        }
    }

    private func read(_ tombstone: OpenTombstone, _ sequence: Int64) async throws {
        let uri = tombstone.uri
        do {
            try await synchronizer.refresh(uri, origin: .pull, isUnlisted: true)
        } catch let error as SyncError where error.code == .refused {
            // What the server does not show the tombstone tells.
            return try await remove(tombstone, asOf: sequence)
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
        // What changes does not show an object that stands where it stood.
        try await listAgain(second, Set(open.compactMap(\.other)))
        tally.merge(second)
        guard !second.isIncomplete else {
            for tombstone in open { tally.skip(tombstone.scope) }
            return
        }
        for tombstone in open {
            if listings.contains(where: { second.mayHaveShown(tombstone.id, of: $0.scope) }) {
                synchronizer.note(tombstone.uri, "\(Self.reason), and is listed: it stays")
            } else {
                try await remove(tombstone, asOf: sequence)
            }
        }
    }

    private func remove(_ tombstone: OpenTombstone, asOf sequence: Int64) async throws {
        try await removing.remove(
            tombstone.uri, because: Self.reason, asOf: sequence, by: .init(tombstone.scope))
    }
}

/// A tombstone that tells nothing by itself.
struct OpenTombstone: Sendable {
    var uri: ObjectURI
    var id: PageItemID
    /// The list that it stands in.
    var scope: PullScope
    /// The list that the object was shown in last, where that is another one.
    var other: PullScope?
}
