/// What a path template needs to know of the object, or of the list, that it addresses.
package struct ObjectPlace: Sendable {
    /// The object's own identifier as the server writes it; nil for a list or a create.
    package var id: String?
    package var record: ObjectRecord?
    /// The parents by entity: the identifier as the server writes it, and the record where one is here.
    package var parents: [String: Parent] = [:]
    /// What the last pull has kept to ask the entity's list for changes with; nil where no request says it.
    package var checkpoint: String?
    /// The server has shown the object, or what the list stands below: a parent that is not here is gone.
    private var isShown = false

    package init(id: String? = nil, record: ObjectRecord? = nil, parents: [String: Parent] = [:]) {
        self.id = id
        self.record = record
        self.parents = parents
    }

    package struct Parent: Sendable {
        package var id: ObjectID
        /// As it is stored.
        var record: ObjectRecord?
        /// How the record is seen: a place names a field of its entity.
        var mapping = FieldMapping()
        /// The member that holds the identifier, which is known also where the record is not.
        var idName: String?
        package var presence: Presence

        /// What the store holds of a parent.
        package enum Presence: Sendable {
            case here
            /// Deleted here, and not on the server yet.
            case deletedHere
            /// Nothing: it was never seen, or it is gone.
            case notHere
        }

        /// - Parameters:
        ///   - object: the parent as it is stored; nil where it is not.
        ///   - resource: the parent's own; nil where the route file has none of the entity.
        package init(id: ObjectID, _ object: LocalObject?, of resource: Resource?) {
            let presence = object.map { $0.meta.isDeleted ? Presence.deletedHere : .here }
            self.init(id: id, record: object?.record, presence ?? .notHere, of: resource)
        }

        /// - Parameters:
        ///   - record: the parent's, as it is stored or shown.
        ///   - resource: the parent's own; nil where the route file has none of the entity.
        package init(id: ObjectID, record: ObjectRecord?, _ presence: Presence, of resource: Resource?) {
            self.id = id
            self.record = record
            self.presence = presence
            if let resource {
                mapping = resource.mapping
                idName = resource.idField ?? resource.id.singleMember
            }
        }

        func value(_ field: String) -> Value? {
            record.flatMap { mapping.value(field, in: $0) } ?? (field == idName ? id.value : Value?.none)
        }
    }

    /// Why no path can be made: a parent that it names is gone, and so is what was below it.
    package struct BelowNothing: Error {}

    /// - Throws: ``SyncError`` `invalidRecord` where a place has no value; its cause is ``BelowNothing`` where that is why.
    package func filled(_ template: PathTemplate, for resource: Resource) throws -> String {
        var missing = ""
        var cause: BelowNothing?
        let path = template.filled { part in
            let value = value(part, resource.mapping)
            let text = value.flatMap { Self.text(of: $0) }
            if text == nil { (missing, cause) = reason(part, value, for: resource) }
            return text
        }
        guard let path else {
            throw SyncError(
                code: .invalidRecord, message: "the path \(template) of \(resource.name) needs \(missing)",
                cause: cause)
        }
        if let dots = RequestTarget.dots(inPath: path), RequestTarget.dots(inPath: template.literalPath) == nil {
            throw SyncError(
                code: .invalidRecord,
                message:
                    "the path \(template) of \(resource.name) would have the segment “\(dots)”, which servers take for a "
                    + "way to another place (RFC 3986 §5.2.4), however it is escaped, so nothing is sent; the object needs "
                    + "another identifier")
        }
        return path.hasPrefix("/") ? String(path.dropFirst()) : path
    }

    /// A value of a query or a header with its places filled.
    ///
    /// - Parameters:
    ///   - kind: `query` or `header`, for the message.
    ///   - version: what `{version}` stands for in a write.
    /// - Throws: ``SyncError`` `invalidRecord` where a place has no value, or one that a header cannot hold.
    package func filled(
        _ text: NamedText, _ kind: String, for resource: Resource, version: String? = nil
    ) throws -> NamedText {
        let template = text.template
        guard template.parts.contains(where: { if case .literal = $0 { false } else { true } }) else { return text }
        var filled = ""
        for part in template.parts {
            let isVersion = part == .field(NamedText.version)
            let known = isVersion ? version.map(Value.string) : value(part, resource.mapping)
            guard let value = known.flatMap({ Self.text(of: $0) }) else {
                let unknown =
                    "{version}, and the server has shown none; compare “version” in the route file with what it answers"
                let (missing, cause): (String, BelowNothing?) =
                    isVersion ? (unknown, nil) : reason(part, known, for: resource)
                throw SyncError(
                    code: .invalidRecord,
                    message:
                        "the \(kind) \(text.name.quoted) of \(resource.name)\(id.map { "/\($0)" } ?? "") needs \(missing)",
                    cause: cause)
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

    /// A body with its places filled: a text that is one place alone becomes the value itself.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where a place has no value.
    func filled(_ body: Value, for resource: Resource) throws -> Value {
        switch body {
        case .string(let text):
            let parts = NamedText(name: "", value: text).template.parts
            if parts.count == 1, let only = parts.first, let known = value(only, resource.mapping), !known.isNull {
                return known
            }
            return .string(try filled(NamedText(name: text, value: text), "body", for: resource).value)
        case .array(let elements): return .array(try elements.map { try filled($0, for: resource) })
        case .object(let members):
            return .object(
                Value.Members(try members.map { .init(name: $0.name, value: try filled($0.value, for: resource)) }))
        case .null, .bool, .number: return body
        }
    }

    /// The same place with what the requests of a lease say of it.
    ///
    /// - Parameter now: when it is asked for.
    func leased(_ lease: Lease?, token: String?, now: Timestamp) -> ObjectPlace {
        guard let lease else { return self }
        func text(_ time: Timestamp) -> Value {
            let instant = time.secondAbove
            return .string(lease.format?.text(instant) ?? instant.description)
        }
        var members: Value.Members = [
            Lease.Place.from.rawValue: text(now),
            Lease.Place.until.rawValue: text(now.advanced(by: lease.length))
        ]
        if let token { members[Lease.Place.token.rawValue] = .string(token) }
        var place = self
        place.parents[Lease.placePrefix] = Parent(
            id: ObjectID(Lease.placePrefix), record: ObjectRecord(members), .here, of: nil)
        return place
    }

    /// A value as it may stand in a URL or a header: never empty, and never the JSON of an object or a list.
    static func text(of value: Value) -> String? {
        switch value {
        case .null, .array, .object: nil
        case .bool, .number, .string: value.text.isEmpty ? nil : value.text
        }
    }

    func value(_ part: PathTemplate.Part, _ mapping: FieldMapping) -> Value? {
        switch part {
        case .literal(let text): .string(text)
        case .field("id"): id.map(Value.string)
        case .field(let name): record.flatMap { mapping.value(name, in: $0) }
        case .parent(let entity, "id"): parents[entity].map { .string($0.id.text) }
        case .parent(let entity, let field): parents[entity]?.value(field)
        }
    }

    /// The place, and why nothing can stand there.
    func reason(
        _ part: PathTemplate.Part, _ value: Value?, for resource: Resource
    ) -> (String, BelowNothing?) {
        let place = PathTemplate(parts: [part]).description
        guard let value, value.members != nil || value.array != nil else {
            if let gone = goneParent(part, of: resource) { return ("\(place), and \(gone) is gone", BelowNothing()) }
            return ("\(place), which the record does not hold", nil)
        }
        let name =
            switch part {
            case .literal(let name), .field(let name), .parent(_, let name): name
            }
        let kind = value.array == nil ? "an object" : "a list"
        let text =
            "\(place), which is \(kind) there; name a field that is read inside of it: "
            + "fields: { \(name): { read: \(name).MEMBER } }"
        return (text, nil)
    }

    /// The parent whose member cannot stand at a place because it is not here any more: what is listed below a parent was shown
    /// while that was here. nil where something else is missing.
    private func goneParent(_ part: PathTemplate.Part, of resource: Resource) -> String? {
        guard isShown, case .parent(let entity, _) = part, (parents[entity]?.presence ?? .notHere) == .notHere else {
            return nil
        }
        let gone = resource.list.parentEntities.first { parents[$0]?.presence == .notHere }
        return gone.flatMap { entity in parents[entity].map { "\(entity)/\($0.id.text)" } }
    }
}

extension ObjectPlace {
    /// The place of one object, with its parents looked up in the snapshot.
    ///
    /// - Parameter isSought: the object is not where the server has shown it, so it is looked for where its parents are now.
    package init(
        _ object: LocalObject, isSought: Bool = false, resource: Resource, routeFile: RouteFile,
        in snapshot: any StoreSnapshot
    ) throws {
        let segments = object.meta.uri.segments
        id = resource.isUniquePerParent ? segments.last : object.meta.id.text
        isShown = !object.meta.isLocalOnly
        // The server knows the object by what it last confirmed, not by an edit that it has not seen.
        let base = object.meta.confirmed?.base
        // Of a create that may have arrived and was deleted here since, only what was sent names its parents.
        record =
            object.record.map { base?.completed(over: $0) ?? $0 } ?? base ?? object.meta.outgoing?.lostCreate?.record
        if resource.batches.contains(where: { $0.since != nil }) {
            checkpoint = try snapshot.cursor(for: PullScope(entity: resource.name))?.checkpoint
        }
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
            // What was sent names the parent as it was called then. What the server has shown stands where it was shown.
            let present = try object.meta.isLocalOnly || isSought ? snapshot.alias(of: uri) : nil
            let above = try snapshot.object(at: present ?? uri)
            parents[parent.entity] = Parent(
                id: present == nil ? own : above?.meta.id ?? own, above, of: routeFile.resource(parent.entity))
        }
        // A parent's own parents and theirs, where the path names them and the record does not.
        var next = resource.parents.reversed().map(\.entity)
        while !next.isEmpty {
            let entity = next.removeFirst()
            guard let parent = parents[entity], let record = parent.record, let above = routeFile.resource(entity)
            else { continue }
            for grandparent in above.parents where parents[grandparent.entity] == nil {
                guard let value = above.mapping.value(grandparent.field, in: record), let id = ObjectID(value) else {
                    continue
                }
                let uri = ObjectURI(entity: grandparent.entity, id: id.text)
                parents[grandparent.entity] = Parent(
                    id: id, try snapshot.object(at: uri), of: routeFile.resource(grandparent.entity))
                next.append(grandparent.entity)
            }
        }
    }

    /// The place to which a write brings the object: below the parents that it names.
    ///
    /// - Parameter record: as the write has brought it to the server.
    package func moved(by record: ObjectRecord, of resource: Resource) -> ObjectPlace {
        var place = self
        for parent in resource.parents {
            guard let value = resource.mapping.value(parent.field, in: record), let id = ObjectID(value),
                parents[parent.entity]?.id.text != id.text
            else { continue }
            place.parents[parent.entity] = Parent(id: id, nil, of: nil)
        }
        return place
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
