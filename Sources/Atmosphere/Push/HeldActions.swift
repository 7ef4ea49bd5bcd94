internal import Synchronization

/// Which actions wait for which changes. An action that changes what is below its object (`changes` in the route file) finds
/// there what people here have made of it: what waits of that goes first. Moves behind other objects go one after another where
/// their order decides which order the server ends with.
///
/// Reads what waits of an entity once, and looks at each change again when it is asked for it.
final class HeldActions: Sendable {
    private let routeFile: RouteFile
    /// By the entity below and the object above it: the changes that may hold its action, the first one last. What does so no
    /// more is taken out.
    private let changes = Mutex<[String: [ObjectURI: [ObjectURI]]]>([:])

    /// By entity: the objects that moves wait for.
    private let moved = Mutex<[String: [ObjectURI]]>([:])

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    /// What waits is read anew.
    func forget() {
        changes.withLock { $0 = [:] }
        moved.withLock { $0 = [:] }
    }

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
        return try movesBefore(object, in: snapshot).first
    }

    /// All changes that hold the action which goes next for an object.
    func holders(of object: LocalObject, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        try (nextAction(of: object)?.changes ?? []).flatMap { entity -> [MetaObject] in
            try readOnce(entity, in: snapshot)
            let known = changes.withLock { $0[entity]?[object.uri] ?? [] }
            return try known.reversed().compactMap { try present($0, below: object.uri, in: snapshot) }
        } + movesBefore(object, in: snapshot)
    }

    /// The objects whose actions may wait for a change of one below them, or of another of their kind.
    func objects(waitingFor uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        try objects(above: uri, in: snapshot) + movesBehind(uri, in: snapshot)
    }

    private func objects(above uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
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
            resource.actions.contains(where: \.isOrdered),
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

/// Moves: actions that put their objects behind others (`sets: { MEMBER: { behind: … } }`).
extension HeldActions {
    /// One that waits.
    private struct Move {
        var uri: ObjectURI
        /// The object behind which it goes; nil for before all others.
        var target: ObjectURI?
        /// Where both stand here.
        var place: ComparisonKey
        var targetPlace: ComparisonKey?
        /// What its neighbours have alike.
        var among: [Value]

        /// The target has been moved behind it since.
        var isPast: Bool { targetPlace.map { $0.sortOrder(place) != .less } ?? false }

        /// Whether it goes after another one, so that the server ends with the order that is here. Never of two each: one that
        /// is past waits for none, and all others stand behind their targets.
        func follows(_ other: Move) -> Bool {
            guard !isPast, uri != other.uri else { return false }
            if target == other.uri { return true }
            if other.isPast { return other.target == uri }
            return target == other.target && among == other.among && other.place.sortOrder(place) == .greater
        }
    }

    private func movesBefore(_ object: LocalObject, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        guard let action = nextAction(of: object), let own = try move(of: object, by: [action], in: snapshot) else {
            return []
        }
        return try waiting(object.uri.entity, in: snapshot).filter { own.follows($0.move) }.map(\.meta)
    }

    private func movesBehind(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        guard let resource = routeFile.resource(uri.entity), resource.actions.contains(where: \.isOrdered),
            let object = try snapshot.object(at: uri),
            let own = try move(of: object, by: resource.actions, in: snapshot)
        else { return [] }
        return try waiting(uri.entity, in: snapshot).filter { $0.move.follows(own) }.map(\.meta.uri)
    }

    /// The moves of an entity that wait, as they are now.
    private func waiting(
        _ entity: String, in snapshot: any StoreSnapshot
    ) throws -> [(move: Move, meta: MetaObject)] {
        guard let resource = routeFile.resource(entity) else { return [] }
        func present(_ uri: ObjectURI) throws -> (move: Move, meta: MetaObject)? {
            guard let object = try snapshot.object(at: snapshot.alias(of: uri) ?? uri),
                let move = try move(of: object, by: resource.actions, in: snapshot)
            else { return nil }
            return (move, object.meta)
        }
        if let known = moved.withLock({ $0[entity] }) { return try known.compactMap(present) }
        let found = try snapshot.changed(entity: entity, after: nil, limit: .max).compactMap { try present($0.uri) }
        let uris = found.map(\.meta.uri)
        moved.withLock { $0[entity] = uris }
        return found
    }

    /// - Parameter actions: those that may be the move.
    /// - Returns: nil where none waits to be sent for the first time.
    private func move(
        of object: LocalObject, by actions: [Action], in snapshot: any StoreSnapshot
    ) throws -> Move? {
        guard let resource = routeFile.resource(object.uri.entity), let record = object.record,
            case .updated(let confirmed, let outgoing) = object.meta.state, outgoing.lastError == nil,
            object.meta.waitsFor.isEmpty
        else { return nil }
        switch outgoing.phase {
        case .waiting, .sending: break
        case .unknown, .conflicted, .rejected: return nil
        }
        let members = resource.mapping.members(of: record)
        let open = ChangeEngine(resource).pendingActions(base: confirmed.base, record: record)
        for action in actions where open.contains(action) {
            for effect in action.sets {
                guard case .place(let behind, let among) = effect.source else { continue }
                let target = try target(of: behind, in: members, resource, snapshot)
                let beyond = try target.flatMap { try snapshot.record(at: $0) }
                return Move(
                    uri: object.uri, target: target, place: key(effect.member, in: record, resource),
                    targetPlace: beyond.map { key(effect.member, in: $0, resource) },
                    among: among.map { members[$0] ?? .null })
            }
        }
        return nil
    }

    private func target(
        of behind: String, in members: Value.Members, _ resource: Resource, _ snapshot: any StoreSnapshot
    ) throws -> ObjectURI? {
        guard let id = members[behind].flatMap({ ObjectID($0) }) else { return nil }
        let reference = Reference(entity: resource.name, field: behind)
        let named = try Edit(resource, routeFile, snapshot).address(of: reference, id, in: members)
        return try snapshot.alias(of: named) ?? named
    }

    private func key(_ member: String, in record: ObjectRecord, _ resource: Resource) -> ComparisonKey {
        (resource.fields.types[member] ?? .json).key(for: resource.mapping.value(member, in: record) ?? .null)
    }
}
