extension MetaObject {
    /// Content that waits to be uploaded into a member, or is on its way. The content itself lies in the store's
    /// ``ContentFolder``.
    public struct Upload: Sendable, Hashable {
        /// Tells it from every other upload; a UUID.
        public var id: String
        /// The member, as the route file's `attachments` call it.
        public var member: String
        /// The address of the content: its SHA-256 (FIPS 180-4) in lower-case hexadecimal.
        package var digest: String
        /// In bytes.
        public var length: Int64
        /// What the server may call the file, without a folder.
        public var fileName: String
        /// Its media type (RFC 9110 §8.3.1).
        public var mediaType: String
        /// What the server had in the member when this was attached, null for nothing: another value there is somebody else's
        /// change. nil where nobody knows: the server has not shown the object yet, or may have taken this content already. What
        /// it shows next counts then.
        package var base: Value?
        /// Where the server takes the rest of a resumable upload; nil where none was begun. What has become of it there the
        /// server says.
        package var begun: String?

        /// Content that waits under the name of its digest; nothing checks that it is there.
        package init(
            id: String, member: String, digest: String, length: Int64, fileName: String, mediaType: String,
            base: Value? = nil
        ) {
            self.id = id
            self.member = member
            self.digest = digest
            self.length = length
            self.fileName = fileName
            self.mediaType = mediaType
            self.base = base
        }
    }

    /// The contents that wait here and not in another state of the object.
    package func uploads(without other: MetaObject?) -> [Upload] {
        let left = Set(other?.uploads.map(\.id) ?? [])
        return uploads.filter { !left.contains($0.id) }
    }

    /// Content that waits is a change of the object, and goes with a delete.
    package mutating func settleUploads() {
        guard let first = uploads.first else { return }
        switch state {
        case .synchronized(let confirmed): state = .updated(confirmed, .init(idempotencyKey: first.id))
        case .deleted, .created(_, deleting: true): uploads = []
        case .created, .updated: break
        }
    }
}

extension MetaObject.Upload {
    package func stored() -> Value {
        var fields = StoredFieldsWriter()
        fields.set("id", id)
        fields.set("member", member)
        fields.set("digest", digest)
        fields.set("length", length)
        fields.set("name", fileName)
        fields.set("type", mediaType)
        fields.set("base", base)
        fields.set("begun", begun)
        return fields.value
    }

    package init(stored value: Value, of uri: ObjectURI) throws(StoreError) {
        let fields = try StoredFields(value, of: "an upload of \(uri)")
        self.init(
            id: try fields.text("id"), member: try fields.text("member"), digest: try fields.text("digest"),
            length: try fields.integer("length"), fileName: try fields.text("name"),
            mediaType: try fields.text("type"), base: fields.value("base"))
        begun = try fields.optionalText("begun")
        // It becomes the name of a file.
        guard SHA256Digest.isDigest(digest) else { throw fields.wrong("digest", "a SHA-256 in lower-case hexadecimal") }
    }
}
