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
    let tally: Tally
    /// The cursor that is kept is of no more use.
    var replacesCursor = false
    /// The lists are read once more, to be sure of what they did not show.
    var isConfirming = false

    init(
        synchronizer: Synchronizer, resource: Resource, options: Synchronizer.PullOptions, identity: String? = nil,
        view: ViewCall? = nil, tally: Tally = Tally()
    ) {
        self.synchronizer = synchronizer
        self.resource = resource
        self.options = options
        self.identity = identity
        turns = synchronizer.identityTurns.count
        self.view = view
        self.tally = tally
    }

    /// One list: the scope its cursor is kept for, and the place that fills its path.
    struct Listing: Sendable {
        var scope: PullScope
        var place: ObjectPlace
        /// The object it is listed under.
        var parent: ObjectURI?
        /// The cursor without the listing.
        var known: PullCursor
        /// The listing as it was when it began, or goes on.
        var underway: PullCursor.Underway
        /// What the checkpoint belongs to, see ``PullCursor/request``; nil for a view.
        var request: String?
        /// What it does not show counts as absent, where no other list shows it.
        var showsAbsence = false
    }

    func run() async throws -> PullReport.Entity {
        do {
            return try await runOnce()
        } catch let error as ResumeRefused {
            // What the interrupted listing had shown may have been deleted since, so all of it begins anew.
            try await forgetPositions()
            let anew = EntityPull(
                synchronizer: synchronizer, resource: resource, options: options, identity: identity)
            var report = try await anew.run()
            report.add(tally.report)
            report.warnings.insert(error.message, at: 0)
            return report
        } catch let error as CursorExpired {
            // All lists, for what is absent from one could stand in another.
            var whole = options
            whole.full = true
            var anew = EntityPull(
                synchronizer: synchronizer, resource: resource, options: whole, identity: identity)
            anew.replacesCursor = true
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
            let (listings, absence) = try await prepare()
            let lost = try await LostCreates(resource: resource, store: synchronizer.store)
            // The lists of many parents are independent; a few at a time keep the origin busy.
            try await listings.concurrently(limit) { try await pull($0) { try await store($0, lost) } }
            let unchanged = tally.unchanged
            // A list that has not changed shows nothing; where there is no list at all, everything is absent.
            if listings.isEmpty || !listings.allSatisfy({ unchanged.contains($0.scope) }) {
                try await removeAbsent(absence, from: listings, lost)
            }
            try await removeOrphans(beside: listings)
            warnOfOlder()
            try await readAgain()
            try await remarkOnUnlisted()
            // What was deleted after the lists were read stands there by now.
            let ofDeleted = try await tombstones?.run(after: listings, lost) ?? []
            try await dropExpired()
            if !options.dryRun { try await complete(listings, absence: absence, tombstones, ofDeleted) }
        } catch let error as TransportError {
            tally.fail(error.message, error.isFinal ? .answer : .network, error.isFinal ? error.code : nil)
        } catch let error as SyncError {
            tally.fail(error.message, .init(error))
        } catch let error as ExtractionError {
            tally.fail("\(resource.name): \(error.message)", .answer)
        }
        if !options.dryRun { synchronizer.note(resource.name, tally.report.summary) }
        return tally.report
    }

    /// Each list of the entity begins anew.
    private func forgetPositions() async throws {
        let resource = resource
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for (scope, cursor) in try transaction.cursors(entity: resource.name)
            where cursor.underway?.position != nil {
                var cursor = cursor
                cursor.underway?.position = nil
                try transaction.put(cursor, for: scope)
            }
        }
    }

    var limit: Int { synchronizer.routeFile.limits.concurrent }

    // MARK: Which lists

    /// - Returns: the lists, and the number of the listing that shows what is absent; nil where absence means nothing.
    private func prepare() async throws -> ([Listing], absence: Int64?) {
        try await synchronizer.learnSequence()
        let sequence = synchronizer.nextSequence()
        let resource = resource
        let routeFile = synchronizer.routeFile
        try await checkIdentity()
        try await checkServer()
        if let view {
            let listing = try await listing(of: view, sequence)
            try await claim([listing])
            return ([listing], nil)
        }
        let listings = try await synchronizer.store.read { snapshot in
            try places(snapshot, routeFile).compactMap { scope, place, parent -> Listing? in
                try self.listing(of: scope, place, parent, sequence, in: snapshot)
            }
        }
        try await claim(listings)
        guard watchesAbsence(listings) else { return (listings, nil) }
        guard !options.dryRun else { return (listings.map(\.showingAbsence), sequence) }
        // Notes of an interrupted listing can be used only when all of it goes on.
        let isResumed = listings.contains { $0.underway.position != nil }
        let listing = isResumed ? listings.map(\.underway.number).min() ?? sequence : sequence
        if !isResumed {
            try await synchronizer.store.write(.process, origin: .pull) {
                try $0.beginListing(entity: resource.name, listing: listing)
            }
        }
        let numbered = listings.map {
            var each = $0.showingAbsence
            each.underway.number = listing
            return each
        }
        return (numbered, listing)
    }

    /// A list with the cursor to begin or go on with.
    ///
    /// - Returns: nil where the path cannot name the parent.
    func listing(
        of scope: PullScope, _ place: ObjectPlace, _ parent: ObjectURI?, _ sequence: Int64,
        in snapshot: any StoreSnapshot
    ) throws -> Listing? {
        let now = synchronizer.environment.now()
        var known = try snapshot.cursor(for: scope) ?? PullCursor()
        let interrupted = known.underway
        known.underway = nil
        let request: String
        do {
            request = try synchronizer.client.listSignature(of: resource, at: place)
        } catch let error as SyncError where parent != nil && error.code == .invalidRecord {
            // A parent that no path can name holds up no other.
            tally.fail("\(scope): \(error.message)", .answer)
            tally.skip(scope)
            return nil
        }
        let isOther = isOther(known, request)
        if isOther, known.request != nil {
            tally.warn("\(scope): the route file asks for another list than before, so everything is listed")
        }
        let isAnothers = isAnothers(known) || isOther
        let isFull =
            options.full || known.checkpoint == nil || resource.since == nil || hasExpired(known, now: now)
            || isFullDue(known, now: now) || isAnothers
        let isOwn =
            !isAnothers && known.begunAs.hasSameBytes(as: identity) && known.request == request && !options.dryRun
        let underway: PullCursor.Underway
        if isOwn, let interrupted, goesOn(interrupted, isFull: isFull) {
            underway = interrupted
        } else {
            let tentative = isOwn && isFull ? interrupted.flatMap { lastingCheckpoint(of: $0) } : nil
            underway = PullCursor.Underway(number: sequence, isFull: isFull, tentative: tentative)
            known.begunAs = identity
            known.request = request
            known.server = synchronizer.routeFile.server
        }
        if isOther {
            known.checkpoint = nil
            known.complete?.tag = nil
        }
        return Listing(
            scope: scope, place: place, parent: parent, known: known, underway: underway, request: request)
    }

    /// Whether an interrupted listing of the same kind goes on where it ended.
    private func goesOn(_ interrupted: PullCursor.Underway, isFull: Bool) -> Bool {
        guard let position = interrupted.position, resource.goesOn(from: position) else { return false }
        return interrupted.isFull == isFull && !options.full && (isFull || resource.keeps(position))
    }

    /// Whether deletions show only in what has changed since a cursor: a list of everything seldom shows tombstones.
    var asksForTombstones: Bool { resource.deletes.field != nil && !resource.deletes.byAbsence }

    /// The tentative checkpoint of a list of everything, where it stays however the list goes on after an interruption: what
    /// the list had stored may have been deleted since, and only what changed after that checkpoint tells so. A token stands
    /// for all before it.
    func lastingCheckpoint(of listing: PullCursor.Underway) -> String? {
        let isLasting =
            listing.isFull && resource.deletes.field != nil && resource.since?.takesLastPage != true
        return isLasting ? listing.tentative : nil
    }

    /// A view is always listed from its first page to its last.
    private func listing(of view: ViewCall, _ sequence: Int64) async throws -> Listing {
        let resource = resource
        return try await synchronizer.store.read { snapshot in
            var place = ObjectPlace()
            for parent in resource.parents {
                guard let text = view.parameters[parent.field] else { continue }
                let uri = ObjectURI(entity: parent.entity, id: text)
                let object = try snapshot.object(at: snapshot.alias(of: uri) ?? uri)
                let id = try object.map {
                    ObjectID(try synchronizer.resource(parent.entity).ownID(in: $0.uri), $0.meta.id.wireType)
                }
                place.parents[parent.entity] = .init(
                    id: id ?? ObjectID(text), object, of: synchronizer.routeFile.resource(parent.entity))
            }
            var known = try snapshot.cursor(for: view.scope) ?? PullCursor()
            known.underway = nil
            known.begunAs = identity
            return Listing(
                scope: view.scope, place: place, known: known, underway: .init(number: sequence, isFull: true))
        }
    }

    /// Whether it is time to list everything again, whatever the server tells of changes.
    func isFullDue(_ cursor: PullCursor, now: Timestamp) -> Bool {
        guard let every = resource.since?.fullEvery else { return false }
        return cursor.complete?.fullEnded.map { $0.duration(to: now) > every } ?? true
    }

    func hasExpired(_ cursor: PullCursor, now: Timestamp) -> Bool {
        guard let expires = resource.since?.expires, let last = cursor.complete?.ended else { return false }
        return last.duration(to: now) > expires
    }

    /// What somebody else sees would come among what is here, and over it where the identifiers are the same. A view lists
    /// not all of an entity, so it accepts nobody else for its lists.
    private func checkIdentity() async throws {
        guard let identity, options.allowedDeletes == nil || view != nil,
            let other = try await synchronizer.stranger(
                to: identity, in: [resource], ofLists: options.allowedDeletes != nil)
        else { return }
        let pull = view == nil ? "" : "a pull of \(resource.name) and "
        throw SyncError(
            code: .signInNeeded,
            message: "the server takes us for “\(identity)”, and \(other.reason), so nothing is pulled; sign in as "
                + "before, accept the new identity with \(pull)--allow-deletes N, or give each its own store")
    }

    /// Another server has other objects under the same identifiers.
    private func checkServer() async throws {
        guard options.allowedDeletes == nil else { return }
        try await synchronizer.checkServer(of: [resource], "nothing is pulled")
    }

    /// Whether a cursor is somebody else's, or of another server.
    func isForeign(_ scope: PullScope, _ cursor: PullCursor) -> Bool {
        cursor.server.map { $0 != synchronizer.routeFile.server } ?? false
            || KnownIdentity.all(of: scope, cursor).contains { !identity.hasSameBytes(as: $0.name) }
    }

    /// Who accepts another identity or server accepts it for what has no list, too.
    func forgetForeign() async throws {
        guard options.allowedDeletes != nil, !options.dryRun, !resource.list.isOffered else { return }
        let resource = resource
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for (scope, cursor) in try transaction.cursors(entity: resource.name) where isForeign(scope, cursor) {
                try transaction.removeCursor(for: scope)
            }
        }
    }

    /// Whether a cursor was set by another list than the one that is asked for, or on another server.
    private func isOther(_ cursor: PullCursor, _ request: String) -> Bool {
        if let known = cursor.request, known != request { return true }
        return cursor.server.map { $0 != synchronizer.routeFile.server } ?? false
    }

    /// Notes as whom a listing begins, for pages that are stored before an interruption.
    func claim(_ listings: [Listing]) async throws {
        guard let identity, !options.dryRun else { return }
        try await synchronizer.claim(
            listings.filter { !$0.known.identity.hasSameBytes(as: identity) }.map(\.scope), as: identity)
    }

    /// Another identity than that of the last complete pull sees other objects, so its lists prove no absence and its
    /// cursors would skip what only one of them sees.
    func isAnothers(_ cursor: PullCursor) -> Bool {
        guard let identity else { return false }
        return [cursor.identity, cursor.begunAs].contains { $0 != nil && !$0.hasSameBytes(as: identity) }
    }

    private func watchesAbsence(_ listings: [Listing]) -> Bool {
        guard view == nil, resource.deletes.byAbsence,
            listings.allSatisfy({ $0.underway.isFull && (isKnown($0.known) || $0.isNew) })
        else { return false }
        // The list of a new parent proves nothing alone, and holds up no other.
        return listings.isEmpty || listings.contains { isKnown($0.known) }
    }

    /// Before the first complete pull nobody has said as whom the objects here were created.
    func isKnown(_ cursor: PullCursor) -> Bool {
        identity == nil || cursor.identity.hasSameBytes(as: identity) || options.allowedDeletes != nil
    }

    /// The lists that prove no absence: what was created below a new parent may have been so as somebody else.
    func unproven(_ listings: [Listing]) -> Set<PullScope> {
        Set(listings.filter { !isKnown($0.known) }.map(\.scope))
    }

    /// The places of the list path: one, or one per parent that the server knows.
    func places(
        _ snapshot: any StoreSnapshot, _ routeFile: RouteFile
    ) throws -> [(PullScope, ObjectPlace, ObjectURI?)] {
        let named = resource.list.parentEntities
        guard let innermost = named.last, let parentResource = routeFile.resource(innermost) else {
            return [(PullScope(entity: resource.name), ObjectPlace(), nil)]
        }
        var found: [(PullScope, ObjectPlace, ObjectURI?)] = []
        try snapshot.records(matching: Query(innermost)) { uri, _ in
            guard let object = try snapshot.object(at: uri), !object.meta.isLocalOnly else { return true }
            var place = try ObjectPlace(object, resource: parentResource, routeFile: routeFile, in: snapshot)
            let own = ObjectID(place.id ?? uri.id, object.meta.id.wireType)
            place.parents[innermost] = .init(id: own, object, of: parentResource)
            place.id = nil
            place.record = nil
            let ids = named.compactMap { place.parents[$0]?.id.text }
            guard ids.count == named.count else { return true }
            let scope = PullScope(
                entity: resource.name, parent: ids.map { PercentEncoding.segment($0) }.joined(separator: "/"))
            found.append((scope, place, uri))
            return true
        }
        return found
    }
}

extension EntityPull.Listing {
    /// It was never read to its end.
    fileprivate var isNew: Bool { known.complete == nil }

    fileprivate var showingAbsence: Self {
        var listing = self
        listing.showsAbsence = true
        return listing
    }
}
