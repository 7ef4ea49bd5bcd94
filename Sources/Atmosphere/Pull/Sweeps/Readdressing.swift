/// Moves the objects of an entity to the addresses that the route file makes of them, where it made others when they were pulled
/// (`id`, `ids`, `id.link`). What was edited here goes along. Else each would be here twice: the lists show it under the new
/// address only. And what is sent to an old address would go to nobody, or to another object.
///
/// Looks through the entity only where its lists were read by other settings, or those of a parent that its identifiers name.
struct Readdressing: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource

    private struct Found: Sendable {
        var moves: [ObjectURI: ObjectID] = [:]
        /// Objects of which nothing here says what their address is now.
        var untold: [ObjectURI] = []

        /// - Returns: the moves, each behind the one that frees its address, and those that no order makes possible: their
        ///   addresses change places.
        func inOrder() -> (free: [ObjectURI], rings: [ObjectURI]) {
            var (free, ringed): ([ObjectURI], Set<ObjectURI>) = ([], [])
            var seen: Set<ObjectURI> = []
            for first in moves.keys.sorted() {
                var path: [ObjectURI] = []
                var next = first
                while let id = moves[next], seen.insert(next).inserted {
                    path.append(next)
                    next = ObjectURI(entity: first.entity, id: id.text)
                }
                if let start = path.firstIndex(of: next) { ringed.formUnion(path[start...]) }
                free += path.reversed().filter { !ringed.contains($0) }
            }
            return (free, ringed.sorted())
        }
    }

    /// Before something of these entities is sent: of them, and of the parents that their identifiers name.
    ///
    /// - Throws: as ``run()``.
    static func run(beforeSending resources: [Resource], _ synchronizer: Synchronizer) async throws {
        let above = resources.filter(\.isUniquePerParent).flatMap(\.parents).map(\.entity)
        let names = Set(resources.map(\.name) + above)
        for resource in synchronizer.routeFile.resources where names.contains(resource.name) {
            _ = try await Readdressing(synchronizer: synchronizer, resource: resource).run()
        }
    }

    /// - Returns: what is to be said of it.
    /// - Throws: ``SyncError`` `wrongState` where the address of an object that was edited here becomes that of another, which
    ///   gets its own; ``StoreError``.
    func run() async throws -> [String] {
        let found = try await synchronizer.store.read { try find(in: $0) }
        let (free, rings) = found.inOrder()
        for chunk in chunks(of: rings) { try await remove(chunk) }
        for chunk in chunks(of: free) { try await move(chunk, found.moves) }
        var remarks: [String] = []
        if let first = found.moves.keys.min(), let id = found.moves[first] {
            remarks.append(
                "\(resource.name): moved to another address than before: \(found.moves.count), as "
                    + "from \(first) to \(resource.name)/\(id.text)")
        }
        if let first = found.untold.first {
            remarks.append(
                "\(resource.name): \(found.untold.count) do not show here what the route file makes their addresses of now, "
                    + "\(first) for one; where they are here twice from now on, begin with a new store")
        }
        return remarks
    }

    private func chunks(of uris: [ObjectURI]) -> [ArraySlice<ObjectURI>] {
        stride(from: 0, to: uris.count, by: StoringPages.chunk).map {
            uris[$0..<min($0 + StoringPages.chunk, uris.count)]
        }
    }

    // MARK: What is to be moved

    private func find(in snapshot: any StoreSnapshot) throws -> Found {
        var found = Found()
        let isReadAnew = try isReadOtherwise(resource, in: snapshot)
        guard try isReadAnew || mayFollowParents(in: snapshot) else { return found }
        try snapshot.records(matching: Query(resource.name)) { uri, _ in
            try look(at: uri, isReadAnew: isReadAnew, &found, in: snapshot)
            return true
        }
        // What is deleted here has no record.
        for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) where meta.isDeleted {
            try look(at: meta.uri, isReadAnew: isReadAnew, &found, in: snapshot)
        }
        return found
    }

    /// Whether what is here of an entity was read by other settings.
    private func isReadOtherwise(_ resource: Resource, in snapshot: any StoreSnapshot) throws -> Bool {
        let reading = resource.listReading
        return try snapshot.cursors(entity: resource.name).contains {
            $0.scope.isList && $0.cursor.isRead(otherwiseThan: reading)
        }
    }

    /// Whether a parent that the identifiers name was read by other settings. One that was made anew has another address, too, and
    /// nothing of what was below it.
    private func mayFollowParents(in snapshot: any StoreSnapshot) throws -> Bool {
        guard resource.isUniquePerParent else { return false }
        return try resource.parents.contains { parent in
            try synchronizer.routeFile.resource(parent.entity).map { try isReadOtherwise($0, in: snapshot) } ?? false
        }
    }

    private func look(
        at uri: ObjectURI, isReadAnew: Bool, _ found: inout Found, in snapshot: any StoreSnapshot
    ) throws {
        guard let meta = try snapshot.meta(at: uri), let base = meta.confirmed?.base else { return }
        guard let id = try address(of: meta, base, isReadAnew: isReadAnew, in: snapshot) else {
            found.untold.append(uri)
            return
        }
        if !id.text.hasSameBytes(as: uri.id) { found.moves[uri] = id }
    }

    /// What the server has shown last counts, and no edit of it.
    private func address(
        of meta: MetaObject, _ base: ObjectRecord, isReadAnew: Bool, in snapshot: any StoreSnapshot
    ) throws -> ObjectID? {
        guard resource.isUniquePerParent else { return synchronizer.client.identifier(in: base, of: resource) }
        var segments = meta.uri.segments
        var wireType = meta.id.wireType
        if isReadAnew {
            guard let own = synchronizer.client.identifier(in: base, of: resource),
                let above = parents(of: segments, base)
            else { return nil }
            segments = above + [own.text]
            wireType = own.wireType
        }
        try followParents(&segments, in: snapshot)
        return ObjectID(ObjectURI(entity: resource.name, segments: segments).id, wireType)
    }

    /// The identifiers of the parents that an address names, or has to name.
    private func parents(of segments: [String], _ base: ObjectRecord) -> [String]? {
        if segments.count == resource.parents.count + 1 { return Array(segments.dropLast()) }
        let shown = resource.parents.compactMap { parent in
            resource.mapping.value(parent.field, in: base).flatMap { ObjectID($0)?.text }
        }
        return shown.count == resource.parents.count ? shown : nil
    }

    /// Parents that were moved themselves.
    private func followParents(_ segments: inout [String], in snapshot: any StoreSnapshot) throws {
        for (index, parent) in resource.parents.enumerated() where index < segments.count - 1 {
            let isJoined = synchronizer.routeFile.resource(parent.entity)?.isUniquePerParent == true
            let above =
                isJoined
                ? ObjectURI(entity: parent.entity, segments: Array(segments[...index]))
                : ObjectURI(entity: parent.entity, id: segments[index])
            guard try snapshot.meta(at: above) == nil, let present = try snapshot.alias(of: above) else { continue }
            let named = isJoined ? present.segments : [present.id]
            let range = isJoined ? 0...index : index...index
            if named.count == range.count { segments.replaceSubrange(range, with: named) }
        }
    }

    // MARK: Moving

    private func move(_ uris: ArraySlice<ObjectURI>, _ moves: [ObjectURI: ObjectID]) async throws {
        let routeFile = synchronizer.routeFile
        let moved = try await synchronizer.store.write(.power, origin: .pull) {
            transaction -> [(old: ObjectURI, new: ObjectURI)] in
            let writer = ObjectWriter(routeFile: routeFile, transaction: transaction)
            var moved: [(old: ObjectURI, new: ObjectURI)] = []
            for uri in uris {
                guard let id = moves[uri], var object = try transaction.object(at: uri), !object.meta.isLocalOnly
                else { continue }
                object.meta.id = id
                moved.append((uri, try writer.put(object, over: uri, isNamedByServer: false)))
            }
            return moved
        }
        for (old, new) in moved {
            synchronizer.note(
                new.description, "has another address since the route file was changed; it was \(old)", isRoutine: true,
                former: old.description)
        }
    }

    /// Objects whose addresses change places: the lists, which are read as a whole, bring them again.
    private func remove(_ uris: ArraySlice<ObjectURI>) async throws {
        try await synchronizer.store.write(.process, origin: .pull) { transaction in
            for uri in uris {
                guard try transaction.meta(at: uri)?.isChanged == true else { continue }
                throw SyncError(
                    code: .wrongState,
                    message: "\(uri) is changed here, and the route file makes its address that of another object now; "
                        + "push or discard the change with the route file as it was, and pull then")
            }
            try transaction.delete(Array(uris))
            try transaction.removeMeta(Array(uris))
        }
    }
}
