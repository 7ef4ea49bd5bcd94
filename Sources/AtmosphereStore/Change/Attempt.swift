/// One request that carries a change to the server: exactly what it sends.
package struct Attempt: Sendable, Hashable {
    /// The whole working record at the time of sending; nil for a delete.
    package var record: ObjectRecord?
    /// The object's revision that it holds.
    package var revision: Int64
    /// The start sequence of the request.
    package var sequence: Int64
    /// The declared action that carried the change; nil for a create, an update or a delete.
    package var action: String?
    /// The queued upload (``MetaObject/Upload/id``) that was sent; nil for everything else. The record was not sent then.
    package var upload: String?
    /// The member that the upload goes into; nil for everything else. It outlives the upload, which may not be wanted any more.
    package var member: String?
    /// What a create was sent with beside its record, by which it is told from any other; nil for everything else, and for a
    /// create that an earlier version has sent, which did not write it down.
    package var marks: Resource.Marks?

    /// What goes onto the wire.
    package init(record: ObjectRecord?, revision: Int64, sequence: Int64, action: String? = nil) {
        self.record = record
        self.revision = revision
        self.sequence = sequence
        self.action = action
    }
}

/// The stored form.
extension Attempt {
    func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("record", record)
        fields.set("revision", revision)
        fields.set("sequence", sequence)
        fields.set("action", action)
        fields.set("upload", upload)
        fields.set("member", member)
        fields.set("marks", marks.map { Value.array($0.words.map(Value.string)) })
        return fields.value
    }

    init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        self.init(
            record: try fields.optionalRecord("record", of: uri), revision: try fields.integer("revision"),
            sequence: try fields.integer("sequence"))
        action = try fields.optionalText("action")
        upload = try fields.optionalText("upload")
        member = try fields.optionalText("member")
        if fields.value("marks") != nil { marks = Resource.Marks(words: try fields.names("marks")) }
    }
}
