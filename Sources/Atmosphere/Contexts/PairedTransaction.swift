/// A transaction of the store that notes what the model layer is to become, and finds what the application has edited
/// there before it changes an object.
final class PairedTransaction: StoreTransaction {
    private let snapshot: any StoreSnapshot
    private let transaction: (any StoreTransaction)?
    private let models: (any AppContext)?
    private let holds: (String) -> Bool
    private let makeKey: () -> String
    private var collected: Set<ObjectURI> = []
    private var moves: [ModelIntent.Move] = []
    /// Each touched object with its record before, by where it is now.
    private var touched: [ObjectURI: ObjectRecord?] = [:]

    init(snapshot: any StoreSnapshot) {
        self.snapshot = snapshot
        transaction = nil
        models = nil
        holds = { _ in false }
        makeKey = { "" }
    }

    init(
        _ transaction: any StoreTransaction, _ models: any AppContext, _ layer: any ModelLayer,
        makeKey: @escaping () -> String
    ) {
        snapshot = transaction
        self.transaction = transaction
        self.models = models
        holds = { layer.holds($0) }
        self.makeKey = makeKey
    }

    /// nil where the model layer stays as it is.
    func intent() throws -> ModelIntent? {
        var changes: [(uri: ObjectURI, before: ObjectRecord?)] = []
        for (uri, before) in touched.sorted(by: { $0.key < $1.key }) where try snapshot.record(at: uri) != before {
            changes.append((uri, try before?.inForm(snapshot.record(at: ModelForm.uri(of: uri)))))
        }
        return moves.isEmpty && changes.isEmpty ? nil : ModelIntent(moves: moves, changes: changes)
    }

    /// Takes over what the application has edited of the object in its model layer.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func collect(_ uri: ObjectURI) throws -> Bool {
        guard let models, holds(uri.entity), collected.insert(uri).inserted,
            var object = try snapshot.object(at: uri), var record = object.record,
            let mine = try models.record(at: uri)
        else { return false }
        var edits = record.edits(in: mine)
        if edits.isEmpty { return false }
        edits = record.edits(in: mine, form: try snapshot.record(at: ModelForm.uri(of: uri)))
        if edits.isEmpty { return false }
        touched.updateValue(touched[uri] ?? record, forKey: uri)
        for edit in edits { record = record.replacing(member: edit.name, with: edit.value) }
        switch object.meta.state {
        case .synchronized(let confirmed):
            object.meta.state = .updated(confirmed, MetaObject.Outgoing(idempotencyKey: makeKey()))
        case .created(let outgoing, let deleting):
            object.meta.state = .created(outgoing.afterEdit(key: makeKey()), deleting: deleting)
        case .updated(let confirmed, let outgoing):
            object.meta.state = .updated(confirmed, outgoing.afterEditOfUpdate(key: makeKey()))
        case .deleted: return false
        }
        object.meta.revision += 1
        try snapshot.upsert([(uri, record)])
        try snapshot.put([object.meta])
        return true
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

    func put(_ batch: [MetaObject]) throws { try snapshot.put(batch) }
    func removeMeta(_ batch: [ObjectURI]) throws { try snapshot.removeMeta(batch) }

    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
        try snapshot.changeMetaIdentifier(from: from, to: to, id: id)
    }

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
