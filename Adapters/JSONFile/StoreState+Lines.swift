internal import AtmosphereStore

/// The form of the parts of a store in the lines of its files.
extension StoreState {
    /// The change as one record of the journal, with the values of this state; applying it twice changes nothing more.
    func record(of changes: StoreChanges, commit: Int64) -> Value {
        var fields = StoredFieldsWriter()
        fields.set("commit", commit)
        fields.set("sequence", changes.sequence)
        fields.set("objects", list: changes.objects.sorted().map { stored($0, withEntity: true) })
        fields.set("aliases", list: changes.aliases.sorted().map(storedAlias))
        fields.set("cursors", list: Self.inOrder(changes.cursors).map(storedCursor))
        fields.set(
            "listings",
            list: changes.entities.sorted().compactMap { entity in
                if changes.listings.contains(entity) { return storedListing(entity) }
                guard let shown = changes.shown[entity] else { return nil }
                var more = StoredFieldsWriter()
                more.set("entity", entity)
                let known = entities[entity]?.listing?.shown
                more.set("shown", list: shown.filter { known?[IdentifierKey($0)] != nil }.map(Value.string))
                return more.value
            })
        return fields.value
    }

    /// The lines of an entity's file.
    func lines(of entity: String, commit: Int64) -> some Sequence<Value> {
        var header = StoredFieldsWriter()
        header.set("atmosphere-entity", StoreFolder.version)
        header.set("entity", entity)
        header.set("commit", commit)
        header.set("sequence", highestSequence)
        let listing = entities[entity]?.listing == nil ? [] : [storedListing(entity)]
        let objects = (entities[entity]?.objects ?? OrderedTable()).lazy.map { key, _ in
            stored(ObjectURI(entity: entity, id: key.text), withEntity: false)
        }
        return AppendedLines(first: [header.value] + listing, rest: objects)
    }

    /// The lines of what belongs to no entity's file.
    func metaLines(files: [String: EntityFile], commit: Int64) -> [Value] {
        var header = StoredFieldsWriter()
        header.set("atmosphere-store", StoreFolder.version)
        header.set("commit", commit)
        header.set("sequence", highestSequence)
        let files = files.sorted { $0.key.precedesInBytes($1.key) }.map { entity, file in
            var fields = StoredFieldsWriter()
            fields.set("entity", entity)
            fields.set("file", file.name)
            fields.set("commit", file.commit)
            return fields.value
        }
        let aliases = aliases.map { Value.object(.init(unique: [.init(name: "alias", value: storedAlias($0.key))])) }
        let cursors = Self.inOrder(cursors.keys).map {
            Value.object(.init(unique: [.init(name: "cursor", value: storedCursor($0))]))
        }
        return [header.value] + files + aliases + cursors
    }

    private func stored(_ uri: ObjectURI, withEntity: Bool) -> Value {
        let object = self[uri]
        var fields = StoredFieldsWriter()
        if withEntity { fields.set("entity", uri.entity) }
        fields.set("id", uri.id)
        fields.set("record", object?.record)
        fields.set("meta", object?.meta?.stored(beside: object?.record))
        return fields.value
    }

    private func storedAlias(_ uri: ObjectURI) -> Value {
        let target = aliases[uri].map { [Value.string($0.entity), .string($0.id)] } ?? []
        return .array([.string(uri.entity), .string(uri.id)] + target)
    }

    private func storedCursor(_ scope: PullScope) -> Value {
        var fields = StoredFieldsWriter()
        fields.set("entity", scope.entity)
        fields.set("parent", scope.parent)
        fields.set("cursor", cursors[scope]?.stored())
        return fields.value
    }

    private func storedListing(_ entity: String) -> Value {
        let listing = entities[entity]?.listing
        var fields = StoredFieldsWriter()
        fields.set("entity", entity)
        fields.set("listing", listing.map { Value.number(JSONNumber($0.number)) } ?? .null)
        fields.set("shown", list: listing?.shown.map { .string($0.key.text) } ?? [])
        return fields.value
    }

    private static func inOrder(_ scopes: some Sequence<PullScope>) -> [PullScope] {
        scopes.sorted { ($0.entity, $0.parent ?? "") < ($1.entity, $1.parent ?? "") }
    }
}

/// Reading them back; each throws ``StoreError`` `damaged` or `newerFormat` before it changes anything of its own.
extension StoreState {
    /// - Parameters:
    ///   - withShared: also aliases and cursors, which belong to no entity's file.
    ///   - isNew: whether an entity needs what the commit says of it.
    mutating func apply(
        record fields: StoredFields, withShared: Bool = true, where isNew: (String) -> Bool = { _ in true }
    ) throws(StoreError) {
        for value in try fields.list("objects") {
            let object = try StoredFields(value, of: "an object")
            let entity = try object.text("entity")
            if isNew(entity) { try apply(object: object, of: entity) }
        }
        if withShared {
            for value in try fields.list("aliases") { try apply(alias: value) }
            for value in try fields.list("cursors") { try apply(cursor: value) }
        }
        for value in try fields.list("listings") {
            let listing = try StoredFields(value, of: "a listing")
            if isNew(try listing.text("entity")) { try apply(listing: value) }
        }
        highestSequence = max(highestSequence, try fields.optionalInteger("sequence") ?? 0)
    }

    mutating func apply(object: StoredFields, of entity: String) throws(StoreError) {
        let uri = ObjectURI(entity: entity, id: try object.text("id"))
        let record = try object.optionalRecord("record", of: uri)
        let meta: MetaObject? =
            if let stored = object.value("meta") {
                try MetaObject(stored: stored, beside: record, uri: uri)
            } else {
                nil
            }
        self[uri] = StoredObject(record: record, meta: meta)
    }

    mutating func apply(alias: Value) throws(StoreError) {
        let parts = alias.array?.compactMap(\.string) ?? []
        guard parts.count == 2 || parts.count == 4 else {
            throw .damaged("an alias", "it is not two entities with two identifiers")
        }
        setAlias(
            of: ObjectURI(entity: parts[0], id: parts[1]),
            to: parts.count == 4 ? ObjectURI(entity: parts[2], id: parts[3]) : nil)
    }

    mutating func apply(cursor: Value) throws(StoreError) {
        let fields = try StoredFields(cursor, of: "a cursor")
        let scope = PullScope(entity: try fields.text("entity"), parent: try fields.optionalText("parent"))
        guard let stored = fields.value("cursor") else { return cursors[scope] = nil }
        cursors[scope] = try PullCursor(stored: stored, scope: scope)
    }

    /// With a number, or null, the listing is new; without, it goes on.
    mutating func apply(listing: Value) throws(StoreError) {
        let fields = try StoredFields(listing, of: "a listing")
        let entity = try fields.text("entity")
        switch fields.value("listing") {
        case nil: break
        case .null?: setListing(nil, of: entity)
        default: setListing(Listing(number: try fields.integer("listing")), of: entity)
        }
        for shown in try fields.list("shown") {
            guard let id = shown.string else { throw fields.wrong("shown", "a list of identifiers") }
            noteShown(IdentifierKey(id), of: entity)
        }
    }
}

/// The file that an entity is in.
struct EntityFile: Sendable, Equatable {
    var name: String
    /// The last commit that is in it.
    var commit: Int64
    var size = 0
}

private struct AppendedLines<Rest: Sequence>: Sequence where Rest.Element == Value {
    let first: [Value]
    let rest: Rest

    func makeIterator() -> some IteratorProtocol<Value> {
        var head = first.makeIterator()
        var tail = rest.makeIterator()
        return AnyIterator { head.next() ?? tail.next() }
    }
}
