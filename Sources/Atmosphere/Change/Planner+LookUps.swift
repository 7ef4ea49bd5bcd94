/// What a look-up says of a create that may have happened.
extension Planner {
    /// The answer to a create that has happened before: the declared one, or that there is an object with the identifier,
    /// which is its own where something between has sent it twice.
    func isDuplicate(_ failure: MetaObject.Failure) -> Bool {
        if failure.status == 412, resource.create.isConditional, resource.looksUpByID { return true }
        guard let duplicate = resource.duplicate, let status = failure.status, duplicate.statuses.contains(status)
        else { return false }
        return duplicate.field.map { field in failure.fields.contains { $0.field == field } } ?? true
    }

    /// A complaint about the member by which creates are looked up, which no other object has: it is there already, if a
    /// look-up finds it.
    func isAboutLookUp(_ failure: MetaObject.Failure) -> Bool {
        resource.lookup.map { lookup in failure.fields.contains { $0.field == lookup.field } } ?? false
    }

    /// The look-up of a create that may have happened, where it can show several objects: what other creates of this client
    /// have become is not it, and of the others it is the one that says what was sent. Where several have
    /// the value, or a second create with it waits to be found, and nothing says what this one sent, a person decides.
    func lookedUp(
        _ found: [Representation], of object: LocalObject, arrival: Int64, key: String,
        retryAt: (Int) -> Timestamp?
    ) -> Plan {
        let left = left(of: found)
        let same = same(among: left, as: object)
        if left.isEmpty, !found.isEmpty, let plan = taken(object) { return plan }
        guard same == nil, hasTwin && !left.isEmpty || left.count > 1, var outgoing = object.meta.outgoing,
            let attempt = outgoing.lostCreate
        else {
            var plan = lookedUp(same ?? left.first, of: object, arrival: arrival, key: key, retryAt: retryAt)
            if left.isEmpty, let other = found.first?.id, let note = plan.note {
                plan.note = "\(note); what the server has with that value is \(other), which is another object here"
            }
            return plan
        }
        var object = object
        outgoing.phase = .unknown(attempt)
        outgoing.evidence.recognize()
        outgoing.retry.spend(.lookUp)
        outgoing.lastError = .init(
            message:
                "several objects carry the value to be looked up by, and nothing that the server has with it is what "
                + "was sent")
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: outgoing.lastError?.message)
    }

    /// Whether a look-up has shown one object that does not say what was sent: then it matters whether a second create with
    /// the same value waits to be found.
    func isDecidedByTwin(_ found: [Representation], of object: LocalObject) -> Bool {
        let left = left(of: found)
        return left.count == 1 && same(among: left, as: object) == nil
    }

    /// What a look-up has shown that no other create of this client has become.
    private func left(of found: [Representation]) -> [Representation] {
        found.filter { one in one.id.map { !others.contains(ScalarText($0.text)) } ?? true }
    }

    /// What says what one of the create's tries has sent.
    private func same(among left: [Representation], as object: LocalObject) -> Representation? {
        let tries = object.meta.outgoing?.creates ?? []
        return left.first { says($0, oneOf: tries) }
    }

    /// A create whose every try was refused, where all that the server has with its value is something else: the refusal
    /// stands.
    private func taken(_ object: LocalObject) -> Plan? {
        guard case .created(var outgoing, deleting: false) = object.meta.state, !outgoing.evidence.mayHaveArrived,
            let attempt = outgoing.lostCreate, let refusal = outgoing.lastError, refusal.isVerdict,
            object.meta.revision == attempt.revision
        else { return nil }
        var object = object
        outgoing.phase = .rejected(.refused(attempt), refusal)
        outgoing.evidence = .none
        outgoing.retry.due = nil
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: "the server has another object with that value")
    }

    /// The look-up of a create that may have happened.
    ///
    /// - Parameters:
    ///   - found: what the server has under the member that the client set; nil where it has nothing.
    ///   - isDecided: a person says that what was found is the object, whatever it says.
    ///   - isFresh: nobody else can have changed it, or hardly.
    ///   - retryAt: when the next look-up may be made, where lists show later what the server says that it has, by the
    ///     number of look-ups that found nothing.
    func lookedUp(
        _ found: Representation?, of object: LocalObject, arrival: Int64, key: String, isDecided: Bool = false,
        isFresh: Bool = false, retryAt: (Int) -> Timestamp? = { _ in nil }
    ) -> Plan {
        var object = object
        guard case .created(var outgoing, let deleting) = object.meta.state else { return Plan() }
        guard let attempt = outgoing.lostCreate else { return Plan() }
        if case .rejected = outgoing.phase, found?.record == nil { return Plan() }
        let refusal = outgoing.lastError.flatMap { failure in
            failure.isVerdict ? failure : nil
        }
        let tries = outgoing.creates
        let sent = tries.map { carried(attempt, $0, over: nil) }
        let whole = found?.completed(over: believed(sent, beside: object.record))
        guard let found, let theirs = whole?.record, let id = found.id else {
            if outgoing.evidence.isKnownThere {
                outgoing.phase = .unknown(attempt)
                outgoing.evidence.missing()
                let tries = outgoing.retry.count(.lookUp)
                outgoing.retry.due = retryAt(tries)
                if tries >= Self.mostLookUps { outgoing.retry.spend(.lookUp) }
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "the server has it and the look-up does not show it yet")
            }
            if resource.createHasKey, outgoing.evidence.mayHaveArrived, refusal?.isAboutContent != true {
                // The server may still be at it, so what its key has gone with is what goes next, and nothing else.
                outgoing.phase = .unknown(attempt)
                outgoing.retry.due = outgoing.retry.isSpent ? nil : retryAt(max(1, outgoing.retry.total))
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "not on the server yet; sent again under its key")
            }
            // Of what may be on its way still, nothing is no answer yet.
            if deleting || resource.mayCreateTwice && refusal == nil, outgoing.mayComeYet(at: arrival, within: timeout),
                outgoing.retry.tries(for: .lookUp) < Self.mostLateLookUps,
                let due = retryAt(outgoing.retry.tries(for: .lookUp) + 1)
            {
                outgoing.phase = .unknown(attempt)
                outgoing.evidence.missing()
                outgoing.retry.count(.lookUp)
                outgoing.retry.due = due
                outgoing.lastError = outgoing.lastError ?? .init(message: "the process ended before its answer came")
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "not on the server yet; it may be on its way still")
            }
            if deleting { return Plan(outcome: .remove, note: "it never reached the server") }
            outgoing.evidence.settle()
            // What denies it may be behind, and then the server has this and not what is sent next.
            if outgoing.evidence.mayHaveArrived { outgoing.remember(attempt) }
            // What was edited since has not been refused.
            let isSame = object.meta.revision == attempt.revision
            outgoing.retry.due = nil
            if let refusal, isSame {
                outgoing.phase = .rejected(.refused(attempt), refusal)
            } else {
                outgoing.phase = .waiting
                outgoing.idempotencyKey = key
            }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "not on the server")
        }
        let isSaid = isDecided || tries.isEmpty || says(found, oneOf: tries)
        // Of what is made anew another may have set what a list leaves out.
        if !isSaid || found.isPartial && !isDecided && !deleting, isAnew(theirs, outgoing) {
            object.meta.id = id
            return metAnew(found, theirs, by: object, outgoing, isOwn: isSaid, arrival: arrival, key: key)
        }
        if !isSaid, isAnothers(object.meta, outgoing, refusal) {
            if resource.assigned == .client, isOwn(id, of: object.meta) { return met(found, by: object, key: key) }
            if deleting {
                return Plan(outcome: .remove, note: "deleted here; what the server has there is another object")
            }
            let failure = refusal ?? .init(message: "what was found there is not what was sent")
            outgoing.lastError = failure
            outgoing.phase = .rejected(.refused(attempt), failure)
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "the server has another object with that value: \(id)")
        }
        object.meta.id = id
        let sequence = arrival
        if deleting {
            object.meta.state = .deleted(
                .init(base: theirs, version: found.version, sequence: sequence), .init(idempotencyKey: key))
            return askingForVersion(
                Plan(outcome: .put(object), note: "found on the server; deleted here meanwhile", confirmed: .create))
        }
        // What was sent is the base, so another client's edit of the new object survives; of several tries the first, for
        // the others are this client's own edits of it.
        var base = adopted(sent.first ?? theirs, theirs: theirs)
        let unseen = unseen(in: found, of: theirs)
        base = with(unseen, of: theirs, base)
        // What the create left out was never there, and is an edit; or somebody has cleared it since, and then both sides
        // have changed it.
        let isUnseen = Set(unseen.map { ScalarText($0) })
        let left = (tries.first.map { leftOut(sent: $0, answered: theirs) } ?? [])
            .filter { !isUnseen.contains(ScalarText($0)) }
        let hidden = neverShown(left, before: theirs)
        let isHidden = Set(hidden.map { ScalarText($0) })
        base = with(isFresh ? left : hidden, of: theirs, base)
        if !isFresh { base = lacking(left.filter { !isHidden.contains(ScalarText($0)) }, base) }
        base = lacking(written(theirs, beyond: sent, unseen: unseen), base)
        let mine = adopted(object.record ?? theirs, theirs: theirs)
        // Also where a clash keeps it: a member that only the base had would count as removed here.
        object.record = mine
        var next = Change(idempotencyKey: key)
        next.unanswered = Array(tries.dropFirst())
        var plan = combine(
            object, base: base, mine: mine, theirs: theirs, version: found.version, sequence: sequence,
            outgoing: next, confirmed: nil)
        if unseen.isEmpty, case .put(var joined) = plan.outcome, case .waiting? = joined.meta.outgoing?.phase {
            joined.meta.outgoing?.unanswered = []
            plan.outcome = .put(joined)
        }
        let asked = isFresh ? left : hidden
        if !asked.isEmpty, case .put(var joined) = plan.outcome, case .updated = joined.meta.state,
            joined.meta.outgoing?.phase == .waiting
        {
            plan.ignored = asked
            let said = Self.leftOut(asked, neverShown: hidden)
            plan.note = said
            if !mayFollow(hidden) {
                keep(said, asked, &joined)
                plan.outcome = .put(joined)
            }
        }
        plan.note = plan.note ?? "found on the server"
        plan.confirmed = .create
        // What a list leaves out may have been set by somebody else since, and a whole record would undo it.
        if found.isPartial, resource.read.isOffered { plan.followUp = .read }
        return askingForVersion(plan)
    }

    /// A list may show no version where the next write has to carry one.
    func askingForVersion(_ plan: Plan) -> Plan {
        guard case .put(let object) = plan.outcome, case .waiting? = object.meta.outgoing?.phase,
            let confirmed = object.meta.confirmed, resource.read.isOffered
        else { return plan }
        let isMissing =
            switch resource.version {
            case .none, .compare: false
            case .token, .body: confirmed.version == nil
            case .ifMatch: resource.matchable(confirmed.version) == nil
            }
        var plan = plan
        if isMissing { plan.followUp = .read }
        return plan
    }

    /// The members that no try has sent and that hold something on the server: a default of the server's, or what somebody
    /// else has written since. Nothing tells the two apart, so they have no base, and an edit of one is a clash.
    private func written(_ theirs: ObjectRecord, beyond sent: [ObjectRecord], unseen: [String]) -> [String] {
        guard !sent.isEmpty else { return [] }
        let shown = sent.flatMap { resource.mapping.members(of: $0).map(\.name) }
        let known = Set((shown + unseen).map { ScalarText($0) })
        return resource.mapping.members(of: theirs)
            .filter { !known.contains(ScalarText($0.name)) && !merge.fields.isEmpty($0.value) }
            .map(\.name)
    }

    /// Whether what was found says what one of several tries has sent.
    private func says(_ found: Representation, oneOf tries: [ObjectRecord]) -> Bool {
        tries.contains { sent in found.completed(over: sent).record.map { !differs(sent, $0) } ?? false }
    }

    /// What is taken to stand on the server in the members that a list leaves out: what a try has sent, and where one may
    /// have sent something else than what stands here now, that, so that what stands here goes there.
    private func believed(_ tries: [ObjectRecord], beside mine: ObjectRecord?) -> ObjectRecord? {
        guard tries.count > 1, let mine else { return tries.first }
        let now = resource.mapping.members(of: mine)
        var members = now
        var decided: Set<ScalarText> = []
        for sent in tries.map(resource.mapping.members) {
            let names = merge.changes(from: sent, to: now).filter { decided.insert(ScalarText($0)).inserted }
            members.take(names, from: sent)
        }
        return resource.mapping.record(members, over: mine)
    }

    /// The members of a completed record that the answer itself does not show.
    private func unseen(in found: Representation, of whole: ObjectRecord) -> [String] {
        guard found.isPartial, let record = found.record else { return [] }
        let shown = resource.mapping.members(of: record)
        return resource.mapping.members(of: whole).map(\.name).filter { shown[$0] == nil }
    }

    /// Whether an object that says something else than what was sent is somebody else's: every try was answered, or a
    /// person has chosen the identifier, as others may.
    private func isAnothers(_ meta: MetaObject, _ outgoing: Change, _ refusal: MetaObject.Failure?) -> Bool {
        if refusal != nil, !outgoing.evidence.mayHaveArrived { return true }
        return resource.assigned == .client && !meta.hasOwnUUID
    }

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
            return Plan(followUp: .read, note: "the server has an object with this identifier")
        }
        guard let record = theirs.completed(over: object.record).record else { return Plan() }
        var object = object
        if let id = theirs.id, id.text == object.meta.id.text { object.meta.id = id }
        guard let given = object.record else { return met(theirs, record, byDeleted: object, outgoing, key: key) }
        let mine = adopted(given, theirs: record)
        var next = Change(idempotencyKey: key)
        var base = adopted(outgoing.unanswered.first ?? record, theirs: record)
        if outgoing.unanswered.isEmpty || !object.meta.hasOwnUUID {
            var members = resource.mapping.members(of: record)
            members.removeAll(named: merge.changes(from: members, to: resource.mapping.members(of: mine)))
            base = resource.mapping.record(members, over: record)
        } else {
            next.unanswered = Array(outgoing.unanswered.dropFirst())
        }
        object.record = mine
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

    /// Whether the server's object says anything else than what was sent.
    func differs(_ sent: ObjectRecord, _ theirs: ObjectRecord) -> Bool {
        let never = resource.neverSent.union([resource.idField].compactMap(\.self)).union(resource.writeonly)
        let members = resource.mapping.members(of: theirs)
        return resource.mapping.members(of: sent).contains {
            !never.contains($0.name) && !merge.same($0.name, $0.value, members[$0.name])
        }
    }

    /// A record without some members.
    private func lacking(_ names: [String], _ record: ObjectRecord) -> ObjectRecord {
        guard !names.isEmpty else { return record }
        var members = resource.mapping.members(of: record)
        members.removeAll(named: names)
        return resource.mapping.record(members, over: record)
    }

    /// The record with what it lacks taken from the server.
    func adopted(_ record: ObjectRecord, theirs: ObjectRecord) -> ObjectRecord {
        var members = resource.mapping.members(of: renewed(record, theirs: theirs))
        for member in resource.mapping.members(of: theirs) where members[member.name] == nil {
            members[member.name] = member.value
        }
        return resource.mapping.record(members, over: theirs)
    }

    /// The record with the identifier, and with what the server alone sets, as the server has them.
    func renewed(_ record: ObjectRecord, theirs: ObjectRecord) -> ObjectRecord {
        var members = resource.mapping.members(of: record)
        let theirMembers = resource.mapping.members(of: theirs)
        if let id = resource.idField { members[id] = theirMembers[id] }
        for member in theirMembers where resource.fixed.containsSameBytes(as: member.name) {
            members[member.name] = member.value
        }
        return resource.mapping.record(members, over: theirs)
    }
}

extension Resource {
    /// Why what a read by an address has shown is not the object that was asked for; nil where it is, or does not say.
    func whyOther(_ found: Representation, at place: ObjectPlace) -> String? {
        guard let id = found.id, let asked = place.id else { return nil }
        let shown = ownID(in: ObjectURI(entity: name, id: id.text))
        guard shown.lowercased() != asked.lowercased() else { return nil }
        return
            "the server was asked for \(asked.quoted) and showed the object \(shown.quoted): “id” has to be the member that "
            + "“read.path” names objects by, so correct one of them in the route file; where the server has renamed the "
            + "object, pull \(name.shellWord) --full, without a change of it that waits (discard)"
    }
}

extension Resource {
    /// Whether the server may take a create that is sent again for another object, as far as anybody has said.
    fileprivate var mayCreateTwice: Bool { recovery == .lookUp && duplicate == nil }
}

extension Change {
    /// Whether a create whose answer was lost may come to be on the server after a look-up that shows nothing: before the
    /// time that a request may take has passed since it was sent, and at the first look-up.
    fileprivate func mayComeYet(at arrival: Int64, within time: Duration) -> Bool {
        guard evidence.mayHaveArrived, let sent = lostCreate else { return false }
        return evidence != .inDoubt(isLookedFor: true) || arrival - sent.sequence < Synchronizer.sequences(in: time)
    }
}

extension MetaObject {
    /// Its identifier was made for it alone, and chosen by nobody.
    fileprivate var hasOwnUUID: Bool { ObjectID(uri.segments.last ?? id.text).isUUID }
}

extension MetaObject.Failure {
    /// Refused for what was sent (400, 422), and not for what stands in the way.
    fileprivate var isAboutContent: Bool { status == 400 || status == 422 }
}
