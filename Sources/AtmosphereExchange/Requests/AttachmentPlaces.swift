/// What stands in braces in the requests that upload content, and in those that ask where content goes or is.
package struct AttachmentPlaces: Sendable {
    private var values: [String: Value]
    private let place: ObjectPlace
    private let resource: Resource

    /// - Parameters:
    ///   - place: the object, whose members and parents are places as well.
    ///   - id: nil where the object has none that the server knows.
    ///   - content: nil for a download, which has no file yet.
    ///   - md5: nil where nothing asks for it.
    package init(
        _ place: ObjectPlace, of resource: Resource, id: ObjectID?, member: String, _ content: AttachmentContent?,
        md5: String? = nil
    ) {
        var values: [String: Value] = ["member": .string(member)]
        if let content {
            values["file.name"] = .string(content.fileName)
            values["file.type"] = .string(content.mediaType)
            values["file.size"] = .number(JSONNumber(Int(content.length)))
        }
        values["id"] = id?.value
        values["file.md5"] = md5.map(Value.string)
        self.values = values
        self.place = place
        self.resource = resource
    }

    /// A text with its places filled.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where the object has nothing for a place.
    package func filled(_ text: String) throws -> String {
        var filled = ""
        for part in NamedText(name: "", value: text).template.parts {
            if case .literal(let text) = part {
                filled += text
            } else if part == .parent(entity: "file", field: "name"), let name = values["file.name"] {
                // A content without a name is one.
                filled += name.text
            } else {
                let value = try value(of: part)
                guard let text = ObjectPlace.text(of: value) else { throw missing(part, value) }
                filled += text
            }
        }
        return filled
    }

    /// The same of all texts inside; one that is a place alone becomes the value.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where the object has nothing for a place.
    package func filled(_ value: Value) throws -> Value {
        switch value {
        case .string(let text):
            let parts = NamedText(name: "", value: text).template.parts
            if parts.count == 1, parts[0] != .literal(text) { return try self.value(of: parts[0]) }
            return .string(try filled(text))
        case .array(let elements): return .array(try elements.map { try filled($0) })
        case .object(let members):
            return .object(Value.Members(try members.map { .init(name: $0.name, value: try filled($0.value)) }))
        case .null, .bool, .number: return value
        }
    }

    /// What the member is set to.
    ///
    /// - Parameters:
    ///   - found: what the answer says, which has a place of its own.
    ///   - url: where the content went to, which has another.
    /// - Throws: ``SyncError`` `invalidRecord` where the object has nothing for a place.
    package func set(_ value: Value, to found: Value?, url: String) throws -> Value {
        var places = self
        places.values[Attachment.valuePlace] = found
        places.values[Attachment.urlPlace] = .string(url)
        return try places.filled(value)
    }

    /// A name for the file. What no name can hold becomes `_`: a member of a record can be anything.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where the object has nothing for a place, or the name is too long.
    fileprivate func fileName(_ template: String) throws -> String {
        var name = ""
        for scalar in try filled(template).unicodeScalars {
            name.unicodeScalars.append(Attachment.isUnsafe(scalar) ? "_" : scalar)
        }
        if [".", ".."].contains(name) { name = "_" }
        guard name.utf8.count <= 255 else {
            throw SyncError(
                code: .invalidRecord,
                message: "the attachment \(member.quoted) of \(object) would be a file whose name has "
                    + "\(name.utf8.count) bytes, and 255 are the most that file systems take; name a shorter member in "
                    + "“upload.file-name”")
        }
        return name
    }

    private func value(of part: PathTemplate.Part) throws -> Value {
        let name = PathTemplate(parts: [part]).description.dropFirst().dropLast()
        if let value = values[String(name)] { return value }
        guard let value = place.value(part, resource.mapping) else { throw missing(part, nil) }
        return value
    }

    private func missing(_ part: PathTemplate.Part, _ value: Value?) -> SyncError {
        let (what, cause) = place.reason(part, value, for: resource)
        return SyncError(
            code: .invalidRecord, message: "the attachment \(member.quoted) of \(object) needs \(what)", cause: cause)
    }

    private var member: String { values["member"]?.text ?? "" }

    private var object: String { place.id.map { "\(resource.name)/\($0)" } ?? resource.name }
}

extension AttachmentContent {
    /// The same content under the name that the route file gives it.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where the object has nothing for a place of the name.
    package func named(
        by upload: Attachment.Upload, of resource: Resource, at place: ObjectPlace, id: ObjectID?, member: String
    ) throws -> AttachmentContent {
        guard let template = upload.fileName else { return self }
        var named = self
        named.fileName = try AttachmentPlaces(place, of: resource, id: id, member: member, self).fileName(template)
        return named
    }
}
