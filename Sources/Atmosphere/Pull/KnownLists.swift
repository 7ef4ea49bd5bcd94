/// The lists of an entity that a cursor is kept for, and the objects that stand in each.
struct KnownLists: Sendable {
    let resource: Resource
    let routeFile: RouteFile

    typealias Known = (scope: PullScope, cursor: PullCursor)

    /// The list that an object stands in, and what is here of the parents that the list's path names; nil where the object is
    /// not here.
    func list(
        of uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> (scope: PullScope, parents: [ObjectPlace.Parent.Presence])? {
        guard let object = try snapshot.object(at: uri) else { return nil }
        let place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
        let parents = resource.list.parentEntities.compactMap { place.parents[$0] }
        let ids = parents.map { PercentEncoding.segment($0.id.text) }
        let scope = PullScope(entity: resource.name, parent: ids.isEmpty ? nil : ids.joined(separator: "/"))
        return (scope, parents.map(\.presence))
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
