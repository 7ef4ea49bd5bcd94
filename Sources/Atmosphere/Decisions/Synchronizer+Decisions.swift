extension Synchronizer {
    /// How a person ends a conflict, or a create whose outcome is not known.
    public enum Resolution: Sendable {
        /// Mine for the members that clash; an object deleted there is created anew.
        case mine
        /// Theirs for the members that clash; an object deleted on one side takes theirs.
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
        let next = Planner(resource).next(
            object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
        return next != .hold(.needsPerson)
    }

    /// The operation that the route file does not offer and that the waiting change needs; nil where nothing waits, or it can
    /// be sent.
    package func missingOperation(_ object: LocalObject) -> String? {
        guard case .waiting = object.meta.outgoing?.phase, let resource = try? resource(object.uri.entity) else {
            return nil
        }
        let next = Planner(resource).next(
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
        try await store.write(.power, origin: .application) { transaction in
            let (present, object) = try transaction.existing(uri)
            let plan = try Planner(resource).resolve(object, resolution, sequence: sequence, key: key)
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: present)
            try transaction.raiseSequence(to: sequence)
        }
        note(uri, "decided: \(resolution.word)")
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
            let planner = try Planner(resource, naming: id, beside: present, in: transaction)
            try planner.requireNew(found, as: object)
            let plan = planner.lookedUp(found, of: object, arrival: found.sequence, key: key, isDecided: true)
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
                    object = Planner(resource).withoutUnsendable(object)
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
                let plan = Planner.accept(conflict, of: object)
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

extension Planner {
    /// What was sent without an answer is sent again, or asked for where that can tell.
    private func resend(_ present: LocalObject, sequence: Int64, key: String) throws -> Plan {
        var object = present
        guard var outgoing = object.meta.outgoing, case .unknown(let sent) = outgoing.phase else {
            throw SyncError(
                code: .wrongState,
                message: "\(object.uri) is not a create, an action or an upload whose outcome is unknown")
        }
        if sent.upload != nil {
            outgoing = .init(idempotencyKey: key)
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object))
        }
        if case .created(_, deleting: true) = object.meta.state {
            return Plan(outcome: .remove, note: "deleted here, and not sent again")
        }
        if sent.action == nil, resource.recovery == .repeatSafely, !outgoing.isRefusedForGood,
            !outgoing.evidence.isKnownThere
        {
            // It goes again by itself, under its key: with another the server could not tell that it is one.
            outgoing.retry = Retry()
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object))
        }
        if sent.action == nil, resource.canLookUp, !outgoing.retry.isSpent {
            // Whether it is there is looked up at once, and only what is not is sent again.
            outgoing.retry.due = nil
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object))
        }
        var next = Change.anew(
            key: key, after: outgoing.evidence.isNamed ? sequence : nil, previous: outgoing.previous)
        next.lowWaterMark = next.lowWaterMark ?? outgoing.lowWaterMark
        object.meta.outgoing = next
        return Plan(outcome: .put(object))
    }

    /// What a person decided.
    ///
    /// - Throws: ``SyncError`` `wrongState`.
    func resolve(
        _ object: LocalObject, _ resolution: Synchronizer.Resolution, sequence: Int64, key: String
    ) throws -> Plan {
        if case .resend = resolution { return try resend(object, sequence: sequence, key: key) }
        guard case .conflicted(let conflict) = object.meta.outgoing?.phase else {
            throw SyncError(code: .wrongState, message: "\(object.uri) is not conflicted")
        }
        switch resolution {
        case .theirs:
            guard !conflict.fields.isEmpty, let joined = joined(object, conflict, theirs: true) else {
                return Self.accept(conflict, of: object)
            }
            return insist(joined, object, conflict, key: key)
        case .mine:
            return insist(joined(object, conflict, theirs: false) ?? object.record, object, conflict, key: key)
        case .both(let others):
            let changes = try bothTexts(object, conflict, others)
            return try self.resolve(object, .set(changes), sequence: sequence, key: key)
        case .set(let changes):
            guard let theirs = conflict.theirs else {
                throw SyncError(
                    code: .wrongState,
                    message:
                        "\(object.uri) was deleted on the server, so there is nothing of theirs to set members of; "
                        + "“mine” creates it anew, to be edited then, and “theirs” lets it go")
            }
            let record = joined(object, conflict, theirs: true) ?? theirs
            try requireKnown(changes.map(\.name), of: object, conflict, theirs)
            let members = try resource.setting(changes, in: resource.mapping.members(of: record), of: object.uri)
            return insist(resource.mapping.record(members, over: record), object, conflict, key: key)
        case .adopt, .resend: return Plan()
        }
    }

    /// The values that keep both texts of each member that clashes.
    ///
    /// - Parameter others: values of members that need not be texts.
    /// - Throws: ``SyncError`` `invalidRecord` for a member that has no text on one side and no value, `wrongState` for
    ///   an object that one side has deleted.
    private func bothTexts(
        _ object: LocalObject, _ conflict: MetaObject.Conflict, _ others: [(name: String, value: Value?)]
    ) throws -> [(name: String, value: Value?)] {
        guard let mine = object.record, let theirs = conflict.theirs, !conflict.fields.isEmpty else {
            throw SyncError(
                code: .wrongState,
                message: "\(object.uri) has no member that clashes, of which both could be kept; choose mine or theirs")
        }
        let (mineMembers, theirMembers) = (resource.mapping.members(of: mine), resource.mapping.members(of: theirs))
        var changes = others
        let isGiven = Set(others.map { ScalarText($0.name) })
        for field in conflict.fields where !isGiven.contains(ScalarText(field)) {
            guard let ours = mineMembers[field]?.string, let other = theirMembers[field]?.string else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "\(field.quoted) of \(object.uri) is no text on both sides, so both cannot be kept; say "
                        + "which value it shall have")
            }
            changes.append((field, .string(LineMerge.union(of: other, and: ours))))
        }
        return changes
    }

    /// A decision cannot be taken back, so it has to be about members that there are, and about one that clashes.
    ///
    /// - Throws: ``SyncError`` `invalidRecord`.
    private func requireKnown(
        _ names: [String], of object: LocalObject, _ conflict: MetaObject.Conflict, _ theirs: ObjectRecord
    ) throws {
        let records = [theirs, object.record, object.meta.confirmed?.base].compactMap { $0 }
        let seen = records.flatMap { resource.mapping.members(of: $0).names }
        let known = Set((seen + resource.namedMembers + conflict.fields).map { ScalarText($0) })
        let clashing = conflict.fields.map(\.quoted).joined(separator: ", ")
        for name in names where !known.contains(ScalarText(name)) {
            let names = known.sorted().map(\.text)
            let near = NearestName.of(name, among: names).map { "; did you mean \($0.quoted)?" } ?? ""
            let clash = clashing.isEmpty ? "" : "; what clashes is \(clashing)"
            throw SyncError(
                code: .invalidRecord, message: "\(object.uri) has no \(name.quoted)\(near.isEmpty ? clash : near)")
        }
        let clashes = Set(conflict.fields.map { ScalarText($0) })
        guard clashes.isEmpty || names.contains(where: { clashes.contains(ScalarText($0)) }) else {
            throw SyncError(
                code: .invalidRecord,
                message:
                    "\(names.map(\.quoted).joined(separator: ", ")) of \(object.uri) does not clash, so nothing is "
                    + "decided by it; set \(clashing), or decide first and edit then")
        }
    }

    /// Both sides' edits with one side's values for the members that clash; nil where one side deleted the object.
    private func joined(_ object: LocalObject, _ conflict: MetaObject.Conflict, theirs: Bool) -> ObjectRecord? {
        guard let base = object.meta.confirmed?.base, let outgoing = object.meta.outgoing, let mine = object.record,
            let other = conflict.theirs
        else { return nil }
        let others = resource.mapping.members(of: other)
        let result = merge.merge(
            base: resource.mapping.members(of: known(base, outgoing, shown: other)),
            mine: resource.mapping.members(of: mine), theirs: others)
        var members = result.record
        // Theirs is decided for what was shown; an edit that clashes since is newer than that.
        guard theirs else { return resource.mapping.record(members, over: other) }
        let clashing = Set(result.clashes.map { ScalarText($0) })
        members.take(conflict.fields.filter { clashing.contains(ScalarText($0)) }, from: others)
        return resource.mapping.record(members, over: other)
    }

    /// Theirs replaces mine.
    static func accept(_ conflict: MetaObject.Conflict, of object: LocalObject) -> Plan {
        guard let theirs = conflict.theirs else { return Plan(outcome: .remove) }
        var object = object
        object.record = theirs
        let confirmed = MetaObject.Confirmed(base: theirs, version: conflict.version, sequence: conflict.sequence)
        object.meta.state = .synchronized(confirmed)
        if let lost = conflict.lost, lost.upload != nil, !object.meta.uploads.isEmpty {
            object.meta.state = .updated(confirmed, .lost(lost, key: object.meta.outgoing?.idempotencyKey ?? ""))
        }
        return Plan(outcome: .put(object))
    }

    /// Mine goes over theirs, which becomes the base.
    private func insist(
        _ mine: ObjectRecord?, _ object: LocalObject, _ conflict: MetaObject.Conflict, key: String
    ) -> Plan {
        var object = object
        object.meta.revision += 1
        guard let theirs = conflict.theirs else {
            object.record = mine
            let previous = object.meta.confirmed?.base
            object.meta.state = .created(
                .anew(key: key, after: conflict.sequence, previous: previous), deleting: false)
            return Plan(outcome: .put(object))
        }
        let confirmed = MetaObject.Confirmed(base: theirs, version: conflict.version, sequence: conflict.sequence)
        guard let mine else {
            object.meta.state = .deleted(confirmed, .init(idempotencyKey: key))
            return Plan(outcome: .put(object))
        }
        object.record = mine
        let isDone = isUnedited(mine, theirs) && (conflict.lost?.upload == nil || object.meta.uploads.isEmpty)
        // What may have happened already does not go again for what was decided about other members.
        let next = conflict.lost.map { .lost($0, key: key) } ?? Change(idempotencyKey: key)
        object.meta.state = isDone ? .synchronized(confirmed) : .updated(confirmed, next)
        return Plan(outcome: .put(object))
    }
}

extension Change {
    /// An action or an upload that was sent without an answer.
    fileprivate static func lost(_ sent: Attempt, key: String) -> Change {
        Change(phase: .unknown(sent), idempotencyKey: key, evidence: .inDoubt(isLookedFor: false))
    }
}
