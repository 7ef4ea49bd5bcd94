/// The form in which stores keep a meta object: one JSON object, everything but the URI.
///
/// `v` is the version of the form. A reader refuses a higher one; a change that an older reader would misunderstand
/// raises it. Version 2 has `uploads`; version 3 says in words what is known of a change (``Evidence``, ``Retry``,
/// ``Verdict``) where the older ones have flags, and is written for all that has one. Everything else is written as version 1.
extension MetaObject {
    private static let formVersion: Int64 = 3

    /// What a store keeps of the meta object; ``init(stored:beside:uri:)`` gives back an equal one.
    ///
    /// - Parameter record: the working record, which is kept beside this; a base equal to it is left out.
    public func stored(beside record: ObjectRecord?) -> Value {
        var fields = StoredFieldsWriter()
        fields.set("v", outgoing == nil && uploads.isEmpty ? 1 : Self.formVersion)
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
        func outgoing(beside base: ObjectRecord? = nil) throws(StoreError) -> MetaObject.Outgoing {
            let stored = try fields.fields("outgoing")
            guard version >= 3 else { return try MetaObject.Outgoing(flagsOf: stored, uri, beside: base) }
            return try MetaObject.Outgoing(stored: stored, uri)
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
        fields.set("phase", phase.word)
        switch phase {
        case .waiting: break
        case .sending(let attempt), .unknown(let attempt): fields.set("attempt", attempt.stored())
        case .conflicted(let conflict): fields.set("conflict", conflict.stored())
        case .rejected(let verdict, let failure):
            fields.set("verdict", verdict.stored())
            fields.set("failure", failure.stored())
        }
        fields.set("evidence", evidence.word)
        fields.set("lookedFor", flag: evidence.isLookedFor)
        if retry != Retry() { fields.set("retry", retry.stored()) }
        fields.set("key", idempotencyKey)
        fields.set("lastError", lastError?.stored())
        fields.set("knownBefore", knownBefore)
        fields.set("unanswered", list: unanswered.map(\.embedded))
        fields.set("former", former)
        fields.set("unread", unread?.stored())
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        let phase: MetaObject.Phase =
            switch try fields.text("phase") {
            case "waiting": .waiting
            case "sending": .sending(try MetaObject.Snapshot(stored: fields.fields("attempt"), uri))
            case "inDoubt": .unknown(try MetaObject.Snapshot(stored: fields.fields("attempt"), uri))
            case "conflicted": .conflicted(try MetaObject.Conflict(stored: fields.fields("conflict"), uri))
            case "rejected":
                .rejected(
                    try Verdict(stored: fields.fields("verdict"), uri),
                    try MetaObject.Failure(stored: fields.fields("failure")))
            default: throw fields.wrong("phase", "a phase")
            }
        self.init(
            phase: phase, retry: fields.value("retry") == nil ? Retry() : try Retry(stored: fields.fields("retry")),
            idempotencyKey: try fields.text("key"), evidence: try Evidence(stored: fields))
        try readRest(fields, uri)
    }

    /// What forms before 3 say in the same way.
    private mutating func readRest(_ fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        if fields.value("lastError") != nil { lastError = try MetaObject.Failure(stored: fields.fields("lastError")) }
        knownBefore = try fields.optionalInteger("knownBefore")
        for value in try fields.list("unanswered") { unanswered.append(try ObjectRecord(embedded: value, of: uri)) }
        former = try fields.optionalRecord("former", of: uri)
        if fields.value("unread") != nil { unread = try MetaObject.Unread(stored: fields.fields("unread"), uri) }
    }

    /// Of form 1 or 2.
    ///
    /// - Parameter base: what the server has confirmed of the object.
    fileprivate init(flagsOf fields: StoredFields, _ uri: ObjectURI, beside base: ObjectRecord?) throws(StoreError) {
        func snapshot() throws(StoreError) -> MetaObject.Snapshot {
            try MetaObject.Snapshot(stored: fields.fields("snapshot"), uri)
        }
        let phase: MetaObject.Phase
        switch try fields.text("phase") {
        case "waiting": phase = .waiting
        case "sending": phase = .sending(try snapshot())
        case "unknown": phase = .unknown(try snapshot())
        case "conflicted":
            phase = .conflicted(try MetaObject.Conflict(flagsOf: fields.fields("conflict"), uri, beside: base))
        case "rejected":
            let failure = try MetaObject.Failure(stored: fields.fields("failure"))
            phase = .rejected(Verdict(of: try snapshot(), failure), failure)
        default: throw fields.wrong("phase", "a phase")
        }
        self.init(
            phase: phase, idempotencyKey: try fields.text("key"), evidence: try Evidence(flagsOf: fields))
        try readRest(fields, uri)
        retry = try retry(flagsOf: fields)
    }

    /// What the one counter of older forms has counted, as far as the rest says it.
    private func retry(flagsOf fields: StoredFields) throws(StoreError) -> Retry {
        let tries = Int(clamping: max(0, min(try fields.optionalInteger("attempts") ?? 0, 1 << 30)))
        let due = try fields.optionalInteger("nextAttempt").map { Timestamp(milliseconds: $0) }
        let purpose: Retry.Purpose
        if unread != nil {
            purpose = .verification
        } else if evidence == .begun {
            purpose = .deletion
        } else if evidence.isKnownThere || evidence.isLookedFor {
            purpose = .lookUp
        } else if let status = lastError?.status, (400..<500).contains(status) {
            purpose = .acceptance(status: status)
        } else {
            purpose = .answer
        }
        // Older ones gave up after eight.
        let isSpent = if case .unknown = phase { tries >= 8 && due == nil } else { false }
        return tries == 0 && due == nil ? Retry() : Retry(purpose, tries: tries, isSpent: isSpent, due: due)
    }
}

extension MetaObject.Phase {
    fileprivate var word: String {
        switch self {
        case .waiting: "waiting"
        case .sending: "sending"
        case .unknown: "inDoubt"
        case .conflicted: "conflicted"
        case .rejected: "rejected"
        }
    }
}

extension Evidence {
    fileprivate var isLookedFor: Bool {
        switch self {
        case .inDoubt(let isLookedFor), .named(let isLookedFor): isLookedFor
        case .none, .duplicate, .underWay, .nameless, .begun: false
        }
    }

    /// nil where there is none.
    fileprivate var word: String? {
        switch self {
        case .none: nil
        case .duplicate: "duplicate"
        case .underWay: "underWay"
        case .inDoubt: "inDoubt"
        case .nameless: "nameless"
        case .named: "named"
        case .begun: "begun"
        }
    }

    fileprivate init(stored fields: StoredFields) throws(StoreError) {
        let isLookedFor = try fields.flag("lookedFor")
        switch try fields.optionalText("evidence") {
        case nil: self = .none
        case "duplicate": self = .duplicate
        case "underWay": self = .underWay
        case "inDoubt": self = .inDoubt(isLookedFor: isLookedFor)
        case "nameless": self = .nameless
        case "named": self = .named(isLookedFor: isLookedFor)
        case "begun": self = .begun
        default: throw fields.wrong("evidence", "a kind of evidence")
        }
    }

    /// Of form 1 or 2.
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

extension Retry {
    fileprivate func stored() -> Value {
        var fields = StoredFieldsWriter()
        switch purpose {
        case .answer: fields.set("for", "answer")
        case .acceptance(let status):
            fields.set("for", "acceptance")
            fields.set("status", status.map(Int64.init))
        case .identifier: fields.set("for", "identifier")
        case .lookUp: fields.set("for", "lookUp")
        case .verification: fields.set("for", "verification")
        case .deletion: fields.set("for", "deletion")
        }
        fields.setUnlessZero("tries", Int64(tries))
        fields.set("spent", flag: isSpent)
        fields.set("due", due?.milliseconds)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields) throws(StoreError) {
        let purpose: Purpose =
            switch try fields.text("for") {
            case "answer": .answer
            case "acceptance": .acceptance(status: try fields.optionalInteger("status").map { Int(clamping: $0) })
            case "identifier": .identifier
            case "lookUp": .lookUp
            case "verification": .verification
            case "deletion": .deletion
            default: throw fields.wrong("for", "what tries are for")
            }
        let tries = try fields.optionalInteger("tries") ?? 0
        guard (0...(1 << 30)).contains(tries) else { throw fields.wrong("tries", "a number of tries") }
        self.init(
            purpose, tries: Int(tries), isSpent: try fields.flag("spent"),
            due: try fields.optionalInteger("due").map { Timestamp(milliseconds: $0) })
    }
}

extension Verdict {
    fileprivate func stored() -> Value {
        var fields = StoredFieldsWriter()
        switch self {
        case .refused(let attempt):
            fields.set("cause", "refused")
            fields.set("attempt", attempt.stored())
        case .unsendable: fields.set("cause", "unsendable")
        case .invalid: fields.set("cause", "invalid")
        case .dangling(let record):
            fields.set("cause", "dangling")
            fields.set("record", record)
        case .notTaken: fields.set("cause", "notTaken")
        case .mistaken: fields.set("cause", "mistaken")
        case .unreadable: fields.set("cause", "unreadable")
        }
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        switch try fields.text("cause") {
        case "refused": self = .refused(try MetaObject.Snapshot(stored: fields.fields("attempt"), uri))
        case "unsendable": self = .unsendable
        case "invalid": self = .invalid
        case "dangling": self = .dangling(try fields.optionalRecord("record", of: uri))
        case "notTaken": self = .notTaken
        case "mistaken": self = .mistaken
        case "unreadable": self = .unreadable
        default: throw fields.wrong("cause", "a verdict")
        }
    }

    /// Of form 1 or 2, which kept a snapshot with each.
    fileprivate init(of snapshot: MetaObject.Snapshot, _ failure: MetaObject.Failure) {
        if snapshot.sequence == 0, failure.status == nil {
            self = .dangling(snapshot.record)
        } else if failure.fields.contains(where: { $0.message == "not sent any more" }) {
            self = .unsendable
        } else if failure.fields.contains(where: { $0.message == "not taken" }) {
            self = .notTaken
        } else {
            self = .refused(snapshot)
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

    fileprivate init(stored: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        let cause: Cause =
            switch try stored.text("cause") {
            case "clash": .clash(try Self.names(stored))
            case "deletion": .deletion
            case "refusedEachTime": .refusedEachTime
            case "leased": .leased(until: Timestamp(milliseconds: try stored.integer("retryAt")))
            default: throw stored.wrong("cause", "what a conflict is about")
            }
        try self.init(cause, stored, uri)
    }

    /// Of form 1 or 2.
    ///
    /// - Parameter base: what the server has confirmed of the object.
    fileprivate init(flagsOf stored: StoredFields, _ uri: ObjectURI, beside base: ObjectRecord?) throws(StoreError) {
        let theirs = try stored.optionalRecord("theirs", of: uri)
        let names = try Self.names(stored)
        let cause: Cause
        if let until = try stored.optionalInteger("retryAt") {
            cause = .leased(until: Timestamp(milliseconds: until))
        } else if !names.isEmpty {
            cause = .clash(names)
        } else {
            cause = theirs != nil && theirs == base ? .refusedEachTime : .deletion
        }
        try self.init(cause, stored, uri)
    }

    private init(_ cause: Cause, _ stored: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        self.init(
            cause, theirs: try stored.optionalRecord("theirs", of: uri), version: try stored.optionalText("version"),
            sequence: try stored.integer("sequence"))
        if stored.value("lost") != nil { lost = try MetaObject.Snapshot(stored: stored.fields("lost"), uri) }
    }

    private static func names(_ stored: StoredFields) throws(StoreError) -> [String] {
        var names: [String] = []
        for value in try stored.list("fields") {
            guard let name = value.string else { throw stored.wrong("fields", "a list of names") }
            names.append(name)
        }
        return names
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
