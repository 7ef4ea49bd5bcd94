/// What a read shows that follows an accepted write.
extension ChangeEngine {
    /// An object that owes no read any more: in step with the server, where nothing else of it waits.
    func read(_ object: LocalObject) -> LocalObject {
        guard case .updated(let confirmed, var outgoing) = object.meta.state, outgoing.unverified != nil else {
            return object
        }
        var object = object
        outgoing.unverified = nil
        (outgoing.retry, outgoing.lastError) = (Retry(), nil)
        object.meta.state = .updated(confirmed, outgoing)
        guard outgoing.phase == .waiting, outgoing.unanswered.isEmpty, object.meta.uploads.isEmpty,
            object.record.map({ isUnedited($0, confirmed.base) }) == true
        else { return object }
        object.record = confirmed.base
        object.meta.state = .synchronized(confirmed)
        return object
    }

    /// The answer to a read that was to show what a write has done, see ``ObjectRequest/verify(sent:before:)``.
    func readBack(
        _ theirs: Representation, sent: ObjectRecord, before: ObjectRecord?, over owing: LocalObject, uri: ObjectURI,
        key: String, retryAt: (Int) -> Timestamp? = { _ in nil }
    ) -> Plan {
        let object = read(owing)
        var plan = judged(
            theirs, sent: sent, before: before, by: owing.meta.outgoing?.unverified?.action, over: object, uri: uri,
            key: key, retryAt: retryAt)
        // Where it is asked for once more it is owed still.
        if plan.outcome == .keep, plan.next == nil, object != owing { plan.outcome = .put(object) }
        return plan
    }

    private func judged(
        _ theirs: Representation, sent: ObjectRecord, before: ObjectRecord?, by action: String?,
        over object: LocalObject, uri: ObjectURI, key: String, retryAt: (Int) -> Timestamp?
    ) -> Plan {
        guard let before else {
            return readNew(theirs, sent: sent, over: object, uri: uri, key: key, retryAt: retryAt)
        }
        let ignored = theirs.record.map { self.ignored(sent: sent, before: before, answered: $0) } ?? []
        guard !ignored.isEmpty else { return remote(theirs, over: object, uri: uri, key: key) }
        let verb = action.map(Verb.action) ?? .update
        return keeping(ignored, of: sent, before, theirs, by: verb, over: object, uri: uri, key: key)
    }

    /// A write was taken for done, and some members were not, so they are edits still.
    ///
    /// - Parameters:
    ///   - before: what the server has in these.
    ///   - verb: the write.
    private func keeping(
        _ ignored: [String], of sent: ObjectRecord, _ before: ObjectRecord, _ theirs: Representation, by verb: Verb,
        over object: LocalObject, uri: ObjectURI, key: String
    ) -> Plan {
        guard var confirmed = object.meta.confirmed, let present = object.record else {
            return remote(theirs, over: object, uri: uri, key: key)
        }
        let isSuperseded = object.meta.outgoing != nil && !isUnedited(present, confirmed.base)
        // The answer may have said already what the server has in them.
        let (mine, known) = (resource.mapping.members(of: present), resource.mapping.members(of: confirmed.base))
        let record = with(ignored.filter { merge.same($0, mine[$0], known[$0]) }, of: sent, present)
        var object = object
        object.record = record
        confirmed.base = without(ignored, confirmed.base, as: before)
        object.meta.state = .updated(confirmed, object.meta.outgoing ?? .init(idempotencyKey: key))
        var plan = remote(theirs, over: object, uri: uri, key: key)
        // What was shown meanwhile says more than this read, and no less is an edit.
        if plan.outcome == .keep { plan.outcome = .put(object) }
        (plan.ignored, plan.ignoredBy) = (ignored, verb)
        let hidden = neverShown(ignored, before: before)
        let isNew = verb == .create
        plan.note =
            isNew
            ? Self.leftOut(ignored, neverShown: hidden)
            : Self.notTaken(ignored, by: verb.action, neverShown: hidden)
        plan.isDisproved = !isNew && ignoresAll(ignored, of: sent, before)
        if isNew, mayFollow(hidden) { return plan }
        if !isSuperseded, case .put(var kept) = plan.outcome, case .updated = kept.meta.state {
            keep(plan.note ?? "", ignored, &kept)
            plan.outcome = .put(kept)
        }
        return plan
    }

    /// An update, or an action, was taken for done, and what the server then shows in the place of the object is something
    /// else: it is kept for a person to decide, for only the route file can say that this is an error.
    func unconfirmed(
        _ unreadable: MetaObject.Failure, sent: ObjectRecord, before: ObjectRecord, _ object: LocalObject, key: String
    ) -> Plan {
        let names = edited(from: before, to: sent)
        let action = object.meta.outgoing?.unverified?.action
        var object = read(object)
        guard var confirmed = object.meta.confirmed, let record = object.record, !names.isEmpty else { return Plan() }
        let isSuperseded = object.meta.outgoing != nil && !isUnedited(record, confirmed.base)
        confirmed.base = without(names, confirmed.base, as: before)
        var outgoing = object.meta.outgoing ?? .init(idempotencyKey: key)
        let failure = MetaObject.Failure(
            status: unreadable.status,
            message: "the server accepted \(action.map(\.quoted) ?? "the update"), and "
                + "\(unreadable.message); where that is an error, write "
                + "errors: { rules: [{ status: \(unreadable.status ?? 200), path: SELECTOR, treat: reject }] }")
        outgoing.lastError = failure
        if !isSuperseded, case .waiting = outgoing.phase {
            outgoing.phase = .rejected(.unreadable, failure)
        }
        object.meta.state =
            object.meta.isDeleted ? .deleted(confirmed, outgoing) : .updated(confirmed, outgoing)
        var plan = Plan(outcome: .put(object), note: failure.message)
        (plan.ignored, plan.ignoredBy) = (names, action.map(Verb.action) ?? .update)
        plan.isDisproved = true
        return plan
    }

    /// The answer to a read that was to show what a create has made. Where that is another object, the create is in doubt,
    /// and nothing goes to that object. Where it shows nothing, it may be done later.
    private func readNew(
        _ theirs: Representation, sent: ObjectRecord, over object: LocalObject, uri: ObjectURI, key: String,
        retryAt: (Int) -> Timestamp?
    ) -> Plan {
        if let first = object.meta.outgoing, first.evidence.isNamed, first.lastError == nil, first.retry == Retry(),
            let said = contradicts(sent, theirs.record), theirs.record == nil, !theirs.isDeleted
        {
            return lost(object, sent: sent, said, sequence: theirs.sequence, key: key, retryAt: retryAt)
        }
        let answered = object.meta.outgoing?.lostCreate?.sequence ?? object.meta.confirmed?.sequence
        let isFresh =
            isSynchronous
            || answered.map { theirs.sequence - $0 < Synchronizer.sequences(in: .seconds(10)) } ?? false
        if let plan = shownNamed(theirs, of: object, key: key, isFresh: isFresh, retryAt: retryAt) { return plan }
        var object = object
        if isFresh, let record = theirs.record { object = beginning(with: record, object) }
        let outgoing = object.meta.outgoing ?? .init(idempotencyKey: key)
        guard let said = contradicts(sent, theirs.record), !theirs.isDeleted, case .waiting = outgoing.phase else {
            let isKnown = !theirs.isPartial && !isSynchronous
            let left = isKnown ? theirs.record.map { leftOut(sent: sent, answered: $0) } ?? [] : []
            var plan =
                if let record = theirs.record, !left.isEmpty {
                    keeping(left, of: sent, record, theirs, by: .create, over: object, uri: uri, key: key)
                } else {
                    remote(theirs, over: object, uri: uri, key: key)
                }
            guard let id = theirs.id, theirs.record != nil, !isOwn(id, of: object.meta) else { return plan }
            // The answer named it otherwise than it names itself, as a Location may.
            switch plan.outcome {
            case .keep: break
            case .put(let merged): object = merged
            case .remove: return plan
            }
            object.meta.id = underItsParents(id, object.meta)
            plan.outcome = .put(object)
            return plan
        }
        guard theirs.record != nil else {
            return lost(object, sent: sent, said, sequence: theirs.sequence, key: key, retryAt: retryAt)
        }
        let attempt = Attempt(record: sent, revision: object.meta.revision, sequence: theirs.sequence)
        return anothers(object, outgoing, attempt, theirs, said, key: key)
    }

    /// A new object of which a read right behind its create shows what that could not carry: what stands there is the server's
    /// default and nobody's edit, so it is the base of what was written here.
    private func beginning(with shown: ObjectRecord, _ object: LocalObject) -> LocalObject {
        guard var confirmed = object.meta.confirmed, let record = object.record else { return object }
        let edits = MemberNames(edited(from: confirmed.base, to: record))
        let there = resource.mapping.members(of: shown)
        let names = followingCreate(of: record).filter { edits.contains($0) && there[$0] != nil }
        guard !names.isEmpty else { return object }
        var object = object
        confirmed.base = with(names, of: shown, confirmed.base)
        object.meta.confirmed = confirmed
        return object
    }

    /// What the server shows under the identifier with which it has accepted a create that it did not show before; nil for
    /// any other object.
    ///
    /// - Parameters:
    ///   - isFresh: this is a read right behind the answer, so hardly anybody has changed it meanwhile.
    ///   - retryAt: when it may be asked for again, by the number of times that nothing was shown.
    func shownNamed(
        _ theirs: Representation, of object: LocalObject, key: String, isFresh: Bool = false,
        retryAt: (Int) -> Timestamp? = { _ in nil }
    ) -> Plan? {
        guard case .created(let outgoing, _) = object.meta.state, outgoing.evidence.isNamed,
            case .unknown(let attempt) = outgoing.phase
        else { return nil }
        if theirs.isDeleted, let sent = attempt.record {
            guard theirs.sequence >= attempt.sequence else { return Plan(note: "said before it was created; ignored") }
            return goneNamed(theirs, object, sent: sent, key: key)
        }
        if let record = theirs.record, let sent = attempt.record, let said = contradicts(sent, record) {
            return anothers(object, outgoing, attempt, theirs, said, key: key)
        }
        var found = theirs
        found.id = found.id ?? object.meta.id
        var plan = lookedUp(
            theirs.record == nil ? nil : found, of: object, arrival: theirs.sequence, key: key,
            isDecided: theirs.record != nil, isFresh: isFresh, retryAt: retryAt)
        plan.isDisproved = theirs.record == nil
        return plan
    }

    /// A create was done, and the server says that the object has been deleted since.
    private func goneNamed(
        _ theirs: Representation, _ object: LocalObject, sent: ObjectRecord, key: String
    ) -> Plan {
        let sent = withID(sent, object.meta.id)
        guard let record = object.record, !object.meta.isDeleted, !isUnedited(record, sent) else {
            return Plan(outcome: .remove, note: "deleted on the server", confirmed: .create)
        }
        var object = object
        let confirmed = MetaObject.Confirmed(base: shown(sent), version: nil, sequence: theirs.sequence)
        object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
        var plan = remote(theirs, over: object, uri: object.uri, key: key)
        plan.confirmed = .create
        return plan
    }

    /// A create that the server accepted and does not show: it may be done later, or elsewhere, or never, and what is here
    /// may be all that there is of it.
    func lost(
        _ object: LocalObject, sent: ObjectRecord, _ said: String, sequence: Int64, key: String,
        retryAt: (Int) -> Timestamp?
    ) -> Plan {
        var object = object
        let attempt = Attempt(record: sent, revision: object.meta.revision, sequence: sequence)
        let asks = !canLookUp(attempt) || resource.looksUpByID
        var outgoing = Change(
            phase: .unknown(attempt),
            retry: asks ? Retry(.lookUp, tries: 1, due: retryAt(1)) : Retry(),
            idempotencyKey: object.meta.outgoing?.idempotencyKey ?? key,
            evidence: .named(isLookedFor: true),
            lastError: .init(message: said))
        outgoing.lowWaterMark = object.meta.outgoing?.lowWaterMark
        outgoing.previous = object.meta.outgoing?.previous
        object.meta.state = .created(outgoing, deleting: object.meta.isDeleted)
        return Plan(outcome: .put(object), next: asks ? nil : .lookUp, note: said, isDisproved: true)
    }

    /// Another object stands under the identifier with which the server has accepted a create. The create gives that
    /// identifier up: the server has it, and nobody knows as which object. An identifier that the client has chosen stays,
    /// for both sides have created that object.
    ///
    /// - Parameter attempt: what was sent.
    private func anothers(
        _ object: LocalObject, _ outgoing: Change, _ attempt: Attempt, _ theirs: Representation, _ said: String,
        key: String
    ) -> Plan {
        var created = object
        if resource.assigned == .client {
            created.meta.state = .created(outgoing, deleting: object.meta.isDeleted)
            var plan = met(theirs, by: created, key: key)
            plan.isDisproved = true
            return plan
        }
        // With a key the server would answer the same once more.
        var next = Change(
            phase: .unknown(attempt),
            retry: canLookUp(attempt) ? Retry() : Retry(.identifier, tries: 1, isSpent: true),
            idempotencyKey: outgoing.idempotencyKey, evidence: .nameless, lastError: .init(message: said))
        (next.lowWaterMark, next.previous) = (outgoing.lowWaterMark, outgoing.previous)
        created.meta.state = .created(next, deleting: object.meta.isDeleted)
        created.meta.uploads = unbased(object.meta.uploads)
        if let record = object.record, let sent = attempt.record {
            let base = object.meta.confirmed?.base ?? shown(withID(sent, object.meta.id))
            created.record = rebase(record, from: base, onto: sent)
        }
        var plan = Plan(outcome: .put(created), note: said, isDisproved: true)
        if canLookUp(attempt) { plan.next = .lookUp }
        if theirs.isListed, resource.list.shape == .partial, resource.read.isOffered { plan.next = .read }
        plan.other = self.other(theirs, at: object)
        return plan
    }

    /// The object that stands where a create has stood here; nil where the server calls it otherwise.
    private func other(_ theirs: Representation, at object: LocalObject) -> LocalObject? {
        guard let record = theirs.record, theirs.id.map({ isOwn($0, of: object.meta) }) ?? true else { return nil }
        let confirmed = MetaObject.Confirmed(base: record, version: theirs.version, sequence: theirs.sequence)
        let meta = MetaObject(uri: object.uri, id: object.meta.id, state: .synchronized(confirmed))
        return LocalObject(record: record, meta: meta)
    }

    /// Why what the server shows under the identifier of a new object is not what was sent; nil where it may be. A server
    /// may write a value otherwise, and leave some out, but hardly all of them.
    func contradicts(_ sent: ObjectRecord, _ shown: ObjectRecord?) -> String? {
        let remedy = "where the identifier of a new object stands elsewhere in the answer, write create: { id: MEMBER }"
        guard let shown else {
            return "the server accepted the create and shows nothing under the identifier that it answered; \(remedy)"
        }
        let (never, members) = (neverCreated, resource.mapping.members(of: shown))
        let told = resource.mapping.members(of: sent).filter { member in
            !never.contains(member.name) && members[member.name].map { Self.areOneKind(member.value, $0) } == true
        }
        let isOther = told.allSatisfy { member in
            !merge.same(member.name, member.value, members[member.name])
                && !Self.isWrittenOtherwise(member.value, as: members[member.name])
        }
        guard !told.isEmpty, isOther else { return nil }
        return
            "the server accepted the create and shows another object under the identifier that it answered; \(remedy)"
    }

    /// Texts, numbers or truth values both.
    private static func areOneKind(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.string, .string), (.number, .number), (.bool, .bool): true
        default: false
        }
    }

    /// Whether one text is inside the other, apart from what servers tidy: shortened, completed or marked up.
    private static func isWrittenOtherwise(_ sent: Value, as kept: Value?) -> Bool {
        guard let sent = sent.string.map(tidied), let kept = kept?.string.map(tidied) else { return false }
        return sent.contains(kept) || kept.contains(sent)
    }
}
