/// What a model layer is to become, as it stands in the store until it is done.
///
/// It names objects; their records are those of the store. Doing it twice is doing it once.
struct ModelIntent {
    /// Belongs to no entity that a route file can name.
    static let uri = ObjectURI(entity: "atmosphere:intent", id: "1")

    struct Move {
        var from: ObjectURI
        var to: ObjectURI
        /// What was at `to` before was deleted by the same write.
        var replaces: Bool
    }

    /// In their order; done before all else, so that an object stays the same object for the model layer.
    var moves: [Move] = []
    /// Objects whose records are new or gone, by where they are after the moves; with the record that the model layer had
    /// from the store until now.
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

    func apply(to models: any AppContext, from store: any AppContext) throws {
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
        for (uri, before) in changes {
            guard let record = try store.record(at: uri) else {
                gone.append(uri)
                continue
            }
            let mine = try models.record(at: uri)
            new.append((uri, mine.map { record.keeping(editsIn: $0, since: before) } ?? record))
        }
        if !gone.isEmpty { try models.delete(gone) }
        if !new.isEmpty { try models.upsert(new) }
    }
}

extension ObjectRecord {
    /// This record with the members that `mine`, which may hold a part of them, has neither from `before` nor from here.
    fileprivate func keeping(editsIn mine: ObjectRecord, since before: ObjectRecord?) -> ObjectRecord {
        var record = self
        let (here, before) = (members, before?.members ?? [:])
        for member in mine.members
        where !member.value.says(before[member.name]) && !member.value.says(here[member.name]) {
            record = record.replacing(member: member.name, with: member.value)
        }
        return record
    }

    /// The members that `mine`, which may hold a part of them, has otherwise than this record.
    func edits(in mine: ObjectRecord) -> [Value.Member] {
        let here = members
        return mine.members.filter { !$0.value.says(here[$0.name]) }
    }
}

extension Value {
    /// A model layer cannot tell an absent member from one that is null.
    fileprivate func says(_ other: Value?) -> Bool { self == other ?? .null }
}
