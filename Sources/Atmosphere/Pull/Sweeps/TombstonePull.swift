import Synchronization

/// Reads the list of what was deleted on the server (`deletes.list`), after the lists of what is there.
///
/// A tombstone tells of a deletion, and not of what has become of the identifier since: an object can have been made anew
/// under it, or restored. So a tombstone is taken at its word only where it is later than what is here, and no list of this
/// pull has shown the object; else the object is read, and stays where the server shows it. Where no single object can be
/// read the times decide. Where there are none the tombstone stands for all that this pull has not brought, and what it has
/// brought is listed once more: what is shown again is there.
struct TombstonePull: Sendable {
    /// Reads the list as any list is read.
    let pull: EntityPull
    /// Reads the lists of what is there.
    private let main: EntityPull
    private let resource: Resource
    /// What was confirmed here later was shown, or answered, since the pull began.
    private let begun: Int64
    private let shown = ShownObjects()
    private let contradicted = Contradictions()

    /// Objects that stand in the list and were shown all the same.
    private final class ShownObjects: Sendable {
        let uris = Mutex<Set<ObjectURI>>([])
    }

    /// Tombstones of what a list of this pull has shown, where nothing tells which of both is later, and of what another list may
    /// show, which is named beside them.
    private final class Contradictions: Sendable {
        let items = Mutex<[(uri: ObjectURI, item: PageItem, other: PullScope?)]>([])
    }

    /// nil for a view, and where no such list is declared.
    ///
    /// - Throws: ``CursorExpired`` where the cursor of the list is too old: everything is to be listed then;
    ///   ``StoreError``.
    init?(beside main: EntityPull) async throws {
        guard main.view == nil, let list = main.resource.tombstones else { return nil }
        var pull = EntityPull(
            synchronizer: main.synchronizer, resource: list, options: main.options, identity: main.identity,
            tally: main.tally)
        pull.replacesCheckpoint = main.replacesCheckpoint
        self.pull = pull
        self.main = main
        resource = main.resource
        try await main.synchronizer.learnSequence()
        begun = main.synchronizer.nextSequence()
        guard !pull.options.full else { return }
        let now = pull.synchronizer.environment.now()
        let trust = pull.trust
        let known = try await pull.synchronizer.store.read { try $0.cursors(entity: list.name) }
        if let (scope, _) = known.first(where: { $0.scope.isOfTombstones && trust.hasExpired($0.cursor, now: now) }) {
            throw CursorExpired(
                scope: scope, message: "\(scope): the last pull is longer ago than “since.expires” of it allows")
        }
    }

    /// What was read, for its cursors.
    struct Done: Sendable {
        var listings: [PulledList]
        var ends: PulledList.Ends
        var completing: CompletingLists
    }

    /// Removes what the list tells is gone. What was edited here is asked about, as the route file says.
    ///
    /// - Parameters:
    ///   - listings: the lists of what is there, as they were read.
    ///   - lost: as they were read with.
    /// - Returns: nil where nothing was read, for nothing is here.
    func run(after listings: [PulledList], _ lost: LostCreates) async throws -> Done? {
        let synchronizer = pull.synchronizer
        if listings.isEmpty, try await synchronizer.store.read({ try $0.counts()[resource.name]?.objects ?? 0 }) == 0 {
            return nil
        }
        let read = [PullScope: Bool](listings.map { ($0.scope, $0.underway.isFull) }, uniquingKeysWith: { $1 })
        let sequence = synchronizer.nextSequence()
        let lists = pull.lists
        let own = try await synchronizer.store.read { snapshot in
            let places = try lists.places(in: snapshot)
            return try places.compactMap { scope, place, parent -> PulledList? in
                // Nothing is listed under a parent that is gone, while a person decides.
                if let parent, try snapshot.meta(at: parent)?.isGoneThere == true {
                    pull.tally.skip(scope.ofTombstones)
                }
                var list = try lists.listing(of: scope.ofTombstones, place, parent, sequence, in: snapshot)
                list?.isOneOfSeveral = places.count > 1
                return list
            }
        }
        try await lists.claim(own)
        let none = try await LostCreates(resource: pull.resource, store: synchronizer.store)
        let skipped = pull.tally.skipped
        let ends = try await pull.reading.read(own.filter { !skipped.contains($0.scope) }) {
            try await store($0, read, none)
        }
        try await decide(by: listings, own, lost)
        warnOfShown()
        return Done(listings: own, ends: ends, completing: pull.completing)
    }

    /// Lists once more what is there. Of what was shown and stands among the deleted, what is shown again was made anew or
    /// restored; the rest was deleted after its page had been read. Where the second listing is not complete, no cursor moves,
    /// and the next pull sees both again.
    private func decide(
        by listings: [PulledList], _ own: [PulledList], _ lost: LostCreates
    ) async throws {
        let open = contradicted.items.withLock { $0 }
        guard !open.isEmpty else { return }
        let tally = PullTally(watching: Set(open.map(\.item.id.key)))
        let sequence = pull.synchronizer.nextSequence()
        if !listings.isEmpty { try await listAgain(listings, lost, tally, whole: Set(open.compactMap(\.other))) }
        pull.tally.merge(tally)
        guard !listings.isEmpty, !tally.isDoubtful else {
            for listing in listings + own { pull.tally.skip(listing.scope) }
            return
        }
        for (uri, item, _) in open {
            guard !listings.contains(where: { tally.mayHaveShown(item.id, of: $0.scope) }) else {
                pull.synchronizer.note(uri, "stands in the list of what was deleted, and is listed again: it stays")
                continue
            }
            try await main.removing.remove(
                uri, because: "it stands in the list of what was deleted, and is listed no more", asOf: sequence,
                by: .tombstones)
        }
    }

    private func listAgain(
        _ listings: [PulledList], _ lost: LostCreates, _ tally: PullTally, whole: Set<PullScope>
    ) async throws {
        let synchronizer = pull.synchronizer
        synchronizer.note(resource.name, "listed again, to be sure of what was deleted while it was listed")
        var options = pull.options
        options.progress = { _ in }
        let again = EntityPull(
            synchronizer: synchronizer, resource: resource, options: options, identity: pull.identity, tally: tally)
        try await again.readAgain(listings, lost, whole: whole)
    }

    /// - Parameter lists: those of what is there that were read, and whether as a whole.
    private func store(
        _ read: ReadPage, _ lists: [PullScope: Bool], _ none: LostCreates
    ) async throws {
        let storing = pull.storing
        let all = storing.begun(read)
        var cursor = storing.cursor(behind: all, read)
        let scope = read.listing.scope
        var start = 0
        repeat {
            let end = min(start + StoringPages.chunk, all.items.count)
            try await noteRemoved(all, start..<end, read.listing)
            var page = all
            // The reads come before the page counts as stored: after an interruption they are made again.
            page.items = try await gone(all, start..<end, read.listing, lists)
            if contradicted.items.withLock({ !$0.isEmpty }) || pull.tally.skipped.contains(scope) {
                // Nobody remembers these tombstones after an interruption, so they are asked for again.
                cursor.checkpoint = read.listing.known.checkpoint
                cursor.underway?.position = nil
            }
            let stored = try await storing.write(
                page, page.items.indices, end == all.items.count ? cursor : nil, read.listing, none)
            pull.tally.add(stored, isRepeated: read.repeats == .wholePage)
            if stored.isUndecided { pull.tally.skip(scope) }
            start = end
        } while start < all.items.count
        storing.ended(all, read)
    }

    private func noteRemoved(_ page: Page, _ range: Range<Int>, _ listing: PulledList) async throws {
        guard pull.synchronizer.routeFile.live != nil, !listing.underway.isFull, !pull.options.dryRun else { return }
        let marks = GoneMarks(of: resource)
        let news = try await pull.synchronizer.store.read { try marks.news(among: range, of: page, in: $0) }
        guard !news.isEmpty else { return }
        try await pull.synchronizer.store.write(.process, origin: .pull) { transaction in
            try marks.note(tombstones: news, of: page, in: transaction)
        }
    }

    // MARK: What a tombstone is worth

    private enum Worth: Sendable {
        /// Nothing is here that the server could have deleted, or it is known already, and a person decides.
        case nothing
        case deleted
        /// The object has changed since: it is there again.
        case outlived
        /// It is gone from the list beside this one, and stands below another parent.
        case elsewhere
        /// A list of this pull has shown the object, before the deletion or after it, or another list may show it by now.
        case contradicted
        /// A read tells.
        case open
    }

    /// The items of a page whose objects are gone, marked so.
    private func gone(
        _ page: Page, _ range: Range<Int>, _ listing: PulledList, _ read: [PullScope: Bool]
    ) async throws -> [PageItem] {
        let synchronizer = pull.synchronizer
        let mayMove = mayMove(from: listing)
        let known = try await synchronizer.store.read { snapshot in
            try range.map { index -> (Int, Worth, other: PullScope?) in
                let item = page.items[index]
                guard let object = try snapshot.object(at: page.uri(item)) else { return (index, .nothing, nil) }
                if mayMove, let other = try lists.otherList(of: object, than: listing.scope, in: snapshot) {
                    return (index, worth(of: item, page, listing, over: object, in: other, read), other)
                }
                return (index, worth(of: item, page, over: object, read, mayMove: mayMove), nil)
            }
        }
        let deleted = Mutex(known.filter { $0.1 == .deleted }.map(\.0))
        for (index, worth, _) in known where worth == .outlived {
            synchronizer.note(page.uri(page.items[index]), "was deleted on the server, and has changed since: it stays")
        }
        for (index, worth, _) in known where worth == .elsewhere {
            let uri = page.uri(page.items[index])
            synchronizer.note(uri, "has a tombstone in \(listing.scope), and stands in another list: it stays")
        }
        let unclear = known.filter { $0.1 == .contradicted }
        if !pull.options.dryRun {
            contradicted.items.withLock { items in
                for (index, _, other) in unclear {
                    items.append((uri: page.uri(page.items[index]), item: page.items[index], other: other))
                }
            }
        }
        let open = Self.lastOfEach(known.filter { $0.1 == .open }.map(\.0), in: page)
        if pull.options.dryRun {
            deleted.withLock { $0 += open }
        } else {
            try await open.concurrently(synchronizer.routeFile.limits.concurrent) { index in
                if try await !isDecided(page.items[index], page, listing) { deleted.withLock { $0.append(index) } }
            }
        }
        return deleted.withLock { $0.sorted() }.map { index in
            var item = page.items[index]
            item.isDeleted = true
            return item
        }
    }

    /// One read tells of all that a page says of an identifier that was given, and deleted, more than once.
    private static func lastOfEach(_ indices: [Int], in page: Page) -> [Int] {
        var seen: Set<IdentifierKey> = []
        return indices.reversed().filter { seen.insert(page.items[$0].id.key).inserted }
    }

    private var lists: KnownLists { KnownLists(resource: resource, routeFile: pull.synchronizer.routeFile) }

    /// Whether an object of the list beside this one can have moved to that of another parent, which leaves a tombstone, too.
    private func mayMove(from listing: PulledList) -> Bool {
        listing.isOneOfSeveral && !resource.isUniquePerParent
            && pull.resource.list.parentEntities == resource.list.parentEntities
    }

    /// Of an object that another list has shown last: it has left the list beside this one, or has moved there before it was
    /// deleted.
    ///
    /// - Parameter read: the lists of what is there that were read, and whether as a whole.
    private func worth(
        of item: PageItem, _ page: Page, _ listing: PulledList, over object: LocalObject, in other: PullScope,
        _ read: [PullScope: Bool]
    ) -> Worth {
        guard !object.meta.isLocalOnly, !object.meta.isGoneThere, let confirmed = object.meta.confirmed,
            let isWhole = read[other], !listing.hasSeen(item, of: page, pull.resource.since)
        else { return .elsewhere }
        if let (deleted, changed) = times(item, page, of: confirmed.base) {
            if deleted.seconds <= changed.seconds { return .elsewhere }
        } else if pull.tally.mayHaveShown(item.id, of: other) {
            return .elsewhere
        } else if pull.resource.since == nil, !isWhole {
            // Each pull sees the tombstone again, and a list of changes shows nothing of what stays: a whole one tells.
            return .elsewhere
        }
        return lists.readsAnywhere ? .open : .contradicted
    }

    /// - Parameter read: the lists of what is there that were read, and whether as a whole.
    private func worth(
        of item: PageItem, _ page: Page, over object: LocalObject, _ read: [PullScope: Bool], mayMove: Bool
    ) -> Worth {
        guard !object.meta.isLocalOnly, !object.meta.isGoneThere, let confirmed = object.meta.confirmed else {
            return .nothing
        }
        // Whatever a read would show now, the answer to the push comes after it.
        if case .sending = object.meta.outgoing?.phase { return .deleted }
        // What a list shows unchanged keeps its sequence.
        let isNews = confirmed.sequence >= begun || pull.tally.hasListed(item)
        let times = times(item, page, of: confirmed.base)
        if mayMove {
            if lists.readsAnywhere { return .open }
            if let (deleted, changed) = times, deleted.seconds < changed.seconds { return .outlived }
            return isNews && pull.resource.since == nil ? .outlived : .contradicted
        }
        if resource.read.isOffered {
            // What a list shows as it was, perhaps because it was restored, is no news, and is there.
            let isShown = read.contains { $0.value || pull.tally.mayHaveShown(item.id, of: $0.key) }
            guard let (deleted, changed) = times, !isShown, !isNews else { return .open }
            return deleted > changed ? .deleted : .open
        }
        // One of both may be written without its fraction.
        guard let (deleted, changed) = times else {
            guard isNews else { return .deleted }
            // A list without a cursor shows the tombstone to the next pull, too.
            return pull.resource.since == nil ? .outlived : .contradicted
        }
        return deleted.seconds < changed.seconds ? .outlived : .deleted
    }

    /// Reads an object that stands in the list. One that the server fails to show stays, and its tombstone is asked for again.
    ///
    /// - Returns: false where the server does not tell, so that the tombstone stands.
    private func isDecided(_ item: PageItem, _ page: Page, _ listing: PulledList) async throws -> Bool {
        let synchronizer = pull.synchronizer
        let uri = page.uri(item)
        do {
            try await synchronizer.refresh(uri, origin: .pull, isUnlisted: true)
        } catch let error as SyncError where error.code == .refused {
            return false
        } catch {
            // The list of another parent has told of the deletion, too.
            guard try await synchronizer.object(at: uri) != nil else { return true }
            let failure = try pull.tally.failure(of: error)
            pull.tally.failOne("\(uri) stays here, for its read failed: \(failure.message)", failure)
            pull.tally.skip(listing.scope)
            return true
        }
        let stored = try await synchronizer.store.read { try $0.object(at: $0.alias(of: uri) ?? uri) }
        guard let object = stored else {
            pull.tally.add(.init(deleted: 1))
            return true
        }
        if object.meta.isGoneThere {
            pull.tally.add(.init(conflicted: 1))
            return true
        }
        guard case .synchronized(let confirmed) = object.meta.state else { return true }
        if mayMove(from: listing),
            try await synchronizer.store.read({ try lists.otherList(of: object, than: listing.scope, in: $0) != nil })
        {
            return true
        }
        synchronizer.note(uri, "stands in the list of what was deleted, and could be read: it stays")
        if let (deleted, changed) = times(item, page, of: confirmed.base), deleted < changed { return true }
        // A read says what its list says: it was made anew, or restored.
        let own = try await synchronizer.store.read { try lists.list(of: uri, isAsShown: true, in: $0)?.scope }
        if let own, pull.tally.mayHaveShown(item.id, of: own) { return true }
        _ = shown.uris.withLock { $0.insert(uri) }
        return true
    }

    /// When the list says that the object was deleted, and when the object says that it was changed; nil where one of both is
    /// not known, or they may be of different zones.
    private func times(_ item: PageItem, _ page: Page, of record: ObjectRecord) -> (deleted: Instant, changed: Instant)?
    {
        guard let list = pull.resource.since, case .field = list.origin, let own = resource.since,
            case .field(let path) = own.origin, let deleted = item.cursor.map({ page.text($0) }),
            let changed = path.first(in: .object(record.members))?.text,
            list.namesZone(deleted) == own.namesZone(changed), let deleted = list.instant(deleted),
            let changed = own.instant(changed)
        else { return nil }
        return (deleted, changed)
    }

    private func warnOfShown() {
        let uris = shown.uris.withLock { $0.sorted() }
        guard let first = uris.first else { return }
        pull.tally.warn(
            "\(uris.count) of \(resource.name) stand in the list of what was deleted and could be read all the same, such "
                + "as \(first), so they stay; where a member says that an object is deleted, name it: deletes: { field: "
                + "MEMBER }")
    }
}
