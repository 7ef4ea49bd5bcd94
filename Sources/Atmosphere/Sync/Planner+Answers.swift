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
            return accepted(theirs, snapshot, object, outgoing, arrival: arrival, key: key, retryAt: retryAt)
        case .postponed(let failure):
            let isLost = object.meta.isLocalOnly && outgoing.mayHaveArrived
            if !isLost, object.meta.isUnwantedCreate { return Plan(outcome: .remove, note: "never reached the server") }
            outgoing.phase = isLost ? .unknown(snapshot) : .waiting
            outgoing.lastError = isLost ? failure.withoutVerdict : failure
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.message)
        case .failed(let failure, let mayHaveArrived):
            // A server that asks for patience (503) is not a failed try.
            if failure.status != 503 { outgoing.attempts += 1 }
            outgoing.nextAttempt = retryAt(max(1, outgoing.attempts))
            outgoing.mayHaveArrived = outgoing.mayHaveArrived || mayHaveArrived
            let isCreate = object.meta.isLocalOnly && outgoing.mayHaveArrived
            let isLost = isCreate || (mayHaveArrived && !mayRepeat(snapshot))
            if !isLost, object.meta.isUnwantedCreate { return Plan(outcome: .remove, note: "never reached the server") }
            outgoing.lastError = isLost ? failure.withoutVerdict : failure
            outgoing.phase = isLost ? .unknown(snapshot) : .waiting
            if !isLost, mayHaveArrived { outgoing.remember(snapshot) }
            if isLost, snapshot.action != nil || resource.recovery == .askPerson { outgoing.nextAttempt = nil }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.message)
        case .gone(let failure):
            if case .deleted = object.meta.state, snapshot.record == nil {
                return Plan(outcome: .remove, note: "already gone", confirmed: .delete)
            }
            if object.meta.isLocalOnly {
                return refused(failure, snapshot, object, outgoing, key: key, retryAt: retryAt)
            }
            outgoing.phase = .waiting
            outgoing.lastError = failure
            object.meta.outgoing = outgoing
            guard resource.read.isOffered else {
                return remote(
                    .init(record: nil, id: nil, version: nil, sequence: arrival), over: object, uri: object.uri,
                    key: key)
            }
            return Plan(outcome: .put(object), followUp: .confirmGone, note: failure.message)
        case .conflict(let failure):
            if object.meta.isLocalOnly {
                return refused(failure, snapshot, object, outgoing, key: key, retryAt: retryAt)
            }
            outgoing.attempts = outgoing.refusals(like: failure) + 1
            outgoing.lastError = failure
            outgoing.phase = .waiting
            // Something between may have sent it twice, and this answers the second.
            outgoing.remember(snapshot)
            if outgoing.attempts > Self.mergeRetries, let confirmed = object.meta.confirmed {
                outgoing.phase = .conflicted(
                    .init(
                        theirs: confirmed.base, version: confirmed.version, sequence: confirmed.sequence, fields: []))
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "merged \(Self.mergeRetries) times and refused each time")
            }
            // Where single objects cannot be read, the next pull brings what to merge with.
            if !resource.read.isOffered { outgoing.nextAttempt = retryAt(outgoing.attempts) }
            object.meta.outgoing = outgoing
            return Plan(
                outcome: .put(object), followUp: resource.read.isOffered ? .read : nil, note: failure.message)
        case .rejected(let failure):
            return refused(failure, snapshot, object, outgoing, key: key, retryAt: retryAt)
        }
    }

    /// How often a create whose answer was lost may be refused under its key, for reasons that say nothing of it, before a
    /// person has to decide.
    static var mostRepeats: Int { 8 }

    /// How often an update that met a newer version is merged and tried again in a row.
    static var mergeRetries: Int { 5 }

    private func accepted(
        _ theirs: Representation?, _ snapshot: MetaObject.Snapshot, _ object: LocalObject,
        _ outgoing: MetaObject.Outgoing, arrival: Int64, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        guard let whole = snapshot.record else {
            return Plan(outcome: .remove, note: "deleted on the server", confirmed: .delete)
        }
        let sent = carried(snapshot, whole, over: object.meta.confirmed?.base)
        var object = object
        var theirs = theirs
        let created = object.meta.isLocalOnly
        let isTaken = named.map { isAnother($0, than: whole, theirs, outgoing) } ?? false
        if created {
            guard let id = theirs?.id ?? (resource.assigned == .client ? object.meta.id : nil) else {
                // An answer that was cut off comes whole the next time.
                return nameless(object, outgoing, snapshot, "its answer holds no identifier") { retryAt($0) }
            }
            guard !isTaken else {
                return nameless(
                    object, outgoing, snapshot,
                    "its answer names \(object.uri.entity)/\(id), which is another object that was here before; where the "
                        + "identifier of a new one stands elsewhere in the answer, write create: { id: MEMBER }")
            }
            object.meta.id = id
        } else if let answer = theirs, let id = answer.id, !isOwn(id, of: object.meta) {
            if !isTaken, let renamed = renamed(object.meta, id, snapshot, sent, answer) {
                object.meta.id = renamed
            } else {
                // About something else, such as the job that does the work.
                theirs = .init(record: nil, id: nil, version: nil, sequence: answer.sequence)
            }
        }
        let before = object.meta.confirmed?.base
        let isShort = theirs.map { leavesOut(sent, $0) } ?? true
        var answer = theirs
        if isShort { answer?.isPartial = true }
        let base = answer?.completed(over: sent).record ?? withID(sent, object.meta.id)
        // Where nothing can be read, the version from before is better than none: with it the server refuses what would undo
        // another's write, and the next pull brings the new one.
        let version = theirs?.version ?? (resource.read.isOffered ? nil : object.meta.confirmed?.version)
        let confirmed = MetaObject.Confirmed(base: base, version: version, sequence: arrival)
        var plan = Plan(confirmed: created ? .create : snapshot.action.map(Verb.action) ?? .update)
        plan.isAsCreated = created
        if object.meta.isDeleted {
            object.meta.state = .deleted(confirmed, .init(idempotencyKey: key))
            plan.note = "deleted here meanwhile"
        } else {
            if let before, !isShort { plan.ignored = ignored(sent: sent, before: before, answered: base) }
            // Mine wins over the answer: a later edit is newer than what the answer confirms. What did not take is no part
            // of what was confirmed.
            let taken = without(plan.ignored, sent, as: before)
            let joined = rebase(object.record ?? whole, from: taken, onto: base)
            if isUnedited(joined, base) {
                object.record = base
                object.meta.state = .synchronized(confirmed)
                object.meta.waitsFor = []
            } else {
                object.record = joined
                object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
            }
            if !plan.ignored.isEmpty {
                if let before, Set(plan.ignored) == Set(changedMembers(base: before, record: sent)) {
                    plan.confirmed = nil
                }
                plan.note = Self.notTaken(plan.ignored)
                if object.meta.revision == snapshot.revision { keep(plan.ignored, snapshot, &object) }
            }
        }
        plan.outcome = .put(object)
        let isDeclaredPartial = theirs?.record != nil && theirs?.isPartial == true
        if isShort, resource.read.isOffered, !isDeclaredPartial || resource.detail == .onChange {
            plan.followUp = .readBack(sent: sent, before: before)
        }
        return plan
    }

    /// A create that the server accepted and of which it does not say what it has become.
    ///
    /// - Parameter retryAt: when what was sent under a key may be sent again, for an answer that says more; nil where that
    ///   would bring the same answer.
    private func nameless(
        _ object: LocalObject, _ outgoing: MetaObject.Outgoing, _ snapshot: MetaObject.Snapshot, _ reason: String,
        retryAt: (Int) -> Timestamp? = { _ in nil }
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        outgoing.phase = .unknown(snapshot)
        outgoing.mayHaveArrived = true
        outgoing.isKnownThere = resource.canLookUp || resource.createHasKey
        let failure = MetaObject.Failure(message: "the server accepted \(object.uri) but \(reason)")
        if resource.createHasKey, !resource.canLookUp {
            outgoing.attempts = outgoing.lastError == failure ? outgoing.attempts + 1 : 1
            outgoing.nextAttempt = outgoing.attempts < Self.mostRepeats ? retryAt(outgoing.attempts) : nil
            if outgoing.nextAttempt == nil { outgoing.attempts = Self.mostRepeats }
        }
        outgoing.lastError = failure
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), followUp: resource.canLookUp ? .lookUp : nil)
    }

    /// Whether what is here under the identifier of an answer is another object than the one that was sent: the server had
    /// shown it before that was sent for the first time, and neither it nor the answer says what was sent. A server that
    /// knows what it is sent, and answers with what it has, does say that.
    func isAnother(
        _ other: LocalObject, than sent: ObjectRecord, _ theirs: Representation?, _ outgoing: MetaObject.Outgoing
    ) -> Bool {
        guard let shown = other.meta.confirmed, let before = outgoing.knownBefore, shown.sequence < before else {
            return false
        }
        return differs(sent, shown.base) && theirs?.record.map { differs(sent, $0) } != false
    }

    /// What was here before a create was sent, and says something else, is not what that has become.
    ///
    /// - Throws: ``SyncError`` `wrongState`.
    func requireNew(_ found: Representation, as object: LocalObject) throws {
        guard let named, let outgoing = object.meta.outgoing, let sent = outgoing.lostCreate?.record,
            isAnother(named, than: sent, found, outgoing)
        else { return }
        throw SyncError(
            code: .wrongState,
            message: "\(named.uri) was here before \(object.uri) was sent, and says something else: what was sent "
                + "would be lost; send it again (--resend), or discard it")
    }

    /// Whether an answer gives an object the identifier that it has; of one that is unique per parent the last part counts.
    private func isOwn(_ id: ObjectID, of meta: MetaObject) -> Bool {
        guard resource.isUniquePerParent else { return id.text == meta.id.text }
        return ObjectURI(entity: meta.uri.entity, id: id.text).segments.last == meta.uri.segments.last
    }

    /// The identifier that an update has given its object: where the answer shows the object, or the route file says where
    /// the answer has it. nil where the answer is about something else.
    private func renamed(
        _ meta: MetaObject, _ id: ObjectID, _ snapshot: MetaObject.Snapshot, _ sent: ObjectRecord,
        _ answer: Representation
    ) -> ObjectID? {
        guard snapshot.action == nil, resource.update.id != nil || !leavesOut(sent, answer) else { return nil }
        guard resource.isUniquePerParent else { return id }
        // The parents are those under which the object is known here.
        let own = ObjectURI(entity: meta.uri.entity, id: id.text).segments.suffix(1)
        let uri = ObjectURI(entity: meta.uri.entity, segments: Array(meta.uri.segments.dropLast() + own))
        return ObjectID(uri.id, id.wireType)
    }

    /// An update that was sent without a mark in the store, as it stands now: what was edited or deleted here meanwhile
    /// is a change of its own on top of what was sent.
    ///
    /// - Parameters:
    ///   - marked: what was sent, with its mark.
    ///   - before: the object that it was made from.
    ///   - here: the object as it is stored now.
    func sent(_ marked: LocalObject, madeFrom before: LocalObject, over here: LocalObject) -> LocalObject {
        var object = marked
        object.meta.revision = here.meta.revision
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

    /// Whether an answer says less of the object than was sent: a member that is missing there is not known to be gone.
    private func leavesOut(_ sent: ObjectRecord, _ answer: Representation) -> Bool {
        guard let answered = answer.record, !answer.isPartial else { return true }
        let never = resource.neverSent.union(resource.parents.map(\.field))
        let members = resource.mapping.members(of: answered)
        return resource.mapping.members(of: sent).contains { member in
            members[member.name] == nil && !never.contains(member.name) && !merge.same(member.name, member.value, nil)
                && !member.value.isNull
        }
    }

    /// A record with the identifier where the route file says it stands.
    private func withID(_ record: ObjectRecord, _ id: ObjectID) -> ObjectRecord {
        guard let member = resource.id.singleMember else { return record }
        return record.replacing(member: member, with: id.value)
    }

    /// The members that a write changed and that the server answers as they were before it: a write that it accepted
    /// and did not do. Values that it wrote in another form are not among them.
    func ignored(sent: ObjectRecord, before: ObjectRecord, answered: ObjectRecord) -> [String] {
        let sentMembers = resource.mapping.members(of: sent)
        let members = resource.mapping.members(of: answered)
        let old = resource.mapping.members(of: before)
        return changedMembers(base: before, record: sent).filter { name in
            name != resource.conflict.time && merge.same(name, members[name], old[name])
                && !merge.same(name, members[name], sentMembers[name])
                && !Self.isNormalized(sentMembers[name], to: members[name])
        }
    }

    /// Whether a text differs only by what servers tidy: white space, and upper and lower case.
    private static func isNormalized(_ sent: Value?, to kept: Value?) -> Bool {
        guard let sent = sent?.string, let kept = kept?.string else { return false }
        return tidied(sent) == tidied(kept)
    }

    /// The answer to a read that was to show what an update has done, see ``Plan/FollowUp/readBack(sent:before:)``.
    func readBack(
        _ theirs: Representation, sent: ObjectRecord, before: ObjectRecord?, over object: LocalObject, uri: ObjectURI,
        key: String
    ) -> Plan {
        guard let before else { return readNew(theirs, sent: sent, over: object, uri: uri, key: key) }
        let ignored = theirs.record.map { self.ignored(sent: sent, before: before, answered: $0) } ?? []
        guard !ignored.isEmpty, var confirmed = object.meta.confirmed, let record = object.record else {
            return remote(theirs, over: object, uri: uri, key: key)
        }
        // The update was taken for done; these members were not, so they are edits still.
        let isSuperseded = object.meta.outgoing != nil
        var object = object
        confirmed.base = without(ignored, confirmed.base, as: before)
        object.meta.state = .updated(confirmed, object.meta.outgoing ?? .init(idempotencyKey: key))
        var plan = remote(theirs, over: object, uri: uri, key: key)
        plan.ignored = ignored
        plan.note = Self.notTaken(ignored)
        if !isSuperseded, case .put(var kept) = plan.outcome, case .updated = kept.meta.state {
            let snapshot = MetaObject.Snapshot(
                record: record, revision: kept.meta.revision, sequence: theirs.sequence)
            keep(ignored, snapshot, &kept)
            plan.outcome = .put(kept)
        }
        return plan
    }

    /// The answer to a read that was to show what a create has made. Where that is another object, what was sent stays,
    /// and nothing goes to that object before a person has decided.
    private func readNew(
        _ theirs: Representation, sent: ObjectRecord, over object: LocalObject, uri: ObjectURI, key: String
    ) -> Plan {
        var (object, outgoing) = (object, object.meta.outgoing ?? .init(idempotencyKey: key))
        guard let said = contradicts(sent, theirs.record), !theirs.isDeleted, case .waiting = outgoing.phase else {
            return remote(theirs, over: object, uri: uri, key: key)
        }
        guard let record = theirs.record else {
            var plan = remote(theirs, over: object, uri: uri, key: key)
            plan.note = said
            plan.isDisproved = true
            return plan
        }
        let failure = MetaObject.Failure(message: said)
        outgoing.lastError = failure
        outgoing.phase = .rejected(
            .init(record: object.record, revision: object.meta.revision, sequence: theirs.sequence), failure)
        let shown = MetaObject.Confirmed(base: record, version: theirs.version, sequence: theirs.sequence)
        object.record = object.record.map { adopted($0, theirs: record) }
        object.meta.state = object.meta.isDeleted ? .deleted(shown, outgoing) : .updated(shown, outgoing)
        return Plan(outcome: .put(object), note: said, isDisproved: true)
    }

    /// Why what the server shows under the identifier of a new object is not what was sent; nil where it may be. A server
    /// may write a value otherwise, and leave some out, but hardly all of them.
    func contradicts(_ sent: ObjectRecord, _ shown: ObjectRecord?) -> String? {
        let remedy = "where the identifier of a new object stands elsewhere in the answer, write create: { id: MEMBER }"
        guard let shown else {
            return "the server accepted the create and shows nothing under the identifier that it answered; \(remedy)"
        }
        let (never, members) = (resource.neverSent, resource.mapping.members(of: shown))
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

    private static func tidied(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }

    /// A change that was answered with success and did not take is refused: it is kept for a person to decide.
    private func keep(_ ignored: [String], _ snapshot: MetaObject.Snapshot, _ object: inout LocalObject) {
        guard var outgoing = object.meta.outgoing, case .waiting = outgoing.phase else { return }
        let failure = MetaObject.Failure(
            message: Self.notTaken(ignored), fields: ignored.map { .init(field: $0, message: "not taken") })
        outgoing.lastError = failure
        outgoing.phase = .rejected(snapshot, failure)
        object.meta.outgoing = outgoing
    }

    /// What people read of a change that did not take.
    static func notTaken(_ members: [String]) -> String {
        "the server accepted the update and left \(members.joined(separator: ", ")) as it was"
    }

    /// A record with some members as they were before.
    private func without(_ names: [String], _ record: ObjectRecord, as before: ObjectRecord?) -> ObjectRecord {
        guard !names.isEmpty, let before else { return record }
        var members = resource.mapping.members(of: record)
        let old = resource.mapping.members(of: before)
        for name in names { members[name] = old[name] }
        return resource.mapping.record(members, over: record)
    }

    /// A refusal of what may not be on the server, or of a create.
    private func refused(
        _ failure: MetaObject.Failure, _ snapshot: MetaObject.Snapshot, _ object: LocalObject,
        _ outgoing: MetaObject.Outgoing, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        var object = object
        var outgoing = outgoing
        let refusals = outgoing.refusals(like: failure) + 1
        outgoing.lastError = failure
        outgoing.nextAttempt = nil
        if object.meta.isLocalOnly, outgoing.mayHaveArrived || isDuplicate(failure) || isAboutLookUp(failure),
            resource.canLookUp
        {
            outgoing.phase = .unknown(snapshot)
            outgoing.isKnownThere = outgoing.isKnownThere || isDuplicate(failure)
            if resource.createHasKey { outgoing.attempts = refusals }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), followUp: .lookUp, note: failure.summary)
        }
        if object.meta.isLocalOnly, resource.createHasKey, outgoing.mayHaveArrived || failure.status == 409 {
            // It says nothing of the first try: the server may still be at it (409; something between may have sent it
            // twice), or was not asked at all. What was sent is sent again under its key, and nothing else; in the end a
            // person decides.
            outgoing.mayHaveArrived = true
            outgoing.phase = .unknown(snapshot)
            outgoing.attempts = refusals
            outgoing.nextAttempt = refusals < Self.mostRepeats ? retryAt(refusals) : nil
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.summary)
        }
        if object.meta.isLocalOnly, outgoing.mayHaveArrived, resource.create.isConditional, failure.status == 412 {
            // There is an object with the identifier, most likely from the first try. A list will show it.
            outgoing.phase = .unknown(snapshot)
            outgoing.isKnownThere = true
            outgoing.attempts = Self.mostRepeats
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.summary)
        }
        if case .created(_, deleting: true) = object.meta.state {
            return Plan(outcome: .remove, note: "refused, and deleted here meanwhile")
        }
        // What an earlier try may have brought stays the base of what is found there one day.
        if object.meta.isLocalOnly, outgoing.mayHaveArrived { outgoing.remember(snapshot) }
        // What was edited or deleted while this was on the wire has not been refused.
        let isSuperseded = object.meta.revision != snapshot.revision
        outgoing.phase = isSuperseded ? .waiting : .rejected(snapshot, failure)
        if isSuperseded { outgoing.idempotencyKey = key }
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.summary)
    }

    /// The read that has to go before a write is refused: the change cannot be compared, so it is refused with it.
    func unreadable(_ failure: MetaObject.Failure, _ object: LocalObject, arrival: Int64) -> Plan {
        guard var outgoing = object.meta.outgoing, case .waiting = outgoing.phase else { return Plan() }
        var object = object
        outgoing.lastError = failure
        outgoing.nextAttempt = nil
        outgoing.phase = .rejected(
            .init(record: object.record, revision: object.meta.revision, sequence: arrival), failure)
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: "cannot be read before the write: \(failure.summary)")
    }

    /// The answer to a create that has happened before: the declared one, or that there is an object with the identifier,
    /// which is its own where something between has sent it twice.
    private func isDuplicate(_ failure: MetaObject.Failure) -> Bool {
        if failure.status == 412, resource.create.isConditional, resource.looksUpByID { return true }
        guard let duplicate = resource.duplicate, let status = failure.status, duplicate.statuses.contains(status)
        else { return false }
        return duplicate.field.map { field in failure.fields.contains { $0.field == field } } ?? true
    }

    /// A complaint about the member by which creates are looked up, which no other object has: it is there already, if a
    /// look-up finds it.
    private func isAboutLookUp(_ failure: MetaObject.Failure) -> Bool {
        resource.lookup.map { lookup in failure.fields.contains { $0.field == lookup.field } } ?? false
    }

    /// The look-up of a create that may have happened.
    ///
    /// - Parameters:
    ///   - found: what the server has under the member that the client set; nil where it has nothing.
    ///   - retryAt: when the next look-up may be made, where lists show later what the server says that it has, by the
    ///     number of look-ups that found nothing.
    func lookedUp(
        _ found: Representation?, of object: LocalObject, arrival: Int64, key: String,
        retryAt: (Int) -> Timestamp? = { _ in nil }
    ) -> Plan {
        var object = object
        guard case .created(var outgoing, let deleting) = object.meta.state else { return Plan() }
        guard let snapshot = outgoing.lostCreate else { return Plan() }
        if case .rejected = outgoing.phase, found?.record == nil { return Plan() }
        let refusal = outgoing.lastError.flatMap { failure in
            failure.isVerdict ? failure : nil
        }
        guard let found = found?.completed(over: snapshot.record), let theirs = found.record, let id = found.id else {
            if outgoing.isKnownThere {
                outgoing.phase = .unknown(snapshot)
                outgoing.attempts += 1
                outgoing.nextAttempt = outgoing.attempts < Self.mostLookUps ? retryAt(outgoing.attempts) : nil
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "the server has it and the look-up does not show it yet")
            }
            if resource.createHasKey, outgoing.mayHaveArrived, refusal?.isAboutContent != true {
                // The server may still be at it, so what its key has gone with is what goes next, and nothing else.
                outgoing.phase = .unknown(snapshot)
                outgoing.nextAttempt = outgoing.attempts < Self.mostRepeats ? retryAt(outgoing.attempts) : nil
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: "not on the server yet; sent again under its key")
            }
            if deleting { return Plan(outcome: .remove, note: "it never reached the server") }
            // What denies it may be behind, and then the server has this and not what is sent next.
            if outgoing.mayHaveArrived { outgoing.remember(snapshot) }
            // What was edited since has not been refused.
            let isSame = object.meta.revision == snapshot.revision
            outgoing.nextAttempt = nil
            if let refusal, isSame {
                outgoing.phase = .rejected(snapshot, refusal)
            } else {
                outgoing.phase = .waiting
                outgoing.idempotencyKey = key
            }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "not on the server")
        }
        if let sent = snapshot.record, differs(sent, theirs), isAnothers(object.meta.id, outgoing, refusal) {
            if deleting {
                return Plan(outcome: .remove, note: "deleted here; what the server has there is another object")
            }
            let failure =
                refusal
                ?? .init(message: "what was found there is not what was sent\(Synchronizer.takenRemedy(object.uri))")
            outgoing.lastError = failure
            outgoing.phase = .rejected(snapshot, failure)
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "the server has another object with that value: \(id)")
        }
        object.meta.id = id
        let sequence = arrival
        if deleting {
            object.meta.state = .deleted(
                .init(base: theirs, version: found.version, sequence: sequence), .init(idempotencyKey: key))
            return Plan(
                outcome: .put(object), note: "found on the server; deleted here meanwhile", confirmed: .create)
        }
        // What was sent is the base, so another client's edit of the new object survives; of several tries the first, for
        // the others are this client's own edits of it.
        let tries = outgoing.unanswered + [snapshot.record].compactMap(\.self)
        let base = adopted(tries.first.map { carried(snapshot, $0, over: nil) } ?? theirs, theirs: theirs)
        let mine = adopted(object.record ?? theirs, theirs: theirs)
        // Also where a clash keeps it: a member that only the base had would count as removed here.
        object.record = mine
        var next = MetaObject.Outgoing(idempotencyKey: key)
        next.unanswered = Array(tries.dropFirst())
        var plan = combine(
            object, base: base, mine: mine, theirs: theirs, version: found.version, sequence: sequence,
            outgoing: next, confirmed: nil)
        if case .put(var joined) = plan.outcome, case .waiting? = joined.meta.outgoing?.phase {
            joined.meta.outgoing?.unanswered = []
            plan.outcome = .put(joined)
        }
        plan.note = plan.note ?? "found on the server"
        plan.confirmed = .create
        // What a list leaves out may have been set by somebody else since, and a whole record would undo it.
        if found.isPartial, resource.read.isOffered { plan.followUp = .read }
        return plan
    }

    /// Whether an object that says something else than what was sent is somebody else's: every try was answered, or a
    /// person has chosen the identifier, as others may.
    private func isAnothers(_ id: ObjectID, _ outgoing: MetaObject.Outgoing, _ refusal: MetaObject.Failure?) -> Bool {
        if refusal != nil, !outgoing.mayHaveArrived { return true }
        return resource.looksUpByID && !id.isUUID
    }

    /// Whether the server's object says anything else than what was sent.
    func differs(_ sent: ObjectRecord, _ theirs: ObjectRecord) -> Bool {
        let never = resource.neverSent.union([resource.idField].compactMap(\.self))
        let members = resource.mapping.members(of: theirs)
        return resource.mapping.members(of: sent).contains {
            !never.contains($0.name) && !merge.same($0.name, $0.value, members[$0.name])
        }
    }

    /// Members that were not sent have no base: they are taken from the server.
    private func adopted(_ record: ObjectRecord, theirs: ObjectRecord) -> ObjectRecord {
        var members = resource.mapping.members(of: record)
        let theirMembers = resource.mapping.members(of: theirs)
        if let id = resource.idField { members[id] = theirMembers[id] }
        for member in theirMembers where members[member.name] == nil || resource.fixed.contains(member.name) {
            members[member.name] = member.value
        }
        return resource.mapping.record(members, over: theirs)
    }
}

extension MetaObject {
    /// Deleted here while its create was on the wire.
    fileprivate var isUnwantedCreate: Bool { if case .created(_, deleting: true) = state { true } else { false } }
}

extension MetaObject.Failure {
    /// Without the status of a refusal: a request that was only put off has not been refused.
    var withoutVerdict: Self {
        var failure = self
        if isVerdict { failure.status = nil }
        return failure
    }

    /// Refused for what was sent (400, 422), and not for what stands in the way.
    fileprivate var isAboutContent: Bool { status == 400 || status == 422 }

    /// A refusal: 4xx, or a success that an error rule says is none.
    var isVerdict: Bool { status.map { (400..<500).contains($0) || (200..<300).contains($0) } ?? false }
}
