/// The part of the stored form of a meta object that is about its change; see ``MetaObject/stored(beside:)``.
extension Change {
    func stored() -> Value {
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
        fields.set("lowWaterMark", lowWaterMark)
        fields.set("unanswered", list: unanswered.map(\.embedded))
        fields.set("previous", previous)
        fields.set("unverified", unverified?.stored())
        return fields.value
    }

    init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        let phase: Change.Phase =
            switch try fields.text("phase") {
            case "waiting": .waiting
            case "sending": .sending(try Attempt(stored: fields.fields("attempt"), uri))
            case "inDoubt": .unknown(try Attempt(stored: fields.fields("attempt"), uri))
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

    /// What forms before 3 say in the same way, some of it under another name.
    mutating func readRest(_ fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        if fields.value("lastError") != nil { lastError = try MetaObject.Failure(stored: fields.fields("lastError")) }
        lowWaterMark = try fields.optionalInteger("lowWaterMark")
        if lowWaterMark == nil { lowWaterMark = try fields.optionalInteger("knownBefore") }
        for value in try fields.list("unanswered") { unanswered.append(try ObjectRecord(embedded: value, of: uri)) }
        previous = try fields.optionalRecord("previous", of: uri)
        if previous == nil { previous = try fields.optionalRecord("former", of: uri) }
        for name in ["unverified", "unread"] where fields.value(name) != nil {
            unverified = try Unverified(stored: fields.fields(name), uri)
        }
    }
}

extension Change.Phase {
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

extension Change.Unverified {
    fileprivate func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("sent", sent)
        fields.set("before", before)
        fields.set("action", action)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        guard let sent = try fields.optionalRecord("sent", of: uri) else { throw fields.wrong("sent", "a record") }
        self.init(
            sent: sent, before: try fields.optionalRecord("before", of: uri), action: try fields.optionalText("action"))
    }
}
