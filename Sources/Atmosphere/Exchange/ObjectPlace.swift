/// What a path template needs to know of the object, or of the list, that it addresses.
struct ObjectPlace: Sendable {
    /// The object's own identifier as the server writes it; nil for a list or a create.
    var id: String?
    var record: ObjectRecord?
    /// The parents by entity: the identifier as the server writes it, and the record where one is here.
    var parents: [String: Parent] = [:]

    struct Parent: Sendable {
        var id: ObjectID
        var record: ObjectRecord?
        /// The member that holds the identifier, which is known also where the record is not.
        var idName: String?
        /// Deleted here, and not on the server yet.
        var isDeletedHere = false

        func value(_ field: String) -> String? {
            record?[field]?.text ?? (field == idName ? id.text : nil)
        }
    }

    func filled(_ template: PathTemplate, for resource: Resource) throws -> String {
        var missing = ""
        let path = template.filled { part in
            let text = value(part, resource.mapping)
            if text == nil || text == "" { missing = PathTemplate(parts: [part]).description }
            return text
        }
        guard let path else {
            throw SyncError(
                code: .invalidRecord,
                message: "the path \(template) of \(resource.name) needs \(missing), which the record does not hold")
        }
        return path.hasPrefix("/") ? String(path.dropFirst()) : path
    }

    /// A value of a query or a header with its places filled.
    ///
    /// - Parameters:
    ///   - kind: `query` or `header`, for the message.
    ///   - version: what `{version}` stands for in a write.
    /// - Throws: ``SyncError`` `invalidRecord` where a place has no value, or one that a header cannot hold.
    func filled(
        _ text: NamedText, _ kind: String, for resource: Resource, version: String? = nil
    ) throws -> NamedText {
        let template = text.template
        guard template.parts.contains(where: { if case .literal = $0 { false } else { true } }) else { return text }
        var filled = ""
        for part in template.parts {
            let known = part == .field(NamedText.version) ? version : value(part, resource.mapping)
            guard let value = known, !value.isEmpty else {
                let place = PathTemplate(parts: [part]).description
                let reason =
                    part == .field(NamedText.version)
                    ? "the server has shown none; compare “version” in the route file with what it answers"
                    : "the record does not hold it"
                throw SyncError(
                    code: .invalidRecord,
                    message:
                        "the \(kind) \(text.name.quoted) of \(resource.name)\(id.map { "/\($0)" } ?? "") needs \(place), "
                        + "and \(reason)")
            }
            guard kind != "header" || value.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the header \(text.name.quoted) of \(resource.name) cannot hold the value of "
                        + "\(PathTemplate(parts: [part])), which is not plain ASCII on one line (RFC 9110 §5.5); use the "
                        + "path or the query")
            }
            filled += value
        }
        return NamedText(name: text.name, value: filled)
    }

    private func value(_ part: PathTemplate.Part, _ mapping: FieldMapping) -> String? {
        switch part {
        case .literal(let text): text
        case .field("id"): id
        case .field(let name): record.flatMap { mapping.value(name, in: $0) }?.text
        case .parent(let entity, "id"): parents[entity].map(\.id.text)
        case .parent(let entity, let field): parents[entity]?.value(field)
        }
    }
}

extension ObjectPlace {
    /// The place of one object, with its parents looked up in the snapshot.
    init(_ object: LocalObject, resource: Resource, routeFile: RouteFile, in snapshot: any StoreSnapshot) throws {
        let segments = object.meta.uri.segments
        id = resource.isUniquePerParent ? segments.last : object.meta.id.text
        // The server knows the object by what it last confirmed, not by an edit that it has not seen.
        let base = object.meta.confirmed?.base
        record = object.record.map { base?.completed(over: $0) ?? $0 } ?? base
        guard !resource.parents.isEmpty else { return }
        for (index, parent) in resource.parents.enumerated() {
            let own: ObjectID
            if let value = record.flatMap({ resource.mapping.value(parent.field, in: $0) }), let id = ObjectID(value) {
                own = id
            } else if resource.isUniquePerParent, index < segments.count - 1 {
                own = ObjectID(segments[index])
            } else {
                continue
            }
            let uri = Self.parentURI(parent, id: own, of: resource, segments: segments, index: index, in: routeFile)
            let here = try snapshot.object(at: uri)
            let idName = routeFile.resource(parent.entity)?.id.singleMember
            parents[parent.entity] = Parent(
                id: own, record: here?.record, idName: idName, isDeletedHere: here?.meta.isDeleted == true)
        }
        // A parent's own parents, where the path names them and the record does not.
        for parent in resource.parents.reversed() {
            guard let record = parents[parent.entity]?.record, let above = routeFile.resource(parent.entity) else {
                continue
            }
            for grandparent in above.parents where parents[grandparent.entity] == nil {
                guard let value = record[grandparent.field], let id = ObjectID(value) else { continue }
                let uri = ObjectURI(entity: grandparent.entity, id: id.text)
                parents[grandparent.entity] = Parent(id: id, record: try snapshot.record(at: uri))
            }
        }
    }

    private static func parentURI(
        _ parent: Reference, id: ObjectID, of resource: Resource, segments: [String], index: Int,
        in routeFile: RouteFile
    ) -> ObjectURI {
        let isUniquePerParent = routeFile.resource(parent.entity)?.isUniquePerParent == true
        guard isUniquePerParent, resource.isUniquePerParent else {
            return ObjectURI(entity: parent.entity, id: id.text)
        }
        return ObjectURI(entity: parent.entity, segments: Array(segments[...index]))
    }
}
