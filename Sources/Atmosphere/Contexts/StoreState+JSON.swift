/// The form of a whole store as one JSON document, an object to a line, so that people and `diff` can read it.
extension StoreState {
    private static let formVersion: Int64 = 1
    private static let formName = "atmosphere-store"

    package func document() -> [UInt8] {
        var text = Array("{\"\(Self.formName)\":\(Self.formVersion),\"sequence\":\(highestSequence)".utf8)
        append("aliases", aliases.map { .array(Self.stored($0.key) + Self.stored($0.element)) }, to: &text)
        append("cursors", storedCursors, to: &text)
        append("listings", storedListings, to: &text)
        append("objects", storedObjects, to: &text)
        text += Array("}\n".utf8)
        return text
    }

    private func append(_ name: String, _ values: some Sequence<Value>, to text: inout [UInt8]) {
        text += Array(",\n\"\(name)\":[".utf8)
        var separator = "\n"
        for value in values {
            text += Array(separator.utf8)
            text += value.json()
            separator = ",\n"
        }
        text += Array("\n]".utf8)
    }

    private static func stored(_ uri: ObjectURI) -> [Value] { [.string(uri.entity), .string(uri.id)] }

    private var entitiesInOrder: [(key: String, value: Entity)] {
        entities.sorted { $0.key.precedesInBytes($1.key) }
    }

    private var storedCursors: [Value] {
        let inOrder = cursors.sorted {
            ($0.key.entity, $0.key.parent ?? "") < ($1.key.entity, $1.key.parent ?? "")
        }
        return inOrder.map { scope, cursor in
            var fields = StoredFieldsWriter()
            fields.set("entity", scope.entity)
            fields.set("parent", scope.parent)
            fields.set("cursor", cursor.stored())
            return fields.value
        }
    }

    private var storedListings: [Value] {
        entitiesInOrder.compactMap { name, entity in
            guard let listing = entity.listing else { return nil }
            var fields = StoredFieldsWriter()
            fields.set("entity", name)
            fields.set("listing", listing.number)
            fields.set("shown", list: listing.shown.map { .string($0.key.text) })
            return fields.value
        }
    }

    private var storedObjects: some Sequence<Value> {
        entitiesInOrder.lazy.flatMap { name, entity in
            entity.objects.lazy.map { key, object in
                var fields = StoredFieldsWriter()
                fields.set("entity", name)
                fields.set("id", key.text)
                fields.set("record", object.record)
                fields.set("meta", object.meta?.stored(beside: object.record))
                return fields.value
            }
        }
    }
}

extension StoreState {
    /// - Parameter place: what the document stands in, for messages.
    /// - Throws: ``StoreError`` `damaged`, or `newerFormat`.
    package init(document: [UInt8], place: String) throws(StoreError) {
        let value: Value
        do {
            value = try Value(json: document, limits: .unlimited)
        } catch {
            throw .damaged(place, "\(error.message) at byte \(error.offset)")
        }
        let fields = try StoredFields(value, of: place)
        guard try fields.integer(Self.formName) <= Self.formVersion else {
            throw StoreError(
                code: .newerFormat,
                message: "\(place) was written by a newer version of Atmosphere; use that version")
        }
        self.init()
        highestSequence = try fields.integer("sequence")
        try readAliases(fields, place)
        for value in try fields.list("cursors") {
            let each = try StoredFields(value, of: "a cursor in \(place)")
            let scope = PullScope(entity: try each.text("entity"), parent: try each.optionalText("parent"))
            cursors[scope] = try PullCursor(stored: each.value("cursor") ?? .null, scope: scope)
        }
        for value in try fields.list("objects") {
            let each = try StoredFields(value, of: "an object in \(place)")
            let uri = ObjectURI(entity: try each.text("entity"), id: try each.text("id"))
            let record = try each.optionalRecord("record", of: uri)
            let meta: MetaObject? =
                if let stored = each.value("meta") {
                    try MetaObject(stored: stored, beside: record, uri: uri)
                } else {
                    nil
                }
            self[uri] = StoredObject(record: record, meta: meta)
        }
        for value in try fields.list("listings") {
            let each = try StoredFields(value, of: "a listing in \(place)")
            let entity = try each.text("entity")
            setListing(Listing(number: try each.integer("listing")), of: entity)
            for shown in try each.list("shown") {
                guard let id = shown.string else { throw each.wrong("shown", "a list of identifiers") }
                noteShown(IdentifierKey(id), of: entity)
            }
        }
    }

    private mutating func readAliases(_ fields: StoredFields, _ place: String) throws(StoreError) {
        for value in try fields.list("aliases") {
            let parts = value.array?.compactMap(\.string) ?? []
            guard parts.count == 4 else {
                throw .damaged(place, "an alias is not two entities with two identifiers")
            }
            aliases[ObjectURI(entity: parts[0], id: parts[1])] = ObjectURI(entity: parts[2], id: parts[3])
        }
    }
}
