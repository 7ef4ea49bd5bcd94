/// The pull of one entity: every list it stands in, then what is absent from all of them.
struct EntityPull: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    private let tally = Tally()

    init(synchronizer: Synchronizer, resource: Resource, options: Synchronizer.PullOptions) {
        self.synchronizer = synchronizer
        self.resource = resource
        self.options = options
    }

    /// One list: the scope its cursor is kept for, and the place that fills its path.
    struct Listing: Sendable {
        var scope: PullScope
        var place: ObjectPlace
        var cursor: PullCursor
    }

    func run() async throws -> PullReport.Entity {
        do {
            let listings = try await prepare()
            let lost = try await LostCreates(resource: resource, store: synchronizer.store)
            // The lists of many parents are independent; a few at a time keep the origin busy.
            try await withThrowingTaskGroup(of: Void.self) { group in
                var waiting = listings[...]
                for _ in 0..<max(1, synchronizer.routeFile.limits.concurrent) {
                    guard let listing = waiting.popFirst() else { break }
                    group.addTask { try await pull(listing, lost) }
                }
                while try await group.next() != nil {
                    guard let listing = waiting.popFirst() else { continue }
                    group.addTask { try await pull(listing, lost) }
                }
            }
            try await removeAbsent(listings)
            try await readAgain()
            if !options.dryRun { try await complete(listings) }
        } catch let error as TransportError {
            tally.fail(error.message, .network)
        } catch let error as SyncError where error.code == .signInNeeded || error.code == .unreachable {
            tally.fail(error.message, .network)
        } catch let error as SyncError {
            tally.fail(error.message, error.code == .tooManyDeletes ? .tooManyDeletes : .answer)
        } catch let error as ExtractionError {
            tally.fail("\(resource.name): \(error.message)", .answer)
        }
        return tally.report
    }

    // MARK: Which lists

    private func prepare() async throws -> [Listing] {
        let now = synchronizer.environment.now()
        let sequence = synchronizer.nextSequence()
        let resource = resource
        let routeFile = synchronizer.routeFile
        let listings = try await synchronizer.store.read { snapshot in
            try places(snapshot, routeFile).map { scope, place in
                var cursor = try snapshot.cursor(for: scope) ?? PullCursor()
                let isFull = options.full || cursor.cursor == nil || hasExpired(cursor, now: now)
                if cursor.position == nil || cursor.listing == nil || cursor.isFull != isFull || options.dryRun {
                    cursor.position = nil
                    cursor.candidate = nil
                    cursor.listing = sequence
                    cursor.isFull = isFull
                }
                return Listing(scope: scope, place: place, cursor: cursor)
            }
        }
        guard watchesAbsence(listings), !options.dryRun else { return listings }
        // Notes of an interrupted listing can be used only when all of it goes on.
        let isResumed = listings.contains { $0.cursor.position != nil }
        let listing = isResumed ? listings.compactMap(\.cursor.listing).min() ?? sequence : sequence
        if !isResumed {
            try await synchronizer.store.write(.process, origin: .pull) {
                try $0.beginListing(entity: resource.name, listing: listing)
            }
        }
        return listings.map {
            var each = $0
            each.cursor.listing = listing
            return each
        }
    }

    private func hasExpired(_ cursor: PullCursor, now: Timestamp) -> Bool {
        guard let expires = resource.since?.expires, let last = cursor.lastPull else { return false }
        return last.duration(to: now) > expires
    }

    private func watchesAbsence(_ listings: [Listing]) -> Bool {
        resource.deletes.byAbsence && listings.allSatisfy(\.cursor.isFull)
    }

    /// The places of the list path: one, or one per parent that the server knows.
    private func places(
        _ snapshot: any StoreSnapshot, _ routeFile: RouteFile
    ) throws -> [(PullScope, ObjectPlace)] {
        let named = resource.list.path.parentEntities
        guard let innermost = named.last, let parentResource = routeFile.resource(innermost) else {
            return [(PullScope(entity: resource.name), ObjectPlace())]
        }
        var found: [(PullScope, ObjectPlace)] = []
        try snapshot.records(matching: Query(innermost)) { uri, record in
            guard let object = try snapshot.object(at: uri), !object.meta.isLocalOnly else { return true }
            var place = try ObjectPlace(object, resource: parentResource, routeFile: routeFile, in: snapshot)
            let own = ObjectID(place.id ?? uri.id, object.meta.id.wireType)
            place.parents[innermost] = .init(id: own, record: record)
            place.id = nil
            place.record = nil
            let ids = named.compactMap { place.parents[$0]?.id.text }
            guard ids.count == named.count else { return true }
            let scope = PullScope(
                entity: resource.name, parent: ids.map { PercentEncoding.segment($0) }.joined(separator: "/"))
            found.append((scope, place))
            return true
        }
        return found
    }

    // MARK: One list

    private func pull(_ listing: Listing, _ lost: LostCreates) async throws {
        let client = synchronizer.client
        let start = try client.firstPage(
            of: resource, at: listing.place, cursor: listing.cursor.isFull ? nil : listing.cursor.cursor)
        let first = listing.cursor.position.map { RequestTarget($0) } ?? start
        let pages = PageBuffer(listing.cursor.candidate)
        let machine = ListingMachine(
            paging: resource.paging, first: first, concurrent: synchronizer.routeFile.limits.concurrent,
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
        if let warning = ended.warning { tally.warn("\(listing.scope): \(warning)") }
        tally.end(listing.scope, candidate: pages.candidate)
    }

    private func fetch(
        _ index: Int, _ target: RequestTarget, _ listing: Listing, into pages: PageBuffer
    ) async throws -> ListingMachine.Summary {
        let client = synchronizer.client
        let sequence = synchronizer.nextSequence()
        synchronizer.note(listing.scope.description, "GET \(target.path)")
        let reply = try await client.exchange(try client.listRequest(resource, target), resource: resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            // A page can cease to exist while the ones before it are read; numbers may be asked for past the end.
            if index > 0, treatment == .gone || (reply.status == 400 && resource.paging.countsPages) {
                return .init(count: 0, isMissing: true)
            }
            if treatment == .unauthorized {
                throw SyncError(code: .signInNeeded, message: "\(resource.name): \(failure.message)")
            }
            throw SyncError(
                code: treatment == .wait || treatment == .retry ? .unreachable : .refused,
                message: "GET \(target.path): \(failure.message) (\(reply.status))", failure: failure)
        }
        let selectors = client.selectors(for: resource, at: listing.place, isList: true)
        var page = try client.extractor(for: resource).page(in: reply.body, selectors)
        page.entity = resource.name
        page.sequence = sequence
        page.listing = resource.deletes.byAbsence && listing.cursor.isFull ? listing.cursor.listing : nil
        if index == 0, listing.cursor.position == nil {
            pages.offer(client.cursor(from: reply, page: page, of: resource))
        }
        let next = try page.next.map { text -> RequestTarget in
            if case .token(_, let parameter, _) = resource.paging {
                var following = target
                following.set(parameter, text)
                return following
            }
            return try RequestTarget(link: text, base: synchronizer.routeFile.base, current: target)
        }
        let summary = ListingMachine.Summary(count: page.items.count, next: next, total: page.total)
        pages.put(index, page)
        return summary
    }

    /// Objects per transaction: short enough that a save never waits long.
    private static let chunk = 100

    private func store(
        _ page: Page?, next: RequestTarget?, _ listing: Listing, _ pages: PageBuffer, _ lost: LostCreates
    ) async throws {
        guard let page else { return }
        if case .field = resource.since?.origin {
            for item in page.items { if let range = item.cursor { pages.raise(page, range) } }
        }
        var start = 0
        repeat {
            let range = start..<min(start + Self.chunk, page.items.count)
            let isLast = range.upperBound == page.items.count
            var cursor = listing.cursor
            cursor.candidate = pages.candidate
            cursor.position = next?.text
            let stored = try await write(page, range, isLast ? cursor : nil, listing.scope, lost)
            tally.add(stored)
            start = range.upperBound
        } while start < page.items.count
        tally.pageStored()
        synchronizer.note(listing.scope.description, "stored a page of \(page.items.count)")
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
            if let cursor {
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
        var inserted = 0
        var reads: [ObjectURI] = []
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
            version: item.version.map { page.text($0) }, sequence: page.sequence)
        let uri = try transaction.alias(of: uri) ?? uri
        let object = try transaction.object(at: uri)
        let planner = Planner(resource)
        let plan: Planner.Plan
        if let lookup, let object {
            plan = lookup(planner, theirs, object)
        } else {
            plan = planner.remote(theirs, over: object, uri: uri, key: key)
        }
        if plan.followUp == .read { stored.reads.append(uri) }
        switch plan.outcome {
        case .keep: break
        case .remove: stored.deleted += 1
        case .put(let object):
            if case .conflicted = object.meta.outgoing?.phase {
                stored.conflicted += 1
            } else if object.meta.isChanged {
                stored.merged += 1
            } else {
                stored.inserted += 1
            }
        }
        try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction).apply(plan, to: uri)
        synchronizer.note(uri, plan.note)
    }

    // MARK: After the lists

    /// Removes what a complete listing did not show, each confirmed by a GET where rows can move between pages.
    private func removeAbsent(_ listings: [Listing]) async throws {
        guard watchesAbsence(listings), let listing = listings.first?.cursor.listing else { return }
        guard tally.report.warnings.isEmpty else { return }
        let entity = resource.name
        let known = try await synchronizer.store.read { try $0.counts()[entity]?.objects ?? 0 }
        let candidates =
            options.dryRun
            ? try await tally.unlisted(entity, in: synchronizer.store)
            : try await synchronizer.store.write(.process, origin: .pull) {
                try $0.unlisted(entity: entity, listing: listing, after: nil, limit: .max)
            }
        let allowed = options.allowedDeletes ?? max(20, known / 10)
        guard candidates.count <= allowed else {
            if options.dryRun {
                tally.add(Stored(deleted: candidates.count))
            }
            throw SyncError(
                code: .tooManyDeletes,
                message: "\(candidates.count) of \(known) \(entity) are absent from the server's list, more than the "
                    + "\(allowed) that may go unasked; check the credentials and filters, then allow it with "
                    + "--allow-deletes \(candidates.count)")
        }
        for uri in candidates {
            if options.dryRun {
                tally.add(Stored(deleted: 1))
            } else if resource.confirmsAbsence {
                tally.readLater(uri)
            } else {
                try await remove(uri)
            }
        }
    }

    private func remove(_ uri: ObjectURI) async throws {
        let sequence = synchronizer.nextSequence()
        let resource = resource
        let routeFile = synchronizer.routeFile
        let key = synchronizer.environment.makeUUID()
        let removed = try await synchronizer.store.write(.process, origin: .pull) { transaction -> Bool in
            let plan = Planner(resource).remote(
                .init(record: nil, id: nil, version: nil, sequence: sequence),
                over: try transaction.object(at: uri), uri: uri, key: key)
            try ObjectWriter(routeFile: routeFile, transaction: transaction).apply(plan, to: uri)
            return plan.outcome == .remove
        }
        if removed { tally.add(Stored(deleted: 1)) }
    }

    /// Reads single objects that a page could not decide.
    private func readAgain() async throws {
        guard !options.dryRun else { return }
        for uri in tally.takeReads() {
            let wasThere = try await synchronizer.object(at: uri) != nil
            try await synchronizer.refresh(uri)
            if wasThere, try await synchronizer.object(at: uri) == nil { tally.add(Stored(deleted: 1)) }
        }
    }

    /// Makes the candidates the cursors: everything before this was stored.
    private func complete(_ listings: [Listing]) async throws {
        let now = synchronizer.environment.now()
        let candidates = tally.candidates
        let resource = resource
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for listing in listings {
                var cursor = listing.cursor
                cursor.cursor = candidates[listing.scope] ?? cursor.cursor
                cursor.candidate = nil
                cursor.position = nil
                cursor.listing = nil
                cursor.lastPull = now
                try transaction.put(cursor, for: listing.scope)
            }
            if resource.deletes.byAbsence { try transaction.endListing(entity: resource.name) }
        }
    }
}

extension Paging {
    /// Pages have numbers or offsets, so one past the end can be asked for.
    var countsPages: Bool {
        switch self {
        case .number, .offset: true
        case .none, .bodyLink, .token: false
        }
    }
}

extension Resource {
    /// Rows can move from page to page while they are read, or to another parent, so absence proves nothing alone.
    var confirmsAbsence: Bool {
        guard read.isOffered else { return false }
        return paging != .none
            || list.path.parentEntities.contains { name in
                parents.contains { $0.entity == name && !readonly.contains($0.field) } && !isUniquePerParent
            }
    }
}
