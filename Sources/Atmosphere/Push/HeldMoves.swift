internal import Synchronization

/// Moves are actions that put their objects behind others (`sets: { MEMBER: { behind: … } }`). Those that wait go one after
/// another where their order decides which order the server ends with.
///
/// Reads the moves of an entity once, and looks at each again when it is asked for it. An object that was edited since they were
/// read has them read anew. A move that was made since goes after the ones before it anyway: it stands nearer to its target.
final class HeldMoves: Sendable {
    /// One that waits.
    private struct Move: Sendable {
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

    /// The moves of an entity that wait, as they were when they were read. A move that waits no longer is taken out.
    private struct Moves: Sendable {
        /// What has to be alike where moves go one after another.
        struct Row: Hashable, Sendable {
            var target: ObjectURI?
            var among: [Value]

            init(_ move: Move) { (target, among) = (move.target, move.among) }
        }

        let read: ReadChanges
        private var targets: [ObjectURI: [ObjectURI]] = [:]
        /// In the order of their places.
        private var rows: [Row: [(place: ComparisonKey, uri: ObjectURI)]] = [:]

        init(_ moves: [Move], of read: ReadChanges) {
            self.read = read
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

        /// Takes out one of a row; it stands among those of its place.
        mutating func remove(_ gone: (place: ComparisonKey, uri: ObjectURI), from row: Row) {
            if let index = index(of: gone, in: rows[row] ?? []) { rows[row]?.remove(at: index) }
        }

        private func index(
            of one: (place: ComparisonKey, uri: ObjectURI), in all: [(place: ComparisonKey, uri: ObjectURI)]
        ) -> Int? {
            all[border(one.place, in: all, after: false)...]
                .prefix { $0.place.sortOrder(one.place) == .equal }
                .firstIndex { $0.uri == one.uri }
        }

        /// Takes out the last one that goes behind an object.
        mutating func removeLast(_ gone: ObjectURI, behind target: ObjectURI) {
            guard targets[target]?.last == gone else { return }
            _ = targets[target]?.popLast()
        }
    }

    private let routeFile: RouteFile
    /// By entity.
    private let waiting = Mutex<[String: Moves]>([:])

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    func forget() { waiting.withLock { $0 = [:] } }

    /// The first move that an object's waits for; nil where the action is no move, or nothing holds it.
    func holder(of object: LocalObject, by action: Action, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        var found: MetaObject?
        try visit(before: object, by: action, in: snapshot) { meta in
            found = meta
            return false
        }
        return found
    }

    /// The moves that an object's waits for; of those that go one after another the one before it.
    func holders(of object: LocalObject, by action: Action, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        var found: [MetaObject] = []
        try visit(before: object, by: action, in: snapshot) { meta in
            found.append(meta)
            return true
        }
        return found
    }

    /// Calls `each` for the moves that an object's waits for, until it returns false.
    private func visit(
        before object: LocalObject, by action: Action, in snapshot: any StoreSnapshot, _ each: (MetaObject) -> Bool
    ) throws {
        guard let own = try move(of: object, by: [action], in: snapshot), !own.isPast else { return }
        try read(object.meta, in: snapshot)
        if let target = own.target, let other = try present(target, in: snapshot), own.follows(other.move),
            !each(other.meta)
        {
            return
        }
        for uri in try behind(own.uri, in: snapshot).reversed() {
            guard let other = try present(uri, in: snapshot), own.follows(other.move) else { continue }
            guard each(other.meta) else { return }
        }
        if let meta = try neighbour(of: own, isBehind: true, in: snapshot) { _ = each(meta) }
    }

    /// The objects whose moves may wait for an object's.
    func objects(waitingFor uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        guard let resource = routeFile.resource(uri.entity), resource.actions.contains(where: \.isOrdered),
            let object = try snapshot.object(at: uri),
            let own = try move(of: object, by: resource.actions, in: snapshot)
        else { return [] }
        try read(object.meta, in: snapshot)
        var found: Set<ObjectURI> = []
        for uri in try [own.target].compactMap(\.self) + behind(own.uri, in: snapshot) {
            guard let other = try present(uri, in: snapshot), other.move.follows(own) else { continue }
            found.insert(other.meta.uri)
        }
        if let meta = try neighbour(of: own, isBehind: false, in: snapshot) { found.insert(meta.uri) }
        return found.sorted()
    }

    /// Those that go behind an object.
    private func behind(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        while let last = moves(of: uri.entity)?.behind(uri).last, try present(last, in: snapshot) == nil {
            waiting.withLock { $0[uri.entity]?.removeLast(last, behind: uri) }
        }
        return moves(of: uri.entity)?.behind(uri) ?? []
    }

    /// The one of its row that goes directly before a move, as it stands behind it here, or the one that goes directly after it:
    /// the others wait for each other in turn.
    private func neighbour(of own: Move, isBehind: Bool, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        guard !own.isPast else { return nil }
        let row = Moves.Row(own)
        var place = own.place
        while let next = moves(of: own.uri.entity)?.next(isBehind, place, in: row) {
            if let other = try present(next.uri, in: snapshot) {
                if isBehind ? own.follows(other.move) : other.move.follows(own) { return other.meta }
                place = next.place
            } else {
                waiting.withLock { $0[own.uri.entity]?.remove(next, from: row) }
            }
        }
        return nil
    }

    private func moves(of entity: String) -> Moves? { waiting.withLock { $0[entity] } }

    /// Reads the moves of an entity that wait, unless an object's was known when they were read last.
    private func read(_ object: MetaObject, in snapshot: any StoreSnapshot) throws {
        let entity = object.uri.entity
        if let read = moves(of: entity)?.read, try read.knows(object, in: snapshot) { return }
        let changes = try snapshot.changed(entity: entity, after: nil, limit: .max)
        let found = try Moves(
            changes.compactMap { try present($0.uri, in: snapshot)?.move }, of: ReadChanges(changes))
        waiting.withLock { $0[entity] = found }
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
