extension Planner {
    /// What a push does next with an object.
    enum Next: Equatable {
        /// Nothing now; why.
        case hold(Hold)
        /// Ask the server whether the create has happened.
        case lookUp
        /// GET and merge before the write.
        case read
        /// Send; the object as it must be stored, durably, before the first byte leaves.
        case send(Verb, MetaObject.Snapshot, LocalObject)
        /// Nothing would be sent: every changed member is one that is never sent. The object as it must be stored.
        case settle(LocalObject)
    }

    enum Verb: String, Sendable, Equatable {
        case create, update, delete
    }

    enum Hold: Equatable {
        case synchronized
        case notDue(Timestamp)
        case waitsForParents
        /// Conflicted, rejected or unknown without a means to find out: a person decides.
        case needsPerson
        /// The route file says that the API does not offer the verb.
        case notOffered(Verb)
    }

    /// Decides the next step of a push.
    ///
    /// - Parameter hasCompared: the object was read from the server in this push, since the last edit.
    func next(_ object: LocalObject, now: Timestamp, sequence: Int64, hasCompared: Bool) -> Next {
        guard let outgoing = object.meta.outgoing else { return .hold(.synchronized) }
        switch outgoing.phase {
        case .conflicted, .rejected: return .hold(.needsPerson)
        case .waiting, .sending: break
        case .unknown(let snapshot): return recover(object, outgoing, snapshot, now: now, sequence: sequence)
        }
        if let due = outgoing.nextAttempt, due > now { return .hold(.notDue(due)) }
        guard object.meta.waitsFor.isEmpty else { return .hold(.waitsForParents) }
        switch object.meta.state {
        case .synchronized: return .hold(.synchronized)
        case .created:
            guard resource.create.isOffered else { return .hold(.notOffered(.create)) }
            return send(.create, object, outgoing, record: object.record, sequence: sequence, sentBefore: false)
        case .updated(let confirmed, _):
            guard resource.update.isOffered else { return .hold(.notOffered(.update)) }
            guard let record = object.record else { return .hold(.synchronized) }
            if changedMembers(base: confirmed.base, record: record).isEmpty {
                var settled = object
                settled.record = confirmed.base
                settled.meta.state = .synchronized(confirmed)
                return .settle(settled)
            }
            if mustCompare, !hasCompared { return .read }
            return send(.update, object, outgoing, record: record, sequence: sequence, sentBefore: false)
        case .deleted:
            guard resource.delete.isOffered else { return .hold(.notOffered(.delete)) }
            if mustCompare, !hasCompared { return .read }
            return send(.delete, object, outgoing, record: nil, sequence: sequence, sentBefore: false)
        }
    }

    private var mustCompare: Bool { resource.version == .compare && resource.read.isOffered }

    /// An object whose sending mark was left by a process that ended: a create may have happened, an update or delete
    /// can be sent again, for it says what shall be and not what to add.
    ///
    /// - Returns: nil where there is nothing to mend. Call it only in the object's own lane.
    func recovered(_ object: LocalObject) -> LocalObject? {
        guard var outgoing = object.meta.outgoing, case .sending(let snapshot) = outgoing.phase else { return nil }
        var object = object
        outgoing.phase = object.meta.isLocalOnly ? .unknown(snapshot) : .waiting
        object.meta.outgoing = outgoing
        return object
    }

    /// A create that may or may not have happened.
    private func recover(
        _ object: LocalObject, _ outgoing: MetaObject.Outgoing, _ snapshot: MetaObject.Snapshot, now: Timestamp,
        sequence: Int64
    ) -> Next {
        if let due = outgoing.nextAttempt, due > now { return .hold(.notDue(due)) }
        switch resource.recovery {
        case .lookUp, .readByID: return .lookUp
        case .repeatSafely:
            // The same bytes again: the server recognizes the key, or the address, and answers as the first time.
            return send(.create, object, outgoing, record: snapshot.record, sequence: sequence, sentBefore: true)
        case .askPerson: return .hold(.needsPerson)
        }
    }

    func send(
        _ verb: Verb, _ object: LocalObject, _ outgoing: MetaObject.Outgoing, record: ObjectRecord?,
        sequence: Int64, sentBefore: Bool
    ) -> Next {
        var revision = object.meta.revision
        // A repeated create carries what was sent the first time, so later edits stay newer than it.
        if sentBefore, case .unknown(let first) = outgoing.phase { revision = first.revision }
        let snapshot = MetaObject.Snapshot(
            record: record, revision: revision, sequence: sequence, sentBefore: sentBefore)
        var marked = object
        var outgoing = outgoing
        outgoing.phase = .sending(snapshot)
        outgoing.nextAttempt = nil
        marked.meta.outgoing = outgoing
        return .send(verb, snapshot, marked)
    }

    /// The members that an update would send.
    func changedMembers(base: ObjectRecord, record: ObjectRecord) -> [String] {
        let never = resource.neverSent
        return merge.changes(from: base.members, to: record.members).filter { !never.contains($0) }
    }
}

extension Resource {
    /// How a create whose answer was lost is brought to an end.
    enum Recovery: Equatable {
        /// Sent again: an idempotency key, or a PUT to an identifier that the client chose.
        case repeatSafely
        /// Looked up by a member that the client set.
        case lookUp
        /// Read at the identifier that the client chose.
        case readByID
        case askPerson
    }

    var recovery: Recovery {
        if create.idempotencyHeader != nil { return .repeatSafely }
        if assigned == .client {
            if create.method == "PUT" { return .repeatSafely }
            if read.isOffered { return .readByID }
        }
        return lookup == nil ? .askPerson : .lookUp
    }

    /// Members no write may carry: those declared read-only, and the identifier where the server gives it.
    var neverSent: Set<String> {
        var names = readonly
        if assigned == .server, let id = id.singleMember { names.insert(id) }
        return names
    }
}
