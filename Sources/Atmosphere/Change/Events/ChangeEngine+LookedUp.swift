/// What a look-up says of a create that may have happened.
extension ChangeEngine {
    /// The look-up of a create that may have happened, where it can show several objects: what other creates of this client
    /// have become is not it, and of the others it is the one that says what was sent. Where several have
    /// the value, or a second create with it waits to be found, and nothing says what this one sent, a person decides.
    func lookedUp(
        _ found: [Representation], of object: LocalObject, arrival: Int64, key: String,
        retryAt: (Int) -> Timestamp?
    ) -> Plan {
        if case .updated(let confirmed, let outgoing) = object.meta.state {
            return sought(found, object, confirmed, outgoing, arrival: arrival, key: key)
        }
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
        let tries = outgoing.creates + [outgoing.refusedCreate].compactMap(\.self)
        guard outgoing.lostCreate != nil || !tries.isEmpty else { return Plan() }
        if case .rejected = outgoing.phase, found?.record == nil { return Plan() }
        let refusal = outgoing.refusal
        let sent = tries.map { carried(by: nil, $0, over: nil) }
        let whole = found?.completed(over: believed(sent, beside: object.record), resource.mapping)
        guard let found, let theirs = whole?.record, let id = found.id else {
            guard let attempt = outgoing.lostCreate else { return Plan() }
            if outgoing.evidence.isKnownThere {
                outgoing.phase = .unknown(attempt)
                outgoing.evidence.missing()
                let tries = outgoing.retry.count(.lookUp)
                outgoing.retry.due = retryAt(tries)
                if outgoing.retry.hasUsedUp(Self.mostLookUps, for: .lookUp) { outgoing.retry.spend(.lookUp) }
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "the server has it and the look-up does not show it yet")
            }
            if hasKey(attempt), outgoing.evidence.mayHaveArrived, refusal?.isAboutContent != true {
                // The server may still be at it, so what its key has gone with is what goes next, and nothing else.
                outgoing.phase = .unknown(attempt)
                outgoing.retry.due = outgoing.retry.isSpent ? nil : retryAt(max(1, outgoing.retry.total))
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "not on the server yet; sent again under its key")
            }
            // Of what may be on its way still, nothing is no answer yet.
            if deleting || mayCreateTwice(attempt) && refusal == nil, mayComeYet(outgoing, at: arrival),
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
            guard let attempt = outgoing.lostCreate else { return Plan() }
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
        let following = isFresh ? object.record.map(followingCreate) ?? [] : []
        base = lacking(
            written(theirs, beyond: sent, unseen: unseen + following, editedIn: object.record), base)
        let mine = adopted(object.record ?? theirs, theirs: theirs)
        // Also where a clash keeps it: a member that only the base had would count as removed here.
        object.record = mine
        if !isFresh, let first = sent.first {
            object.meta.uploads = compared(object.meta.uploads, with: [first, outgoing.previous], on: theirs)
        }
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
            (plan.ignored, plan.ignoredBy) = (asked, .create)
            let said = Self.leftOut(asked, neverShown: hidden)
            plan.note = said
            if !mayFollow(hidden) {
                keep(said, asked, &joined)
                plan.outcome = .put(joined)
            }
        }
        plan.note = plan.note ?? "found on the server"
        plan.confirmed = .create
        return askingForVersion(found.isPartial ? owingWhole(plan, key: key) : plan)
    }

    /// What was joined with a part of what the server has, as a list shows it. What that leaves out may have been set by
    /// somebody else since, or written otherwise by the server: a whole record would undo it, and who decides about a clash
    /// would not see it. So a read is owed, and where the part clashes, it joins both sides.
    func owingWhole(_ plan: Plan, key: String) -> Plan {
        guard resource.read.isOffered, case .put(var object) = plan.outcome else { return plan }
        var plan = plan
        if case .updated(var confirmed, var outgoing) = object.meta.state, case .conflicted = outgoing.phase {
            (outgoing.phase, confirmed.version) = (.waiting, nil)
            object.meta.state = .updated(confirmed, outgoing)
        }
        plan.outcome = .put(owingRead(of: object, key: key))
        plan.next = .read
        return plan
    }

    /// Whether a look-up has shown one object that does not say what was sent: then it matters whether a second create with
    /// the same value waits to be found.
    func isDecidedByTwin(_ found: [Representation], of object: LocalObject) -> Bool {
        let left = left(of: found)
        return left.count == 1 && same(among: left, as: object) == nil
    }

    /// What a look-up has shown that no other create of this client has become.
    func left(of found: [Representation]) -> [Representation] {
        found.filter { one in one.id.map { !others.contains(ScalarText($0.text)) } ?? true }
    }

    /// What says what one of the create's tries has sent.
    func same(among left: [Representation], as object: LocalObject) -> Representation? {
        let tries = object.meta.outgoing?.creates ?? []
        return left.first { says($0, oneOf: tries) }
    }

    /// A create whose every try was refused, where all that the server has with its value is something else: the refusal
    /// stands.
    func taken(_ object: LocalObject) -> Plan? {
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
        if isMissing { plan.next = .read }
        return plan
    }

    /// The members that no try has sent, that hold something on the server, and that were edited here: a default of the server's,
    /// or what somebody else has written since. Nothing tells the two apart, so they have no base, and the edit is a clash. What
    /// was not edited here is taken from the server, and is no edit, also where another member clashes.
    private func written(
        _ theirs: ObjectRecord, beyond sent: [ObjectRecord], unseen: [String], editedIn mine: ObjectRecord?
    ) -> [String] {
        guard !sent.isEmpty, let mine else { return [] }
        let here = resource.mapping.members(of: mine)
        let shown = sent.flatMap { resource.mapping.members(of: $0).map(\.name) }
        let known = Set((shown + unseen).map { ScalarText($0) })
        return resource.mapping.members(of: theirs)
            .filter { !known.contains(ScalarText($0.name)) && !merge.fields.isEmpty($0.value) && here[$0.name] != nil }
            .map(\.name)
    }

    /// Whether what was found says what one of several tries has sent.
    func says(_ found: Representation, oneOf tries: [ObjectRecord]) -> Bool {
        tries.contains { sent in
            found.completed(over: sent, resource.mapping).record.map { !differs(sent, $0) } ?? false
        }
    }

    /// Whether what was found says what a refused create has sent: that may be another's as long as it says something else.
    func isRefused(_ change: Change?, shown found: Representation) -> Bool {
        change?.refusedCreate.map { says(found, oneOf: [$0]) } == true
    }

    /// What is taken to stand on the server in the members that a list leaves out: what a try has sent, and where one may
    /// have sent something else than what stands here now, that, so that what stands here goes there.
    func believed(_ tries: [ObjectRecord], beside mine: ObjectRecord?) -> ObjectRecord? {
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
        return resource.assigned == .client && !hasOwnUUID(meta)
    }

    /// A engine that knows what is here under an identifier that an answer names.
    init(
        _ resource: Resource, naming id: ObjectID?, beside uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws {
        self.init(resource)
        guard let id, !id.text.hasSameBytes(as: uri.id) else { return }
        let uri = ObjectURI(entity: resource.name, id: id.text)
        named = try snapshot.object(at: uri)
        isNamedByOther = try named != nil && !snapshot.formerURIs(of: uri).isEmpty
        namedGone = try GoneMarks(of: resource).lastTold(uri, in: snapshot)
    }

    /// Learns of what was found for a create which of it cannot be its own, for another create of this client has become it
    /// or it was here before that was sent, and, where that decides, whether another one with the same value still waits to
    /// be found.
    mutating func learn(
        whatOthersBecame found: [Representation], beside object: LocalObject, in snapshot: any StoreSnapshot
    ) throws {
        guard !found.isEmpty, resource.lookup != nil, !resource.looksUpByID else { return }
        let lost = object.meta.outgoing
        for one in found {
            guard let id = one.id, one.record.map({ isAnew($0, lost) }) != true else { continue }
            let uri = ObjectURI(entity: resource.name, id: id.text)
            guard uri != object.uri, let here = try snapshot.object(at: uri) else { continue }
            let wasHere = lost?.creates.last.map {
                isAnother(here, than: $0, one, lost ?? .init(idempotencyKey: ""))
            }
            if try wasHere == true || !snapshot.formerURIs(of: uri).isEmpty { others.insert(ScalarText(id.text)) }
        }
        // Looks through all changes of the entity.
        guard isDecidedByTwin(found, of: object) else { return }
        let value = object.meta.outgoing?.creates.last.flatMap { resource.lookupValue(of: $0) }
        hasTwin = try snapshot.lostCreates(of: resource, with: value).contains { $0.uri != object.uri }
    }
}
