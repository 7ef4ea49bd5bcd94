/// The lists of an entity that a cursor is kept for, and the objects that stand in each.
struct KnownLists: Sendable {
    let resource: Resource
    let routeFile: RouteFile

    typealias Known = (scope: PullScope, cursor: PullCursor)

    /// The list that an object stands in, and what is here of the parents that the list's path names; nil where the object is
    /// not here.
    ///
    /// - Parameter isAsShown: as the server has shown it last, without an edit that was made here.
    func list(
        of uri: ObjectURI, isAsShown: Bool = false, in snapshot: any StoreSnapshot
    ) throws -> (scope: PullScope, parents: [ObjectPlace.Parent.Presence])? {
        guard var object = try snapshot.object(at: uri) else { return nil }
        if isAsShown { object = LocalObject(record: nil, meta: object.meta) }
        let parents = try parents(of: object, in: snapshot)
        return (scope(below: parents), parents.map(\.presence))
    }

    /// The list that the server has shown an object in last, where that is another one than this, and than the one beside this
    /// list of tombstones. nil also where what it has shown does not say in which, or names none that was listed.
    func otherList(of object: LocalObject, than scope: PullScope, in snapshot: any StoreSnapshot) throws -> PullScope? {
        guard !resource.isUniquePerParent else { return nil }
        // An edit here may have moved it, and the server does not know of that.
        let parents = try parents(of: LocalObject(record: nil, meta: object.meta), in: snapshot)
        guard !parents.isEmpty, parents.count == resource.list.parentEntities.count else { return nil }
        let shown = self.scope(below: parents)
        guard (scope.isOfTombstones ? shown.ofTombstones : shown) != scope else { return nil }
        return try snapshot.cursor(for: shown) == nil ? nil : shown
    }

    /// Whether a read of an object tells whether it is there, whatever parent it stands below by now: its path names none, or the
    /// object is another one below another parent.
    var readsAnywhere: Bool {
        resource.read.isOffered && (resource.isUniquePerParent || resource.read.parentEntities.isEmpty)
    }

    /// The parents that the list's path names, as far as they are known.
    private func parents(of object: LocalObject, in snapshot: any StoreSnapshot) throws -> [ObjectPlace.Parent] {
        let place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
        return resource.list.parentEntities.compactMap { place.parents[$0] }
    }

    private func scope(below parents: [ObjectPlace.Parent]) -> PullScope {
        let ids = parents.map { PercentEncoding.segment($0.id.text) }
        return PullScope(entity: resource.name, parent: ids.isEmpty ? nil : ids.joined(separator: "/"))
    }

    /// The lists that are known and were not read, for their parents are gone, with their cursors.
    func others(than listings: [PulledList], in snapshot: any StoreSnapshot) throws -> [Known] {
        let listed = Set(listings.map(\.scope))
        return try snapshot.cursors(entity: resource.name).filter { !$0.scope.isView && !listed.contains($0.scope) }
    }

    /// The other lists that an object is below.
    func filled(besides listings: [PulledList], in snapshot: any StoreSnapshot) throws -> Set<PullScope> {
        var filled: Set<PullScope> = []
        try eachBelow(try others(than: listings, in: snapshot), in: snapshot) { _, scope, _ in filled.insert(scope) }
        return filled
    }

    /// Looks through the entity, where one of these lists is there to look for.
    func eachBelow(
        _ lists: [Known], in snapshot: any StoreSnapshot,
        _ body: (ObjectURI, PullScope, [ObjectPlace.Parent.Presence]) throws -> Void
    ) throws {
        guard !lists.isEmpty else { return }
        let scopes = Set(lists.map(\.scope))
        try snapshot.records(matching: Query(resource.name)) { uri, _ in
            if let (scope, parents) = try list(of: uri, in: snapshot), scopes.contains(scope) {
                try body(uri, scope, parents)
            }
            return true
        }
    }
}
