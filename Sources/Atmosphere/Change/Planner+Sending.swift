extension Planner {
    /// What a push does next with an object.
    enum Next: Equatable {
        /// Nothing now; why.
        case hold(Hold)
        /// Ask the server whether the create has happened.
        case lookUp
        /// GET what was sent, where the server has accepted it and not shown it yet; see ``Plan/FollowUp/readBack(sent:before:)``.
        case readBack(sent: ObjectRecord, before: ObjectRecord?)
        /// GET an object whose delete the server does later.
        case confirmDelete
        /// Ask for the object's edit lease before the write.
        case lease
        /// GET and merge before the write.
        case read
        /// Send; the object as it must be stored, durably, before the first byte leaves.
        case send(Verb, Attempt, LocalObject)
        /// Nothing would be sent: it is as the server has it. The object as it must be stored.
        case settle(LocalObject)
        /// Refused here: the route file does not let a member be sent. The object as it must be stored.
        case refuse(LocalObject)
    }

    enum Hold: Equatable {
        case synchronized
        case notDue(Timestamp)
        case waitsForParents
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
    func next(_ object: LocalObject, now: Timestamp, sequence: Int64, hasCompared: Bool, hasLease: Bool) -> Next {
        guard let outgoing = object.meta.outgoing else { return .hold(.synchronized) }
        switch outgoing.phase {
        case .rejected: return .hold(.needsPerson)
        case .conflicted(let conflict):
            guard let retryAt = conflict.retryAt else { return .hold(.needsPerson) }
            guard retryAt <= now else { return .hold(.notDue(retryAt)) }
        case .waiting, .sending: break
        case .unknown(let attempt): return recover(object, outgoing, attempt, now: now, sequence: sequence)
        }
        if let due = outgoing.retry.due, due > now { return .hold(.notDue(due)) }
        guard object.meta.waitsFor.isEmpty else { return .hold(.waitsForParents) }
        switch object.meta.state {
        case .synchronized: return .hold(.synchronized)
        case .created:
            guard resource.create.isOffered else { return .hold(.notOffered(.create)) }
            if let refused = refusedHere(object, outgoing) { return .refuse(refused) }
            return send(.create, object, outgoing, record: object.record, sequence: sequence)
        case .updated(let confirmed, _):
            return nextUpdate(
                object, outgoing, confirmed, sequence: sequence, hasCompared: hasCompared, hasLease: hasLease)
        case .deleted:
            if outgoing.evidence == .begun, resource.read.isOffered { return .confirmDelete }
            guard resource.delete.isOffered else { return .hold(.notOffered(.delete)) }
            if mustLease, !hasLease { return .lease }
            if mustCompare(object), !hasCompared { return .read }
            return send(.delete, object, outgoing, record: nil, sequence: sequence)
        }
    }

    private func nextUpdate(
        _ object: LocalObject, _ outgoing: Change, _ confirmed: MetaObject.Confirmed, sequence: Int64,
        hasCompared: Bool, hasLease: Bool
    ) -> Next {
        guard let record = object.record else { return .hold(.synchronized) }
        // Where it cannot be read again and again, the answer is believed.
        if let unverified = outgoing.unverified, resource.read.isOffered, outgoing.retry.spent != .verification {
            return .readBack(sent: unverified.sent, before: unverified.before)
        }
        if let refused = refusedHere(object, outgoing) { return .refuse(refused) }
        let action = nextAction(base: confirmed.base, record: record)
        if action == nil, changedMembers(base: confirmed.base, record: record).isEmpty {
            return nextUnchanged(
                object, outgoing, confirmed, record, sequence: sequence, hasCompared: hasCompared, hasLease: hasLease)
        }
        guard action != nil || resource.update.isOffered else { return .hold(.notOffered(.update)) }
        if mustLease, !hasLease { return .lease }
        if mustCompare(object) || action == nil && mustComplete, !hasCompared { return .read }
        let verb = action.map { Verb.action($0.name) } ?? .update
        return send(verb, object, outgoing, record: record, sequence: sequence)
    }

    /// The record is as the server has confirmed it: it was edited back to that, after an update that may have changed it
    /// there, or only contents wait.
    private func nextUnchanged(
        _ object: LocalObject, _ outgoing: Change, _ confirmed: MetaObject.Confirmed,
        _ record: ObjectRecord, sequence: Int64, hasCompared: Bool, hasLease: Bool
    ) -> Next {
        if !outgoing.unanswered.isEmpty, resource.read.isOffered, !hasCompared { return .read }
        if let back = takenBack(object, outgoing, record) {
            if mustLease, !hasLease { return .lease }
            return send(.update, back, outgoing, record: record, sequence: sequence)
        }
        if let upload = object.meta.uploads.first {
            if mustLease, !hasLease { return .lease }
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

    /// An object whose sending mark was left by a process that ended: a create may have happened, an update or delete
    /// can be sent again, for it says what shall be and not what to add.
    ///
    /// - Returns: nil where there is nothing to mend. Call it only in the object's own lane.
    func recovered(_ object: LocalObject) -> LocalObject? {
        guard var outgoing = object.meta.outgoing, case .sending(let attempt) = outgoing.phase else { return nil }
        var object = object
        let isLost = object.meta.isLocalOnly || !mayRepeat(attempt, of: object)
        outgoing.phase = isLost ? .unknown(attempt) : .waiting
        outgoing.evidence.lose()
        if !isLost, attempt.upload == nil { outgoing.remember(attempt) }
        object.meta.outgoing = outgoing
        return object
    }

    /// How often lists may show nothing of a create that the server has accepted, before a person has to decide.
    static let mostLookUps = 8

    /// How often a create that may be on its way still is looked up, where the clock was set back and its time does not go
    /// by.
    static let mostLateLookUps = 20

    /// A create that may or may not have happened.
    private func recover(
        _ object: LocalObject, _ outgoing: Change, _ attempt: Attempt, now: Timestamp,
        sequence: Int64
    ) -> Next {
        if let due = outgoing.retry.due, due > now { return .hold(.notDue(due)) }
        guard attempt.action == nil, attempt.upload == nil else { return .hold(.needsPerson) }
        if case .named(let isLookedFor) = outgoing.evidence {
            guard !outgoing.retry.isSpent else { return .hold(.needsPerson) }
            let sent = resource.read.isOffered ? attempt.record : nil
            // Its own address is asked first: lists may hide it, and show it later.
            if let sent, !isLookedFor { return .readBack(sent: sent, before: nil) }
            if resource.canLookUp { return .lookUp }
            return sent.map { .readBack(sent: $0, before: nil) } ?? .hold(.needsPerson)
        }
        switch resource.recovery {
        case .lookUp, .readByID:
            // It may have been removed there since. What the server said that it has only a person may send again.
            if outgoing.evidence.isKnownThere, outgoing.retry.isSpent { return .hold(.needsPerson) }
            return .lookUp
        case .repeatSafely:
            if outgoing.evidence.isKnownThere, resource.isFoundByPulls { return .hold(.needsPerson) }
            if outgoing.evidence.isKnownThere {
                guard !outgoing.retry.isSpent else { return .hold(.needsPerson) }
                if resource.canLookUp { return .lookUp }
            }
            if outgoing.isRefusedForGood { return .hold(.needsPerson) }
            // The same bytes again: the server recognizes the key, or the address, and answers as the first time.
            return send(.create, object, outgoing, record: attempt.record, sequence: sequence, isRepeated: true)
        case .askPerson: return .hold(.needsPerson)
        }
    }

    func send(
        _ verb: Verb, _ object: LocalObject, _ outgoing: Change, record: ObjectRecord?,
        sequence: Int64, isRepeated: Bool = false
    ) -> Next {
        var revision = object.meta.revision
        // A repeated create carries what was sent the first time, so later edits stay newer than it.
        if isRepeated, case .unknown(let first) = outgoing.phase { revision = first.revision }
        var attempt = Attempt(record: record, revision: revision, sequence: sequence)
        if case .action(let name) = verb { attempt.action = name }
        if case .upload = verb { attempt.upload = object.meta.uploads.first?.id }
        var marked = object
        var outgoing = outgoing
        outgoing.phase = .sending(attempt)
        outgoing.retry.due = nil
        marked.meta.outgoing = outgoing
        return .send(verb, attempt, marked)
    }

    /// The members that an update would send.
    func changedMembers(base: ObjectRecord, record: ObjectRecord) -> [String] {
        merge.changedMembers(of: resource, base: base, record: record)
    }

    /// The action that has to carry a change, when everything that an update carries is on the server: what moves an
    /// object may depend on what it has become.
    func nextAction(base: ObjectRecord, record: ObjectRecord) -> Action? {
        guard changedMembers(base: base, record: record).isEmpty else { return nil }
        return pendingActions(base: base, record: record).first
    }

    /// The actions whose members have changed, in the order of the route file.
    func pendingActions(base: ObjectRecord, record: ObjectRecord) -> [Action] {
        guard !resource.actionMembers.isEmpty else { return [] }
        let mapping = resource.mapping
        let changed = Set(merge.changes(from: mapping.members(of: base), to: mapping.members(of: record)))
        return resource.actions.filter { !changed.isDisjoint(with: $0.arguments) }
    }

    /// The fields whose change a request for the verb brings to the server.
    func carriedChanges(_ verb: Verb, _ object: LocalObject) -> [String] {
        guard let base = object.meta.confirmed?.base, let record = object.record else { return [] }
        switch verb {
        case .create, .delete, .upload: return []
        case .update: return changedMembers(base: base, record: record)
        case .action(let name):
            let arguments = resource.actions.first { $0.name == name }?.arguments ?? []
            let mapping = resource.mapping
            return merge.changes(from: mapping.members(of: base), to: mapping.members(of: record))
                .filter(arguments.contains)
        }
    }

    /// Whether what an attempt sent may be sent once more after a lost answer.
    func mayRepeat(_ attempt: Attempt, of object: LocalObject) -> Bool {
        if let upload = attempt.upload { return mayRepeat(upload: upload, of: object) }
        guard let name = attempt.action else { return true }
        return resource.actions.first { $0.name == name }?.mayRepeat ?? false
    }

    /// The record as a request has brought it to the server; what it could not carry is still the base's.
    func carried(_ attempt: Attempt, _ sent: ObjectRecord, over base: ObjectRecord?) -> ObjectRecord {
        guard !resource.actionMembers.isEmpty else { return sent }
        let mapping = resource.mapping
        let from = mapping.members(of: sent)
        let before = base.map(mapping.members) ?? [:]
        guard let name = attempt.action else {
            var members = from
            for member in resource.actionMembers { members[member] = before[member] }
            return mapping.record(members, over: sent)
        }
        var members = before
        for argument in resource.actions.first(where: { $0.name == name })?.arguments ?? [] {
            members[argument] = from[argument]
        }
        return mapping.record(members, over: base ?? sent)
    }
}

extension Resource {
    /// Whether an update or delete of the object reads and merges first.
    package func comparesFirst(_ object: LocalObject) -> Bool { Planner(self).mustCompare(object) }

    /// Why it does so, as the end of a sentence.
    package func whyCompared(_ object: LocalObject) -> String {
        switch version {
        case .none, .compare: "the API has no version to compare"
        case .token: "the version is only stored (send: none)"
        case .ifMatch, .body:
            if object.meta.confirmed?.version == nil {
                "the server has shown no version of it"
            } else if case .ifMatch = version {
                "its version is a weak entity tag"
            } else {
                "the delete carries no version"
            }
        }
    }
}
