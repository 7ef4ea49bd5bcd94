public import Atmosphere

extension RESTSource {
    /// What has become of an object.
    public struct Change: Sendable, Hashable {
        /// The object, with the identifier as ``ObjectURI`` has it.
        public var uri: ObjectURI
        /// The objects that it stands below, outermost first.
        public var parents: [ObjectURI]
        /// The object as a read shows it, without anything around it; nil where it was deleted.
        public var record: ObjectRecord?
        /// Its version, where the API shows one.
        public var version: String?
    }
}

extension SourceState {
    /// What has become of each object that has changed since the time was set, in the order of their last changes.
    func changes() -> [RESTSource.Change] {
        var changed: [(row: SourceTable.Row, resource: Resource)] = []
        for resource in api.resources {
            for row in tables[resource.name]?.changed ?? [] { changed.append((row, resource)) }
        }
        changed.sort { $0.row.modified < $1.row.modified }
        return changed.map { change(of: $0.row, $0.resource) }
    }

    private func change(of row: SourceTable.Row, _ resource: Resource) -> RESTSource.Change {
        var parents: [ObjectURI] = []
        for (index, reference) in resource.parents.enumerated() where index < row.parents.count {
            let above = Array(row.parents[...index])
            guard let id = above.last, !id.isEmpty else { continue }
            let key = api.resource(reference.entity)?.key(id: id, parents: Array(above.dropLast())) ?? id
            parents.append(ObjectURI(entity: reference.entity, id: key))
        }
        let members = row.isDeleted ? nil : object(row, resource, .whole).members
        return RESTSource.Change(
            uri: ObjectURI(entity: resource.name, id: row.key), parents: parents,
            record: members.map { ObjectRecord($0) }, version: row.versionText(resource))
    }
}
