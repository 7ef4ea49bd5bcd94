internal import Synchronization

/// Which actions wait for which changes. An action that changes what is below its object (`changes` in the route file) finds
/// there what people here have made of it: what waits of that goes first. Moves behind other objects go one after another where
/// their order decides which order the server ends with.
///
/// Reads what waits of an entity once, and looks at each change again when it is asked for it.
final class HeldActions: Sendable {
    private let routeFile: RouteFile
    /// By the entity below and the object above it: the changes that may hold its action, the first one last. A
    /// change that holds nothing any more is taken out.
    private let changes = Mutex<[String: [ObjectURI: [ObjectURI]]]>([:])

    /// By entity: the moves that wait. A move that waits no longer is taken out.
    private let waiting = Mutex<[String: Moves]>([:])

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    /// What waits is read anew.
    func forget() {
        changes.withLock { $0 = [:] }
        waiting.withLock { $0 = [:] }
    }

    /// The first change that holds the action which goes next for an object; nil where none does, or no action is next.
    ///
    /// - Parameter isSent: the action is sent where none does: an edit that was made since the changes were read holds it, too.
    func holder(
        of object: LocalObject, isSent: Bool = false, in snapshot: any StoreSnapshot
    ) throws -> MetaObject? {
        for entity in nextAction(of: object)?.changes ?? [] {
            let isKnown = changes.withLock { $0[entity] != nil }
            if let meta = try known(entity, holding: object, in: snapshot) { return meta }
            guard isSent, isKnown else { continue }
            let read = try self.read(entity, in: snapshot)
            changes.withLock { $0[entity] = read }
            if let meta = try known(entity, holding: object, in: snapshot) { return meta }
        }
        return try movesBefore(object, isFirstEnough: true, in: snapshot).first
    }

    /// The first change of an entity, among those that were read, which holds an object's action.
    private func known(
        _ entity: String, holding object: LocalObject, in snapshot: any StoreSnapshot
    ) throws -> MetaObject? {
        try readOnce(entity, in: snapshot)
        while let first = changes.withLock({ $0[entity]?[object.uri]?.last }) {
            if let meta = try present(first, below: object.uri, in: snapshot) { return meta }
            changes.withLock { changes in
                guard changes[entity]?[object.uri]?.last == first else { return }
                _ = changes[entity]?[object.uri]?.popLast()
            }
        }
        return nil
    }

    /// All changes that hold the action which goes next for an object; of moves that go one after another the one before it.
    func holders(of object: LocalObject, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        try (nextAction(of: object)?.changes ?? []).flatMap { entity -> [MetaObject] in
            try readOnce(entity, in: snapshot)
            let known = changes.withLock { $0[entity]?[object.uri] ?? [] }
            return try known.reversed().compactMap { try present($0, below: object.uri, in: snapshot) }
        } + movesBefore(object, isFirstEnough: false, in: snapshot)
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
        guard changes.withLock({ $0[entity] == nil }) else { return }
        let read = try self.read(entity, in: snapshot)
        // What was read in between is newer, or the same.
        changes.withLock { if $0[entity] == nil { $0[entity] = read } }
    }

    /// The changes that wait of an entity, by the objects above them; the first one last.
    private func read(_ entity: String, in snapshot: any StoreSnapshot) throws -> [ObjectURI: [ObjectURI]] {
        guard let resource = routeFile.resource(entity) else { return [:] }
        var found: [ObjectURI: [ObjectURI]] = [:]
        for meta in try snapshot.changed(entity: entity, after: nil, limit: .max) {
            for uri in try above(meta, resource, in: snapshot) { found[uri, default: []].append(meta.uri) }
        }
        return found.mapValues { Array($0.reversed()) }
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
    fileprivate struct Move: Sendable {
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

        /// Whether this move goes after another one, so that the server ends with the order that is here. Two moves never wait
        /// for each other: a move that is past waits for none, and all others stand behind their targets.
        func follows(_ other: Move) -> Bool {
            guard !isPast, uri != other.uri else { return false }
            if target == other.uri { return true }
            if other.isPast { return other.target == uri }
            return target == other.target && among == other.among && other.place.sortOrder(place) == .greater
        }
    }

    /// The moves of an entity that wait, as they were when they were read.
    fileprivate struct Moves: Sendable {
        /// What has to be alike where moves go one after another.
        struct Row: Hashable, Sendable {
            var target: ObjectURI?
            var among: [Value]

            init(_ move: Move) { (target, among) = (move.target, move.among) }
        }

        private var targets: [ObjectURI: [ObjectURI]] = [:]
        /// In the order of their places.
        private var rows: [Row: [(place: ComparisonKey, uri: ObjectURI)]] = [:]

        init(_ moves: [Move]) {
            for move in moves {
                if let target = move.target { targets[target, default: []].append(move.uri) }
                rows[Row(move), default: []].append((move.place, move.uri))
            }
            for row in rows.keys { rows[row]?.sort { $0.place.sortOrder($1.place) == .less } }
        }

        /// Those that go behind an object.
        func behind(_ uri: ObjectURI) -> [ObjectURI] { targets[uri] ?? [] }

        /// The next one of its row behind a place, or before it.
        func next(_ isBehind: Bool, _ place: ComparisonKey, in row: Row) -> (place: ComparisonKey, uri: ObjectURI)? {
            guard let all = rows[row] else { return nil }
            let index = isBehind ? border(place, in: all, after: true) : border(place, in: all, after: false) - 1
            return all.indices.contains(index) ? all[index] : nil
        }

        /// How many places are less than one, or not greater.
        private func border(
            _ place: ComparisonKey, in all: [(place: ComparisonKey, uri: ObjectURI)], after: Bool
        ) -> Int {
            var (low, high) = (0, all.count)
            while low < high {
                let middle = low + (high - low) / 2
                let order = all[middle].place.sortOrder(place)
                if order == .less || after && order == .equal { low = middle + 1 } else { high = middle }
            }
            return low
        }

        mutating func remove(_ uri: ObjectURI, from row: Row) {
            rows[row]?.removeAll { $0.uri == uri }
        }
    }

    /// - Parameter isFirstEnough: the first one that is found is all that is asked for.
    private func movesBefore(
        _ object: LocalObject, isFirstEnough: Bool, in snapshot: any StoreSnapshot
    ) throws -> [MetaObject] {
        guard let action = nextAction(of: object), let own = try move(of: object, by: [action], in: snapshot),
            !own.isPast
        else { return [] }
        let entity = object.uri.entity
        var found: [MetaObject] = []
        for uri in try [own.target].compactMap(\.self) + moves(of: entity, in: snapshot).behind(own.uri) {
            guard let other = try present(uri, in: snapshot), own.follows(other.move) else { continue }
            found.append(other.meta)
            if isFirstEnough { return found }
        }
        if let meta = try neighbour(of: own, isBehind: true, in: snapshot) { found.append(meta) }
        return found
    }

    private func movesBehind(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        guard let resource = routeFile.resource(uri.entity), resource.actions.contains(where: \.isOrdered),
            let object = try snapshot.object(at: uri),
            let own = try move(of: object, by: resource.actions, in: snapshot)
        else { return [] }
        var found: [ObjectURI] = []
        for uri in try [own.target].compactMap(\.self) + moves(of: uri.entity, in: snapshot).behind(own.uri) {
            guard let other = try present(uri, in: snapshot), other.move.follows(own) else { continue }
            found.append(other.meta.uri)
        }
        if let meta = try neighbour(of: own, isBehind: false, in: snapshot) { found.append(meta.uri) }
        return Set(found).sorted()
    }

    /// The one of its row that goes directly before a move, as it stands behind it here, or the one that goes directly after it:
    /// the others wait for each other in turn.
    private func neighbour(of own: Move, isBehind: Bool, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        guard !own.isPast else { return nil }
        let row = Moves.Row(own)
        var place = own.place
        while let next = try moves(of: own.uri.entity, in: snapshot).next(isBehind, place, in: row) {
            if let other = try present(next.uri, in: snapshot) {
                if isBehind ? own.follows(other.move) : other.move.follows(own) { return other.meta }
                place = next.place
            } else {
                _ = waiting.withLock { $0[own.uri.entity]?.remove(next.uri, from: row) }
            }
        }
        return nil
    }

    /// Reads the moves of an entity that wait once.
    private func moves(of entity: String, in snapshot: any StoreSnapshot) throws -> Moves {
        if let known = waiting.withLock({ $0[entity] }) { return known }
        let read = try Moves(
            snapshot.changed(entity: entity, after: nil, limit: .max).compactMap {
                try present($0.uri, in: snapshot)?.move
            })
        waiting.withLock { $0[entity] = read }
        return read
    }

    /// A move as it is now; nil where it waits no more.
    private func present(
        _ uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> (move: Move, meta: MetaObject)? {
        let place = try snapshot.alias(of: uri) ?? uri
        guard let resource = routeFile.resource(place.entity), let object = try snapshot.object(at: place),
            let move = try move(of: object, by: resource.actions, in: snapshot)
        else { return nil }
        return (move, object.meta)
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
