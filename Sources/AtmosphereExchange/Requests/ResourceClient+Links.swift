/// Links to objects become their identifiers as they come in, and links again in the body of a write.
extension ResourceClient {
    /// What is a link inside an item of the resource.
    package func links(of resource: Resource) -> [Selectors.Link] {
        var found = resource.links.keys.sorted().map { name in
            routeFile.link(at: resource.mapping.path(of: name), of: name, resource)
        }
        if resource.isIDLink, !found.contains(where: { $0.path == resource.id }) {
            found.append(routeFile.link(at: resource.id, of: resource.idField, resource))
        }
        return found
    }

    /// A record as the server wants its links.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where the path of what is referred to needs more than its identifier.
    package func linked(_ record: ObjectRecord, _ resource: Resource) throws -> ObjectRecord {
        guard !resource.links.isEmpty else { return record }
        var value = Value.object(record.members)
        for (name, form) in resource.links where name != resource.idField {
            guard let entity = resource.entity(ofLink: name), let target = routeFile.resource(entity) else { continue }
            value = try value.replacing(at: resource.mapping.path(of: name).steps[...]) { value in
                try value.mapElements { value in
                    guard let id = ObjectID(value) else { return value }
                    return try link(to: id.text, target, form)
                }
            }
        }
        return value.members.map { ObjectRecord($0) } ?? record
    }

    private func link(to id: String, _ target: Resource, _ form: LinkForm) throws -> Value {
        if form == .id {
            let isNumber = target.idField.flatMap { target.fields.types[$0] } == .integer
            return isNumber ? JSONNumber(id).map(Value.number) ?? .string(id) : .string(id)
        }
        var place = ObjectPlace()
        place.id = id
        let url = "\(routeFile.base)/\(try place.filled(target.read.path, for: target))"
        return .string(form == .url ? url : RequestTarget.path(ofURL: url))
    }
}

extension RouteFile {
    package func link(at path: JSONPath, of name: String?, _ resource: Resource) -> Selectors.Link {
        let entity = name == resource.idField ? resource.name : name.flatMap { resource.entity(ofLink: $0) }
        let around = entity.flatMap { self.resource($0) }?.read.path.aroundID
        return .init(path: path, prefix: around?.prefix ?? "", suffix: around?.suffix ?? "")
    }
}

extension Selectors.Link {
    /// The identifier that a link ends with; a value that is no text stays as it is. What a URI template (RFC 6570) adds is
    /// left out.
    package func identifier(in value: Value) -> Value {
        value.mapElements { value in
            guard case .string(let text) = value else { return value }
            return .string(identifier(inText: text))
        }
    }

    package func identifier(inText text: String) -> String {
        guard let last = RequestTarget.lastSegment(ofLink: String(text.prefix { $0 != "{" })) else { return text }
        guard last.count > prefix.count + suffix.count, last.hasPrefix(prefix), last.hasSuffix(suffix) else {
            return last
        }
        let inside = last.dropFirst(prefix.count).dropLast(suffix.count)
        // Between quotes a quote stands twice, as ``PathTemplate/isQuoted(at:)`` says.
        return prefix.hasSuffix("'") && suffix.hasPrefix("'") ? Self.halvingQuotes(inside) : String(inside)
    }

    private static func halvingQuotes(_ text: Substring) -> String {
        var found = ""
        var rest = text
        while let next = rest.popFirst() {
            found.append(next)
            if next == "'", rest.first == "'" { rest.removeFirst() }
        }
        return found
    }
}
