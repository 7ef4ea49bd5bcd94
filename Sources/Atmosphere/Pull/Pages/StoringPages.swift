/// What pages show goes into the store: new objects, changed ones, and those that are merged with an edit.
struct StoringPages: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?
    let tally: PullTally
    /// The lists are read once more, to be sure of what they did not show.
    let isConfirming: Bool
    /// See ``EntityPull/below``.
    let isPart: Bool

    /// Objects per transaction: short enough that a save never waits long.
    static let chunk = 100

    var versions: OlderVersions { OlderVersions(resource: resource, isFull: options.full) }

    /// - Parameter lost: creates whose outcome is not known; the page may show what they have become.
    func store(_ read: ReadPage, _ lost: LostCreates) async throws {
        let page = withoutOvertaken(withoutUnlike(begun(read), read))
        try await lost.learn()
        if resource.deletes.field != nil || resource.deletes.list != nil {
            tally.showLive(page, of: read.listing.scope)
        }
        if view == nil, !isConfirming, read.listing.underway.isFull, !read.listing.scope.isOfTombstones {
            tally.look(forMarksIn: read.page, resource)
        }
        let (listing, cursor) = (read.listing, cursor(behind: page, read))
        var start = 0
        repeat {
            let range = start..<min(start + Self.chunk, page.items.count)
            let isLast = range.upperBound == page.items.count
            let stored = try await write(page, range, isLast && view == nil ? cursor : nil, listing, lost)
            tally.add(stored, isRepeated: isConfirming || read.repeats == .wholePage)
            if stored.isUndecided { tally.skip(listing.scope) }
            if view != nil { tally.show(page, range) }
            if isPart || resource.tombstones != nil && !resource.read.isOffered { tally.list(page, range) }
            start = range.upperBound
        } while start < page.items.count
        ended(page, read)
    }

    /// A page without what the one before it has shown, when its cursors were looked at.
    func begun(_ read: ReadPage) -> Page {
        var page = read.page
        if case .row(let id) = read.repeats, page.items.first?.id.objectID.text == id { page.items.removeFirst() }
        // What was changed since an interrupted listing began may have been passed already: the next pull asks for it.
        let isAscending = resource.since?.isAscending == true
        guard let since = resource.since, case .field(let path) = since.origin,
            read.listing.underway.position == nil || isAscending
        else { return page }
        let hidesDeletions = read.listing.underway.isFull && resource.deletes.field != nil
        let passed: ListingNotes.Passed = hidesDeletions ? .deletions : isAscending ? .nothing : .changes
        for item in page.items {
            guard let range = item.cursor, let refusal = read.notes.raise(page, item, range, since, passed) else {
                continue
            }
            tally.remark(Self.words(for: refusal, at: path))
        }
        return page
    }

    /// A page without the rows whose identifier another row of the list has as the other JSON type: the first of them stays, and no
    /// row goes over another in silence.
    private func withoutUnlike(_ page: Page, _ read: ReadPage) -> Page {
        let unlike = read.notes.unlike(in: page)
        guard let first = unlike.first else { return page }
        let scope = read.listing.scope
        tally.fail(
            "\(scope): \(unlike.count) left out: the list has the identifier of \(page.uri(at: first)) as a number and as a "
                + "string, which is one address here, so the first row stays; name a member under “id” that tells them apart",
            .answer)
        tally.skip(scope)
        let places = Set(unlike)
        var kept = page
        kept.items = page.items.indices.filter { !places.contains($0) }.map { page.items[$0] }
        return kept
    }

    /// A page without the tombstones that a live row of the same object follows: what stands later counts, where no versions
    /// are to tell.
    private func withoutOvertaken(_ page: Page) -> Page {
        guard page.items.contains(where: \.isDeleted) else { return page }
        var live: Set<IdentifierKey> = []
        var kept: [PageItem] = []
        for item in page.items.reversed() {
            let key = item.id.key
            if item.isDeleted, !isOrdered(item, page), live.contains(key) { continue }
            if !item.isDeleted { live.insert(key) }
            kept.append(item)
        }
        var settled = page
        settled.items = kept.reversed()
        return settled
    }

    /// Whether versions tell which of a tombstone and a live row is later.
    private func isOrdered(_ item: PageItem, _ page: Page) -> Bool { page.ordersVersions && item.version != nil }

    /// The tombstones that do not count, or not yet: the object stands in another list, or it is not known whether it does
    /// (``OpenTombstones``).
    private func setAside(
        _ page: Page, _ range: Range<Int>, _ listing: PulledList, _ stored: inout Stored, in snapshot: any StoreSnapshot
    ) throws -> [Int] {
        guard resource.deletes.field != nil, !listing.scope.isOfTombstones, !options.dryRun else { return [] }
        let lists = KnownLists(resource: resource, routeFile: synchronizer.routeFile)
        let mayMove = listing.isOneOfSeveral && !resource.isUniquePerParent
        var aside: [Int] = []
        for index in range where page.items[index].isDeleted {
            let item = page.items[index]
            let isShown = tally.bury(item.id, of: listing.scope)
            let mayRead = resource.read.isOffered && !isOrdered(item, page)
            let uri = page.uri(item)
            // An object of that name, and not one that was created anew in its place.
            let object = try snapshot.object(at: uri)
            let other =
                mayMove ? try object.flatMap { try lists.otherList(of: $0, than: listing.scope, in: snapshot) } : nil
            if other != nil, listing.hasSeen(item, of: page, resource.since) {
                // It was decided then.
                aside.append(index)
            } else if isOpen(object?.meta, isShown: isShown, mayRead: mayRead, mayMove: mayMove) {
                stored.openTombstones.append(OpenTombstone(uri: uri, id: item.id, scope: listing.scope))
                aside.append(index)
            } else if other != nil {
                aside.append(index)
            }
        }
        return aside
    }

    /// Whether a tombstone tells nothing by itself.
    ///
    /// - Parameters:
    ///   - meta: what is here of the object, apart from the rows that come with the tombstone; nil where nothing is.
    ///   - isShown: its list has shown a live row before.
    private func isOpen(_ meta: MetaObject?, isShown: Bool, mayRead: Bool, mayMove: Bool) -> Bool {
        guard let meta else { return isShown && mayRead }
        guard !meta.isLocalOnly, !meta.isGoneThere else { return false }
        // What was edited here is asked about, or dropped, or created anew: not for an object that a later page shows.
        return mayMove || mayRead && (isShown || meta.isChanged && !meta.isDeleted)
    }

    private static func words(for refusal: ListingNotes.Refusal, at path: JSONPath) -> String {
        switch refusal.reason {
        case .ahead:
            "\(refusal.row) says that it was changed at \(refusal.text), which is later than the server’s own clock; it is no "
                + "cursor, or what is changed before that would never be asked for"
        case .unlike(let kind):
            "\(refusal.row) says \(refusal.text.quoted) at \(path), which is no \(kind); it is no cursor, or what is "
                + "changed later would never be asked for"
        }
    }

    /// What is kept of a listing with its page, to go on from there.
    func cursor(behind page: Page, _ read: ReadPage) -> PullCursor {
        var cursor = read.listing.known
        var underway = read.listing.underway
        underway.tentative = read.notes.tentative
        // A link may repeat the credentials of its request: then an interrupted listing begins anew.
        underway.position = read.next.flatMap { mayStore($0) ? $0 : nil }
        // A second look does not note which objects it has shown, unless the first one did; a look at some lists never does.
        if isPart || isConfirming && !read.listing.showsAbsence { underway.position = nil }
        if resource.since?.isAscending == true, page.listing == nil, let reached = read.notes.tentative,
            !resource.tellsGapsLate(before: read.next)
        {
            // What follows is newer, so the listing goes on from here wherever its pages begin then.
            cursor.checkpoint = reached
            underway.position = nil
        }
        cursor.underway = underway
        return cursor
    }

    private func mayStore(_ position: PullPosition) -> Bool {
        switch resource.paging {
        case .none, .number, .offset: true
        case .bodyLink, .headerLink, .token: !synchronizer.client.holdsSecret(position.target)
        }
    }

    /// A page is stored.
    func ended(_ page: Page, _ read: ReadPage) {
        read.notes.passFirst()
        tally.pageStored()
        synchronizer.note(
            read.listing.scope.description, "stored a page of \(page.items.count)", isRoutine: true)
        options.progress(tally.progress(resource.name, total: page.total))
    }

    func write(
        _ page: Page, _ range: Range<Int>, _ cursor: PullCursor?, _ listing: PulledList, _ lost: LostCreates
    ) async throws -> Stored {
        let scope = listing.scope
        let environment = synchronizer.environment
        let teller = Confirmations.Teller(scope)
        // Beside the list of what was deleted that of what is there has the tag.
        let entity = try synchronizer.resource(resource.name)
        let arrival = Confirmations.isNews(by: teller, of: entity) ? synchronizer.nextSequence() : nil
        let body: @Sendable (any StoreTransaction) throws -> Stored = { transaction in
            var stored = Stored()
            let gone = try GoneMarks(of: resource).gone(since: page, range, in: transaction)
            let aside = try setAside(page, range, listing, &stored, in: transaction)
            let tombstones =
                try synchronizer.routeFile.live == nil
                ? [] : GoneMarks(of: resource).tombstones(in: page, range, listing, in: transaction)
            var start = range.lowerBound
            for end in (gone + aside).sorted() + [range.upperBound] {
                let absorbed = try lost.absorb(page, start..<end, transaction) { item, uri in
                    let key = environment.makeUUID()
                    try decide(page, item, uri, transaction, key: key, &stored) { engine, theirs, object in
                        engine.lookedUp(theirs, of: object, arrival: page.sequence, key: key)
                    }
                }
                stored.absorbed.add(absorbed)
                start = end + 1
            }
            for index in gone { askAgain(page.uri(at: index), &stored) }
            for index in stored.absorbed.deferred {
                let item = page.items[index]
                try decide(page, item, page.uri(item), transaction, key: environment.makeUUID(), &stored)
            }
            try GoneMarks(of: resource).note(tombstones: tombstones, of: page, in: transaction)
            if let arrival, stored.isNews {
                try Confirmations(of: resource).note(at: arrival, by: teller, in: transaction)
            }
            if var cursor {
                let isOpen = !stored.openTombstones.isEmpty || tally.hasOpenTombstones(of: scope)
                if stored.isUndecided || isOpen || tally.skipped.contains(scope) {
                    // A listing that left something out, or leaves it to what follows, is not gone on with after an
                    // interruption, or it would seem to be complete.
                    cursor.checkpoint = listing.checkpoint(keptIn: try transaction.cursor(for: scope))
                    cursor.underway?.position = nil
                }
                try transaction.put(cursor, for: scope)
                try transaction.raiseSequence(to: page.sequence)
            }
            if options.dryRun { throw Undo(stored: stored) }
            return stored
        }
        do {
            return try await synchronizer.store.write(.process, origin: .pull, body)
        } catch let undo as Undo {
            tally.list(page, range)
            return undo.stored
        }
    }

    /// What one transaction did.
    struct Stored: Sendable {
        var absorbed = Absorbed()
        var merged = 0
        var conflicted = 0
        var deleted = 0
        var expired = 0
        var inserted = 0
        var updated = 0
        /// Objects that a page could not decide, and that are to be read.
        var reads: [ObjectURI] = []
        /// Objects with a change from here that the page shows.
        var changed: [ObjectURI] = []
        /// Objects that have an older version on the server than here.
        var older: [ObjectURI] = []
        var openTombstones: [OpenTombstone] = []
        /// What an object has become cannot be asked for, so a later pull has to show it again.
        var isUndecided = false

        /// Something is here now that was not, or is not as it was.
        var isNews: Bool {
            absorbed.inserted + absorbed.updated + inserted + updated + merged + conflicted + deleted > 0
        }

        /// A page does not tell what has become of an object.
        mutating func ask(for uri: ObjectURI, _ resource: Resource) {
            if resource.read.isOffered { reads.append(uri) } else { isUndecided = true }
        }

        /// - Parameter isKnown: the object was here before.
        mutating func count(_ outcome: Plan.Outcome, isKnown: Bool) {
            switch outcome {
            case .keep: break
            case .remove: deleted += 1
            case .put(let object):
                if case .conflicted = object.meta.outgoing?.phase {
                    conflicted += 1
                } else if object.meta.isChanged {
                    merged += 1
                } else if isKnown {
                    updated += 1
                } else {
                    inserted += 1
                }
            }
        }
    }

    /// An object of a page that was asked for before the object was known to be gone: it may have been made anew since.
    private func askAgain(_ uri: ObjectURI, _ stored: inout Stored) {
        stored.ask(for: uri, resource)
        guard !options.dryRun else { return }
        synchronizer.note(uri, "gone since the list was asked for; asked for again")
    }

    /// Takes a transaction back that was only tried.
    private struct Undo: Error { var stored: Stored }

    private func decide(
        _ page: Page, _ item: PageItem, _ uri: ObjectURI, _ transaction: any StoreTransaction, key: String,
        _ stored: inout Stored,
        by lookup: ((ChangeEngine, Representation, LocalObject) -> Plan)? = nil
    ) throws {
        let theirs = Representation(
            record: item.isDeleted ? nil : page.record(item), id: item.id.objectID,
            version: item.version.map { page.text($0) }, sequence: page.sequence, isListed: view == nil)
        // What the server calls deleted is the object of that name; one created anew in its place has another.
        let uri = item.isDeleted ? uri : try transaction.alias(of: uri) ?? uri
        var object = try transaction.object(at: uri)
        let isKnown = object != nil
        if object?.meta.isChanged == true { stored.changed.append(uri) }
        let engine = ChangeEngine(resource)
        if let meta = object?.meta, versions.isOlder(theirs, than: meta) {
            if options.acceptsOlder { object?.meta = meta.withoutVersion } else { stored.older.append(uri) }
        }
        let plan: Plan
        if let lookup, let object {
            plan = lookup(engine, theirs, object)
        } else {
            plan = engine.remote(theirs, over: object, uri: uri, key: key)
        }
        if plan.next == .read { stored.ask(for: uri, resource) }
        stored.count(plan.outcome, isKnown: isKnown)
        try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction).apply(plan, to: uri)
        guard !options.dryRun else { return }
        let isMerged = if case .put(let object) = plan.outcome { object.meta.isChanged } else { false }
        synchronizer.note(uri, plan.note ?? (isMerged ? "merged with what the server has" : nil))
    }
}
