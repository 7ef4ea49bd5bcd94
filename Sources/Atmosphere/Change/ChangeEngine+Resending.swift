/// Whether what was sent without a clear answer is sent again, looked up first, or left to a person. By which means, says
/// ``Resource/recovery``; what a look-up makes of it, ``lookedUp(_:of:arrival:key:isDecided:isFresh:retryAt:)``.
extension ChangeEngine {
    /// How often lists may show nothing of a create that the server has accepted, before a person has to decide.
    static let mostLookUps = 8

    /// How often a create that may be on its way still is looked up, where the clock was set back and its time does not go
    /// by.
    static let mostLateLookUps = 20

    /// By what a create is told from any other: what it was sent with, and the value in its record. Of one that an earlier version
    /// has sent nothing else is known than what the route file says.
    func marks(of attempt: Attempt) -> Resource.Marks {
        let carried = attempt.marks ?? resource.marks.subtracting(.value)
        return attempt.record.flatMap(resource.lookupValue) == nil ? carried : carried.union(.value)
    }

    /// How a create whose answer was lost is brought to an end.
    func recovery(of attempt: Attempt) -> Resource.Recovery { resource.recovery(carrying: marks(of: attempt)) }

    /// Whether anything can be asked that tells whether a create has happened.
    func canLookUp(_ attempt: Attempt) -> Bool { resource.canLookUp(carrying: marks(of: attempt)) }

    /// Whether a create that the server has, and whose identifier it does not say, is found by a pull alone.
    func isFoundByPulls(_ attempt: Attempt) -> Bool { resource.isFoundByPulls(carrying: marks(of: attempt)) }

    /// Whether a create can be sent again under the idempotency key that it has.
    func hasKey(_ attempt: Attempt) -> Bool { resource.createHasKey && marks(of: attempt).contains(.key) }

    /// A create that may or may not have happened.
    func recover(
        _ object: LocalObject, _ outgoing: Change, _ attempt: Attempt, now: Timestamp,
        sequence: Int64
    ) -> Next {
        if let due = outgoing.retry.due, isAwaited(due, now) { return .hold(.notDue(due)) }
        guard attempt.action == nil, attempt.upload == nil else { return .hold(.needsPerson) }
        if case .named(let isLookedFor) = outgoing.evidence {
            guard !outgoing.retry.isSpent else { return .hold(.needsPerson) }
            let sent = resource.read.isOffered ? attempt.record : nil
            // Its own address is asked first: lists may hide it, and show it later.
            if let sent, !isLookedFor { return .ask(.verify(sent: sent, before: nil)) }
            if canLookUp(attempt) { return .ask(.lookUp) }
            return sent.map { .ask(.verify(sent: $0, before: nil)) } ?? .hold(.needsPerson)
        }
        switch recovery(of: attempt) {
        case .lookUp, .readByID:
            // It may have been removed there since. What the server said that it has only a person may send again.
            if outgoing.evidence.isKnownThere, outgoing.retry.isSpent { return .hold(.needsPerson) }
            return .ask(.lookUp)
        case .repeatSafely:
            if outgoing.evidence.isKnownThere, isFoundByPulls(attempt) { return .hold(.needsPerson) }
            if outgoing.evidence.isKnownThere {
                guard !outgoing.retry.isSpent else { return .hold(.needsPerson) }
                if canLookUp(attempt) { return .ask(.lookUp) }
            }
            if outgoing.isRefusedForGood { return .hold(.needsPerson) }
            // The server has deleted since what it was sent to.
            guard object.meta.waitsFor.isEmpty else { return .hold(.waitsForParents) }
            // The same bytes again: the server recognizes the key, or the address, and answers as the first time.
            return send(.create, object, outgoing, record: attempt.record, sequence: sequence, isRepeated: true)
        case .askPerson: return .hold(.needsPerson)
        }
    }

    /// Whether what an attempt sent may be sent once more after a lost answer.
    func mayRepeat(_ attempt: Attempt, of object: LocalObject) -> Bool {
        if let upload = attempt.upload { return mayRepeat(upload: upload, of: object) }
        guard let name = attempt.action else { return true }
        return resource.actions.first { $0.name == name }?.mayRepeat ?? false
    }

    /// Whether an upload leaves nothing of an earlier one into the same member.
    func replaces(_ upload: MetaObject.Upload) -> Bool { replaces(upload.member) }

    /// Whether content leaves nothing in a member of what was there before.
    func replaces(_ member: String) -> Bool {
        guard let route = resource.attachment(member)?.upload else { return false }
        return route.setsMember || route.method == "PUT"
    }

    /// Whether the member is set by an edit behind the content, and not by the server.
    func setsMember(_ member: String) -> Bool { resource.attachment(member)?.upload?.setsMember == true }

    /// Whether content whose answer was lost may be sent once more: what refers to it is an edit of its own, or the same
    /// content stands in the same place then (RFC 9110 §9.2.2). An upload that is not queued any more does not matter.
    func mayRepeat(upload id: String, of object: LocalObject) -> Bool {
        object.meta.uploads.first { $0.id == id }.map(replaces) ?? true
    }

    /// How often a create whose answer was lost may be refused under its key, for reasons that say nothing of it, before a
    /// person has to decide.
    static var mostRepeats: Int { 8 }

    /// How often a create may be answered with 409 under its key, as if the server were still at it, before that counts as
    /// a refusal; where an answer was lost it never does.
    static var mostUnderWay: Int { 3 }

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

    /// Whether the refusal of a create may be that of a second try, while the server has the first, so that a look-up tells: what
    /// stands between may have sent it twice, and a conflict is what the second brings (RFC 9110 §15.5.10).
    func mayBeOfOwn(_ failure: MetaObject.Failure) -> Bool {
        let isConflict = failure.status == 409 && !resource.createHasKey && !resource.looksUpByID
        return isConflict || isDuplicate(failure) || isAboutLookUp(failure)
    }

    /// What was sent without an answer is sent again, or asked for where that can tell.
    func resend(_ present: LocalObject, sequence: Int64, key: String) throws -> Plan {
        var object = present
        guard var outgoing = object.meta.outgoing, case .unknown(let sent) = outgoing.phase else {
            throw SyncError(
                code: .wrongState,
                message: "\(object.uri) is not a create, an action or an upload whose outcome is unknown")
        }
        if sent.upload != nil {
            outgoing = .init(idempotencyKey: key)
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object))
        }
        if sent.action != nil {
            // Where the lost one was done, what it has set is this client's own.
            var next = outgoing.followed(by: key)
            next.lowWaterMark = outgoing.lowWaterMark
            object.meta.outgoing = next
            return Plan(outcome: .put(object))
        }
        if case .created(_, deleting: true) = object.meta.state {
            return Plan(outcome: .remove, note: "deleted here, and not sent again")
        }
        if recovery(of: sent) == .repeatSafely, !outgoing.isRefusedForGood, !outgoing.evidence.isKnownThere {
            // It goes again by itself, under its key: with another the server could not tell that it is one.
            outgoing.retry = Retry()
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object))
        }
        if canLookUp(sent), !outgoing.retry.isSpent {
            // Whether it is there is looked up at once, and only what is not is sent again.
            outgoing.retry.due = nil
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object))
        }
        var next = Change.anew(
            key: key, after: outgoing.evidence.isNamed ? sequence : nil, previous: outgoing.previous)
        next.lowWaterMark = next.lowWaterMark ?? outgoing.lowWaterMark
        object.meta.outgoing = next
        return Plan(outcome: .put(object))
    }

    /// Whether the server may take a create that is sent again for another object, as far as anybody has said.
    func mayCreateTwice(_ attempt: Attempt) -> Bool { recovery(of: attempt) == .lookUp && resource.duplicate == nil }

    /// Whether a create whose answer was lost may come to be on the server after a look-up that shows nothing: before the
    /// time that a request may take has passed since it was sent, and at the first look-up.
    func mayComeYet(_ change: Change, at arrival: Int64) -> Bool {
        guard change.evidence.mayHaveArrived, let sent = change.lostCreate else { return false }
        return change.evidence != .inDoubt(isLookedFor: true)
            || arrival - sent.sequence < Synchronizer.sequences(in: timeout)
    }

    /// Notes that a create with a key was refused. A refusal says nothing of the first try: the server may still be at it (409;
    /// something between may have sent it twice), or was not asked at all. What was sent is sent again under its key, and
    /// nothing else; in the end a person decides.
    ///
    /// - Returns: whether every try was answered so, and soon enough: then what was sent is refused.
    func noteRefusal(_ failure: MetaObject.Failure, of change: inout Change) -> Bool {
        let isAnsweredEachTime =
            failure.status == 409 && (!change.evidence.mayHaveArrived || change.evidence == .underWay)
        if isAnsweredEachTime { change.evidence = .underWay } else { change.evidence.lose() }
        let isEnough = !failure.fields.isEmpty || change.retry.hasUsedUp(Self.mostUnderWay, for: .acceptance)
        return isAnsweredEachTime && isEnough
    }

    /// Whether the refusal of a create with a key may be that of a second try, while the server is at the first: a 409 that
    /// says nothing of what was sent.
    func mayBeUnderWay(_ failure: MetaObject.Failure) -> Bool {
        resource.createHasKey && failure.status == 409 && failure.fields.isEmpty
    }

    /// Counts the refusal of a create with a key.
    func countRefusal(of change: inout Change, retryAt: (Int) -> Timestamp?) {
        change.retry.due = retryAt(change.retry.count(.acceptance))
        if change.retry.hasUsedUp(Self.mostRepeats, for: .acceptance) { change.retry.spend(.acceptance) }
    }
}
