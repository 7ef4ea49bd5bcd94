/// The form in which stores keep a cursor; see ``MetaObject/stored(beside:)`` for `v`.
extension PullCursor {
    private static let formVersion: Int64 = 2

    /// What a store keeps of the cursor; ``init(stored:scope:)`` gives back an equal one.
    public func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("v", Self.formVersion)
        fields.set("checkpoint", checkpoint)
        fields.set("complete", complete?.stored)
        fields.set("underway", underway?.stored)
        fields.set("begunAs", begunAs)
        fields.set("server", server)
        fields.set("request", request)
        fields.set("origin", origin)
        fields.set("reading", reading)
        fields.set("refused", refused?.milliseconds)
        if let members { fields.set("members", list: members.map(Value.string)) }
        return fields.value
    }

    /// The cursor that ``stored()`` was made of.
    ///
    /// - Throws: ``StoreError`` `damaged`, or `newerFormat`.
    public init(stored value: Value, scope: PullScope) throws(StoreError) {
        let fields = try StoredFields(value, of: "the cursor of \(scope)")
        let form = try fields.integer("v")
        guard form <= Self.formVersion else {
            throw StoreError(
                code: .newerFormat,
                message: "the cursor of \(scope) was written by a newer version of Atmosphere; use that version")
        }
        if form < 2 {
            try self.init(flat: fields)
        } else {
            self.init(
                checkpoint: try fields.optionalText("checkpoint"), begunAs: try fields.optionalText("begunAs"),
                server: try fields.optionalText("server"), request: try fields.optionalText("request"),
                origin: try fields.optionalText("origin"), reading: try fields.optionalText("reading"))
            refused = try fields.optionalInteger("refused").map { Timestamp(milliseconds: $0) }
            if fields.value("complete") != nil { complete = try Complete(stored: fields.fields("complete")) }
            if fields.value("underway") != nil { underway = try Underway(stored: fields.fields("underway")) }
        }
        guard fields.value("members") != nil || scope.isView else { return }
        members = try fields.list("members").compactMap(\.string)
    }
}

extension PullCursor.Complete {
    fileprivate var stored: Value {
        var fields = StoredFieldsWriter()
        fields.set("ended", ended.milliseconds)
        fields.set("fullEnded", fullEnded?.milliseconds)
        fields.set("identity", identity)
        fields.set("tag", tag?.text)
        fields.set("tagFor", tag?.target)
        fields.setUnlessZero("tagAt", tag?.sequence ?? 0)
        fields.set("reading", reading)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields) throws(StoreError) {
        self.init(
            ended: Timestamp(milliseconds: try fields.integer("ended")),
            fullEnded: try fields.optionalInteger("fullEnded").map { Timestamp(milliseconds: $0) },
            identity: try fields.optionalText("identity"), tag: try PullCursor.Tag(stored: fields),
            reading: try fields.optionalText("reading"))
    }
}

extension PullCursor.Tag {
    /// nil where either half is missing: none means anything alone.
    init?(stored fields: StoredFields) throws(StoreError) {
        let (text, target) = (try fields.optionalText("tag"), try fields.optionalText("tagFor"))
        let sequence = try fields.optionalInteger("tagAt")
        guard let text, let target else { return nil }
        self.init(text: text, target: target, sequence: sequence ?? 0)
    }
}

extension PullCursor.Underway {
    fileprivate var stored: Value {
        var fields = StoredFieldsWriter()
        fields.set("listing", number)
        fields.set("full", flag: isFull)
        fields.set("tentative", tentative)
        fields.set("position", position?.target)
        fields.set("total", position?.total)
        fields.set("last", position?.last?.id)
        fields.set("lastChange", position?.last?.change)
        return fields.value
    }

    fileprivate init(stored fields: StoredFields) throws(StoreError) {
        self.init(
            number: try fields.integer("listing"), isFull: try fields.flag("full"),
            tentative: try fields.optionalText("tentative"), position: try PullPosition(stored: fields))
    }
}
