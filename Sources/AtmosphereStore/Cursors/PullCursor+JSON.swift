/// The form in which stores keep a cursor; see ``MetaObject/stored(beside:)`` for `v`.
extension PullCursor {
    private static let formVersion: Int64 = 1

    /// What a store keeps of the cursor; ``init(stored:scope:)`` gives back an equal one.
    public func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("v", Self.formVersion)
        fields.set("cursor", cursor)
        fields.set("candidate", candidate)
        fields.set("position", position?.target)
        fields.set("total", position?.total)
        fields.set("last", position?.last?.id)
        fields.set("lastChange", position?.last?.change)
        fields.set("listing", listing)
        fields.set("full", flag: isFull)
        fields.set("identity", identity)
        fields.set("begunAs", begunAs)
        fields.set("server", server)
        fields.set("request", request)
        fields.set("lastPull", lastPull?.milliseconds)
        fields.set("lastFull", lastFull?.milliseconds)
        fields.set("tag", tag)
        fields.set("tagFor", tagTarget)
        if let members { fields.set("members", list: members.map(Value.string)) }
        return fields.value
    }

    /// The cursor that ``stored()`` was made of.
    ///
    /// - Throws: ``StoreError`` `damaged`, or `newerFormat`.
    public init(stored value: Value, scope: PullScope) throws(StoreError) {
        let fields = try StoredFields(value, of: "the cursor of \(scope)")
        guard try fields.integer("v") <= Self.formVersion else {
            throw StoreError(
                code: .newerFormat,
                message: "the cursor of \(scope) was written by a newer version of Atmosphere; use that version")
        }
        let (total, change) = (try fields.optionalInteger("total"), try fields.optionalText("lastChange"))
        let last = try fields.optionalText("last").map { PullPosition.Row(id: $0, change: change) }
        self.init(
            cursor: try fields.optionalText("cursor"), candidate: try fields.optionalText("candidate"),
            position: try fields.optionalText("position").map { PullPosition(target: $0, total: total, last: last) },
            listing: try fields.optionalInteger("listing"),
            isFull: try fields.flag("full"), identity: try fields.optionalText("identity"),
            lastPull: try fields.optionalInteger("lastPull").map { Timestamp(milliseconds: $0) },
            lastFull: try fields.optionalInteger("lastFull").map { Timestamp(milliseconds: $0) })
        begunAs = try fields.optionalText("begunAs")
        server = try fields.optionalText("server")
        request = try fields.optionalText("request")
        tag = try fields.optionalText("tag")
        tagTarget = try fields.optionalText("tagFor")
        guard fields.value("members") != nil || scope.isView else { return }
        members = try fields.list("members").compactMap(\.string)
    }
}
