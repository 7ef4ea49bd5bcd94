/// The form in which stores keep a meta object: one JSON object, everything but the URI.
///
/// `v` is the version of the form. A reader refuses a higher one; a change that an older reader would misunderstand
/// raises it. Version 2 has `uploads`; version 3 says in words what is known of a change (``Evidence``, ``Retry``,
/// ``Verdict``) where the older ones have flags, and is written for all that has one; version 4 names the stale members of the
/// base (``Confirmed/stale``), where there are any. Everything else is written as version 1.
extension MetaObject {
    private static let formVersion: Int64 = 4

    private var neededForm: Int64 {
        if confirmed?.stale.isEmpty == false { return 4 }
        return outgoing == nil && uploads.isEmpty ? 1 : 3
    }

    /// What a store keeps of the meta object; ``init(stored:beside:uri:)`` gives back an equal one.
    ///
    /// - Parameter record: the working record, which is kept beside this; a base equal to it is left out.
    public func stored(beside record: ObjectRecord?) -> Value {
        var fields = StoredFieldsWriter()
        fields.set("v", neededForm)
        fields.set("id", id.text)
        fields.set("wire", id.wireType.rawValue)
        fields.setUnlessZero("revision", revision)
        fields.set("waitsFor", list: waitsFor.map { .array([.string($0.entity), .string($0.id)]) })
        switch state {
        case .synchronized(let confirmed):
            fields.set("state", "synchronized")
            fields.set("confirmed", confirmed.stored(beside: record))
        case .created(let outgoing, let deleting):
            fields.set("state", "created")
            fields.set("deleting", flag: deleting)
            fields.set("outgoing", outgoing.stored())
        case .updated(let confirmed, let outgoing):
            fields.set("state", "updated")
            fields.set("confirmed", confirmed.stored(beside: record))
            fields.set("outgoing", outgoing.stored())
        case .deleted(let confirmed, let outgoing):
            fields.set("state", "deleted")
            fields.set("confirmed", confirmed.stored(beside: record))
            fields.set("outgoing", outgoing.stored())
        }
        fields.set("uploads", list: uploads.map { $0.stored() })
        return fields.value
    }

    /// The meta object that ``stored(beside:)`` was made of.
    ///
    /// - Parameter record: the working record that was kept beside it.
    /// - Throws: ``StoreError`` `damaged`, or `newerFormat`.
    public init(stored value: Value, beside record: ObjectRecord?, uri: ObjectURI) throws(StoreError) {
        let fields = try StoredFields(value, of: "the meta object of \(uri)")
        let version = try fields.integer("v")
        guard version <= Self.formVersion else {
            throw StoreError(
                code: .newerFormat,
                message: "the meta object of \(uri) was written by a newer version of Atmosphere; use that version")
        }
        guard let wireType = ObjectID.WireType(rawValue: try fields.text("wire")) else {
            throw fields.wrong("wire", "a wire type")
        }
        self.init(
            uri: uri, id: ObjectID(try fields.text("id"), wireType),
            state: try State(stored: fields, version, record, uri),
            revision: try fields.optionalInteger("revision") ?? 0, waitsFor: [])
        for value in try fields.list("waitsFor") {
            guard let pair = value.array, pair.count == 2, let entity = pair[0].string, let id = pair[1].string else {
                throw fields.wrong("waitsFor", "a list of entities and identifiers")
            }
            waitsFor.append(ObjectURI(entity: entity, id: id))
        }
        for value in try fields.list("uploads") { uploads.append(try Upload(stored: value, of: uri)) }
    }
}

extension MetaObject.State {
    fileprivate init(
        stored fields: StoredFields, _ version: Int64, _ record: ObjectRecord?, _ uri: ObjectURI
    ) throws(StoreError) {
        func confirmed() throws(StoreError) -> MetaObject.Confirmed {
            try MetaObject.Confirmed(stored: fields.fields("confirmed"), record, uri)
        }
        func outgoing(beside base: ObjectRecord? = nil) throws(StoreError) -> Change {
            let stored = try fields.fields("outgoing")
            guard version >= 3 else { return try Change(flagsOf: stored, uri, beside: base) }
            return try Change(stored: stored, uri)
        }
        switch try fields.text("state") {
        case "synchronized": self = .synchronized(try confirmed())
        case "created": self = .created(try outgoing(), deleting: try fields.flag("deleting"))
        case "updated":
            let confirmed = try confirmed()
            self = .updated(confirmed, try outgoing(beside: confirmed.base))
        case "deleted":
            let confirmed = try confirmed()
            self = .deleted(confirmed, try outgoing(beside: confirmed.base))
        default: throw fields.wrong("state", "a state")
        }
    }
}

extension MetaObject.Confirmed {
    func stored(beside record: ObjectRecord?) -> Value {
        var fields = StoredFieldsWriter()
        if base != record { fields.set("base", base) }
        fields.set("version", version)
        fields.set("sequence", sequence)
        fields.set("stale", list: stale.map(Value.string))
        return fields.value
    }

    init(stored fields: StoredFields, _ record: ObjectRecord?, _ uri: ObjectURI) throws(StoreError) {
        guard let base = try fields.optionalRecord("base", of: uri) ?? record else { throw fields.missing("base") }
        self.init(
            base: base, version: try fields.optionalText("version"),
            sequence: try fields.integer("sequence"), stale: try fields.names("stale"))
    }
}

extension MetaObject.Failure {
    func stored() -> Value {
        var stored = StoredFieldsWriter()
        stored.set("status", status.map(Int64.init))
        stored.set("message", message)
        stored.set("fields", list: fields.map { .array([.string($0.field), .string($0.message)]) })
        return stored.value
    }

    init(stored: StoredFields) throws(StoreError) {
        self.init(
            status: try stored.optionalInteger("status").map { Int(clamping: $0) },
            message: try stored.text("message"))
        for value in try stored.list("fields") {
            guard let pair = value.array, pair.count == 2, let field = pair[0].string, let message = pair[1].string
            else { throw stored.wrong("fields", "a list of fields and messages") }
            fields.append(MetaObject.FieldMessage(field: field, message: message))
        }
    }
}

extension MetaObject.Conflict {
    func stored() -> Value {
        var stored = StoredFieldsWriter()
        stored.set("theirs", theirs)
        stored.set("version", version)
        stored.set("sequence", sequence)
        switch cause {
        case .clash(let fields):
            stored.set("cause", "clash")
            stored.set("fields", list: fields.map(Value.string))
        case .deletion: stored.set("cause", "deletion")
        case .refusedEachTime: stored.set("cause", "refusedEachTime")
        case .leased(let until):
            stored.set("cause", "leased")
            stored.set("retryAt", until.milliseconds)
        }
        stored.set("lost", lost?.stored())
        return stored.value
    }

    init(stored: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        let cause: Cause =
            switch try stored.text("cause") {
            case "clash": .clash(try stored.names("fields"))
            case "deletion": .deletion
            case "refusedEachTime": .refusedEachTime
            case "leased": .leased(until: Timestamp(milliseconds: try stored.integer("retryAt")))
            default: throw stored.wrong("cause", "what a conflict is about")
            }
        try self.init(cause, stored, uri)
    }

    init(_ cause: Cause, _ stored: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        self.init(
            cause, theirs: try stored.optionalRecord("theirs", of: uri), version: try stored.optionalText("version"),
            sequence: try stored.integer("sequence"))
        if stored.value("lost") != nil { lost = try Attempt(stored: stored.fields("lost"), uri) }
    }
}
