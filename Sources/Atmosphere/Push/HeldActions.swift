internal import Synchronization

/// Which actions wait for which changes. An action that changes what is below its object (`changes` in the route file) finds
/// there what people here have made of it: what waits of that goes first.
///
/// Reads what waits of an entity once, and looks at each change again when it is asked for it.
final class HeldActions: Sendable {
    private let routeFile: RouteFile
    /// By the entity below and the object above it: the changes that may hold its action, the first one last. What does so no
    /// more is taken out.
    private let changes = Mutex<[String: [ObjectURI: [ObjectURI]]]>([:])

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    /// What waits is read anew.
    func forget() { changes.withLock { $0 = [:] } }

    /// The first change that holds the action which goes next for an object; nil where none does, or no action is next.
    func holder(of object: LocalObject, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        for entity in nextAction(of: object)?.changes ?? [] {
            try readOnce(entity, in: snapshot)
            while let first = changes.withLock({ $0[entity]?[object.uri]?.last }) {
                if let meta = try present(first, below: object.uri, in: snapshot) { return meta }
                changes.withLock { changes in
                    guard changes[entity]?[object.uri]?.last == first else { return }
                    _ = changes[entity]?[object.uri]?.popLast()
                }
            }
        }
        return nil
    }

    /// All changes that hold the action which goes next for an object.
    func holders(of object: LocalObject, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        try (nextAction(of: object)?.changes ?? []).flatMap { entity -> [MetaObject] in
            try readOnce(entity, in: snapshot)
            let known = changes.withLock { $0[entity]?[object.uri] ?? [] }
            return try known.reversed().compactMap { try present($0, below: object.uri, in: snapshot) }
        }
    }

    /// The objects whose actions may wait for a change of the one below them.
    func objects(above uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        let isAwaited = routeFile.resources.contains { above in
            above.actions.contains { $0.changes.contains(uri.entity) }
        }
        guard isAwaited, let resource = routeFile.resource(uri.entity), let meta = try snapshot.meta(at: uri) else {
            return []
        }
        return try above(meta, resource, in: snapshot).sorted().filter { above in
            let object = try snapshot.object(at: above)
            return object.flatMap(nextAction)?.changes.contains(uri.entity) == true
        }
    }

    private func nextAction(of object: LocalObject) -> Action? {
        guard let resource = routeFile.resource(object.uri.entity),
            resource.actions.contains(where: { !$0.changes.isEmpty }),
            case .updated(let confirmed, _) = object.meta.state, let record = object.record
        else { return nil }
        return ChangeEngine(resource).nextAction(base: confirmed.base, record: record)
    }

    private func readOnce(_ entity: String, in snapshot: any StoreSnapshot) throws {
        guard let resource = routeFile.resource(entity), changes.withLock({ $0[entity] == nil }) else { return }
        var found: [ObjectURI: [ObjectURI]] = [:]
        for meta in try snapshot.changed(entity: entity, after: nil, limit: .max) {
            for uri in try above(meta, resource, in: snapshot) { found[uri, default: []].append(meta.uri) }
        }
        let read = found.mapValues { Array($0.reversed()) }
        changes.withLock { $0[entity] = read }
    }

    private func present(
        _ change: ObjectURI, below uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> MetaObject? {
        let place = try snapshot.alias(of: change) ?? change
        guard let resource = routeFile.resource(place.entity), let meta = try snapshot.meta(at: place),
            try above(meta, resource, in: snapshot).contains(uri)
        else { return nil }
        return meta
    }

    /// The objects below which a change that is to be sent stands: those of the server's object, and those that it goes to.
    private func above(
        _ meta: MetaObject, _ resource: Resource, in snapshot: any StoreSnapshot
    ) throws -> Set<ObjectURI> {
        guard isSent(meta, resource) else { return [] }
        let edit = Edit(resource, routeFile, snapshot)
        var found: Set<ObjectURI> = []
        let records = try [meta.confirmed?.base, snapshot.record(at: meta.uri)]
        for record in records.compactMap(\.self) {
            let members = resource.mapping.members(of: record)
            for parent in resource.parents {
                guard let id = members[parent.field].flatMap({ ObjectID($0) }) else { continue }
                let named = try edit.address(of: parent, id, in: members)
                found.insert(try snapshot.alias(of: named) ?? named)
            }
        }
        return found
    }

    /// What the server has accepted, or is never sent, holds nothing.
    private func isSent(_ meta: MetaObject, _ resource: Resource) -> Bool {
        switch meta.state {
        case .synchronized: false
        case .created: resource.create.isOffered
        case .updated: true
        case .deleted: resource.delete.isOffered && meta.outgoing?.evidence != .begun
        }
    }
}
