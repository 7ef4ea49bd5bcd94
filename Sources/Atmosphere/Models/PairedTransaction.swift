/// A transaction of the store that notes what the model layer is to become, and finds what the application has edited
/// there before it changes an object.
final class PairedTransaction: StoreTransaction {
    private let snapshot: any StoreSnapshot
    private let transaction: (any StoreTransaction)?
    private let models: (any AppContext)?
    private let holds: (String) -> Bool
    private let makeKey: () -> String
    /// What is synchronized in the store; nil where nobody has said so.
    private let routeFile: RouteFile?
    private var collected: Set<ObjectURI> = []
    private var moves: [ModelIntent.Move] = []
    /// What the application has edited and may not, of objects that are on the wire or wait for a decision: it stays in the
    /// model layer alone until they do so no more.
    private var deferred: [ObjectURI: [Value.Member]] = [:]
    /// Each touched object with its record before, by where it is now.
    private var touched: [ObjectURI: ObjectRecord?] = [:]

    init(snapshot: any StoreSnapshot) {
        self.snapshot = snapshot
        transaction = nil
        models = nil
        holds = { _ in false }
        makeKey = { "" }
        routeFile = nil
    }

    init(
        _ transaction: any StoreTransaction, _ models: any AppContext, _ layer: any ModelLayer,
        routeFile: RouteFile?, makeKey: @escaping () -> String
    ) {
        snapshot = transaction
        self.transaction = transaction
        self.models = models
        holds = { layer.holds($0) }
        self.makeKey = makeKey
        self.routeFile = routeFile
    }

    /// nil where the model layer stays as it is.
    func intent() throws -> ModelIntent? {
        var changes: [(uri: ObjectURI, before: ObjectRecord?)] = []
        for (uri, before) in touched.sorted(by: { $0.key < $1.key }) where try snapshot.record(at: uri) != before {
            changes.append((uri, try before?.inForm(snapshot.record(at: ModelForm.uri(of: uri)))))
        }
        return moves.isEmpty && changes.isEmpty ? nil : ModelIntent(moves: moves, changes: changes)
    }

    /// Takes over what the application has edited of the object in its model layer, by the rules of every edit: references
    /// become the identifiers that the server knows, what the server alone decides is put back, and an edit of what is in
    /// conflict takes part in that. One that could never be sent is kept as refused, with the reason; while the object is on
    /// the wire or waits for a decision it stays where it is.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func collect(_ uri: ObjectURI) throws -> Bool {
        guard let transaction, let models, holds(uri.entity), collected.insert(uri).inserted,
            let object = try snapshot.object(at: uri), let record = object.record,
            let mine = try models.record(at: uri)
        else { return false }
        if record.edits(in: mine).isEmpty { return false }
        let form = try snapshot.record(at: ModelForm.uri(of: uri))
        let edits = record.edits(in: mine, form: form)
        if edits.isEmpty || object.meta.isDeleted { return false }
        let edited = record.replacing(edits)
        guard let saved = try saved(object, as: edited) else {
            deferred[uri] = edits
            return false
        }
        try take(edits, of: uri, in: transaction)
        touched.updateValue(touched[uri] ?? edited, forKey: uri)
        if saved == object { return false }
        try store(saved)
        return true
    }

    /// An answer or a decision has come: what was edited meanwhile, and may not be, is refused now.
    private func collectDeferred(_ uri: ObjectURI) throws {
        guard let transaction, let edits = deferred[uri], let object = try snapshot.object(at: uri),
            let record = object.record, !object.meta.isDeleted
        else { return }
        let edited = record.replacing(edits)
        guard edited == record || !Self.isUndecided(object.meta), let saved = try saved(object, as: edited) else {
            return
        }
        deferred[uri] = nil
        try take(edits, of: uri, in: transaction)
        // The layer has them already.
        touched.updateValue(((touched[uri] ?? nil) ?? record).replacing(edits), forKey: uri)
        if saved != object { try store(saved) }
    }

    /// The layer has these in its own form now.
    private func take(_ edits: [Value.Member], of uri: ObjectURI, in transaction: any StoreTransaction) throws {
        guard let form = try snapshot.record(at: ModelForm.uri(of: uri)) else { return }
        var members = form.members
        members.removeAll(named: edits.map(\.name))
        try ModelForm(uri: uri, members: members).keep(in: transaction)
    }

    private func store(_ saved: LocalObject) throws {
        var meta = saved.meta
        meta.settleUploads()
        if let record = saved.record { try snapshot.upsert([(saved.uri, record)]) }
        try snapshot.put([meta])
    }

    /// - Returns: nil for an edit that breaks a rule, of an object that is on the wire or waits for a decision.
    private func saved(_ object: LocalObject, as record: ObjectRecord) throws -> LocalObject? {
        guard let routeFile, let resource = routeFile.resource(object.uri.entity) else {
            var saved = object
            saved.record = record
            Self.noteEdit(in: &saved.meta, key: makeKey())
            return saved
        }
        do {
            return try Edit(resource, routeFile, snapshot).changed(object, key: makeKey()) { before in
                var members = resource.mapping.members(of: record)
                // The model layer found the object by its address.
                if let name = resource.idField { members[name] = before[name] }
                return members
            }
        } catch let error as SyncError {
            return Self.isUndecided(object.meta) ? nil : Self.refused(object, as: record, key: makeKey(), error)
        }
    }

    /// Marks an edit whose rules nobody knows.
    private static func noteEdit(in meta: inout MetaObject, key: String) {
        switch meta.state {
        case .synchronized(let confirmed): meta.state = .updated(confirmed, Change(idempotencyKey: key))
        case .created(let outgoing, let deleting):
            meta.state = .created(outgoing.afterEdit(key: key), deleting: deleting)
        case .updated(let confirmed, let outgoing):
            meta.state = .updated(confirmed, outgoing.afterEditOfUpdate(key: key))
        case .deleted: return
        }
        meta.revision += 1
    }

    /// On the wire, or in doubt: an edit that may not be sent has to wait for what comes of that.
    private static func isUndecided(_ meta: MetaObject) -> Bool {
        switch meta.outgoing?.phase {
        case .sending, .unknown, .conflicted: true
        case .waiting, .rejected, nil: false
        }
    }

    /// With an edit that breaks a rule: a person sees it among what was refused.
    private static func refused(
        _ object: LocalObject, as record: ObjectRecord, key: String, _ error: SyncError
    ) -> LocalObject {
        var object = object
        object.record = record
        noteEdit(in: &object.meta, key: key)
        guard var outgoing = object.meta.outgoing else { return object }
        let failure = MetaObject.Failure(message: error.message)
        outgoing.phase = .rejected(.invalid, failure)
        outgoing.lastError = failure
        object.meta.outgoing = outgoing
        return object
    }

    private func touch(_ uri: ObjectURI) throws {
        try collect(uri)
        if holds(uri.entity), touched[uri] == nil { touched.updateValue(try snapshot.record(at: uri), forKey: uri) }
    }
}

extension PairedTransaction: AppContext {
    func record(at uri: ObjectURI) throws -> ObjectRecord? {
        try collect(uri)
        return try snapshot.record(at: uri)
    }

    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
        try snapshot.records(matching: query, each)
    }

    func count(matching query: Query) throws -> Int { try snapshot.count(matching: query) }

    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
        for (uri, _) in batch { try touch(uri) }
        try snapshot.upsert(batch)
    }

    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
        try touch(from)
        try touch(to)
        let isMove = try from != to && snapshot.record(at: from) != nil
        try snapshot.changeIdentifier(from: from, to: to)
        guard isMove, holds(from.entity) else { return }
        let replaced = touched[to] ?? nil
        moves.append(ModelIntent.Move(from: from, to: to, replaces: replaced != nil))
        // What the model layer has of it now goes with it.
        let (oldForm, form) = (ModelForm.uri(of: from), ModelForm.uri(of: to))
        if try snapshot.record(at: form) != nil { try snapshot.delete([form]) }
        if try snapshot.record(at: oldForm) != nil { try snapshot.changeIdentifier(from: oldForm, to: form) }
        touched.updateValue(touched[from] ?? nil, forKey: to)
        touched.updateValue(nil, forKey: from)
        collected.insert(to)
        deferred[to] = deferred.removeValue(forKey: from)
    }

    func delete(_ batch: [ObjectURI]) throws {
        for uri in batch { try touch(uri) }
        try snapshot.delete(batch)
    }
}

extension PairedTransaction: StoreSnapshot {
    func object(at uri: ObjectURI) throws -> LocalObject? {
        try collect(uri)
        return try snapshot.object(at: uri)
    }

    func counts() throws -> [String: StateCounts] {
        var counts = try snapshot.counts()
        for entity in counts.keys where entity.hasPrefix(ModelIntent.ownEntities) { counts[entity] = nil }
        return counts
    }
}

extension PairedTransaction: MetaContext {
    func meta(at uri: ObjectURI) throws -> MetaObject? {
        try collect(uri)
        return try snapshot.meta(at: uri)
    }

    func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject] {
        try snapshot.changed(entity: entity, after: after, limit: limit)
    }

    func put(_ batch: [MetaObject]) throws {
        try snapshot.put(batch)
        for meta in batch { try collectDeferred(meta.uri) }
    }

    func removeMeta(_ batch: [ObjectURI]) throws { try snapshot.removeMeta(batch) }

    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
        try snapshot.changeMetaIdentifier(from: from, to: to, id: id)
    }

    func putAlias(of former: ObjectURI, to uri: ObjectURI) throws { try snapshot.putAlias(of: former, to: uri) }
    func alias(of uri: ObjectURI) throws -> ObjectURI? { try snapshot.alias(of: uri) }
    func formerURIs(of uri: ObjectURI) throws -> [ObjectURI] { try snapshot.formerURIs(of: uri) }
    func dependents(of uri: ObjectURI) throws -> [ObjectURI] { try snapshot.dependents(of: uri) }
    func cursor(for scope: PullScope) throws -> PullCursor? { try snapshot.cursor(for: scope) }
    func put(_ cursor: PullCursor, for scope: PullScope) throws { try snapshot.put(cursor, for: scope) }
    func removeCursor(for scope: PullScope) throws { try snapshot.removeCursor(for: scope) }

    func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)] {
        try snapshot.cursors(entity: entity)
    }

    func highestSequence() throws -> Int64 { try snapshot.highestSequence() }
    func raiseSequence(to sequence: Int64) throws { try snapshot.raiseSequence(to: sequence) }
}

extension PairedTransaction {
    private func writable() throws(StoreError) -> any StoreTransaction {
        guard let transaction else { throw .snapshotIsReadOnly }
        return transaction
    }

    func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed {
        let transaction = try writable()
        for index in items { try touch(page.uri(page.items[index])) }
        return try transaction.absorb(page, items: items)
    }

    func beginListing(entity: String, listing: Int64) throws {
        try writable().beginListing(entity: entity, listing: listing)
    }

    func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI] {
        try writable().unlisted(entity: entity, listing: listing, after: after, limit: limit)
    }

    func endListing(entity: String) throws { try writable().endListing(entity: entity) }
}
