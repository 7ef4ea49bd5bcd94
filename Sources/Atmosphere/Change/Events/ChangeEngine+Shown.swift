/// A representation of an object, from a list, a read or a live update.
extension ChangeEngine {
    /// A representation came from a list, a GET or a live update.
    func remote(_ theirs: Representation, over object: LocalObject?, uri: ObjectURI, key: String) -> Plan {
        var theirs = completed(theirs, over: object)
        if theirs.isRenamed, object?.meta.outgoing != nil {
            // What was edited under the old identifier may be meant for what has the new one, or not.
            theirs.record = nil
            theirs.id = nil
            theirs.isRenamed = false
        }
        guard var object else {
            guard let record = theirs.record, let id = theirs.id else { return Plan() }
            let confirmed = MetaObject.Confirmed(base: record, version: theirs.version, sequence: theirs.sequence)
            return Plan(
                outcome: .put(
                    LocalObject(record: record, meta: MetaObject(uri: uri, id: id, state: .synchronized(confirmed)))))
        }
        var isRewritten = false
        if let id = theirs.id, !object.meta.isLocalOnly {
            isRewritten = theirs.isRenamed || self.isRewritten(id, of: object.meta)
            // A link has said the identifier before, and not whether it is a number.
            if isRewritten || id.text == object.meta.id.text { object.meta.id = id }
        }
        if let plan = tooEarly(theirs, object.meta) { return plan }
        let known = refreshed(object, by: theirs)
        let isRefreshed = known != object
        object = known
        var plan: Plan
        switch object.meta.state {
        case .created: return shownNew(theirs, of: object, key: key)
        case .synchronized(let confirmed): plan = synchronized(object, confirmed, theirs)
        case .updated(let confirmed, let outgoing):
            if let unverified = outgoing.unverified {
                let isPart = theirs.isPartial && theirs.record != nil && resource.read.shape != .partial
                guard !isPart || !resource.read.isOffered else {
                    return Plan(next: .read, note: "a part of what a read is to show; asked for as a whole")
                }
                plan = readBack(
                    theirs, sent: unverified.sent, before: unverified.before, over: object, uri: uri, key: key)
            } else {
                plan = updated(object, confirmed, outgoing, theirs, key: key)
            }
        case .deleted(let confirmed, let outgoing): plan = deleted(object, confirmed, outgoing, theirs)
        }
        if isRewritten || isRefreshed, plan.outcome == .keep { plan.outcome = .put(object) }
        return plan
    }

    /// What was shown of an object that is newer here, or on the wire; nil for anything else.
    private func tooEarly(_ theirs: Representation, _ meta: MetaObject) -> Plan? {
        if let confirmed = meta.confirmed {
            let isEarlier = theirs.sequence < confirmed.sequence
            switch resource.version.order(theirs.version, confirmed.version) {
            case .less: return Plan(note: "an older version than the one that is known; ignored")
            case .equal where isEarlier: return Plan()
            case nil where isEarlier:
                return Plan(next: .read, note: "requested before the last answer; asked for again")
            case .equal, .greater, nil: break
            }
        }
        guard case .sending = meta.outgoing?.phase else { return nil }
        return Plan(next: .read, note: "a push is on the wire; asked for again after it")
    }

    /// What is shown of an object whose create the server has not confirmed.
    private func shownNew(_ theirs: Representation, of object: LocalObject, key: String) -> Plan {
        if theirs.isTelling, let plan = shownNamed(theirs, of: object, key: key) { return plan }
        guard resource.assigned == .client, theirs.record != nil else { return Plan(note: "not on the server yet") }
        // At the identifier that the client chose: the create whose answer was lost has happened.
        guard object.meta.outgoing?.lostCreate == nil else {
            return lookedUp(theirs, of: object, arrival: theirs.sequence, key: key)
        }
        return met(theirs, by: object, key: key)
    }

    /// Whether the server keeps the identifier in capitals, or in small letters, other than it is known here: lists show it so,
    /// and there must not be two objects of it.
    private func isRewritten(_ id: ObjectID, of meta: MetaObject) -> Bool {
        !resource.isUniquePerParent && id.text != meta.id.text && id.text.lowercased() == meta.id.text.lowercased()
    }

    func synchronized(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ theirs: Representation
    ) -> Plan {
        guard let record = theirs.record else { return Plan(outcome: .remove, note: "deleted on the server") }
        if record == confirmed.base, theirs.version == confirmed.version { return Plan() }
        var object = object
        object.record = record
        object.meta.state = .synchronized(
            .init(
                base: record, version: theirs.version, sequence: max(theirs.sequence, confirmed.sequence),
                stale: theirs.stale ?? []))
        return Plan(outcome: .put(object))
    }

    func updated(
        _ present: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change,
        _ theirs: Representation, key: String
    ) -> Plan {
        guard let written = present.record else { return Plan() }
        var object = present
        guard let record = theirs.record else {
            return gone(object, confirmed, outgoing, sequence: theirs.sequence, key: key)
        }
        if !theirs.isPartial { object.meta.uploads = founded(object.meta.uploads, on: record) }
        var outgoing = outgoing
        if isShownAgain(record, outgoing) {
            // Refused each time: what the person was shown again gives no reason to try once more.
            var confirmed = confirmed
            confirmed.sequence = max(theirs.sequence, confirmed.sequence)
            object.meta.state = .updated(confirmed, outgoing)
            return Plan(outcome: .put(object))
        }
        // What is sent next is not what this key has gone with.
        if outgoing.phase == .waiting, !isSame(record, confirmed.base) { outgoing.idempotencyKey = key }
        let mine = withTidied(written, since: confirmed.base, outgoing, shown: record)
        var plan = combine(
            object, base: confirmed.base, mine: mine, theirs: record, version: theirs.version,
            sequence: max(theirs.sequence, confirmed.sequence), stale: theirs.stale ?? [], outgoing: outgoing,
            confirmed: confirmed)
        if case .put(let joined) = plan.outcome {
            plan.confirmed = doneBefore(outgoing, joined, mine, over: confirmed.base)
        }
        return plan
    }

    /// What a try has done whose answer was lost: the server shows all that was edited, and nothing of it is left to be sent.
    /// nil where no answer was lost, or something is left.
    private func doneBefore(
        _ outgoing: Change, _ joined: LocalObject, _ mine: ObjectRecord, over base: ObjectRecord
    ) -> Verb? {
        guard !outgoing.unanswered.isEmpty, let shown = joined.meta.confirmed?.base, let record = joined.record,
            isUnedited(record, shown)
        else { return nil }
        let (here, there) = (resource.mapping.members(of: mine), resource.mapping.members(of: shown))
        let names = edited(from: base, to: mine)
        guard !names.isEmpty, names.allSatisfy({ merge.same($0, here[$0], there[$0]) }) else { return nil }
        return nextAction(base: base, record: mine).map { Verb.action($0.name) } ?? .update
    }

    func deleted(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change,
        _ theirs: Representation
    ) -> Plan {
        guard let record = theirs.record else { return Plan(outcome: .remove, note: "deleted on both sides") }
        var object = object
        if isShownAgain(record, outgoing) {
            var confirmed = confirmed
            confirmed.sequence = max(theirs.sequence, confirmed.sequence)
            object.meta.state = .deleted(confirmed, outgoing)
            return Plan(outcome: .put(object))
        }
        let now = MetaObject.Confirmed(
            base: record, version: theirs.version, sequence: max(theirs.sequence, confirmed.sequence),
            stale: theirs.stale ?? [])
        if isUntouched(theirs, since: confirmed) || isOwn(record, confirmed.base, outgoing) {
            object.meta.state = .deleted(now, restated(outgoing.undisputed, from: confirmed.base, onto: record))
            return Plan(outcome: .put(object))
        }
        switch resource.conflict.deletedHere {
        case .delete:
            object.meta.state = .deleted(now, restated(outgoing.undisputed, from: confirmed.base, onto: record))
            return Plan(outcome: .put(object), note: "edited on the server; the delete goes on")
        case .recreate:
            object.record = record
            object.meta.state = .synchronized(now)
            return Plan(outcome: .put(object), note: "edited on the server; the delete was taken back")
        case .ask:
            var outgoing = outgoing
            outgoing.phase = .conflicted(
                .init(.deletion, theirs: record, version: theirs.version, sequence: theirs.sequence))
            object.meta.state = .deleted(confirmed, outgoing)
            return Plan(outcome: .put(object), note: "deleted here, edited on the server")
        }
    }

    /// Whether the server shows what a person was asked about already. Its version does not count: a list may show none, and
    /// some servers make another one for each answer.
    private func isShownAgain(_ record: ObjectRecord, _ outgoing: Change) -> Bool {
        guard case .conflicted(let conflict) = outgoing.phase, [.deletion, .refusedEachTime].contains(conflict.cause)
        else { return false }
        return conflict.theirs.map { isSame($0, record) } == true
    }

    /// Deleted there, edited here. An update without an answer may have given the object another identifier: it is looked up
    /// then, and where that cannot be a person decides before it is created anew.
    ///
    /// - Parameter isSought: a look-up has shown that the server has it under no other identifier.
    func gone(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change, sequence: Int64,
        key: String, isSought: Bool = false
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        if isSought { outgoing.evidence = .none }
        if outgoing.mayBeRenamed, outgoing.phase == .waiting, canSeek(object) {
            outgoing.retry.count(.existence)
            object.meta.outgoing = outgoing
            return Plan(
                outcome: .put(object), next: .lookUp,
                note: "not there any more, and an update of it got no answer; looked up")
        }
        switch resource.conflict.deletedThere {
        case .delete:
            return Plan(outcome: .remove, note: "deleted on the server; the edit was dropped as the policy says")
        case .recreate where !outgoing.mayBeRenamed:
            object.meta.uploads = unbased(object.meta.uploads)
            object.meta.state = .created(
                .anew(key: key, after: sequence, previous: confirmed.base), deleting: false)
            return Plan(outcome: .put(object), note: "deleted on the server; created anew as the policy says")
        case .recreate, .ask: return ask(object, confirmed, outgoing, sequence: sequence)
        }
    }

    /// A person decides about what was edited here and is not on the server any more.
    func ask(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change, sequence: Int64
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        outgoing.phase = .conflicted(.init(.deletion, theirs: nil, version: nil, sequence: sequence))
        object.meta.state = .updated(confirmed, outgoing)
        let doubt = outgoing.mayBeRenamed ? "; an update of it got no answer, and may have renamed it" : ""
        return Plan(outcome: .put(object), note: "edited here, deleted on the server\(doubt)")
    }

    /// Whether the object can be found by a member of its own, whatever its identifier is.
    private func canSeek(_ object: LocalObject) -> Bool {
        resource.lookup?.parameter != nil && !resource.looksUpByID
            && object.record.flatMap { resource.lookupValue(of: $0) } != nil
    }

    /// Whether a record shows what an update without an answer has set: else another client may have made it anew.
    private func showsTry(_ shown: ObjectRecord, _ outgoing: Change, over base: ObjectRecord) -> Bool {
        let there = resource.mapping.members(of: shown)
        return outgoing.tries.contains { sent in
            let own = resource.mapping.members(of: sent)
            return edited(from: base, to: sent).contains { merge.same($0, own[$0], there[$0]) }
        }
    }

    /// The look-up of an object that is not at its address any more, and that an update without an answer may have given
    /// another identifier.
    func sought(
        _ found: [Representation], _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change,
        arrival: Int64, key: String
    ) -> Plan {
        // What a look-up of its create shows comes too late.
        guard outgoing.mayBeRenamed, outgoing.phase == .waiting, outgoing.retry.tries(for: .existence) > 0 else {
            return Plan()
        }
        guard let one = found.first else {
            return gone(object, confirmed, outgoing, sequence: arrival, key: key, isSought: true)
        }
        guard found.count == 1, let id = one.id, let shown = one.record, !isOwn(id, of: object.meta),
            showsTry(shown, outgoing, over: confirmed.base)
        else { return ask(object, confirmed, outgoing, sequence: arrival) }
        var (object, outgoing) = (object, outgoing)
        (outgoing.retry, outgoing.lastError) = (Retry(), nil)
        object.meta.id = underItsParents(id, object.meta)
        object.meta.outgoing = outgoing
        var plan = updated(object, confirmed, outgoing, completed(one, over: object), key: key)
        if plan.outcome == .keep { plan.outcome = .put(object) }
        plan.note = "found as \(id), which an update without an answer has made of it"
        return plan
    }
}
