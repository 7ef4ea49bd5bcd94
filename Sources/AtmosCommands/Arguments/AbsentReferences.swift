#if Command
    internal import Atmosphere

    /// References to objects that are not here, of an entity that was pulled: most likely a mistake, and sent all the same,
    /// for the server may have objects that it does not list.
    struct AbsentReferences {
        let resource: Resource

        /// One line for each; none where nothing of the other entity has come from the server.
        func complaints(_ members: Value.Members, in synchronizer: Synchronizer) async throws -> [String] {
            var named: [(field: String, uri: ObjectURI)] = []
            for reference in resource.references {
                // Below parents an identifier alone names no object, and such a parent that is not here is refused.
                if resource.isUniquePerParent, resource.parents.contains(reference) { continue }
                guard let value = members[reference.field],
                    synchronizer.routeFile.resource(reference.entity)?.isUniquePerParent == false
                else { continue }
                for element in value.array ?? [value] {
                    guard let id = ObjectID(element) else { continue }
                    named.append((reference.field, ObjectURI(entity: reference.entity, id: id.text)))
                }
            }
            guard !named.isEmpty else { return [] }
            let pulled = Set(
                try await synchronizer.status().filter { $0.counts.objects > $0.counts.localOnly }.map(\.entity))
            let wanted = named.filter { pulled.contains($0.uri.entity) }
            return try await synchronizer.store.read { snapshot in
                try wanted.filter { try snapshot.meta(at: snapshot.alias(of: $0.uri) ?? $0.uri) == nil }.map {
                    "\($0.field.quoted): there is no \($0.uri) here"
                }
            }
        }
    }
#endif
