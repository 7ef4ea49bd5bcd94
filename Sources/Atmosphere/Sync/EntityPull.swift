/// The pull of one entity: every list it stands in, then what is absent from all of them.
struct EntityPull: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// Who the server takes us for, where the route file asks.
    let identity: String?
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?
    let tally = Tally()
    /// The cursor that is kept is of no more use.
    var replacesCursor = false
    /// The lists are read once more, to be sure of what they did not show.
    var isConfirming = false

    init(
        synchronizer: Synchronizer, resource: Resource, options: Synchronizer.PullOptions, identity: String? = nil,
        view: ViewCall? = nil
    ) {
        self.synchronizer = synchronizer
        self.resource = resource
        self.options = options
        self.identity = identity
        self.view = view
    }

    /// One list: the scope its cursor is kept for, and the place that fills its path.
    struct Listing: Sendable {
        var scope: PullScope
        var place: ObjectPlace
        /// The object it is listed under.
        var parent: ObjectURI?
        var cursor: PullCursor
        /// What the cursor belongs to, see ``PullCursor/request``; nil for a view.
        var request: String?
        /// What it does not show counts as absent, where no other list shows it.
        var showsAbsence = false
    }

    func run() async throws -> PullReport.Entity {
        do {
            return try await runOnce()
        } catch let error as CursorExpired {
            // All lists, for what is absent from one could stand in another.
            var whole = options
            whole.full = true
            var anew = EntityPull(
                synchronizer: synchronizer, resource: resource, options: whole, identity: identity)
            anew.replacesCursor = true
            synchronizer.note(resource.name, "\(error.message); everything is listed anew")
            var report = try await anew.runOnce()
            let remains =
                resource.deletes.byAbsence || resource.deletes.field == nil
                ? "" : "; what was deleted there meanwhile may not show"
            report.warnings.insert("\(error.message); everything is listed anew\(remains)", at: 0)
            return report
        }
    }

    /// - Throws: ``CursorExpired``, but not of a full pull; ``StoreError``; `CancellationError`.
    private func runOnce() async throws -> PullReport.Entity {
        do {
            let (listings, absence) = try await prepare()
            let lost = try await LostCreates(resource: resource, store: synchronizer.store)
            // The lists of many parents are independent; a few at a time keep the origin busy.
            try await listings.concurrently(limit) { try await pull($0, lost) }
            let unchanged = tally.unchanged
            // A list that has not changed shows nothing; where there is no list at all, everything is absent.
            if listings.isEmpty || !listings.allSatisfy({ unchanged.contains($0.scope) }) {
                try await removeAbsent(absence, from: listings, lost)
            }
            warnOfOlder()
            try await readAgain()
            try await remarkOnUnlisted()
            try await dropExpired()
            if !options.dryRun { try await complete(listings) }
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

    var limit: Int { synchronizer.routeFile.limits.concurrent }

    // MARK: Which lists

    /// - Returns: the lists, and the number of the listing that shows what is absent; nil where absence means nothing.
    private func prepare() async throws -> ([Listing], absence: Int64?) {
        let now = synchronizer.environment.now()
        try await synchronizer.learnSequence()
        let sequence = synchronizer.nextSequence()
        let resource = resource
        let routeFile = synchronizer.routeFile
        let client = synchronizer.client
        try await checkIdentity()
        try await checkServer()
        if let view {
            let listing = try await listing(of: view, sequence)
            try await claim([listing])
            return ([listing], nil)
        }
        let listings = try await synchronizer.store.read { snapshot in
            try places(snapshot, routeFile).map { scope, place, parent in
                var cursor = try snapshot.cursor(for: scope) ?? PullCursor()
                let request = try client.listSignature(of: resource, at: place)
                let isOther = isOther(cursor, request)
                if isOther, cursor.request != nil {
                    tally.warn("\(scope): the route file asks for another list than before, so everything is listed")
                }
                let isAnothers = isAnothers(cursor) || isOther
                let isFull =
                    options.full || cursor.cursor == nil || resource.since == nil || hasExpired(cursor, now: now)
                    || isAnothers
                if cursor.position == nil || cursor.listing == nil || cursor.isFull != isFull || options.dryRun
                    || cursor.request != request
                    || options.full || isAnothers || cursor.begunAs != identity || !isFull && !resource.keepsPlaces
                {
                    cursor.begunAs = identity
                    cursor.position = nil
                    cursor.candidate = nil
                    cursor.listing = sequence
                    cursor.isFull = isFull
                    cursor.request = request
                    cursor.server = routeFile.server
                }
                if isOther {
                    cursor.cursor = nil
                    cursor.tag = nil
                }
                return Listing(scope: scope, place: place, parent: parent, cursor: cursor, request: request)
            }
        }
        try await claim(listings)
        guard watchesAbsence(listings) else { return (listings, nil) }
        guard !options.dryRun else { return (listings.map(\.showingAbsence), sequence) }
        // Notes of an interrupted listing can be used only when all of it goes on.
        let isResumed = listings.contains { $0.cursor.position != nil }
        let listing = isResumed ? listings.compactMap(\.cursor.listing).min() ?? sequence : sequence
        if !isResumed {
            try await synchronizer.store.write(.process, origin: .pull) {
                try $0.beginListing(entity: resource.name, listing: listing)
            }
        }
        let numbered = listings.map {
            var each = $0.showingAbsence
            each.cursor.listing = listing
            return each
        }
        return (numbered, listing)
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
                    id: id ?? ObjectID(text), record: object?.record,
                    of: synchronizer.routeFile.resource(parent.entity))
            }
            var cursor = try snapshot.cursor(for: view.scope) ?? PullCursor()
            cursor.listing = sequence
            cursor.begunAs = identity
            return Listing(scope: view.scope, place: place, cursor: cursor)
        }
    }

    private func hasExpired(_ cursor: PullCursor, now: Timestamp) -> Bool {
        guard let expires = resource.since?.expires, let last = cursor.lastPull else { return false }
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
            || KnownIdentity.all(of: scope, cursor).contains { $0.name != identity }
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
    private func claim(_ listings: [Listing]) async throws {
        guard let identity, !options.dryRun else { return }
        try await synchronizer.claim(listings.filter { $0.cursor.identity != identity }.map(\.scope), as: identity)
    }

    /// Another identity than that of the last complete pull sees other objects, so its lists prove no absence and its
    /// cursors would skip what only one of them sees.
    private func isAnothers(_ cursor: PullCursor) -> Bool {
        guard let identity else { return false }
        return [cursor.identity, cursor.begunAs].contains { $0 != nil && $0 != identity }
    }

    private func watchesAbsence(_ listings: [Listing]) -> Bool {
        guard view == nil, resource.deletes.byAbsence,
            listings.allSatisfy({ $0.cursor.isFull && (isKnown($0.cursor) || $0.isNew) })
        else { return false }
        // The list of a new parent proves nothing alone, and holds up no other.
        return listings.isEmpty || listings.contains { isKnown($0.cursor) }
    }

    /// Before the first complete pull nobody has said as whom the objects here were created.
    private func isKnown(_ cursor: PullCursor) -> Bool {
        identity == nil || cursor.identity == identity || options.allowedDeletes != nil
    }

    /// The lists that prove no absence: what was created below a new parent may have been so as somebody else.
    func unproven(_ listings: [Listing]) -> Set<PullScope> {
        Set(listings.filter { !isKnown($0.cursor) }.map(\.scope))
    }

    /// The places of the list path: one, or one per parent that the server knows.
    private func places(
        _ snapshot: any StoreSnapshot, _ routeFile: RouteFile
    ) throws -> [(PullScope, ObjectPlace, ObjectURI?)] {
        let named = resource.list.parentEntities
        guard let innermost = named.last, let parentResource = routeFile.resource(innermost) else {
            return [(PullScope(entity: resource.name), ObjectPlace(), nil)]
        }
        var found: [(PullScope, ObjectPlace, ObjectURI?)] = []
        try snapshot.records(matching: Query(innermost)) { uri, record in
            guard let object = try snapshot.object(at: uri), !object.meta.isLocalOnly else { return true }
            var place = try ObjectPlace(object, resource: parentResource, routeFile: routeFile, in: snapshot)
            let own = ObjectID(place.id ?? uri.id, object.meta.id.wireType)
            place.parents[innermost] = .init(id: own, record: record, of: parentResource)
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

    // MARK: One list

    func pull(_ listing: Listing, _ lost: LostCreates) async throws {
        do {
            try await list(listing, lost)
        } catch is ResumeRefused {
            tally.warn(
                "\(listing.scope): the server does not go on from where the last pull stopped; listed from the start")
            var anew = listing
            anew.cursor.position = nil
            anew.cursor.candidate = nil
            try await list(anew, lost)
        } catch let error as ParentGone {
            // The parent may have gone since it was listed: it is looked at, and the other lists go on.
            tally.skip(listing.scope)
            if options.dryRun { return tally.warn(error.message) }
            guard try synchronizer.resource(error.parent.entity).read.isOffered else {
                // The next list of parents, or the next write to it, tells what has become of it.
                return tally.warn(error.message)
            }
            do {
                guard try await synchronizer.refresh(error.parent) != nil else { return }
            } catch let refusal as SyncError where refusal.code == .refused {
                return tally.warn("\(error.message); \(refusal.message), so its \(resource.name) stay here as they are")
            }
            // Asking again brings nothing new before a person has decided.
            guard try await synchronizer.object(at: error.parent)?.meta.isGoneThere != true else {
                return tally.warn(
                    "\(error.parent) was deleted on the server and edited here; its \(resource.name) wait for that decision"
                )
            }
            tally.fail(error.message, .answer)
        }
    }

    /// The page with which an interrupted listing would go on is not there any more: its token or link has expired.
    private struct ResumeRefused: Error {}

    /// The server has given up what the cursor stands for.
    struct CursorExpired: Error { var message: String }

    /// The list of one parent is not there.
    private struct ParentGone: Error {
        var parent: ObjectURI
        var message: String
    }

    private func list(_ listing: Listing, _ lost: LostCreates) async throws {
        let client = synchronizer.client
        let start =
            try view.map { try client.firstPage(of: resource, in: $0, at: listing.place) }
            ?? client.firstPage(
                of: resource, at: listing.place, cursor: listing.cursor.isFull ? nil : listing.cursor.cursor)
        let first = listing.cursor.position.map { RequestTarget(stored: $0) } ?? start
        let pages = PageBuffer(listing.cursor.candidate)
        // Where each page says whether another follows, none is asked for before that.
        let machine = ListingMachine(
            paging: resource.paging, first: first, concurrent: resource.more == nil ? limit : 1,
            mostPages: synchronizer.routeFile.limits.pages)
        let ended = try await machine.run(.start) { effect in
            switch effect {
            case .fetch(let index, let target):
                return .fetched(index, try await fetch(index, target, listing, into: pages))
            case .store(let index, let next):
                try await store(pages.take(index), next: next, listing, pages, lost)
                return .stored(index)
            }
        }
        if ended.isTruncated {
            tally.fail("\(listing.scope): \(ended.warning ?? "the listing is not complete")", .answer)
            tally.skip(listing.scope)
        } else if let warning = ended.warning {
            tally.warn("\(listing.scope): \(warning)")
        }
        // What moved while the lists were read the second time may be known from the first.
        guard !isConfirming else { return }
        tally.end(listing.scope, candidate: pages.candidate)
        if resource.list.isConditional, listing.cursor.position == nil, let tag = pages.onlyTag {
            tally.tag(listing.scope, tag, start.text)
        }
    }

    private func fetch(
        _ index: Int, _ target: RequestTarget, _ listing: Listing, into pages: PageBuffer
    ) async throws -> ListingMachine.Summary {
        let client = synchronizer.client
        let sequence = synchronizer.openPages.begin { synchronizer.nextSequence() }
        defer { synchronizer.openPages.end(sequence) }
        synchronizer.note(listing.scope.description, "\(resource.list.method) \(target.path)", isRoutine: true)
        let tag = index == 0 ? knownTag(listing, target) : nil
        let request = try client.listRequest(resource, target, at: listing.place, tag: tag)
        let reply = try await answer(to: request, isFirst: index == 0, pages, listing)
        if reply.status == 304, let tag {
            synchronizer.note(listing.scope.description, "has not changed")
            tally.tag(listing.scope, tag, target.text, isUnchanged: true)
            return .init(count: 0)
        }
        pages.note(tag: reply.headers["ETag"])
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            // A page past the end tells where the end is, where no total is known.
            if isEnd(reply, isFirst: index == 0, pages) {
                return .init(count: 0, isMissing: true)
            }
            if index == 0, treatment == .gone || treatment == .reject {
                if listing.cursor.position != nil { throw ResumeRefused() }
                // A list that is not there says 404, under the same parent too.
                if treatment == .gone, view == nil, !listing.cursor.isFull,
                    reply.status != 404 || listing.parent == nil
                {
                    throw CursorExpired(
                        message: "\(listing.scope): the server does not tell changes since the last pull any more "
                            + "(\(failure.message), \(reply.status))")
                }
                if treatment == .gone, let parent = listing.parent {
                    throw ParentGone(
                        parent: parent,
                        message: "\(resource.list.method) \(target.text): \(failure.message) (\(reply.status))")
                }
            }
            if treatment == .unauthorized {
                throw SyncError(code: .signInNeeded, message: client.signInMessage(failure, resource.name))
            }
            throw SyncError(
                code: treatment == .wait || treatment == .retry ? .unreachable : .refused,
                message: "\(resource.list.method) \(target.text): \(failure.message) (\(reply.status))"
                    + (reply.status == 404
                        ? "; asked for was \(request.url.prefix { $0 != "?" }): compare “base” and “path”" : "")
                    + (index == 0 && treatment == .reject && !listing.cursor.isFull ? refusedCursorRemedy(reply) : ""),
                failure: failure)
        }
        var selectors = client.selectors(for: resource, at: listing.place, isList: true)
        selectors.failed = resource.failedItems
        var page = try client.extractor(for: resource).page(in: reply.body, selectors)
        page.entity = resource.name
        page.sequence = sequence
        page.ordersVersions = resource.version.isOrdered
        page.listing = listing.showsAbsence ? listing.cursor.listing : nil
        if index == 0, view == nil, let double = tally.double(in: page, resource, listing.scope) { tally.warn(double) }
        if index == 0, view == nil { try pages.learnTime(serverTime(reply, listing)) }
        // A token stands for all that was listed so far; a time for what was there when the listing began.
        if resource.since?.takesLastPage == true || index == 0 && listing.cursor.position == nil {
            pages.offer(client.cursor(from: reply, page: page, of: resource))
        }
        let summary = try client.summary(of: reply, page: page, resource, target: target)
        page.total = summary.total
        if summary.total != nil || summary.pages != nil { pages.learnTotal() }
        if resource.paging == .none, LinkHeader.namesNext(reply.headers.values(of: "Link")) {
            tally.fail(
                "\(listing.scope): the answer names a next page (Link, rel=\"next\"), and “pages” declares none; write "
                    + "pages: link-header", .answer)
            tally.skip(listing.scope)
        } else if index == 0, summary.next == nil, let warning = cutOff(reply, page, listing) {
            tally.warn(warning)
        }
        if resource.list.shape == .partial {
            page = try await PartialPage(synchronizer: synchronizer, resource: resource, place: listing.place)
                .completed(page, reading: !options.dryRun)
        }
        if let reason = page.skippedReason {
            tally.fail("\(listing.scope): \(page.skipped) left out: \(reason)", .answer)
            // The next pull has to ask for what was left out, so the list has not come to its end.
            tally.skip(listing.scope)
        }
        pages.put(index, page)
        return summary
    }

    /// A server that has forgotten what a cursor stands for may say so with any status.
    private func refusedCursorRemedy(_ reply: ResourceClient.Reply) -> String {
        "; this asks for what has changed since the last pull: if the server does not know that any more, atmos pull "
            + "\(resource.name) --full asks for everything, and “errors: { rules: [{ status: \(reply.status), method: GET, "
            + "treat: gone }] }” for \(resource.name) makes each such pull ask for everything by itself"
    }

    /// Where one answer is taken for the whole list, and says itself that there is more. What the route file says of pages
    /// stays, and what its style says may not be so.
    private func cutOff(_ reply: ResourceClient.Reply, _ page: Page, _ listing: Listing) -> String? {
        guard !resource.paging.countsPages, view == nil, listing.cursor.isFull, listing.cursor.position == nil,
            !synchronizer.routeFile.declaresPages(of: resource),
            let hint = synchronizer.client.moreHint(in: reply, page, of: resource), hint.isSure
        else { return nil }
        return
            "\(listing.scope): the answer has \(page.items.count) objects and says that there are more (\(hint.text)); "
            + "“pages” \(resource.paging == .none ? "declares none" : "finds no next page"), so the others are not here: "
            + "write where the next page is, or pages: none where this is all"
    }

    /// How often a page is asked for that the server fails to give.
    private static let mostTries = 3

    /// The answer to the request for a page. One failure among many pages does not end a pull.
    private func answer(
        to request: Request, isFirst: Bool, _ pages: PageBuffer, _ listing: Listing
    ) async throws -> ResourceClient.Reply {
        let client = synchronizer.client
        let environment = synchronizer.environment
        var tries = 1
        while true {
            let reply = try await client.exchange(request, resource: resource)
            guard !reply.isSuccess, reply.status != 304, !isEnd(reply, isFirst: isFirst, pages),
                client.failure(in: reply, of: resource).1 == .retry,
                tries < min(Self.mostTries, synchronizer.routeFile.limits.attempts)
            else { return reply }
            synchronizer.note(listing.scope.description, "answered \(reply.status); asked again")
            let pause = Backoff.delay(attempts: tries, random: environment.random())
            try await environment.sleep(environment.now().advanced(by: pause))
            tries += 1
        }
    }

    /// Whether an answer says that the page is past the end of the list.
    private func isEnd(_ reply: ResourceClient.Reply, isFirst: Bool, _ pages: PageBuffer) -> Bool {
        !isFirst && resource.paging.countsPages && !pages.knowsTotal && resource.endStatuses.contains(reply.status)
    }

    /// The tag to ask with: of the same list, and where it may be trusted that everything in it is here.
    private func knownTag(_ listing: Listing, _ target: RequestTarget) -> String? {
        guard resource.list.isConditional, !options.full, !options.dryRun, !isConfirming, !isAnothers(listing.cursor),
            listing.cursor.position == nil,
            listing.cursor.tagTarget == target.text
        else { return nil }
        return listing.cursor.tag
    }

    /// Objects per transaction: short enough that a save never waits long.
    static let chunk = 100

    private func store(
        _ page: Page?, next: RequestTarget?, _ listing: Listing, _ pages: PageBuffer, _ lost: LostCreates
    ) async throws {
        guard let page else { return }
        // What was changed since an interrupted listing began may have been passed already: the next pull asks for it.
        if case .field = resource.since?.origin, listing.cursor.position == nil || resource.since?.isAscending == true {
            for item in page.items {
                guard let range = item.cursor, !pages.raise(page, range) else { continue }
                tally.remark(
                    "\(page.uri(item)) says that it was changed at \(page.text(range)), which is later than the server’s own "
                        + "clock; it is no cursor, or what is changed before that would never be asked for")
            }
        }
        var start = 0
        repeat {
            let range = start..<min(start + Self.chunk, page.items.count)
            let isLast = range.upperBound == page.items.count
            var cursor = listing.cursor
            cursor.candidate = pages.candidate
            cursor.position = next?.stored
            if resource.since?.isAscending == true, page.listing == nil, let reached = pages.candidate {
                // What follows is newer, so the listing goes on from here wherever its pages begin then.
                cursor.cursor = reached
                cursor.position = nil
            }
            let stored = try await write(page, range, isLast && view == nil ? cursor : nil, listing.scope, lost)
            tally.add(stored, isRepeated: isConfirming)
            if stored.isUndecided { tally.skip(listing.scope) }
            if view != nil { tally.show(page, range) }
            start = range.upperBound
        } while start < page.items.count
        tally.pageStored()
        synchronizer.note(
            listing.scope.description, "stored a page of \(page.items.count)", isRoutine: true)
        options.progress(tally.progress(resource.name, total: page.total))
    }

    private func write(
        _ page: Page, _ range: Range<Int>, _ cursor: PullCursor?, _ scope: PullScope, _ lost: LostCreates
    ) async throws -> Stored {
        let environment = synchronizer.environment
        let body: @Sendable (any StoreTransaction) throws -> Stored = { transaction in
            var stored = Stored()
            stored.absorbed = try lost.absorb(page, range, transaction) { item, uri in
                let key = environment.makeUUID()
                try decide(page, item, uri, transaction, key: key, &stored) { planner, theirs, object in
                    planner.lookedUp(theirs, of: object, arrival: page.sequence, key: key)
                }
            }
            for index in stored.absorbed.deferred {
                let item = page.items[index]
                try decide(page, item, page.uri(item), transaction, key: environment.makeUUID(), &stored)
            }
            if var cursor {
                if stored.isUndecided || tally.skipped.contains(scope) {
                    // A listing that left something out is not gone on with after an interruption, or it would seem to be
                    // complete.
                    cursor.cursor = try transaction.cursor(for: scope)?.cursor
                    cursor.position = nil
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
        var reads: [ObjectURI] = []
        /// What an object has become cannot be asked for, so a later pull has to show it again.
        var isUndecided = false
    }

    /// Takes a transaction back that was only tried.
    private struct Undo: Error { var stored: Stored }

    private func decide(
        _ page: Page, _ item: PageItem, _ uri: ObjectURI, _ transaction: any StoreTransaction, key: String,
        _ stored: inout Stored,
        by lookup: ((Planner, Planner.Representation, LocalObject) -> Planner.Plan)? = nil
    ) throws {
        let theirs = Planner.Representation(
            record: item.isDeleted ? nil : page.record(item), id: item.id.objectID,
            version: item.version.map { page.text($0) }, sequence: page.sequence, isListed: view == nil)
        // What the server calls deleted is the object of that name; one created anew in its place has another.
        let uri = item.isDeleted ? uri : try transaction.alias(of: uri) ?? uri
        var object = try transaction.object(at: uri)
        let isKnown = object != nil
        let planner = Planner(resource)
        if let meta = object?.meta, isOlder(theirs, than: meta) {
            if options.acceptsOlder { object?.meta = meta.withoutVersion } else { tally.older(uri) }
        }
        let plan: Planner.Plan
        if let lookup, let object {
            plan = lookup(planner, theirs, object)
        } else {
            plan = planner.remote(theirs, over: object, uri: uri, key: key)
        }
        if plan.followUp == .read {
            if resource.read.isOffered { stored.reads.append(uri) } else { stored.isUndecided = true }
        }
        switch plan.outcome {
        case .keep: break
        case .remove: stored.deleted += 1
        case .put(let object):
            if case .conflicted = object.meta.outgoing?.phase {
                stored.conflicted += 1
            } else if object.meta.isChanged {
                stored.merged += 1
            } else if isKnown {
                stored.updated += 1
            } else {
                stored.inserted += 1
            }
        }
        try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction).apply(plan, to: uri)
        guard !options.dryRun else { return }
        let isMerged = if case .put(let object) = plan.outcome { object.meta.isChanged } else { false }
        synchronizer.note(uri, plan.note ?? (isMerged ? "merged with what the server has" : nil))
    }
}

extension EntityPull.Listing {
    /// It was never read to its end.
    fileprivate var isNew: Bool { cursor.lastPull == nil }

    fileprivate var showingAbsence: Self {
        var listing = self
        listing.showsAbsence = true
        return listing
    }
}

extension MetaObject {
    /// Edited here and deleted on the server: a person decides.
    var isGoneThere: Bool {
        if case .conflicted(let conflict) = outgoing?.phase { conflict.theirs == nil } else { false }
    }
}

extension Resource {
    /// Whether a place in a list of changes can be gone to later: a token stands for it. Behind a number or a link other
    /// rows may stand then, for what is changed meanwhile moves, and what moved to an earlier page would never be seen.
    fileprivate var keepsPlaces: Bool { if case .token = paging { true } else { false } }
}

extension Paging {
    /// Pages have numbers or offsets, so one past the end can be asked for.
    var countsPages: Bool {
        switch self {
        case .number, .offset: true
        case .none, .bodyLink, .headerLink, .token: false
        }
    }
}
