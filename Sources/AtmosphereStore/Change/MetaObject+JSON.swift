/// The form in which stores keep a meta object: one JSON object, everything but the URI.
///
/// `v` is the version of the form. A reader refuses a higher one; a change that an older reader would misunderstand
/// raises it. Version 2 has `uploads`; what has none is written as version 1.
extension MetaObject {
    private static let formVersion: Int64 = 2

    /// What a store keeps of the meta object; ``init(stored:beside:uri:)`` gives back an equal one.
    ///
    /// - Parameter record: the working record, which is kept beside this; a base equal to it is left out.
    public func stored(beside record: ObjectRecord?) -> Value {
        var fields = StoredFieldsWriter()
        fields.set("v", uploads.isEmpty ? 1 : Self.formVersion)
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
        guard try fields.integer("v") <= Self.formVersion else {
            throw StoreError(
                code: .newerFormat,
                message: "the meta object of \(uri) was written by a newer version of Atmosphere; use that version")
        }
        guard let wireType = ObjectID.WireType(rawValue: try fields.text("wire")) else {
            throw fields.wrong("wire", "a wire type")
        }
        self.init(
            uri: uri, id: ObjectID(try fields.text("id"), wireType), state: try State(stored: fields, record, uri),
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
    fileprivate init(stored fields: StoredFields, _ record: ObjectRecord?, _ uri: ObjectURI) throws(StoreError) {
        func confirmed() throws(StoreError) -> MetaObject.Confirmed {
            try MetaObject.Confirmed(stored: fields.fields("confirmed"), record, uri)
        }
        func outgoing() throws(StoreError) -> MetaObject.Outgoing {
            try MetaObject.Outgoing(stored: fields.fields("outgoing"), uri)
        }
        switch try fields.text("state") {
        case "synchronized": self = .synchronized(try confirmed())
        case "created": self = .created(try outgoing(), deleting: try fields.flag("deleting"))
        case "updated": self = .updated(try confirmed(), try outgoing())
        case "deleted": self = .deleted(try confirmed(), try outgoing())
        default: throw fields.wrong("state", "a state")
        }
    }
}

extension MetaObject.Confirmed {
    fileprivate func stored(beside record: ObjectRecord?) -> Value {
        var fields = StoredFieldsWriter()
        if base != record { fields.set("base", base) }
        fields.set("version", version)
        fields.set("sequence", sequence)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ record: ObjectRecord?, _ uri: ObjectURI) throws(StoreError) {
        guard let base = try fields.optionalRecord("base", of: uri) ?? record else { throw fields.missing("base") }
        self.init(
            base: base, version: try fields.optionalText("version"),
            sequence: try fields.integer("sequence"))
    }
}

extension MetaObject.Outgoing {
    fileprivate func stored() -> Value {
        var fields = StoredFieldsWriter()
        switch phase {
        case .waiting:
            fields.set("phase", "waiting")
        case .sending(let snapshot):
            fields.set("phase", "sending")
            fields.set("snapshot", snapshot.stored())
        case .unknown(let snapshot):
            fields.set("phase", "unknown")
            fields.set("snapshot", snapshot.stored())
        case .conflicted(let conflict):
            fields.set("phase", "conflicted")
            fields.set("conflict", conflict.stored())
        case .rejected(let snapshot, let failure):
            fields.set("phase", "rejected")
            fields.set("snapshot", snapshot.stored())
            fields.set("failure", failure.stored())
        }
        fields.setUnlessZero("attempts", Int64(attempts))
        fields.set("nextAttempt", nextAttempt?.milliseconds)
        fields.set("key", idempotencyKey)
        fields.set("mayHaveArrived", flag: evidence.mayHaveArrived)
        fields.set("lastError", lastError?.stored())
        fields.set("answered", flag: evidence == .underWay)
        fields.set("knownThere", flag: evidence.isKnownThere)
        fields.set("named", flag: evidence.isNamed)
        fields.set("unshown", flag: [.inDoubt(isLookedFor: true), .named(isLookedFor: true)].contains(evidence))
        fields.set("begun", flag: evidence == .begun)
        fields.set("knownBefore", knownBefore)
        fields.set("unanswered", list: unanswered.map(\.embedded))
        fields.set("former", former)
        fields.set("unread", unread?.stored())
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        func snapshot() throws(StoreError) -> MetaObject.Snapshot {
            try MetaObject.Snapshot(stored: fields.fields("snapshot"), uri)
        }
        let phase: MetaObject.Phase =
            switch try fields.text("phase") {
            case "waiting": .waiting
            case "sending": .sending(try snapshot())
            case "unknown": .unknown(try snapshot())
            case "conflicted": .conflicted(try MetaObject.Conflict(stored: fields.fields("conflict"), uri))
            case "rejected": .rejected(try snapshot(), try MetaObject.Failure(stored: fields.fields("failure")))
            default: throw fields.wrong("phase", "a phase")
            }
        self.init(
            phase: phase, attempts: Int(clamping: try fields.optionalInteger("attempts") ?? 0),
            nextAttempt: try fields.optionalInteger("nextAttempt").map { Timestamp(milliseconds: $0) },
            idempotencyKey: try fields.text("key"), evidence: try Evidence(flagsOf: fields),
            lastError: fields.value("lastError") == nil
                ? nil : try MetaObject.Failure(stored: fields.fields("lastError")))
        knownBefore = try fields.optionalInteger("knownBefore")
        for value in try fields.list("unanswered") { unanswered.append(try ObjectRecord(embedded: value, of: uri)) }
        former = try fields.optionalRecord("former", of: uri)
        guard fields.value("unread") != nil else { return }
        unread = try MetaObject.Unread(stored: fields.fields("unread"), uri)
    }
}

extension Evidence {
    /// As forms before 3 have it.
    fileprivate init(flagsOf fields: StoredFields) throws(StoreError) {
        let isLookedFor = try fields.flag("unshown")
        let mayHaveArrived = try fields.flag("mayHaveArrived")
        if try fields.flag("begun") {
            self = .begun
        } else if try fields.flag("named") {
            self = .named(isLookedFor: isLookedFor)
        } else if try fields.flag("knownThere") {
            self = mayHaveArrived ? .nameless : .duplicate
        } else if try fields.flag("answered") {
            self = .underWay
        } else {
            self = mayHaveArrived ? .inDoubt(isLookedFor: isLookedFor) : .none
        }
    }
}

extension MetaObject.Unread {
    fileprivate func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("sent", sent)
        fields.set("before", before)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        guard let sent = try fields.optionalRecord("sent", of: uri) else { throw fields.wrong("sent", "a record") }
        self.init(sent: sent, before: try fields.optionalRecord("before", of: uri))
    }
}

extension MetaObject.Snapshot {
    fileprivate func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("record", record)
        fields.set("revision", revision)
        fields.set("sequence", sequence)
        fields.set("action", action)
        fields.set("upload", upload)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        self.init(
            record: try fields.optionalRecord("record", of: uri), revision: try fields.integer("revision"),
            sequence: try fields.integer("sequence"))
        action = try fields.optionalText("action")
        upload = try fields.optionalText("upload")
    }
}

extension MetaObject.Conflict {
    fileprivate func stored() -> Value {
        var stored = StoredFieldsWriter()
        stored.set("theirs", theirs)
        stored.set("version", version)
        stored.set("sequence", sequence)
        stored.set("fields", list: fields.map(Value.string))
        stored.set("retryAt", retryAt?.milliseconds)
        stored.set("lost", lost?.stored())
        return stored.value
    }

    fileprivate init(stored: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        var names: [String] = []
        for value in try stored.list("fields") {
            guard let name = value.string else { throw stored.wrong("fields", "a list of names") }
            names.append(name)
        }
        self.init(
            theirs: try stored.optionalRecord("theirs", of: uri), version: try stored.optionalText("version"),
            sequence: try stored.integer("sequence"), fields: names)
        retryAt = try stored.optionalInteger("retryAt").map { Timestamp(milliseconds: $0) }
        if stored.value("lost") != nil { lost = try MetaObject.Snapshot(stored: stored.fields("lost"), uri) }
    }
}

extension MetaObject.Failure {
    fileprivate func stored() -> Value {
        var stored = StoredFieldsWriter()
        stored.set("status", status.map(Int64.init))
        stored.set("message", message)
        stored.set("fields", list: fields.map { .array([.string($0.field), .string($0.message)]) })
        return stored.value
    }

    fileprivate init(stored: StoredFields) throws(StoreError) {
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
