/// An action that changes what is below its object (`changes` in the route file) finds there what people here have made of it:
/// what waits of that goes first.
struct HeldActions: HoldingRule {
    private let routeFile: RouteFile

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    func held(by change: MetaObject, of entity: String, in snapshot: any StoreSnapshot) throws -> Set<ObjectURI> {
        try objects(above: change, in: snapshot) { $0 == entity }
    }

    /// The objects above one whose actions may wait for its change.
    func objects(above uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        let above = Set(
            routeFile.resources.filter { $0.actions.contains { $0.changes.contains(uri.entity) } }.map(\.name))
        guard !above.isEmpty, let meta = try snapshot.meta(at: uri) else { return [] }
        return try objects(above: meta, in: snapshot, where: above.contains).sorted().filter { above in
            guard let object = try snapshot.object(at: above), let resource = routeFile.resource(above.entity),
                let base = object.meta.confirmed?.base, let record = object.record
            else { return false }
            return ChangeEngine(resource).pendingActions(base: base, record: record)
                .contains { $0.changes.contains(uri.entity) }
        }
    }

    /// The objects below which a change that is to be sent stands: those of the server's object, and those that it goes to.
    private func objects(
        above change: MetaObject, in snapshot: any StoreSnapshot, where isAsked: (String) -> Bool
    ) throws -> Set<ObjectURI> {
        guard let resource = routeFile.resource(change.uri.entity), isToSend(change, resource) else { return [] }
        let edit = Edit(resource, routeFile, snapshot)
        var found: Set<ObjectURI> = []
        let records = try [change.confirmed?.base, snapshot.record(at: change.uri)]
        for record in records.compactMap(\.self) {
            let members = resource.mapping.members(of: record)
            for parent in resource.parents where isAsked(parent.entity) {
                guard let id = members[parent.field].flatMap({ ObjectID($0) }) else { continue }
                let named = try edit.address(of: parent, id, in: members)
                found.insert(try snapshot.alias(of: named) ?? named)
            }
        }
        return found
    }

    /// What the server has accepted, or is never sent, holds nothing.
    private func isToSend(_ meta: MetaObject, _ resource: Resource) -> Bool {
        switch meta.state {
        case .synchronized: false
        case .created: resource.create.isOffered
        case .updated: true
        case .deleted: resource.delete.isOffered && meta.outgoing?.evidence != .begun
        }
    }
}
