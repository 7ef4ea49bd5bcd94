extension Synchronizer {
    /// How a person ends a conflict, or a create whose outcome is not known.
    public enum Resolution: Sendable {
        /// Mine for the members that clash; an object deleted there is created anew.
        case mine
        /// Theirs for the members that clash, of which contents that wait are dropped; an object deleted on one side takes
        /// theirs.
        case theirs
        /// These values, nil removing one, and theirs for the other members that clash. At least one must be of a member
        /// that clashes, and none of a member that neither side has and the route file does not name. Not for an object
        /// that the server has deleted.
        case set([(name: String, value: Value?)])
        /// Both texts for each member that clashes, line by line: what the two have in common once, and where they differ
        /// mine behind theirs. For a member that is no text on both sides there must be a value. Otherwise as ``set(_:)``.
        case both(setting: [(name: String, value: Value?)])
        /// The create has happened: the server's object is the one with this identifier.
        case adopt(ObjectID)
        /// The create, or the action, has not happened: send it again. A create that has an idempotency key and is still
        /// repeated by itself is repeated now; one that was deleted here meanwhile vanishes.
        case resend
    }

    /// Objects that a push would still send, that a person must decide, or that were refused, in order of address.
    ///
    /// - Parameter entity: nil for all entities.
    public func pending(entity: String? = nil) async throws -> [LocalObject] {
        if let entity { _ = try resource(entity) }
        return try await store.read { snapshot in
            try snapshot.changed(entity: entity, after: nil, limit: .max)
                .compactMap { try snapshot.object(at: $0.uri) }.map(self.viewed)
        }
    }

    /// Whether a push finds out by itself what has become of a change whose outcome is unknown.
    package func findsOut(_ object: LocalObject) -> Bool {
        guard case .unknown = object.meta.outgoing?.phase, let resource = try? resource(object.uri.entity) else {
            return false
        }
        let next = ChangeEngine(resource).next(
            object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
        return next != .hold(.needsPerson)
    }

    /// The operation that the route file does not offer and that the waiting change needs; nil where nothing waits, or it can
    /// be sent.
    package func missingOperation(_ object: LocalObject) -> String? {
        guard case .waiting = object.meta.outgoing?.phase, let resource = try? resource(object.uri.entity) else {
            return nil
        }
        let next = ChangeEngine(resource).next(
            object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
        guard case .hold(.notOffered(let verb)) = next else { return nil }
        return verb.word
    }

    /// Ends a conflict or an unknown outcome. The decision is sent with the next push.
    ///
    /// What does not clash is merged whatever the decision is: their edits of other members come, mine stay.
    ///
    /// - Throws: ``SyncError`` `notFound`; `wrongState` where there is nothing of the kind to decide; `invalidRecord` for
    ///   set values that decide nothing, or of a member that there is not. Nothing is changed then.
    public func resolve(_ uri: ObjectURI, _ resolution: Resolution) async throws {
        let resource = try resource(uri.entity)
        if case .adopt(let id) = resolution { return try await adopt(uri, id, resource) }
        let key = environment.makeUUID()
        let sequence = nextSequence()
        let dropped = try await store.write(.power, origin: .application) { transaction -> [MetaObject.Upload] in
            let (present, object) = try transaction.existing(uri)
            let plan = try ChangeEngine(resource).resolve(object, resolution, sequence: sequence, key: key)
            let place = try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: present)
            try transaction.raiseSequence(to: sequence)
            let left = try transaction.meta(at: place)
            return object.meta.uploads(without: left)
        }
        note(uri, "decided: \(resolution.word)")
        await forget(dropped, of: uri, because: "so it was decided")
    }

    /// The server's object becomes this one: read, then merged as a create that was found.
    private func adopt(_ uri: ObjectURI, _ id: ObjectID, _ resource: Resource) async throws {
        let key = environment.makeUUID()
        let (present, place) = try await store.read { snapshot -> (ObjectURI, ObjectPlace) in
            let (present, object) = try snapshot.existing(uri)
            guard object.meta.isLocalOnly, case .unknown = object.meta.outgoing?.phase else {
                throw SyncError(code: .wrongState, message: "\(present) is not a create whose outcome is unknown")
            }
            try snapshot.requireForeign(id, to: present)
            var place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
            // Candidates are known by their whole identifier, their parent's with their own.
            place.id = resource.isUniquePerParent ? ObjectURI(entity: uri.entity, id: id.text).segments.last : id.text
            return (present, place)
        }
        let sequence = nextSequence()
        let found = try await adoptable(id, resource, at: place, sequence: sequence)
        try await store.write(.power, origin: .application) { transaction in
            guard let object = try transaction.object(at: present) else { return }
            try transaction.requireForeign(id, to: present)
            let engine = try ChangeEngine(resource, naming: id, beside: present, in: transaction)
            try engine.requireNew(found, as: object)
            let plan = engine.lookedUp(found, of: object, arrival: found.sequence, key: key, isDecided: true)
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: present)
            try transaction.raiseSequence(to: sequence)
        }
        note(uri, "decided: it is \(resource.name)/\(id)")
    }

    /// Gives a refused or failed change another try with the next push.
    ///
    /// - Throws: ``SyncError`` `notFound`, or `wrongState` where nothing waits or a person must decide first.
    public func retry(_ uri: ObjectURI) async throws {
        let key = environment.makeUUID()
        try await store.write(.power, origin: .application) { transaction in
            var (present, object) = try transaction.existing(uri)
            guard var outgoing = object.meta.outgoing else {
                throw SyncError(code: .wrongState, message: "\(present) has nothing to send")
            }
            switch outgoing.phase {
            case .rejected(.dangling, _), .rejected(.invalid, _):
                throw SyncError(
                    code: .wrongState, message: outgoing.lastError?.message ?? "\(present) refers to a removed object")
            case .rejected:
                if let resource = self.routeFile.resource(present.entity) {
                    object = ChangeEngine(resource).withoutUnsendable(object)
                }
                outgoing.phase = .waiting
                // A server that knows the key would repeat its refusal.
                outgoing.idempotencyKey = key
            case .waiting, .sending: break
            case .unknown where outgoing.retry.due != nil: break
            case .unknown, .conflicted:
                throw SyncError(
                    code: .wrongState, message: "\(present) waits for a decision; resolve it instead of retrying")
            }
            outgoing.retry = Retry()
            object.meta.outgoing = outgoing
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(object, over: present)
        }
        note(uri, "decided: another try")
    }

    /// Drops what was edited here and goes back to the base; an object the server does not know vanishes.
    ///
    /// - Throws: ``SyncError`` `notFound`, or `wrongState` for a create that is on the wire: the server may have it.
    public func discard(_ uri: ObjectURI) async throws {
        try await store.write(.power, origin: .application) { transaction in
            var (present, object) = try transaction.existing(uri)
            guard let confirmed = object.meta.confirmed else {
                if case .sending? = object.meta.outgoing?.phase {
                    throw SyncError(
                        code: .wrongState,
                        message: "\(present) is being sent, so the server may have it: delete it "
                            + "(atmos delete \(present.shellWord)), or discard it when the push has ended")
                }
                try ObjectWriter(routeFile: self.routeFile, transaction: transaction)
                    .apply(.init(outcome: .remove), to: present)
                return
            }
            object.meta.uploads = []
            if case .conflicted(let conflict) = object.meta.outgoing?.phase {
                // The base is behind theirs, so going back to it would be a new change.
                let plan = ChangeEngine.accept(conflict, of: object)
                try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: present)
                return
            }
            object.record = confirmed.base
            let unverified = object.meta.outgoing?.unverified
            object.meta.state = .synchronized(confirmed)
            if let unverified {
                var outgoing = Change(idempotencyKey: self.environment.makeUUID())
                outgoing.unverified = unverified
                object.meta.state = .updated(confirmed, outgoing)
            }
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(object, over: present)
        }
        note(uri, "decided: what was edited here is dropped")
        await removeContents()
    }
}

extension Synchronizer.Resolution {
    /// What was decided, for the log; values are left out, for they may be anything.
    fileprivate var word: String {
        switch self {
        case .mine: "mine"
        case .theirs: "theirs"
        case .set(let changes): "set \(changes.map(\.name).joined(separator: ", "))"
        case .both: "both texts"
        case .adopt(let id): "it is \(id)"
        case .resend: "to be sent again"
        }
    }
}
