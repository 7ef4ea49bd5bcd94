/// What a push does next with an object.
extension ChangeEngine {
    /// What a push does next with an object.
    enum Next: Equatable {
        /// Nothing now; why.
        case hold(Hold)
        /// Ask the server something before anything is sent.
        case ask(ObjectRequest)
        /// Send; the object as it must be stored, durably, before the first byte leaves.
        case send(Verb, Attempt, LocalObject)
        /// Nothing would be sent: it is as the server has it. The object as it must be stored.
        case settle(LocalObject)
        /// Refused here: the route file does not let a member be sent. The object as it must be stored.
        case refuse(LocalObject)

        /// Whether a write is next, or what is asked for the sake of one.
        var leadsToWrite: Bool {
            switch self {
            case .send, .ask(.read), .ask(.lease): true
            case .ask, .hold, .settle, .refuse: false
            }
        }
    }

    enum Hold: Equatable {
        case synchronized
        case notDue(Timestamp)
        case waitsForParents
        /// A delete behind this change of what the server would delete along with it, or an action behind this change of what
        /// it changes there.
        case waitsForChange(ObjectURI)
        /// Conflicted, rejected or unknown without a means to find out: a person decides.
        case needsPerson
        /// It turned out to be an object that another lane is at, which goes on with both.
        case inAnotherLane
        /// The route file says that the API does not offer the verb.
        case notOffered(Verb)
    }

    /// Decides the next step of a push.
    ///
    /// - Parameters:
    ///   - hasCompared: the object was read from the server in this push, since the last edit.
    ///   - hasLease: this process has the object's edit lease, where the resource declares one.
    ///   - holder: the change that a delete or an action waits for.
    func next(
        _ object: LocalObject, now: Timestamp, sequence: Int64, hasCompared: Bool, hasLease: Bool,
        holder: (Verb) throws -> ObjectURI?
    ) rethrows -> Next {
        guard let outgoing = object.meta.outgoing else { return .hold(.synchronized) }
        switch outgoing.phase {
        case .rejected: return .hold(.needsPerson)
        case .conflicted(let conflict):
            guard let retryAt = conflict.retryAt else { return .hold(.needsPerson) }
            if isAwaited(retryAt, now) { return .hold(.notDue(retryAt)) }
        case .waiting, .sending: break
        case .unknown(let attempt): return recover(object, outgoing, attempt, now: now, sequence: sequence)
        }
        if let due = outgoing.retry.due, isAwaited(due, now) { return .hold(.notDue(due)) }
        guard object.meta.waitsFor.isEmpty else { return .hold(.waitsForParents) }
        switch object.meta.state {
        case .synchronized: return .hold(.synchronized)
        case .created:
            guard resource.create.isOffered else { return .hold(.notOffered(.create)) }
            if let refused = refusedHere(object, outgoing) { return .refuse(refused) }
            return send(.create, object, outgoing, record: object.record, sequence: sequence)
        case .updated(let confirmed, _):
            return try nextUpdate(
                object, outgoing, confirmed, sequence: sequence, hasCompared: hasCompared, hasLease: hasLease,
                holder: holder)
        case .deleted:
            if outgoing.evidence == .begun, resource.read.isOffered { return .ask(.confirmDelete(isBegun: true)) }
            guard resource.delete.isOffered else { return .hold(.notOffered(.delete)) }
            if let change = try holder(.delete) { return .hold(.waitsForChange(change)) }
            if mustLease, !hasLease { return .ask(.lease) }
            if mustCompare(object), !hasCompared { return .ask(.read) }
            return send(.delete, object, outgoing, record: nil, sequence: sequence)
        }
    }

    /// A create that goes next, with a value to be looked up by where it has none: an edit can have emptied the member, and what is
    /// made anew, or was made before the route file named the member, may never have had one. What an earlier try has carried is
    /// taken again, for the server may have that.
    ///
    /// - Parameter makeValue: one that no other object has.
    func findable(_ object: LocalObject, _ makeValue: () -> String) -> LocalObject {
        guard case .created(let outgoing, deleting: false) = object.meta.state, outgoing.phase == .waiting,
            let field = resource.sentLookupField, let record = object.record, resource.lookupValue(of: record) == nil
        else { return object }
        let earlier = outgoing.unanswered.last { resource.lookupValue(of: $0) != nil }
        var members = resource.mapping.members(of: record)
        members[field] = earlier.flatMap { resource.mapping.value(field, in: $0) } ?? .string(makeValue())
        var object = object
        object.record = resource.mapping.record(members, over: record)
        return object
    }

    /// Whether the next try of a change, or the end of somebody's lease, is still to come.
    func isAwaited(_ time: Timestamp, _ now: Timestamp) -> Bool {
        time.isAwaited(at: now, atMost: max(ServerPatience.longest, resource.lease?.length ?? .zero))
    }

    /// The same where nothing waits for another change.
    func next(_ object: LocalObject, now: Timestamp, sequence: Int64, hasCompared: Bool, hasLease: Bool) -> Next {
        next(object, now: now, sequence: sequence, hasCompared: hasCompared, hasLease: hasLease) { _ in nil }
    }

    private func nextUpdate(
        _ object: LocalObject, _ outgoing: Change, _ confirmed: MetaObject.Confirmed, sequence: Int64,
        hasCompared: Bool, hasLease: Bool, holder: (Verb) throws -> ObjectURI?
    ) rethrows -> Next {
        guard let record = object.record else { return .hold(.synchronized) }
        // Where it cannot be read again and again, the answer is believed.
        if let unverified = outgoing.unverified, resource.read.isOffered, outgoing.retry.spent != .verification {
            return .ask(.verify(sent: unverified.sent, before: unverified.before))
        }
        if let refused = refusedHere(object, outgoing) { return .refuse(refused) }
        // The first one that waits for nothing: what holds another may wait for this one.
        var (action, change): (Action?, ObjectURI?)
        for next in nextActions(base: confirmed.base, record: record) where action == nil {
            if let found = try holder(.action(next.name)) { change = change ?? found } else { action = next }
        }
        if action == nil, let change { return .hold(.waitsForChange(change)) }
        if action == nil, changedMembers(base: confirmed.base, record: record).isEmpty {
            return nextUnchanged(
                object, outgoing, confirmed, record, sequence: sequence, hasCompared: hasCompared, hasLease: hasLease)
        }
        guard action != nil || resource.update.isOffered else { return .hold(.notOffered(.update)) }
        if mustLease, !hasLease { return .ask(.lease) }
        if mustCompare(object) || action == nil && (mustComplete || mustRefresh(object)), !hasCompared {
            return .ask(.read)
        }
        let verb = action.map { Verb.action($0.name) } ?? .update
        return send(verb, object, outgoing, record: record, sequence: sequence)
    }

    /// The record is as the server has confirmed it: it was edited back to that, after an update that may have changed it
    /// there, or only contents wait.
    private func nextUnchanged(
        _ object: LocalObject, _ outgoing: Change, _ confirmed: MetaObject.Confirmed,
        _ record: ObjectRecord, sequence: Int64, hasCompared: Bool, hasLease: Bool
    ) -> Next {
        if !outgoing.unanswered.isEmpty, resource.read.isOffered, !hasCompared { return .ask(.read) }
        if let back = takenBack(object, outgoing, record) {
            if mustLease, !hasLease { return .ask(.lease) }
            return send(.update, back, outgoing, record: record, sequence: sequence)
        }
        if let upload = object.meta.uploads.first {
            if mustLease, !hasLease { return .ask(.lease) }
            if mustCompare(upload), !hasCompared { return .ask(.read) }
            return send(.upload(upload.member), object, outgoing, record: record, sequence: sequence)
        }
        var settled = object
        settled.record = confirmed.base
        settled.meta.state = .synchronized(confirmed)
        return .settle(settled)
    }

    /// Where nothing can be read, what was edited back is sent against what an update without an answer may have brought.
    private func takenBack(
        _ object: LocalObject, _ outgoing: Change, _ record: ObjectRecord
    ) -> LocalObject? {
        guard !resource.read.isOffered, resource.update.isOffered, let last = outgoing.unanswered.last,
            var confirmed = object.meta.confirmed, !changedMembers(base: last, record: record).isEmpty
        else { return nil }
        var object = object
        confirmed.base = last
        object.meta.confirmed = confirmed
        return object
    }

    private var mustLease: Bool { resource.lease != nil }

    /// Whether the server must be read before a write: it is asked to compare nothing, or there is no version that it
    /// could compare.
    func mustCompare(_ object: LocalObject) -> Bool {
        guard resource.read.isOffered else { return false }
        switch resource.version {
        case .none: return false
        case .compare, .token: return true
        // A delete has no body that would carry it, unless its query or its body says it all the same.
        case .body:
            return object.meta.confirmed?.version == nil
                || object.meta.isDeleted && !resource.carriesVersion(.delete)
        case .ifMatch: return resource.matchable(object.meta.confirmed?.version) == nil
        }
    }

    /// Whether an update would carry as the whole object what may be only the members that a list shows: the server would
    /// clear the others.
    var mustComplete: Bool {
        resource.update.body == .whole && resource.list.shape == .partial && resource.detail != .onChange
            && resource.read.isOffered
    }

    /// Whether what is marked as being sent, and has not left yet, may still go: what it refers to can have been deleted on the
    /// server meanwhile, and wait to be created anew, also by another process.
    func isCurrent(_ attempt: Attempt, of object: LocalObject) -> Bool {
        guard case .sending(let present)? = object.meta.outgoing?.phase else { return false }
        return present.sequence == attempt.sequence && object.meta.waitsFor.isEmpty
    }

    func send(
        _ verb: Verb, _ object: LocalObject, _ outgoing: Change, record: ObjectRecord?,
        sequence: Int64, isRepeated: Bool = false
    ) -> Next {
        var revision = object.meta.revision
        // A repeated create carries what was sent the first time, so later edits stay newer than it.
        // It is known by what each try has carried.
        var marks = resource.marks.subtracting(.value)
        if isRepeated, case .unknown(let first) = outgoing.phase {
            revision = first.revision
            marks.formIntersection(self.marks(of: first))
        }
        var attempt = Attempt(record: record, revision: revision, sequence: sequence)
        if verb == .create { attempt.marks = marks }
        if case .action(let name) = verb { attempt.action = name }
        if case .upload(let member) = verb {
            attempt.upload = object.meta.uploads.first?.id
            attempt.member = member
        }
        var marked = object
        var outgoing = outgoing
        outgoing.begin(attempt)
        outgoing.retry.due = nil
        marked.meta.outgoing = outgoing
        return .send(verb, attempt, marked)
    }
}
