internal import AtmosphereStore

/// A transaction, or a snapshot, of a ``LogStore``: a copy of the contents, and the steps that changed it.
final class LogTransaction: StoreTransaction {
    private(set) var contents: Contents
    private(set) var steps: [Step] = []
    private let isWritable: Bool
    private var isOpen = true

    init(_ contents: Contents, isWritable: Bool) {
        self.contents = contents
        self.isWritable = isWritable
    }

    /// Every later call throws.
    func end() { isOpen = false }

    private func reading() throws -> Contents {
        guard isOpen else { throw StoreError.transactionEnded }
        return contents
    }

    private func checkWritable() throws {
        guard isOpen else { throw StoreError.transactionEnded }
        guard isWritable else { throw StoreError.snapshotIsReadOnly }
    }

    private func perform(_ step: Step) {
        contents.apply(step)
        steps.append(step)
    }

    private func set(_ uri: ObjectURI, record: ObjectRecord?, meta: MetaObject?) {
        let new = StoredObject(record: record, meta: meta)
        if new != contents.objects[uri] { perform(.object(uri, new)) }
    }

    // MARK: Objects

    func object(at uri: ObjectURI) throws -> LocalObject? {
        guard let stored = try reading().objects[uri], let meta = stored.meta else { return nil }
        return LocalObject(record: stored.record, meta: meta)
    }

    func counts() throws -> [String: StateCounts] {
        var counts: [String: StateCounts] = [:]
        for (uri, object) in try reading().objects {
            if object.record != nil { counts[uri.entity, default: StateCounts()].objects += 1 }
            if let meta = object.meta, meta.isChanged { counts[uri.entity, default: StateCounts()].count(meta) }
        }
        return counts
    }

    // MARK: AppContext

    func record(at uri: ObjectURI) throws -> ObjectRecord? { try reading().objects[uri]?.record }

    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
        let all = try reading().objects.lazy.filter { $0.key.entity == query.entity }
            .compactMap { entry in entry.value.record.map { (entry.key, $0) } }
        for (uri, record) in query.select(from: all) where try !each(uri, record) { return }
    }

    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
        try checkWritable()
        for (uri, record) in batch { set(uri, record: record, meta: contents.objects[uri]?.meta) }
    }

    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
        try checkWritable()
        guard from != to, let record = contents.objects[from]?.record else { return }
        if contents.objects[to]?.record != nil { throw StoreError.identifierTaken(to, by: from) }
        set(from, record: nil, meta: contents.objects[from]?.meta)
        set(to, record: record, meta: contents.objects[to]?.meta)
    }

    func delete(_ batch: [ObjectURI]) throws {
        try checkWritable()
        for uri in batch { set(uri, record: nil, meta: contents.objects[uri]?.meta) }
    }

    // MARK: MetaContext

    func meta(at uri: ObjectURI) throws -> MetaObject? { try reading().objects[uri]?.meta }

    func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject] {
        let contents = try reading()
        let found = contents.changed.filter { uri in
            (entity ?? uri.entity) == uri.entity && after.map { $0 < uri } ?? true
        }
        return found.sorted().prefix(limit).compactMap { contents.objects[$0]?.meta }
    }

    func put(_ batch: [MetaObject]) throws {
        try checkWritable()
        for meta in batch {
            let known = contents.objects[meta.uri]
            if known?.meta == nil { endAliases(at: meta.uri) }
            set(meta.uri, record: known?.record, meta: meta)
        }
    }

    func removeMeta(_ batch: [ObjectURI]) throws {
        try checkWritable()
        for uri in batch { set(uri, record: contents.objects[uri]?.record, meta: nil) }
    }

    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
        try checkWritable()
        guard var meta = contents.objects[from]?.meta else { return }
        if from != to, contents.objects[to]?.meta != nil { throw StoreError.identifierTaken(to, by: from) }
        meta.uri = to
        meta.id = id
        if from != to {
            set(from, record: contents.objects[from]?.record, meta: nil)
            // Where it moves back, what else led there leads to it still.
            if try alias(of: to) == from { perform(.alias(to, nil)) } else { endAliases(at: to) }
            perform(.alias(from, to))
        }
        set(to, record: contents.objects[to]?.record, meta: meta)
    }

    func putAlias(of former: ObjectURI, to uri: ObjectURI) throws {
        try checkWritable()
        guard former != uri, contents.objects[former]?.meta == nil else { return }
        perform(.alias(former, uri))
    }

    /// An object comes to stand where none is: what had this URI before keeps its other former ones, and those of an object
    /// that is gone lead nowhere any more.
    private func endAliases(at uri: ObjectURI) {
        if contents.aliases.isEmpty { return }
        let next = contents.aliases[uri]
        var ending = [uri]
        while let each = ending.popLast() {
            if contents.aliases[each] != nil { perform(.alias(each, nil)) }
            for former in contents.aliases.filter({ $0.value == each }).keys {
                if let next, next != former { perform(.alias(former, next)) } else { ending.append(former) }
            }
        }
    }

    func alias(of uri: ObjectURI) throws -> ObjectURI? {
        let contents = try reading()
        let aliases = contents.aliases
        var present = aliases[uri]
        // A log of an earlier version may hold both.
        if present != nil, contents.objects[uri]?.meta != nil { return nil }
        while let known = present, let next = aliases[known] { present = next }
        return present
    }

    func formerURIs(of uri: ObjectURI) throws -> [ObjectURI] {
        try reading().aliases.filter { $0.value == uri }.map(\.key).sorted()
    }

    func dependents(of uri: ObjectURI) throws -> [ObjectURI] {
        let contents = try reading()
        return contents.waiting.filter { contents.objects[$0]?.meta?.waitsFor.contains(uri) == true }.sorted()
    }

    func cursor(for scope: PullScope) throws -> PullCursor? { try reading().cursors[scope] }

    func put(_ cursor: PullCursor, for scope: PullScope) throws {
        try checkWritable()
        perform(.cursor(scope, cursor))
    }

    func removeCursor(for scope: PullScope) throws {
        try checkWritable()
        perform(.cursor(scope, nil))
    }

    func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)] {
        try reading().cursors.filter { $0.key.entity == entity }
            .sorted { ($0.key.parent ?? "") < ($1.key.parent ?? "") }
            .map { (scope: $0.key, cursor: $0.value) }
    }

    func highestSequence() throws -> Int64 { try reading().sequence }

    func raiseSequence(to sequence: Int64) throws {
        try checkWritable()
        if sequence > contents.sequence { perform(.sequence(sequence)) }
    }

    // MARK: Pulls

    func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed {
        try checkWritable()
        var absorbed = Absorbed()
        let isNoted = page.listing != nil && page.listing == contents.listings[page.entity]?.number
        for index in items {
            let uri = page.uri(at: index)
            let known = contents.objects[uri]
            if let object = absorbed.decide(index, of: page, known: known) {
                if known == nil { endAliases(at: uri) }
                perform(.object(uri, object))
            }
            if isNoted { perform(.shown(uri)) }
        }
        return absorbed
    }

    func beginListing(entity: String, listing: Int64) throws {
        try checkWritable()
        perform(.listing(entity, listing))
    }

    func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI] {
        let contents = try reading()
        guard let notes = contents.listings[entity], notes.number == listing else { return [] }
        let found = contents.objects.filter { uri, object in
            guard uri.entity == entity, let sequence = object.sequence, after.map({ $0 < uri }) ?? true else {
                return false
            }
            return sequence < listing && !notes.shown.contains(uri)
        }
        return Array(found.keys.sorted().prefix(limit))
    }

    func endListing(entity: String) throws {
        try checkWritable()
        perform(.listing(entity, nil))
    }
}
