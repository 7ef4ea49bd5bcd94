/// An object that two clients have created under one identifier, or have created once more after its deletion.
extension ChangeEngine {
    /// The server shows an object at the identifier that the client has chosen for a new one, which was not sent, or is
    /// not what is there: both sides have created it, so each member that differs is a clash, as if nothing had been
    /// agreed on before. Where ours was deleted here meanwhile, a person decides.
    func met(_ theirs: Representation, by object: LocalObject, key: String) -> Plan {
        guard let outgoing = object.meta.outgoing else { return Plan() }
        if outgoing.phase == .waiting, outgoing.lastError == nil, let before = outgoing.lowWaterMark,
            theirs.sequence < before
        {
            return Plan(note: "shown before it was deleted there; ignored")
        }
        // What a list leaves out may clash, too.
        if theirs.isListed, theirs.isPartial, resource.read.isOffered {
            return Plan(next: .read, note: "the server has an object with this identifier")
        }
        guard let record = theirs.completed(over: object.record, resource.mapping).record else { return Plan() }
        var object = object
        if let id = theirs.id, id.text == object.meta.id.text { object.meta.id = id }
        guard let given = object.record else { return met(theirs, record, byDeleted: object, outgoing, key: key) }
        if isAnew(record, outgoing) {
            return metAnew(theirs, record, by: object, outgoing, isOwn: false, arrival: theirs.sequence, key: key)
        }
        let mine = adopted(given, theirs: record)
        var next = Change(idempotencyKey: key)
        var base =
            outgoing.unanswered.first.map { lacking(followingCreate(of: $0), adopted($0, theirs: record)) } ?? record
        if outgoing.unanswered.isEmpty || !hasOwnUUID(object.meta) {
            var members = resource.mapping.members(of: record)
            members.removeAll(named: merge.changes(from: members, to: resource.mapping.members(of: mine)))
            base = resource.mapping.record(members, over: record)
        } else {
            next.unanswered = Array(outgoing.unanswered.dropFirst())
        }
        object.record = mine
        object.meta.uploads = compared(object.meta.uploads, with: [outgoing.unanswered.first], on: record)
        var plan = combine(
            object, base: base, mine: mine, theirs: record, version: theirs.version, sequence: theirs.sequence,
            outgoing: next, confirmed: nil)
        plan.note = "the server has an object with this identifier; \(plan.note ?? "merged with it")"
        return plan
    }

    /// What the server has says something else than what was sent and deleted here since. It may be that, changed there, or
    /// somebody else's: a delete would be for good, and without one the object comes back, so either is for a person to say.
    func met(
        _ theirs: Representation, _ record: ObjectRecord, byDeleted object: LocalObject,
        _ outgoing: Change, key: String
    ) -> Plan {
        var object = object
        object.meta.waitsFor = []
        if resource.conflict.deletedHere == .recreate {
            object.record = record
            object.meta.state = .synchronized(.init(base: record, version: theirs.version, sequence: theirs.sequence))
            return Plan(outcome: .put(object), note: "another is on the server; the delete was taken back")
        }
        var next = Change(idempotencyKey: key)
        next.phase = .conflicted(
            .init(.deletion, theirs: record, version: theirs.version, sequence: theirs.sequence))
        // With what was sent as the base, whatever else a list shows of it leaves the question open.
        let sent = outgoing.lostCreate?.record ?? record
        object.meta.state = .deleted(.init(base: sent, version: nil, sequence: theirs.sequence), next)
        return Plan(
            outcome: .put(object),
            note: "deleted here; the server has an object with this identifier that says something else than was sent")
    }

    /// Whether what a look-up shows is what the server had deleted: it has the look-up value that the object had then, so
    /// that another client has made it anew, or somebody has brought it back.
    func isAnew(_ theirs: ObjectRecord, _ outgoing: Change?) -> Bool {
        guard let previous = outgoing?.previous, let value = name(of: previous), let shown = name(of: theirs) else {
            return false
        }
        return ObjectID.compared(value) == ObjectID.compared(shown)
    }

    /// By which a look-up finds an object: its identifier, or its look-up value.
    private func name(of record: ObjectRecord) -> String? {
        guard resource.looksUpByID else { return resource.lookupValue(of: record) }
        return resource.id.first(in: .object(record.members)).flatMap { ObjectID($0) }?.text
    }

    /// Two clients have made the same object anew: it is one, and not two. Both started from what the server had before it
    /// was deleted, so that is the base of the merge, and each side's edits stay edits. With what was sent as the base, as for
    /// a create that only one can have sent, the edits of this side would count as theirs to change back.
    ///
    /// - Parameter isOwn: what is shown of it says what was sent.
    func metAnew(
        _ found: Representation, _ theirs: ObjectRecord, by object: LocalObject, _ outgoing: Change,
        isOwn: Bool, arrival: Int64, key: String
    ) -> Plan {
        guard let given = object.record, let previous = outgoing.previous else {
            return met(found, theirs, byDeleted: object, outgoing, key: key)
        }
        // What a list leaves out is not known to be what was sent: it is what it was, until it is read.
        let theirs = found.isPartial ? found.completed(over: previous, resource.mapping).record ?? theirs : theirs
        var object = object
        var next = Change(idempotencyKey: key)
        // What a try without an answer may have brought is no news where it is shown.
        if outgoing.evidence.mayHaveArrived {
            next.unanswered = outgoing.unanswered + [outgoing.lostCreate?.record].compactMap(\.self)
        }
        // Both began with the same members: what either has added since is news to the other.
        let mine = renewed(given, theirs: theirs)
        object.record = mine
        object.meta.uploads = compared(object.meta.uploads, with: [previous], on: theirs)
        var plan = combine(
            object, base: renewed(previous, theirs: theirs), mine: mine, theirs: theirs, version: found.version,
            sequence: arrival, outgoing: next, confirmed: nil)
        if !found.isPartial, case .put(var joined) = plan.outcome, case .waiting? = joined.meta.outgoing?.phase {
            joined.meta.outgoing?.unanswered = []
            plan.outcome = .put(joined)
        }
        if isOwn, outgoing.evidence.mayHaveArrived {
            (plan.note, plan.confirmed) = ("found on the server", .create)
        } else {
            plan.note = "another has made it anew, too; \(plan.note ?? "merged with that")"
        }
        return askingForVersion(found.isPartial ? owingWhole(plan, key: key) : plan)
    }
}
