/// What a person decides about a change: stored in one transaction, and told in the log.
struct Decisions: Sendable {
    private let synchronizer: Synchronizer
    /// Looks at the object that a decision finds, and throws where that is not to be decided.
    private let condition: @Sendable (LocalObject) throws -> Void

    private var routeFile: RouteFile { synchronizer.routeFile }

    /// - Parameter condition: gets the object as the application sees it, inside the transaction; marks do not ask it.
    init(
        _ synchronizer: Synchronizer, where condition: @escaping @Sendable (LocalObject) throws -> Void = { _ in }
    ) {
        self.synchronizer = synchronizer
        self.condition = condition
    }

    /// See ``Synchronizer/resolve(_:_:)``.
    func resolve(_ uri: ObjectURI, _ resolution: Synchronizer.Resolution) async throws {
        let resource = try synchronizer.resource(uri.entity)
        if case .adopt(let id) = resolution { return try await adopt(uri, id, resource) }
        let key = synchronizer.environment.makeUUID()
        let sequence = synchronizer.nextSequence()
        let decided = try await write(uri) { transaction, object in
            let plan = try ChangeEngine(resource).resolve(object, resolution, sequence: sequence, key: key)
            try transaction.raiseSequence(to: sequence)
            return plan
        }
        // What was deleted here is not sent again, whatever was decided.
        synchronizer.note(uri, "decided: \(decided.note ?? resolution.word)")
        await WaitingContents(synchronizer).forget(decided.dropped, of: uri, because: "so it was decided")
    }

    /// The server's object becomes this one: read, then merged as a create that was found.
    private func adopt(_ uri: ObjectURI, _ id: ObjectID, _ resource: Resource) async throws {
        let key = synchronizer.environment.makeUUID()
        let (present, place) = try await synchronizer.store.read { snapshot -> (ObjectURI, ObjectPlace) in
            let (present, object) = try snapshot.existing(uri)
            try condition(synchronizer.viewed(object))
            try object.requireCreateInDoubt()
            try snapshot.requireForeign(id, to: present)
            var place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
            // Candidates are known by their whole identifier, their parent's with their own.
            place.id = resource.isUniquePerParent ? ObjectURI(entity: uri.entity, id: id.text).segments.last : id.text
            guard place.id?.isEmpty == false else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "an identifier is missing; give that of the server’s object which \(present) has become")
            }
            return (present, place)
        }
        let sequence = synchronizer.nextSequence()
        let candidates = Candidates(synchronizer: synchronizer, resource: resource)
        let found = try await candidates.adoptable(id, at: place, sequence: sequence)
        try await synchronizer.store.write(.power, origin: .application) { transaction in
            // A push may have found out meanwhile what it is.
            let object = try transaction.existing(present).1
            try condition(synchronizer.viewed(object))
            try object.requireCreateInDoubt()
            try transaction.requireForeign(id, to: present)
            let engine = try ChangeEngine(resource, naming: id, beside: present, in: transaction)
            try engine.requireNew(found, as: object)
            let plan = engine.lookedUp(found, of: object, arrival: found.sequence, key: key, isDecided: true)
            try ObjectWriter(routeFile: routeFile, transaction: transaction).apply(plan, to: present)
            try transaction.raiseSequence(to: sequence)
        }
        synchronizer.note(uri, "decided: it is \(resource.name)/\(id)")
    }

    /// See ``Synchronizer/retry(_:)``.
    func retry(_ uri: ObjectURI) async throws {
        let key = synchronizer.environment.makeUUID()
        let engine = routeFile.resource(uri.entity).map { ChangeEngine($0) }
        let moment = synchronizer.environment.now()
        _ = try await write(uri) { transaction, object in
            var retried = try ChangeEngine.retried(object, key: key, by: engine)
            if let engine, case .rejected(.refused(let sent), _) = object.meta.outgoing?.phase, let name = sent.action {
                let edit = Edit(engine.resource, routeFile, transaction)
                retried.record = try edit.calledAgain(name, retried, at: moment)
            }
            return Plan(outcome: .put(retried))
        }
        synchronizer.note(uri, "decided: another try")
    }

    /// See ``Synchronizer/discard(_:)``.
    func discard(_ uri: ObjectURI) async throws {
        let makeKey = synchronizer.environment.makeUUID
        let engine = routeFile.resource(uri.entity).map { ChangeEngine($0) }
        let decided = try await write(uri) { _, object in
            try ChangeEngine.discarded(object, makeKey: makeKey, by: engine)
        }
        let meta = decided.before.meta
        let what = meta.isDeleted ? "the delete here" : "what was \(meta.isLocalOnly ? "created" : "edited") here"
        synchronizer.note(uri, "decided: \(what) is dropped")
        await WaitingContents(synchronizer).removeUnused()
    }

    /// See ``Synchronizer/discard(_:of:)``.
    func discard(_ upload: MetaObject.Upload, of uri: ObjectURI) async throws {
        let resource = try synchronizer.resource(uri.entity)
        let key = synchronizer.environment.makeUUID()
        _ = try await write(uri) { _, object in
            Plan(outcome: .put(try ChangeEngine(resource).discarded(upload, of: object, key: key)))
        }
        synchronizer.note(uri, "decided: the content of “\(upload.member)” (\(upload.fileName)) is not uploaded")
        await WaitingContents(synchronizer).removeUnused()
    }

    /// See ``Synchronizer/markChanged(_:)``.
    func markChanged(_ uri: ObjectURI) async throws {
        let key = synchronizer.environment.makeUUID()
        try await synchronizer.store.write(.power, origin: .application) { transaction in
            var (_, object) = try transaction.existing(uri)
            guard case .synchronized(var confirmed) = object.meta.state else { return }
            // Against an empty base every member counts as changed.
            confirmed.base = ObjectRecord([:])
            object.meta.revision += 1
            object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
            try transaction.put([object.meta])
        }
    }

    /// See ``Synchronizer/markSynchronized(_:)``.
    func markSynchronized(_ uri: ObjectURI) async throws {
        let sequence = synchronizer.nextSequence()
        try await synchronizer.store.write(.power, origin: .application) { transaction in
            var (uri, object) = try transaction.existing(uri)
            guard let record = object.record else {
                try transaction.removeMeta([uri])
                return
            }
            let (version, stale) = (object.meta.confirmed?.version, object.meta.confirmed?.stale ?? [])
            object.meta.state = .synchronized(
                .init(base: record, version: version, sequence: sequence, stale: stale))
            object.meta.waitsFor = []
            object.meta.uploads = []
            try transaction.put([object.meta])
            try transaction.raiseSequence(to: sequence)
        }
    }

    /// What a decision has changed.
    private struct Decided: Sendable {
        /// The object as it was.
        var before: LocalObject
        /// The contents that do not wait any more.
        var dropped: [MetaObject.Upload]
        /// What has become of it otherwise than was decided.
        var note: String?
    }

    private func write(
        _ uri: ObjectURI, _ decide: @escaping @Sendable (any StoreTransaction, LocalObject) throws -> Plan
    ) async throws -> Decided {
        try await synchronizer.store.write(.power, origin: .application) { transaction in
            let (present, object) = try transaction.existing(uri)
            try condition(synchronizer.viewed(object))
            let plan = try decide(transaction, object)
            let place = try ObjectWriter(routeFile: routeFile, transaction: transaction).apply(plan, to: present)
            let dropped = object.meta.uploads(without: try transaction.meta(at: place))
            return Decided(before: object, dropped: dropped, note: plan.note)
        }
    }
}

extension LocalObject {
    /// - Throws: ``SyncError`` `wrongState`.
    fileprivate func requireCreateInDoubt() throws {
        guard meta.isLocalOnly, case .unknown = meta.outgoing?.phase else {
            throw SyncError(code: .wrongState, message: "\(uri) is not a create whose outcome is unknown")
        }
    }
}

extension Edit {
    /// A record with what an action sets here: its refusal has taken that back.
    fileprivate func calledAgain(_ name: String, _ object: LocalObject, at moment: Timestamp) throws -> ObjectRecord? {
        guard let record = object.record, let base = object.meta.confirmed?.base,
            let action = resource.actions.first(where: { $0.name == name })
        else { return object.record }
        let (here, there) = (resource.mapping.members(of: record), resource.mapping.members(of: base))
        var before = here
        before.take(action.arguments, from: there)
        let members = try withEffects(here, over: before, base: there, of: object.uri, at: moment)
        return resource.mapping.record(members, over: record)
    }
}
