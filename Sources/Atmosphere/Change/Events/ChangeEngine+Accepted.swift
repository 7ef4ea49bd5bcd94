/// A write that the server has accepted.
extension ChangeEngine {
    func accepted(
        _ theirs: Representation?, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change, arrival: Int64, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        guard let whole = attempt.record else {
            return Plan(outcome: .remove, note: "deleted on the server", confirmed: .delete)
        }
        let sent = carried(by: attempt.action, whole, over: object.meta.confirmed?.base)
        let created = object.meta.isLocalOnly
        var (object, theirs) = (object, theirs)
        var isElsewhere = false
        switch identified(by: theirs, attempt, whole, object, outgoing) {
        case .named(let id): object.meta.id = id
        case .other:
            // About something else, such as the job that does the work.
            theirs = theirs.map { .init(record: nil, id: nil, version: nil, sequence: $0.sequence) }
        case .elsewhere:
            theirs = nil
            isElsewhere = true
        case .nameless(let reason, let mayChange):
            // An answer that was cut off comes whole the next time.
            return nameless(object, outgoing, attempt, reason) { mayChange ? retryAt($0) : nil }
        }
        let before = object.meta.confirmed?.base
        let isShort = theirs.map { leavesOut(sent, $0, before: before) } ?? true
        var answer = theirs
        if isShort { answer?.isPartial = true }
        if created, let answer,
            let plan = repeated(answer, sent: sent, by: object, outgoing, arrival: arrival, key: key)
        {
            return plan
        }
        let base = shown(answer?.completed(over: sent, resource.mapping).record ?? withID(sent, object.meta.id))
        // Where nothing can be read, the version from before is better than none: with it the server refuses what would undo
        // another's write, and the next pull brings the new one.
        let version = theirs?.version ?? (resource.read.isOffered ? nil : object.meta.confirmed?.version)
        let confirmed = MetaObject.Confirmed(
            base: base, version: version, sequence: arrival,
            stale: isShort ? stale(of: object.meta.confirmed, besides: theirs?.record, sent: sent) : [])
        var plan = Plan(confirmed: created ? .create : attempt.action.map(Verb.action) ?? .update)
        plan.isAsCreated = created
        plan.ignoredBy = plan.confirmed ?? .update
        if object.meta.isDeleted {
            object.meta.state = .deleted(confirmed, .init(idempotencyKey: key))
            plan.note = "deleted here meanwhile"
        } else {
            if !isShort {
                let left = before.map { ignored(sent: sent, before: $0, answered: base) }
                plan.ignored = left ?? leftOut(sent: sent, answered: base)
            }
            // Mine wins over the answer: a later edit is newer than what the answer confirms. What did not take is no part
            // of what was confirmed.
            let taken = without(plan.ignored, sent, as: before ?? base)
            let joined = rebase(object.record ?? whole, from: taken, onto: base)
            // What earlier tries without an answer have brought is nobody else's.
            let known = before.map { self.known($0, outgoing, shown: base) }
            let theirs = known.map { othersChanges(since: $0, sent: sent, answered: base, attempt, object) } ?? []
            object.meta.uploads = based(object.meta.uploads, on: base, but: theirs)
            if created, !isShort { object.meta.uploads = founded(object.meta.uploads, on: base) }
            if isShort, let before {
                // The server may write what was sent otherwise.
                let own = merge.changes(
                    from: resource.mapping.members(of: before), to: resource.mapping.members(of: sent))
                object.meta.uploads = unbased(object.meta.uploads, of: own)
            }
            plan.note = settle(&object, joined, confirmed, before: before, theirs, key: key)
            if !plan.ignored.isEmpty { keepNotTaken(&plan, &object, sent: sent, before: before, base, attempt) }
        }
        plan.outcome = .put(object)
        if isElsewhere {
            let left = elsewhere(object, arrival: arrival, key: key)
            (plan.outcome, plan.note) = (left.outcome, left.note)
            return plan
        }
        guard isShort else { return plan }
        return verifying(plan, theirs, sent, attempt, outgoing, before: before, arrival: arrival, key: key)
    }

    /// An accepted write of which the answer does not show all: a read does, where one is offered.
    private func verifying(
        _ plan: Plan, _ theirs: Representation?, _ sent: ObjectRecord, _ attempt: Attempt, _ outgoing: Change,
        before: ObjectRecord?, arrival: Int64, key: String
    ) -> Plan {
        let isDeclaredPartial = theirs?.record != nil && theirs?.isPartial == true
        guard resource.read.isOffered, !isDeclaredPartial || resource.detail == .onChange else { return plan }
        var plan = plan
        plan.next = .verify(sent: sent, before: before)
        // Nothing but the answer says so yet, and a process can end before the read.
        if plan.isAsCreated, theirs.map({ showsNothing(of: sent, $0) }) ?? true {
            return named(plan, sent, attempt, outgoing, arrival: arrival)
        }
        return owing(plan, .init(sent: sent, before: before, action: attempt.action), key: key)
    }

    /// The answer to a create that goes once more under its key: an earlier try may have been done long ago, and the answer may
    /// show what another has made of the object since, so it is taken as what a look-up finds. Or it is the first answer, which
    /// the server remembers for the key: so what was said of the object since is newer, and a read tells the rest. nil where no
    /// earlier try may have been done, or the answer says nothing of what was sent.
    private func repeated(
        _ answer: Representation, sent: ObjectRecord, by object: LocalObject, _ outgoing: Change, arrival: Int64,
        key: String
    ) -> Plan? {
        guard resource.createHasKey, outgoing.evidence != .none, answer.record != nil,
            !answer.isPartial || !showsNothing(of: sent, answer)
        else { return nil }
        var (object, found) = (object, answer)
        found.id = object.meta.id
        // The tries before have gone under other keys.
        object.meta.outgoing?.unanswered = []
        var plan = lookedUp(found, of: object, arrival: arrival, key: key, isDecided: true)
        plan.isAsCreated = true
        guard case .put(let joined) = plan.outcome else { return plan }
        if named == nil, let namedGone, let first = outgoing.lowWaterMark, namedGone > first {
            var gone = remote(Representation(sequence: arrival), over: joined, uri: joined.uri, key: key)
            gone.confirmed = .create
            return gone
        }
        guard resource.read.isOffered else { return plan }
        guard plan.next == .read, answer.isPartial else {
            plan.outcome = .put(owingRead(of: joined, key: key))
            plan.next = .read
            return plan
        }
        plan.next = .verify(sent: sent, before: nil)
        return owing(plan, .init(sent: sent), key: key)
    }

    /// What an object is once a write of it was accepted.
    ///
    /// - Parameters:
    ///   - joined: what the answer shows, with what was edited since the write.
    ///   - theirs: the members that another has changed since `before`.
    /// - Returns: for the log.
    func settle(
        _ object: inout LocalObject, _ joined: ObjectRecord, _ confirmed: MetaObject.Confirmed, before: ObjectRecord?,
        _ theirs: [String], key: String
    ) -> String? {
        let base = confirmed.base
        if isUnedited(joined, base), theirs.isEmpty || object.meta.uploads.isEmpty {
            object.record = base
            object.meta.state = .synchronized(confirmed)
            return nil
        }
        object.record = joined
        guard let before, !theirs.isEmpty else {
            object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
            return nil
        }
        let combined = combine(
            object, base: with(theirs, of: before, base), mine: joined, theirs: base, version: confirmed.version,
            sequence: confirmed.sequence, stale: confirmed.stale, outgoing: .init(idempotencyKey: key), confirmed: nil)
        if case .put(let merged) = combined.outcome { object = merged }
        return combined.note
    }

    /// Members of an accepted write that the server left as they were are kept for a person, unless they were edited since, or
    /// go by themselves with an update.
    private func keepNotTaken(
        _ plan: inout Plan, _ object: inout LocalObject, sent: ObjectRecord, before: ObjectRecord?,
        _ base: ObjectRecord, _ attempt: Attempt
    ) {
        let created = before == nil
        if let before, ignoresAll(plan.ignored, of: sent, before) { plan.confirmed = nil }
        let hidden = neverShown(plan.ignored, before: before ?? base)
        let said =
            created
            ? Self.leftOut(plan.ignored, neverShown: hidden)
            : Self.notTaken(plan.ignored, by: attempt.action, neverShown: hidden)
        plan.note = said
        if object.meta.revision == attempt.revision, !created || !mayFollow(hidden) {
            keep(said, plan.ignored, &object)
        }
    }

    /// Which object the answer to a create or to an update is about.
    private enum Identified {
        case named(ObjectID)
        /// Another than the one that was updated.
        case other
        /// The object, which was moved, and has an identifier that is not known.
        case elsewhere
        case nameless(text: String, mayChange: Bool)
    }

    private func identified(
        by theirs: Representation?, _ attempt: Attempt, _ whole: ObjectRecord, _ object: LocalObject,
        _ outgoing: Change
    ) -> Identified {
        let isOlder = named.map { isAnother($0, than: whole, theirs, outgoing) } ?? false
        guard object.meta.isLocalOnly else {
            let sent = carried(by: attempt.action, whole, over: object.meta.confirmed?.base)
            if let move = self.move(of: object.meta, by: sent, theirs) {
                // What stands there already may be another object, and have changes of its own.
                guard let id = move.id, named == nil else { return .elsewhere }
                return .named(id)
            }
            guard let answer = theirs, let id = answer.id, !isOwn(id, of: object.meta) else {
                return .named(object.meta.id)
            }
            // No server gives an object the identifier of another one: where the file does not say that it stands in this
            // answer, it is that of something else.
            let isOthers =
                resource.update.id == nil
                ? named.map { hasPast($0) || self.isOlder($0, than: whole, outgoing) } ?? false : isOlder
            guard !isOthers, let renamed = renamed(object.meta, id, attempt, sent, answer) else { return .other }
            return .named(renamed)
        }
        guard let id = theirs?.id ?? (resource.assigned == .client ? object.meta.id : nil) else {
            return .nameless(text: "its answer holds no identifier", mayChange: true)
        }
        guard isOlder || named.map({ isOthers($0, whole, theirs, outgoing) }) == true else { return .named(id) }
        return .nameless(
            text: "its answer names \(object.uri.entity)/\(id), which is another object that was here before"
                + (isNamedByOther ? ", created from here as well" : "") + "; where the "
                + "identifier of a new one stands elsewhere in the answer, write create: { id: MEMBER }",
            mayChange: false)
    }

    /// The members that an answer shows as another has changed them, though the write did not: what was edited here of
    /// these meanwhile is not newer, but made without knowing of it, and so is content that waits for one. A write that carries
    /// a version meets nothing new.
    private func othersChanges(
        since before: ObjectRecord, sent: ObjectRecord, answered: ObjectRecord, _ attempt: Attempt,
        _ object: LocalObject
    ) -> [String] {
        if attempt.action == nil, resource.carriesVersion(.update) { return [] }
        let old = resource.mapping.members(of: before)
        let own = Set(merge.changes(from: old, to: resource.mapping.members(of: sent)).map { ScalarText($0) })
        return merge.changes(from: old, to: resource.mapping.members(of: answered))
            .filter { name in
                let isFixed = resource.fixed.contains(name)
                let isContent = object.meta.uploads.contains { $0.member.hasSameBytes(as: name) && replaces($0) }
                return !own.contains(ScalarText(name)) && (!isFixed || isContent)
                    && object.meta.confirmed?.isStale(name) != true
            }
    }

    /// The members that stay stale behind an accepted write: that has neither carried them as an edit, nor are they answered.
    private func stale(of known: MetaObject.Confirmed?, besides shown: ObjectRecord?, sent: ObjectRecord) -> [String] {
        guard let known, !known.stale.isEmpty else { return [] }
        let (before, members) = (resource.mapping.members(of: known.base), resource.mapping.members(of: sent))
        let answered = shown.map(resource.mapping.members) ?? [:]
        return known.stale.filter { answered[$0] == nil && merge.same($0, before[$0], members[$0]) }
    }

    /// What waits for a read is not done with: a read can fail, and a process can end before it.
    func owing(_ plan: Plan, _ unverified: Change.Unverified, key: String) -> Plan {
        guard case .put(var object) = plan.outcome else { return plan }
        switch object.meta.state {
        case .synchronized(let confirmed):
            var outgoing = Change(idempotencyKey: key)
            outgoing.unverified = unverified
            object.meta.state = .updated(confirmed, outgoing)
        case .updated(let confirmed, var outgoing):
            outgoing.unverified = unverified
            object.meta.state = .updated(confirmed, outgoing)
        case .created, .deleted: return plan
        }
        var plan = plan
        plan.outcome = .put(object)
        return plan
    }

    /// A create whose answer has an identifier and nothing else: what was sent stays a create until it is shown there.
    func named(
        _ plan: Plan, _ sent: ObjectRecord, _ attempt: Attempt, _ outgoing: Change,
        arrival: Int64
    ) -> Plan {
        guard case .put(var object) = plan.outcome else { return plan }
        var plan = plan
        var kept = attempt
        (kept.record, kept.sequence) = (sent, arrival)
        var next = Change(
            phase: .unknown(kept), idempotencyKey: outgoing.idempotencyKey, evidence: .named(isLookedFor: false))
        (next.lowWaterMark, next.previous) = (outgoing.lowWaterMark, outgoing.previous)
        object.meta.state = .created(next, deleting: object.meta.isDeleted)
        (plan.confirmed, plan.isAsCreated) = (nil, false)
        plan.outcome = .put(object)
        return plan
    }

    /// Whether an answer has none of the values that were sent.
    private func showsNothing(of sent: ObjectRecord, _ answer: Representation) -> Bool {
        guard let record = answer.record else { return true }
        let never = resource.neverSent.union(resource.parents.map(\.field)).union([resource.idField].compactMap(\.self))
        let members = resource.mapping.members(of: record)
        return !resource.mapping.members(of: sent).contains { member in
            !never.contains(member.name) && !member.value.isNull
                && merge.same(member.name, member.value, members[member.name])
        }
    }

    /// A create that the server accepted and of which it does not say what it has become.
    ///
    /// - Parameter retryAt: when what was sent under a key may be sent again, for an answer that says more; nil where that
    ///   would bring the same answer.
    private func nameless(
        _ object: LocalObject, _ outgoing: Change, _ attempt: Attempt, _ reason: String,
        retryAt: (Int) -> Timestamp? = { _ in nil }
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        outgoing.phase = .unknown(attempt)
        outgoing.evidence.lose()
        // Where the client gives the identifier, the address of the object tells more than such an answer.
        if canLookUp(attempt) || hasKey(attempt) || isFoundByPulls(attempt) || recovery(of: attempt) == .askPerson {
            outgoing.evidence = .nameless
        }
        let failure = MetaObject.Failure(message: "the server accepted \(object.uri) but \(reason)")
        if hasKey(attempt), !canLookUp(attempt) {
            let tries = outgoing.retry.count(.identifier)
            if !outgoing.retry.hasUsedUp(Self.mostRepeats, for: .identifier), let due = retryAt(tries) {
                outgoing.retry.due = due
            } else {
                outgoing.retry.spend(.identifier)
            }
        }
        outgoing.lastError = failure
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), next: canLookUp(attempt) ? .lookUp : nil)
    }

    /// Whether what is here under the identifier of an answer is another object than the one that was sent: the server had
    /// shown it before that was sent for the first time, and neither it nor the answer says what was sent. A server that
    /// knows what it is sent, and answers with what it has, does say that.
    func isAnother(
        _ other: LocalObject, than sent: ObjectRecord, _ theirs: Representation?, _ outgoing: Change
    ) -> Bool {
        isOlder(other, than: sent, outgoing) && theirs?.record.map { differs(sent, $0) } != false
    }

    /// Whether the object that an answer names is what another create of this client has become, and says something else than
    /// this one has sent: a server that finds what has the same name, and takes nothing else. Where clients choose the
    /// identifiers, that of another object of here is never this one's.
    private func isOthers(
        _ other: LocalObject, _ sent: ObjectRecord, _ theirs: Representation?, _ outgoing: Change
    ) -> Bool {
        if resource.assigned == .client, hasPast(other) { return true }
        guard isNamedByOther else { return false }
        if other.meta.isLocalOnly, let first = other.meta.outgoing?.creates.last {
            // Nobody has seen yet what the server has there.
            return differs(sent, theirs?.record ?? first)
        }
        guard let shown = other.meta.confirmed, let before = outgoing.lowWaterMark, shown.sequence >= before else {
            return false
        }
        return theirs?.record.map { differs(sent, $0) } == true
    }

    /// Whether the server had shown `other` before a new object was sent for the first time, with something else in it: if it
    /// has given the new one the same identifier, this one is gone there.
    func isOlder(_ other: LocalObject, than sent: ObjectRecord, _ outgoing: Change) -> Bool {
        guard let shown = other.meta.confirmed, let before = outgoing.lowWaterMark, shown.sequence < before else {
            return false
        }
        return differs(sent, shown.base)
    }

    /// Whether an object was created or edited here: it was here before a pull could bring what an update on the wire has made
    /// of another one.
    private func hasPast(_ other: LocalObject) -> Bool { isNamedByOther || other.meta.revision > 0 }

    /// What was here before a create was sent, and says something else, is not what that has become.
    ///
    /// - Throws: ``SyncError`` `wrongState`.
    func requireNew(_ found: Representation, as object: LocalObject) throws {
        guard let named, let outgoing = object.meta.outgoing, let sent = outgoing.lostCreate?.record,
            found.record.map({ isAnew($0, outgoing) }) != true, isAnother(named, than: sent, found, outgoing)
        else { return }
        throw SyncError(
            code: .wrongState,
            message: "\(named.uri) was here before \(object.uri) was sent, and says something else: what was sent "
                + "would be lost; send it again (--resend), or discard it")
    }

    /// Whether an answer gives an object the identifier that it has; of one that is unique per parent the last part counts.
    func isOwn(_ id: ObjectID, of meta: MetaObject) -> Bool {
        guard resource.isUniquePerParent else { return id.text == meta.id.text }
        return ObjectURI(entity: meta.uri.entity, id: id.text).segments.last == meta.uri.segments.last
    }

    /// The identifier that an update has given its object: where the answer shows the object, or the route file says where
    /// the answer has it. nil where the answer is about something else.
    private func renamed(
        _ meta: MetaObject, _ id: ObjectID, _ attempt: Attempt, _ sent: ObjectRecord,
        _ answer: Representation
    ) -> ObjectID? {
        let before = meta.confirmed?.base
        guard attempt.action == nil, resource.update.id != nil || !leavesOut(sent, answer, before: before) else {
            return nil
        }
        return underItsParents(id, meta)
    }

    /// An identifier with the parents under which the object is known here, where it is unique only among theirs.
    func underItsParents(_ id: ObjectID, _ meta: MetaObject) -> ObjectID {
        guard resource.isUniquePerParent else { return id }
        let own = ObjectURI(entity: meta.uri.entity, id: id.text).segments.suffix(1)
        let uri = ObjectURI(entity: meta.uri.entity, segments: Array(meta.uri.segments.dropLast() + own))
        return ObjectID(uri.id, id.wireType)
    }

    /// Whether an answer says less of the object than was sent: a member that is missing there is not known to be gone.
    ///
    /// - Parameter before: the base of the write. An action has to show again which of its arguments the server has shown
    ///   before.
    func leavesOut(_ sent: ObjectRecord, _ answer: Representation, before: ObjectRecord?) -> Bool {
        guard let answered = answer.record, !answer.isPartial else { return true }
        let carried = before == nil ? resource.argumentsOfCreate : []
        let never = resource.neverSent.subtracting(carried).union(resource.parents.map(\.field))
            .union(resource.writeonly)
        let members = resource.mapping.members(of: answered)
        let (arguments, old) = (resource.actionMembers, before.map(resource.mapping.members) ?? [:])
        return resource.mapping.members(of: sent).contains { member in
            let isActedOn =
                arguments.contains(member.name) && !resource.writeonly.contains(member.name) && old[member.name] != nil
                && !merge.same(member.name, member.value, old[member.name])
            return members[member.name] == nil && (isActedOn || !never.contains(member.name))
                && !merge.same(member.name, member.value, nil) && !member.value.isNull
        }
    }
}
