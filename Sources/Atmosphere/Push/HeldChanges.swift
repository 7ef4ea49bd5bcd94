/// What waits for what among the changes that are to be sent: deletes behind what leaves their objects, actions behind changes
/// of what they change below their objects, and moves behind other moves.
///
/// Reads what waits of an entity once, and looks at each change again when it is asked for it.
struct HeldChanges: Sendable {
    private let routeFile: RouteFile
    private let deletes: HeldList<HeldDeletes>
    private let actions: HeldList<HeldActions>
    private let moves: HeldMoves

    init(_ routeFile: RouteFile) {
        self.routeFile = routeFile
        deletes = HeldList(HeldDeletes(routeFile))
        actions = HeldList(HeldActions(routeFile))
        moves = HeldMoves(routeFile)
    }

    /// What waits is read anew.
    func forget() {
        deletes.forget()
        actions.forget()
        moves.forget()
    }

    /// The change that holds what goes next of an object; nil where nothing does, or something of it goes.
    func holder(of object: LocalObject, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        switch object.meta.state {
        case .synchronized, .created: return nil
        case .deleted: return try holder(of: object, .delete, in: snapshot)
        case .updated(let confirmed, _):
            guard let resource = routeFile.resource(object.uri.entity), resource.actions.contains(where: \.isOrdered),
                let record = object.record
            else { return nil }
            var first: MetaObject?
            for action in ChangeEngine(resource).nextActions(base: confirmed.base, record: record) {
                guard let holder = try holder(of: object, .action(action.name), in: snapshot) else { return nil }
                first = first ?? holder
            }
            return first
        }
    }

    /// The first change that holds one request of an object; nil where none does.
    func holder(of object: LocalObject, _ verb: Verb, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        switch verb {
        case .create, .update, .upload: nil
        case .delete: try deletes.holder(of: object.meta, by: referring(to: object.uri.entity), in: snapshot)
        case .action(let name):
            try action(name, of: object).flatMap { action in
                try actions.holder(of: object.meta, by: action.changes, in: snapshot)
                    ?? moves.holder(of: object, by: action, in: snapshot)
            }
        }
    }

    /// All changes that hold one request of an object; of moves that go one after another the one before it.
    func holders(of object: LocalObject, _ verb: Verb, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        switch verb {
        case .create, .update, .upload: []
        case .delete: try deletes.holders(of: object.meta, by: referring(to: object.uri.entity), in: snapshot)
        case .action(let name):
            try action(name, of: object).map { action in
                try actions.holders(of: object.meta, by: action.changes, in: snapshot)
                    + moves.holders(of: object, by: action, in: snapshot)
            } ?? []
        }
    }

    /// The objects of which something may wait for the change of another.
    func objects(waitingFor uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        try deletes.rule.deletes(above: uri, in: snapshot) + actions.rule.objects(above: uri, in: snapshot)
            + moves.objects(waitingFor: uri, in: snapshot)
    }

    private func action(_ name: String, of object: LocalObject) -> Action? {
        routeFile.resource(object.uri.entity)?.actions.first { $0.name == name }
    }

    private func referring(to entity: String) -> [String] {
        routeFile.resources.filter { $0.refers(to: entity) }.map(\.name)
    }
}

extension Resource {
    /// Whether its objects name objects of an entity.
    fileprivate func refers(to entity: String) -> Bool { (parents + references).contains { $0.entity == entity } }
}
