/// What a model layer is to become, as it stands in the store until it is done.
///
/// It names objects; their records are those of the store. Doing it twice is doing it once.
struct ModelIntent {
    /// How the entities begin that are kept for the model layer; no route file can name one.
    static let ownEntities = "atmosphere:"
    static let uri = ObjectURI(entity: ownEntities + "intent", id: "1")

    struct Move {
        var from: ObjectURI
        var to: ObjectURI
        /// What was at `to` before was deleted by the same write.
        var replaces: Bool
    }

    /// In their order; done before all else, so that an object stays the same object for the model layer.
    var moves: [Move] = []
    /// Objects whose records are new or gone, by where they are after the moves; with the record that the model layer had
    /// from the store until now, in the form in which it gives it back.
    var changes: [(uri: ObjectURI, before: ObjectRecord?)] = []

    // MARK: Stored

    init(moves: [Move], changes: [(uri: ObjectURI, before: ObjectRecord?)]) {
        self.moves = moves
        self.changes = changes
    }

    var record: ObjectRecord {
        var fields = StoredFieldsWriter()
        fields.set(
            "moves",
            list: moves.map { move in
                var fields = StoredFieldsWriter()
                fields.set("entity", move.from.entity)
                fields.set("from", move.from.id)
                fields.set("to", move.to.id)
                fields.set("replaces", flag: move.replaces)
                return fields.value
            })
        fields.set(
            "changes",
            list: changes.map { change in
                var fields = StoredFieldsWriter()
                fields.set("entity", change.uri.entity)
                fields.set("id", change.uri.id)
                fields.set("before", change.before)
                return fields.value
            })
        return ObjectRecord(fields.value.members ?? [:])
    }

    /// - Throws: ``StoreError`` `damaged`.
    init(_ record: ObjectRecord) throws {
        let name = "what the model layer is to become"
        let fields = try StoredFields(.object(record.members), of: name)
        for value in try fields.list("moves") {
            let move = try StoredFields(value, of: name)
            let entity = try move.text("entity")
            moves.append(
                Move(
                    from: ObjectURI(entity: entity, id: try move.text("from")),
                    to: ObjectURI(entity: entity, id: try move.text("to")), replaces: try move.flag("replaces")))
        }
        for value in try fields.list("changes") {
            let change = try StoredFields(value, of: name)
            let uri = ObjectURI(entity: try change.text("entity"), id: try change.text("id"))
            changes.append((uri, try change.optionalRecord("before", of: uri)))
        }
    }

    // MARK: Done

    /// Does it, once or again.
    ///
    /// - Returns: of each object that is there the members that the model layer gives back otherwise than it got them.
    func apply(to models: any AppContext, from store: any AppContext) throws -> [ModelForm] {
        for move in moves {
            // Where it was done already there is nothing to move.
            guard try models.record(at: move.from) != nil else { continue }
            if try models.record(at: move.to) != nil {
                guard move.replaces else { continue }
                try models.delete([move.to])
            }
            try models.changeIdentifier(from: move.from, to: move.to)
        }
        var gone: [ObjectURI] = []
        var new: [(uri: ObjectURI, record: ObjectRecord)] = []
        var old: [(before: ObjectRecord?, mine: ObjectRecord?)] = []
        for (uri, before) in changes {
            guard let record = try store.record(at: uri) else {
                gone.append(uri)
                continue
            }
            new.append((uri, record))
            old.append((before, try models.record(at: uri)))
        }
        if !gone.isEmpty { try models.delete(gone) }
        if !new.isEmpty { try models.upsert(new) }
        var forms = gone.map { ModelForm(uri: $0, members: [:]) }
        var edited: [(uri: ObjectURI, record: ObjectRecord)] = []
        for ((uri, record), (before, mine)) in zip(new, old) {
            // What the layer makes of a value is only known when it has it; what it had and is none of these is an edit.
            let back = try models.record(at: uri)
            forms.append(ModelForm(uri: uri, members: Value.Members(back.map { record.edits(in: $0) } ?? [])))
            guard let mine else { continue }
            let kept = record.keeping(editsIn: mine, since: [before, back])
            if kept != record { edited.append((uri, kept)) }
        }
        if !edited.isEmpty { try models.upsert(edited) }
        return forms
    }
}

/// The members of an object that the model layer gives back otherwise than it got them: a time in another zone, a number
/// without its zeros. They stand in the store until the layer is given others, so that nobody takes them for edits.
struct ModelForm {
    var uri: ObjectURI
    var members: Value.Members

    /// Where they stand in the store.
    static func uri(of object: ObjectURI) -> ObjectURI {
        // Belongs to no entity that a route file can name.
        ObjectURI(entity: "\(ModelIntent.ownEntities)form:\(object.entity)", id: object.id)
    }

    func keep(in store: any StoreTransaction) throws {
        let place = Self.uri(of: uri)
        let known = try store.record(at: place)
        if members.isEmpty {
            if known != nil { try store.delete([place]) }
        } else {
            let record = ObjectRecord(members)
            if record != known { try store.upsert([(place, record)]) }
        }
    }
}
