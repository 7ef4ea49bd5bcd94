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
