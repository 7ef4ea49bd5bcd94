/// Decides which lists a pull reads, each from which page and with which checkpoint.
struct ListsToRead: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// Who the server takes us for, where the route file asks.
    let identity: String?
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?
    let trust: CursorTrust
    let tally: PullTally
    /// ``Resource/listReading``, for all lists.
    let reading: String
    /// See ``EntityPull/below``.
    let below: Set<ObjectURI>?
    /// See ``EntityPull/partlyListed``.
    let partlyListed: [String]

    /// - Returns: the lists, and the number of the listing that shows what is absent; nil where absence means nothing.
    func find() async throws -> (listings: [PulledList], absence: Int64?) {
        try await synchronizer.learnSequence()
        let sequence = synchronizer.nextSequence()
        try await checkIdentity()
        try await checkServer()
        if let view {
            let listing = try await listing(of: view, sequence)
            try await claim([listing])
            return ([listing], nil)
        }
        let listings = try await synchronizer.store.read { snapshot -> [PulledList] in
            let places = try places(in: snapshot)
            let dropped = try toldTooEarly(in: snapshot)
            let isWhole = try isWholeDue(places, in: snapshot)
            return try places.compactMap { scope, place, parent -> PulledList? in
                if let below, parent.map(below.contains) != true { return nil }
                var listing = try self.listing(
                    of: scope, place, parent, sequence, isWhole: isWhole, dropped: dropped, in: snapshot)
                listing?.isOneOfSeveral = places.count > 1
                return listing
            }
        }
        try await claim(listings)
        guard watchesAbsence(listings) else { return (listings, nil) }
        guard !options.dryRun else { return (listings.map { showingAbsence($0) }, sequence) }
        // Notes of an interrupted listing can be used only when all of it goes on.
        let isResumed = listings.contains { $0.underway.position != nil }
        let number = isResumed ? listings.map(\.underway.number).min() ?? sequence : sequence
        if !isResumed {
            try await synchronizer.store.write(.process, origin: .pull) {
                try $0.beginListing(entity: resource.name, listing: number)
            }
        }
        let numbered = listings.map {
            var each = showingAbsence($0)
            each.underway.number = number
            return each
        }
        return (numbered, number)
    }

    /// Whether a list that was read before is to be listed in full. What is absent from it could stand in another, so all of
    /// them are: lists that began on different days would never be due together.
    private func isWholeDue(
        _ places: [(PullScope, ObjectPlace, ObjectURI?)], in snapshot: any StoreSnapshot
    ) throws -> Bool {
        guard resource.deletes.byAbsence, below == nil, partlyListed.isEmpty, places.count > 1 else { return false }
        let now = synchronizer.environment.now()
        return try places.contains { scope, place, _ in
            guard let cursor = try snapshot.cursor(for: scope), cursor.complete != nil, cursor.refused == nil else {
                return false
            }
            if trust.isFullDue(cursor, now: now) || trust.hasExpired(cursor, now: now) || trust.isAnothers(cursor) {
                return true
            }
            if cursor.isRead(otherwiseThan: reading) { return true }
            // A parent that no path can name is told of where its list is.
            let request = try? synchronizer.client.listSignature(of: resource, at: place)
            return request.map { trust.isOther(cursor, $0) } ?? false
        }
    }

    /// Whether retention has dropped copies that are to be kept by now: ``DroppedCopies/tooEarly(at:in:)``.
    private func droppedTooEarly(in snapshot: any StoreSnapshot) throws -> Int64? {
        guard resource.retention != nil else { return nil }
        return try DroppedCopies(of: resource).tooEarly(at: synchronizer.environment.now(), in: snapshot)
    }

    /// The same, which is told: the lists are asked for everything because of that.
    private func toldTooEarly(in snapshot: any StoreSnapshot) throws -> Int64? {
        guard let dropped = try droppedTooEarly(in: snapshot) else { return nil }
        tally.remark(
            "\(resource.name): “retention” has dropped objects while the clock of this machine was ahead, so everything is "
                + "listed")
        return dropped
    }

    private func showingAbsence(_ listing: PulledList) -> PulledList {
        var listing = listing
        listing.showsAbsence = true
        return listing
    }

    /// A list with the checkpoint to begin with, or the listing to go on with.
    ///
    /// - Parameters:
    ///   - isWhole: another list of the entity is due to be listed in full, so this is.
    ///   - dropped: see ``droppedTooEarly(in:)``.
    /// - Returns: nil, and told, where the path cannot name the parent, which holds up no other list.
    func listing(
        of scope: PullScope, _ place: ObjectPlace, _ parent: ObjectURI?, _ sequence: Int64, isWhole: Bool = false,
        dropped: Int64? = nil, in snapshot: any StoreSnapshot
    ) throws -> PulledList? {
        var known = try cursor(for: scope, in: snapshot)
        let interrupted = known.underway
        known.underway = nil
        let request: String?
        do {
            request = try synchronizer.client.listSignature(of: resource, at: place)
        } catch let error as SyncError where parent != nil && error.isBelowNothing {
            // Reading the list tells what has become of the parent.
            request = known.request
        } catch let error as SyncError where parent != nil && error.code == .invalidRecord {
            tally.fail("\(scope): \(error.message)", .answer)
            tally.skip(scope)
            return nil
        }
        let isOther = request.map { trust.isOther(known, $0) } ?? false
        let isReadAnew = known.isRead(otherwiseThan: reading)
        if let change = whatChanged(since: known, request, isOther: isOther, isReadAnew: isReadAnew) {
            tally.remark("\(scope): \(change), so everything is listed")
        }
        known.checkpoint = known.checkpoint.flatMap { readable($0, of: scope) }
        let isFull = isWhole || dropped != nil || isOther || isReadAnew || isFullDue(known)
        let isOwn = !isOther && isOwn(known, request)
        // What an earlier listing had shown may have been dropped since.
        let isKept = dropped.map { dropped in interrupted.map { $0.number > dropped } ?? false } ?? true
        let underway: PullCursor.Underway
        // Nobody knows how an earlier version has read what it has stored.
        if isOwn, known.reading ?? reading == reading, isKept, let interrupted, goesOn(interrupted, isFull: isFull) {
            underway = interrupted
        } else {
            let tentative = isOwn && isFull ? interrupted.flatMap { trust.lastingCheckpoint(of: $0) } : nil
            underway = PullCursor.Underway(number: sequence, isFull: isFull, tentative: tentative)
            known.begunAs = identity
            known.request = request
            known.server = synchronizer.routeFile.server
        }
        known.origin = resource.since?.origin.text
        known.reading = reading
        // Before a list has come to its end only its checkpoint says how far it was read.
        if isOther || isReadAnew && known.complete == nil { known.checkpoint = nil }
        if isOther || isReadAnew || dropped != nil { known.complete?.tag = nil }
        return PulledList(
            scope: scope, place: place, parent: parent, known: known, underway: underway, request: request,
            isReadAnew: isReadAnew, lacksDropped: dropped != nil)
    }

    /// Whether everything is to be asked for, as far as the cursor tells.
    private func isFullDue(_ known: PullCursor) -> Bool {
        let now = synchronizer.environment.now()
        return options.full || known.checkpoint == nil || resource.since == nil || trust.isAnothers(known)
            || trust.hasExpired(known, now: now) || trust.isFullDue(known, now: now)
    }

    /// Whether a listing that is under way is of this list, and was begun as who the server takes us for now.
    private func isOwn(_ known: PullCursor, _ request: String?) -> Bool {
        !trust.isAnothers(known) && known.begunAs.hasSameBytes(as: identity) && known.request == request
            && !options.dryRun
    }

    /// A checkpoint that is of the kind that the route file declares; nil, and told, for another.
    private func readable(_ checkpoint: String, of scope: PullScope) -> String? {
        guard !trust.isReadable(checkpoint) else { return checkpoint }
        tally.remark(
            "\(scope): the last pull kept \(checkpoint.quoted) as what to ask for changes since, which is no "
                + "\(resource.since?.leastKind ?? .time), so everything is listed")
        return nil
    }

    /// What is another than when the list was read, so that its checkpoint does not count; nil where nothing is.
    private func whatChanged(
        since known: PullCursor, _ request: String?, isOther: Bool, isReadAnew: Bool
    ) -> String? {
        if isOther, known.request == request, trust.isFromElsewhere(known) {
            return "the route file takes what it asks for changes with from another place than before (“since.from”)"
        }
        if isOther, known.request != nil {
            return namesMembersOfParents
                ? "asked for otherwise than before, because the route file has changed, or a parent that the path names has"
                : "the route file asks for another list than before"
        }
        return !isOther && isReadAnew && known.checkpoint != nil
            ? "the route file reads the list in another way than before" : nil
    }

    /// Whether the request for the list has members of parents in it that can change, and not their identifiers alone.
    private var namesMembersOfParents: Bool {
        let templates = [resource.list.path] + resource.list.besidePath.map(\.template)
        return templates.flatMap(\.parts).contains { part in
            guard case .parent(let entity, let field) = part, field != "id" else { return false }
            return synchronizer.routeFile.resource(entity)?.idField != field
        }
    }

    /// The cursor as it is kept, without a tag from before something was confirmed past the list or the view. The tag stands for
    /// what that was then, and so it may be again when somebody undoes what is here now.
    private func cursor(for scope: PullScope, in snapshot: any StoreSnapshot) throws -> PullCursor {
        var cursor = try snapshot.cursor(for: scope) ?? PullCursor()
        if let tag = cursor.complete?.tag,
            try Confirmations(of: resource).hasNews(since: tag.sequence, besides: .init(scope), in: snapshot)
        {
            cursor.complete?.tag = nil
        }
        return cursor
    }

    /// Whether an interrupted listing of the same kind goes on where it ended.
    private func goesOn(_ interrupted: PullCursor.Underway, isFull: Bool) -> Bool {
        guard let position = interrupted.position, resource.goesOn(from: position) else { return false }
        return interrupted.isFull == isFull && !options.full && (isFull || resource.keeps(position))
    }

    /// A view is always listed from its first page to its last.
    private func listing(of view: ViewCall, _ sequence: Int64) async throws -> PulledList {
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
            var known = try cursor(for: view.scope, in: snapshot)
            // A view that has not changed would not bring back what was dropped.
            if try known.isRead(otherwiseThan: reading) || droppedTooEarly(in: snapshot) != nil {
                known.complete?.tag = nil
            }
            known.underway = nil
            known.begunAs = identity
            known.reading = reading
            return PulledList(
                scope: view.scope, place: place, known: known, underway: .init(number: sequence, isFull: true))
        }
    }

    /// The places of the list path: one, or one per parent that the server knows.
    func places(in snapshot: any StoreSnapshot) throws -> [(PullScope, ObjectPlace, ObjectURI?)] {
        let routeFile = synchronizer.routeFile
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

    // MARK: Whose the lists are

    /// What somebody else sees would come among what is here, and over it where the identifiers are the same. A view lists
    /// not all of an entity, so it accepts nobody else for its lists.
    private func checkIdentity() async throws {
        guard let identity, options.allowedDeletes == nil || view != nil,
            let other = try await Ownership(synchronizer).stranger(
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
        try await Ownership(synchronizer).checkServer(of: [resource], "nothing is pulled")
    }

    /// Notes as whom a listing begins, for pages that are stored before an interruption.
    func claim(_ listings: [PulledList]) async throws {
        guard let identity, !options.dryRun else { return }
        try await Ownership(synchronizer).claim(
            listings.filter { !$0.known.identity.hasSameBytes(as: identity) }.map(\.scope), as: identity)
    }

    private func watchesAbsence(_ listings: [PulledList]) -> Bool {
        guard view == nil, below == nil, partlyListed.isEmpty, resource.deletes.byAbsence,
            listings.allSatisfy({ $0.underway.isFull && (trust.isKnown($0.known) || $0.isNew) })
        else { return false }
        // The list of a new parent proves nothing alone, and holds up no other.
        return listings.isEmpty || listings.contains { trust.isKnown($0.known) }
    }

    // MARK: What is forgotten

    /// Each list of the entity begins anew.
    func forgetPositions() async throws {
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for (scope, cursor) in try transaction.cursors(entity: resource.name)
            where cursor.underway?.position != nil {
                var cursor = cursor
                cursor.underway?.position = nil
                try transaction.put(cursor, for: scope)
            }
        }
    }

    /// Who accepts another identity or server accepts it for what has no list, too.
    func forgetForeign() async throws {
        guard options.allowedDeletes != nil, !options.dryRun, !resource.list.isOffered else { return }
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for (scope, cursor) in try transaction.cursors(entity: resource.name)
            where trust.isForeign(scope, cursor) {
                try transaction.removeCursor(for: scope)
            }
        }
    }
}
