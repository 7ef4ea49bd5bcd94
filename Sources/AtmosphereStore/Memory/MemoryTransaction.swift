/// A transaction, or a snapshot, over a ``StoreState``; whoever made it takes the state back at its end.
package final class MemoryTransaction: StoreTransaction {
    private var state: StoreState
    private let isWritable: Bool
    private var isOpen = true
    /// Everything that changed, for who keeps changes.
    private(set) package var changes = StoreChanges()

    /// The objects whose record or meta object changed, as a ``CommitSet`` names them.
    package var touched: [String: Set<String>] {
        Dictionary(grouping: changes.objects, by: \.entity).mapValues { CommitSet.named($0.map(\.id)) }
    }

    package var isDirty: Bool { !changes.isEmpty }

    package init(_ state: StoreState, isWritable: Bool) {
        self.state = state
        self.isWritable = isWritable
    }

    /// Every later call throws ``StoreError`` `closed`.
    @discardableResult
    package func end() -> StoreState {
        isOpen = false
        defer { state = StoreState() }
        return state
    }

    private func reading() throws(StoreError) -> StoreState {
        guard isOpen else { throw .transactionEnded }
        return state
    }

    private func startWriting() throws(StoreError) {
        guard isOpen else { throw .transactionEnded }
        guard isWritable else { throw .snapshotIsReadOnly }
    }

    private func set(_ uri: ObjectURI, record: ObjectRecord?, meta: MetaObject?) {
        let new = StoredObject(record: record, meta: meta)
        if new == state[uri] { return }
        state[uri] = new
        touch(uri)
    }

    private func touch(_ uri: ObjectURI) { changes.objects.insert(uri) }
}

extension MemoryTransaction: StoreSnapshot {
    package func object(at uri: ObjectURI) throws -> LocalObject? {
        guard let stored = try reading()[uri], let meta = stored.meta else { return nil }
        return LocalObject(record: stored.record, meta: meta)
    }

    package func counts() throws -> [String: StateCounts] {
        try reading().entities.compactMapValues { entity in
            var counts = StateCounts()
            counts.objects = entity.records
            for (key, _) in entity.changed {
                if let meta = entity.objects[key]?.meta { counts.count(meta) }
            }
            return counts == StateCounts() ? nil : counts
        }
    }
}

extension MemoryTransaction: AppContext {
    package func record(at uri: ObjectURI) throws -> ObjectRecord? { try reading()[uri]?.record }

    package func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
        guard let entity = try reading().entities[query.entity] else { return }
        func uri(_ key: IdentifierKey) -> ObjectURI { ObjectURI(entity: query.entity, id: key.text) }
        var run = QueryRun(query)
        for (key, stored) in entity.objects {
            guard run.isHungry else { break }
            guard let record = stored.record, run.takes(record, at: uri(key)) else { continue }
            if try !each(uri(key), record) { return }
        }
        for uri in run.ordered() {
            guard let record = entity.objects[IdentifierKey(uri.id)]?.record else { continue }
            if try !each(uri, record) { return }
        }
    }

    package func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
        try startWriting()
        for (uri, record) in batch { set(uri, record: record, meta: state[uri]?.meta) }
    }

    package func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
        try startWriting()
        guard from != to, let record = state[from]?.record else { return }
        if state[to]?.record != nil { throw StoreError.identifierTaken(to, by: from) }
        set(from, record: nil, meta: state[from]?.meta)
        set(to, record: record, meta: state[to]?.meta)
    }

    package func delete(_ batch: [ObjectURI]) throws {
        try startWriting()
        for uri in batch { set(uri, record: nil, meta: state[uri]?.meta) }
    }
}

extension MemoryTransaction: MetaContext {
    package func meta(at uri: ObjectURI) throws -> MetaObject? { try reading()[uri]?.meta }

    package func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject] {
        let state = try reading()
        var found: [MetaObject] = []
        for name in state.entities.keys.sorted(by: { $0.precedesInBytes($1) }) where entity ?? name == name {
            if let after, name.precedesInBytes(after.entity) { continue }
            guard let each = state.entities[name] else { continue }
            let start = after.flatMap { $0.entity == name ? IdentifierKey($0.id) : nil }
            for (key, _) in each.changed.entries(after: start) {
                guard found.count < limit else { return found }
                if let meta = each.objects[key]?.meta { found.append(meta) }
            }
        }
        return found
    }

    package func put(_ batch: [MetaObject]) throws {
        try startWriting()
        for meta in batch {
            let known = state[meta.uri]
            if known?.meta == nil { endAliases(at: meta.uri) }
            set(meta.uri, record: known?.record, meta: meta)
        }
    }

    package func removeMeta(_ batch: [ObjectURI]) throws {
        try startWriting()
        for uri in batch { set(uri, record: state[uri]?.record, meta: nil) }
    }

    package func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
        try startWriting()
        guard var meta = state[from]?.meta else { return }
        meta.uri = to
        meta.id = id
        if from == to { return set(to, record: state[to]?.record, meta: meta) }
        if state[to]?.meta != nil { throw StoreError.identifierTaken(to, by: from) }
        set(from, record: state[from]?.record, meta: nil)
        set(to, record: state[to]?.record, meta: meta)
        if try alias(of: to) == from {
            // It moves back, so what else led there leads to it still.
            setAlias(of: to, to: nil)
        } else {
            endAliases(at: to)
        }
        setAlias(of: from, to: to)
    }

    package func putAlias(of former: ObjectURI, to uri: ObjectURI) throws {
        try startWriting()
        guard former != uri, state[former]?.meta == nil else { return }
        setAlias(of: former, to: uri)
    }

    private func setAlias(of uri: ObjectURI, to present: ObjectURI?) {
        state.setAlias(of: uri, to: present)
        changes.aliases.insert(uri)
    }

    /// An object comes to stand where none is: what had this URI before keeps its other former ones, and those of an object
    /// that is gone lead nowhere any more.
    private func endAliases(at uri: ObjectURI) {
        let next = state.aliases[uri]
        var ending = [uri]
        while let each = ending.popLast() {
            if state.aliases[each] != nil { setAlias(of: each, to: nil) }
            for former in state.formers[each] ?? [] {
                if let next, next != former { setAlias(of: former, to: next) } else { ending.append(former) }
            }
        }
    }

    package func alias(of uri: ObjectURI) throws -> ObjectURI? {
        let state = try reading()
        let aliases = state.aliases
        var present = aliases[uri]
        // A store of an earlier version may hold both.
        if present != nil, state[uri]?.meta != nil { return nil }
        while let known = present, let next = aliases[known] { present = next }
        return present
    }

    package func formerURIs(of uri: ObjectURI) throws -> [ObjectURI] {
        (try reading().formers[uri] ?? []).sorted()
    }

    package func dependents(of uri: ObjectURI) throws -> [ObjectURI] {
        (try reading().dependents[uri] ?? []).sorted()
    }

    package func cursor(for scope: PullScope) throws -> PullCursor? { try reading().cursors[scope] }

    package func put(_ cursor: PullCursor, for scope: PullScope) throws {
        try startWriting()
        state.cursors[scope] = cursor
        changes.cursors.insert(scope)
    }

    package func removeCursor(for scope: PullScope) throws {
        try startWriting()
        state.cursors[scope] = nil
        changes.cursors.insert(scope)
    }

    package func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)] {
        try reading().cursors.filter { $0.key.entity == entity }
            .sorted { ($0.key.parent ?? "").precedesInBytes($1.key.parent ?? "") }
            .map { (scope: $0.key, cursor: $0.value) }
    }

    package func highestSequence() throws -> Int64 { try reading().highestSequence }

    package func raiseSequence(to sequence: Int64) throws {
        try startWriting()
        guard sequence > state.highestSequence else { return }
        state.highestSequence = sequence
        changes.sequence = sequence
    }
}

extension MemoryTransaction {
    package func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed {
        try startWriting()
        var absorbed = Absorbed()
        let isNoted = page.listing != nil && page.listing == state.entities[page.entity]?.listing?.number
        for index in items {
            let item = page.items[index]
            let uri = page.uri(item)
            switch Absorption(item, of: page, known: state[uri]) {
            case .insert(let stored):
                endAliases(at: uri)
                state[uri] = stored
                touch(uri)
                absorbed.inserted += 1
            case .update(let stored):
                state[uri] = stored
                touch(uri)
                absorbed.updated += 1
            case .unchanged: absorbed.unchanged += 1
            case .defer: absorbed.deferred.append(index)
            }
            if isNoted {
                state.noteShown(IdentifierKey(uri.id), of: page.entity)
                changes.shown[page.entity, default: []].append(uri.id)
            }
        }
        return absorbed
    }

    package func beginListing(entity: String, listing: Int64) throws {
        try startWriting()
        state.setListing(StoreState.Listing(number: listing), of: entity)
        changes.listings.insert(entity)
    }

    package func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI] {
        guard let each = try reading().entities[entity], let notes = each.listing, notes.number == listing else {
            return []
        }
        var found: [ObjectURI] = []
        for (key, stored) in each.objects.entries(after: after.map { IdentifierKey($0.id) }) {
            guard found.count < limit else { break }
            guard let sequence = stored.sequence, sequence < listing, notes.shown[key] == nil else {
                continue
            }
            found.append(ObjectURI(entity: entity, id: key.text))
        }
        return found
    }

    package func endListing(entity: String) throws {
        try startWriting()
        state.setListing(nil, of: entity)
        changes.listings.insert(entity)
    }
}
