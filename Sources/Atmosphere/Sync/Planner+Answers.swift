/// How one try to send ended.
enum Answer: Equatable, Sendable {
    /// 2xx. `nil` where the body says nothing of the object.
    case accepted(Planner.Representation?)
    /// The server has no such object (404, 410).
    case gone(MetaObject.Failure)
    /// The server's object is another version (409, 412).
    case conflict(MetaObject.Failure)
    case rejected(MetaObject.Failure)
    /// No answer, or one that says nothing of the outcome.
    case failed(MetaObject.Failure, mayHaveArrived: Bool)
    /// Asked to wait (429), or not signed in: not processed, not counted.
    case postponed(MetaObject.Failure)
}

extension Planner {
    /// The answer to what `snapshot` sent.
    ///
    /// - Parameters:
    ///   - arrival: a sequence taken when the answer came; what was requested earlier is older than the answer.
    ///   - retryAt: when a failed try may be repeated, by the number of tries that have failed.
    func conclude(
        _ answer: Answer, to snapshot: MetaObject.Snapshot, of object: LocalObject, arrival: Int64, key: String,
        retryAt: (Int) -> Timestamp
    ) -> Plan {
        guard var outgoing = object.meta.outgoing, case .sending(let current) = outgoing.phase,
            current.sequence == snapshot.sequence
        else { return Plan(note: "the object has moved on since") }
        var object = object
        switch answer {
        case .accepted(let theirs):
            return accepted(theirs, snapshot, object, outgoing, arrival: arrival, key: key)
        case .postponed(let failure):
            outgoing.phase = wasLost(snapshot, object) ? .unknown(snapshot) : .waiting
            outgoing.lastError = failure
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.message)
        case .failed(let failure, let mayHaveArrived):
            // A server that asks for patience (503) is not a failed try.
            if failure.status != 503 { outgoing.attempts += 1 }
            outgoing.lastError = failure
            outgoing.nextAttempt = retryAt(max(1, outgoing.attempts))
            let lost = object.meta.isLocalOnly && (mayHaveArrived || wasLost(snapshot, object))
            outgoing.phase = lost ? .unknown(snapshot) : .waiting
            if lost, resource.recovery == .askPerson { outgoing.nextAttempt = nil }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.message)
        case .gone(let failure):
            if case .deleted = object.meta.state, snapshot.record == nil {
                return Plan(outcome: .remove, note: "already gone")
            }
            if object.meta.isLocalOnly { return refused(failure, snapshot, object, outgoing) }
            outgoing.phase = .waiting
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), followUp: .confirmGone, note: failure.message)
        case .conflict(let failure):
            if object.meta.isLocalOnly { return refused(failure, snapshot, object, outgoing) }
            outgoing.attempts += 1
            outgoing.lastError = failure
            outgoing.phase = .waiting
            object.meta.outgoing = outgoing
            if outgoing.attempts > Self.mergeRetries {
                return refused(failure, snapshot, object, outgoing)
            }
            return Plan(outcome: .put(object), followUp: .read, note: failure.message)
        case .rejected(let failure):
            return refused(failure, snapshot, object, outgoing)
        }
    }

    /// How often an update that met a newer version is merged and tried again in a row.
    static var mergeRetries: Int { 5 }

    /// A create whose earlier try may have arrived stays undecided.
    private func wasLost(_ snapshot: MetaObject.Snapshot, _ object: LocalObject) -> Bool {
        object.meta.isLocalOnly && snapshot.sentBefore
    }

    private func accepted(
        _ theirs: Representation?, _ snapshot: MetaObject.Snapshot, _ object: LocalObject,
        _ outgoing: MetaObject.Outgoing, arrival: Int64, key: String
    ) -> Plan {
        guard let sent = snapshot.record else { return Plan(outcome: .remove, note: "deleted on the server") }
        var object = object
        let created = object.meta.isLocalOnly
        if created {
            guard let id = theirs?.id ?? (resource.assigned == .client ? object.meta.id : nil) else {
                var outgoing = outgoing
                outgoing.phase = .unknown(snapshot)
                outgoing.lastError = .init(
                    message: "the server accepted \(object.uri) but its answer holds no identifier")
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), followUp: resource.recovery == .lookUp ? .lookUp : nil)
            }
            object.meta.id = id
        }
        let version = theirs?.version ?? object.meta.confirmed?.version
        let base = theirs?.record ?? withID(sent, object.meta.id)
        let confirmed = MetaObject.Confirmed(base: base, version: version, sequence: arrival)
        var plan: Plan
        if object.meta.isDeleted {
            object.meta.state = .deleted(confirmed, .init(idempotencyKey: key))
            plan = Plan(outcome: .put(object), note: "deleted here meanwhile")
        } else {
            // Mine wins over the answer: a later edit is newer than what the answer confirms.
            var rules = resource.conflict
            rules.policy = .mine
            rules.fields = [:]
            let joined = ThreeWayMerge(fields: resource.fields, conflict: rules, readonly: resource.readonly).merge(
                base: sent.members, mine: (object.record ?? sent).members, theirs: base.members)
            if merge.same(joined.record, base.members) {
                object.record = base
                object.meta.state = .synchronized(confirmed)
            } else {
                object.record = ObjectRecord(joined.record)
                object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
            }
            plan = Plan(outcome: .put(object), note: ignored(sent: sent, answered: theirs?.record, created: created))
        }
        object.meta.waitsFor = []
        if theirs?.record == nil, resource.read.isOffered { plan.followUp = .read }
        return plan
    }

    /// A record with the identifier where the route file says it stands.
    private func withID(_ record: ObjectRecord, _ id: ObjectID) -> ObjectRecord {
        guard let member = resource.id.singleMember else { return record }
        return record.replacing(member: member, with: id.value)
    }

    /// A 2xx whose record still differs from what was sent: normalized, or ignored. Both are worth a line.
    private func ignored(sent: ObjectRecord, answered: ObjectRecord?, created: Bool) -> String? {
        guard let answered, !created else { return nil }
        let differing = merge.changes(from: sent.members, to: answered.members)
            .filter { sent[$0] != nil && !resource.neverSent.contains($0) && $0 != resource.conflict.time }
        return differing.isEmpty ? nil : "the server answered other values for \(differing.joined(separator: ", "))"
    }

    private func refused(
        _ failure: MetaObject.Failure, _ snapshot: MetaObject.Snapshot, _ object: LocalObject,
        _ outgoing: MetaObject.Outgoing
    ) -> Plan {
        var object = object
        var outgoing = outgoing
        outgoing.lastError = failure
        if object.meta.isLocalOnly, snapshot.sentBefore || isDuplicate(failure),
            resource.recovery == .lookUp || resource.recovery == .readByID
        {
            outgoing.phase = .unknown(snapshot)
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), followUp: .lookUp, note: failure.message)
        }
        outgoing.phase = .rejected(snapshot, failure)
        outgoing.nextAttempt = nil
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.message)
    }

    /// The declared answer to a create that has happened before.
    private func isDuplicate(_ failure: MetaObject.Failure) -> Bool {
        guard let duplicate = resource.duplicate, let status = failure.status, duplicate.statuses.contains(status)
        else { return false }
        return duplicate.field.map { field in failure.fields.contains { $0.field == field } } ?? true
    }

    /// The look-up of a create that may have happened.
    ///
    /// - Parameter found: what the server has under the member that the client set; nil where it has nothing.
    func lookedUp(_ found: Representation?, of object: LocalObject, arrival: Int64, key: String) -> Plan {
        var object = object
        guard case .created(var outgoing, let deleting) = object.meta.state else { return Plan() }
        let snapshot: MetaObject.Snapshot
        switch outgoing.phase {
        case .sending(let sent), .unknown(let sent): snapshot = sent
        case .waiting, .conflicted, .rejected: return Plan()
        }
        guard let found, let theirs = found.record, let id = found.id else {
            if deleting { return Plan(outcome: .remove, note: "it never reached the server") }
            if let failure = outgoing.lastError, let status = failure.status, (400..<500).contains(status) {
                outgoing.phase = .rejected(snapshot, failure)
            } else {
                outgoing.phase = .waiting
                outgoing.nextAttempt = nil
            }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "not on the server")
        }
        object.meta.id = id
        object.meta.waitsFor = []
        let sequence = arrival
        if deleting {
            object.meta.state = .deleted(
                .init(base: theirs, version: found.version, sequence: sequence), .init(idempotencyKey: key))
            return Plan(outcome: .put(object), note: "found on the server; deleted here meanwhile")
        }
        // What was sent is the base, so another client's edit of the new object survives.
        let base = adopted(snapshot.record ?? theirs, theirs: theirs)
        let mine = adopted(object.record ?? theirs, theirs: theirs)
        var plan = combine(
            object, base: base, mine: mine, theirs: theirs, version: found.version, sequence: sequence,
            outgoing: .init(idempotencyKey: key), confirmed: nil)
        plan.note = plan.note ?? "found on the server"
        return plan
    }

    /// Members that were not sent have no base: they are taken from the server.
    private func adopted(_ record: ObjectRecord, theirs: ObjectRecord) -> ObjectRecord {
        var members = record.members
        if let id = resource.id.singleMember { members[id] = theirs[id] }
        for member in theirs.members where members[member.name] == nil || resource.readonly.contains(member.name) {
            members[member.name] = member.value
        }
        return ObjectRecord(members)
    }
}
