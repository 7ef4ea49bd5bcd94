/// Saves for which a caller waits.
extension ChangeEngine {
    /// Changes that were made to an object as it was `seen`, made to what it is now.
    ///
    /// - Throws: ``SyncError`` `wrongState` where a member has changed since and both values clash.
    func rebased(
        _ changes: [(name: String, value: Value?)], from seen: LocalObject, onto object: LocalObject
    ) throws -> [(name: String, value: Value?)] {
        let seen = caughtUp(seen, with: object)
        guard let old = seen.record, let present = object.record, old != present else { return changes }
        let (before, now) = (resource.mapping.members(of: old), resource.mapping.members(of: present))
        var wanted = before
        wanted.set(changes)
        let joined = merge.merge(base: before, mine: wanted, theirs: now)
        // Who wins over the server is no rule for two edits of one side, of which this one is the older.
        var rules = resource.conflict
        (rules.policy, rules.clash, rules.fields, rules.resolver) = (.merge, .ask, [:], nil)
        let equal = ThreeWayMerge(resource, under: rules).merge(base: before, mine: wanted, theirs: now)
        // What was edited here meanwhile may be on the server by now.
        let isEditedHere = object.meta.revision != seen.meta.revision
        let confirmed = object.meta.confirmed.map { resource.mapping.members(of: $0.base) } ?? [:]
        let (clashes, newClashes) = (Set(joined.clashes.map(ScalarText.init)), Set(equal.clashes.map(ScalarText.init)))
        let clashing = changes.map(\.name).filter { name in
            clashes.contains(ScalarText(name))
                || newClashes.contains(ScalarText(name))
                    && (isEditedHere || !merge.same(name, now[name], confirmed[name]))
        }
        guard clashing.isEmpty else {
            throw SyncError(
                code: .wrongState,
                message:
                    "\(clashing.map(\.quoted).joined(separator: ", ")) of \(object.uri) was changed since the edit was "
                    + "made, here or on the server; look at it, and edit it again")
        }
        return changes.map { change in
            // What only this edit changes is taken as it was given.
            merge.same(change.name, before[change.name], now[change.name])
                ? change : (change.name, joined.record[change.name])
        }
    }

    /// A synchronous save is one request, for what the second of two said could not take the first one back.
    ///
    /// - Throws: ``SyncError`` `invalidRecord`.
    func checkOneRequest(_ object: LocalObject) throws {
        guard let base = object.meta.confirmed?.base, let record = object.record else { return }
        let actions = pendingActions(base: base, record: record)
        guard let first = actions.first else { return }
        guard actions.count > 1 || !changedMembers(base: base, record: record).isEmpty else { return }
        throw SyncError(
            code: .invalidRecord,
            message:
                "\(object.uri): a change of \(first.arguments.joined(separator: ", ")) is sent by “\(first.name)”, and "
                + "other members by another request; save them one after the other, or queue the edit")
    }

    /// What the server has and nobody has decided about is not deleted by the way.
    ///
    /// - Throws: ``SyncError`` `wrongState`.
    func requireUndisputed(_ object: LocalObject) throws {
        guard resource.conflict.deletedHere != .delete, case .conflicted(let conflict)? = object.meta.outgoing?.phase,
            let theirs = conflict.theirs, let base = object.meta.confirmed,
            !isUntouched(
                .init(record: theirs, id: nil, version: conflict.version, sequence: conflict.sequence), since: base)
        else { return }
        throw SyncError(
            code: .wrongState,
            message: "\(object.uri) is in conflict with what was changed on the server: resolve it, and delete it then")
    }

    /// What was never looked at is not deleted.
    ///
    /// - Parameter known: the object before it was read.
    /// - Throws: ``SyncError`` `wrongState` where the server's object has changed since.
    func requireUnchanged(_ object: LocalObject, since known: LocalObject) throws {
        guard resource.conflict.deletedHere != .delete, let before = caughtUp(known, with: object).meta.confirmed,
            let now = object.meta.confirmed,
            !isUntouched(
                .init(record: now.base, id: nil, version: now.version, sequence: now.sequence), since: before),
            known.meta.outgoing.map({ isOwn(now.base, before.base, $0) }) != true
        else { return }
        throw SyncError(
            code: .wrongState,
            message: "\(object.uri) was changed on the server since it was last read; it is up to date now: "
                + "look at it, and delete it again if it shall go all the same")
    }

    /// An update that was sent at once, as it stands now: what was edited or deleted here meanwhile is a change of its own on
    /// top of what was sent.
    ///
    /// - Parameters:
    ///   - marked: what was sent, with its mark.
    ///   - before: the object that it was made from.
    ///   - here: the object as it is stored now.
    func sent(_ marked: LocalObject, madeFrom before: LocalObject, over here: LocalObject) -> LocalObject {
        var object = marked
        object.meta.revision = here.meta.revision
        let superseded = Set(before.meta.uploads.map(\.id)).subtracting(marked.meta.uploads.map(\.id))
        object.meta.uploads = here.meta.uploads.filter { !superseded.contains($0.id) }
        guard here.meta.revision != before.meta.revision else { return object }
        object.meta.waitsFor = here.meta.waitsFor
        guard let now = here.record, let was = before.record, let sent = marked.record else {
            guard let confirmed = marked.meta.confirmed, let outgoing = marked.meta.outgoing else { return object }
            object.record = nil
            object.meta.state = .deleted(confirmed, outgoing)
            return object
        }
        object.record = rebase(now, from: was, onto: sent)
        return object
    }

    /// An object whose queued edits go with one that is sent at once, with the mark that says so: the process can end before the
    /// answer, and then they may be on the server. nil where none go.
    func marked(_ sent: Attempt, over object: LocalObject) -> LocalObject? {
        guard case .updated(let confirmed, var outgoing) = object.meta.state, outgoing.phase == .waiting,
            let record = object.record, let whole = sent.record
        else { return nil }
        let (mine, going) = (resource.mapping.members(of: record), resource.mapping.members(of: whole))
        let names = edited(from: confirmed.base, to: record).filter { merge.same($0, mine[$0], going[$0]) }
        guard !names.isEmpty else { return nil }
        var (object, sent) = (object, sent)
        (sent.record, sent.revision) = (with(names, of: whole, confirmed.base), object.meta.revision)
        outgoing.begin(sent)
        object.meta.state = .updated(confirmed, outgoing)
        return object
    }

    /// An object without the mark of a save that was sent at once and not accepted.
    func unmarked(_ object: LocalObject, mayHaveArrived: Bool) -> LocalObject {
        if mayHaveArrived { return recovered(object) ?? object }
        var object = object
        if case .sending? = object.meta.outgoing?.phase { object.meta.outgoing?.phase = .waiting }
        return object
    }

    /// A queued create that was sent at once with an edit, and not accepted, goes on as it was, or as one whose answer was lost.
    ///
    /// - Parameters:
    ///   - marked: what was sent, with its mark.
    ///   - dropped: the uploads that what was sent takes the place of.
    ///   - underWay: the refusal of each try, where the server may be at the first one still; nil for anything else.
    func takenBack(
        _ sent: Attempt, _ marked: LocalObject, over here: LocalObject, to before: LocalObject,
        dropping dropped: Set<String>, mayHaveArrived: Bool, underWay: MetaObject.Failure? = nil
    ) -> Plan {
        guard case .sending(sent)? = here.meta.outgoing?.phase else { return Plan() }
        var here = here
        if mayHaveArrived, var outgoing = here.meta.outgoing {
            here.meta.uploads.removeAll { dropped.contains($0.id) }
            outgoing.phase = .unknown(sent)
            if let underWay {
                outgoing.lastError = underWay
                countRefusal(of: &outgoing) { _ in nil }
                _ = noteRefusal(underWay, of: &outgoing)
            } else {
                outgoing.evidence.lose()
            }
            here.meta.outgoing = outgoing
            return Plan(outcome: .put(here))
        }
        if here.meta.revision == marked.meta.revision { return Plan(outcome: .put(before)) }
        // Edited since; an earlier try may have arrived all the same.
        let isLost = here.meta.outgoing?.evidence.mayHaveArrived == true
        if !isLost, here.meta.isDeleted { return Plan(outcome: .remove, note: "never reached the server") }
        here.meta.outgoing?.phase = isLost ? .unknown(sent) : .waiting
        return Plan(outcome: .put(here))
    }

    /// The read behind an answer that has only named a create for which a caller waits shows nothing of it, or another object:
    /// the caller is told so, and nothing of the create stays. nil where it shows the create, or where that was edited or
    /// deleted here meanwhile.
    func notCreated(_ theirs: Representation, sent: ObjectRecord, _ object: LocalObject, key: String) -> Plan? {
        guard isSynchronous, case .created(let outgoing, deleting: false) = object.meta.state,
            outgoing.evidence.isNamed, object.meta.uploads.isEmpty,
            object.record.map({ isUnedited($0, withID(sent, object.meta.id)) }) == true,
            let said = contradicts(sent, theirs.record)
        else { return nil }
        guard theirs.record != nil else { return Plan(outcome: .remove, note: said) }
        return remote(theirs, over: nil, uri: object.uri, key: key)
    }

    /// An object that has come here before the answer to its create, with what that could not carry as an edit; nil where the
    /// create has carried everything.
    func following(_ sent: ObjectRecord, _ here: LocalObject, key: String) -> LocalObject? {
        let names = followingCreate(of: sent)
        guard !names.isEmpty, let confirmed = here.meta.confirmed, let record = here.record else { return nil }
        var object = here
        object.record = with(names, of: sent, record)
        object.meta.revision += 1
        object.meta.state = .updated(confirmed, here.meta.outgoing ?? .init(idempotencyKey: key))
        return object
    }

    /// What is stored of an accepted save: its read follows at once, and who waits is told of what failed.
    func told(_ plan: Plan, sent: ObjectRecord?) -> Plan {
        var plan = plan
        if case .put(let object) = plan.outcome { plan.outcome = .put(read(object)) }
        guard isSynchronous else {
            // What was left out of a create that was queued before waits on, as an edit.
            plan.ignored = []
            return plan
        }
        return plan.ignored.isEmpty ? plan : withoutRefusal(plan, sent: sent)
    }

    /// What the read behind the answer to a create that was sent at once shows of it.
    func readNow(
        _ theirs: Representation, sent: ObjectRecord, over object: LocalObject, uri: ObjectURI, key: String,
        retryAt: (Int) -> Timestamp?
    ) -> Plan {
        let plan = readBack(theirs, sent: sent, before: nil, over: object, uri: uri, key: key, retryAt: retryAt)
        return isSynchronous ? told(plan, sent: sent) : plan
    }

    /// A caller who waits is told what did not take; the object is as the server answered it, and nothing stays queued of
    /// what was not edited since.
    private func withoutRefusal(_ plan: Plan, sent: ObjectRecord?) -> Plan {
        guard case .put(var object) = plan.outcome, let confirmed = object.meta.confirmed, let record = object.record,
            let sent
        else { return plan }
        var members = resource.mapping.members(of: record)
        let (base, tried) = (resource.mapping.members(of: confirmed.base), resource.mapping.members(of: sent))
        members.take(plan.ignored.filter { merge.same($0, members[$0], tried[$0]) }, from: base)
        object.record = resource.mapping.record(members, over: record)
        if let left = object.record, !isUnedited(left, confirmed.base) {
            object.meta.outgoing?.phase = .waiting
            object.meta.outgoing?.lastError = nil
        } else {
            object.record = confirmed.base
            object.meta.state = .synchronized(confirmed)
        }
        var plan = plan
        plan.outcome = .put(object)
        return plan
    }

    /// What has become of what was sent at once.
    func conclude(
        _ outcome: DirectWrite.Outcome, to snapshot: Attempt, of object: LocalObject, arrival: Int64,
        key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        switch outcome {
        case .answered(let shown):
            conclude(.accepted(shown), to: snapshot, of: object, arrival: arrival, key: key, retryAt: retryAt)
        case .found(let shown):
            lookedUp(shown, of: object, arrival: arrival, key: key, isDecided: true, isFresh: true)
        }
    }

    /// Which of what a look-up has found was sent: what says the same, or the only one under a value, or an identifier, that
    /// was made for it alone.
    func own(
        among found: [Representation], of snapshot: Attempt, _ meta: MetaObject
    ) -> Representation? {
        guard let sent = snapshot.record else { return nil }
        let left = found.filter { one in one.id.map { !others.contains(ScalarText($0.text)) } ?? false }
        let same = left.first { one in
            one.completed(over: sent, resource.mapping).record.map { !differs(sent, $0) } ?? false
        }
        if let same { return same }
        let value =
            resource.looksUpByID ? meta.uri.segments.last ?? meta.id.text : resource.lookupValue(of: sent) ?? ""
        return left.count == 1 && ObjectID(value).isUUID ? left.first : nil
    }
}
