/// A write that the server refuses, or whose object it refuses to show.
extension ChangeEngine {
    /// A refusal of what may not be on the server, or of a create.
    func refused(
        _ failure: MetaObject.Failure, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        var object = object
        var outgoing = outgoing
        outgoing.lastError = failure
        outgoing.retry.due = nil
        // What was deleted there another client may have made anew, too; not below a parent that is gone.
        let mayBeAnew = outgoing.previous.flatMap(resource.lookupValue) != nil && ![404, 410].contains(failure.status)
        let mayBeThere = outgoing.evidence.mayHaveArrived || mayBeAnew
        if object.meta.isLocalOnly, mayBeThere || mayBeOfOwn(failure), canLookUp(attempt) {
            outgoing.phase = .unknown(attempt)
            if isDuplicate(failure) { outgoing.evidence.recognize() }
            if resource.createHasKey { countRefusal(of: &outgoing) { _ in nil } }
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), next: .lookUp, note: failure.summary)
        }
        if object.meta.isLocalOnly, isFoundByPulls(attempt), isDuplicate(failure) {
            outgoing.phase = .unknown(attempt)
            outgoing.evidence.recognize()
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "\(failure.summary); the next pull finds it")
        }
        if object.meta.isLocalOnly, resource.createHasKey, outgoing.evidence.mayHaveArrived || failure.status == 409 {
            countRefusal(of: &outgoing, retryAt: retryAt)
            guard noteRefusal(failure, of: &outgoing) else {
                outgoing.phase = .unknown(attempt)
                object.meta.outgoing = outgoing
                return Plan(outcome: .put(object), note: failure.summary)
            }
            (outgoing.evidence, outgoing.retry) = (.none, Retry())
        }
        if object.meta.isLocalOnly, outgoing.evidence.mayHaveArrived, resource.create.isConditional,
            failure.status == 412
        {
            // There is an object with the identifier, most likely from the first try. A list will show it.
            outgoing.phase = .unknown(attempt)
            outgoing.evidence.recognize()
            outgoing.retry.spend(.acceptance)
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: failure.summary)
        }
        if case .created(_, deleting: true) = object.meta.state {
            return Plan(outcome: .remove, note: "refused, and deleted here meanwhile")
        }
        // What an earlier try may have brought stays the base of what is found there one day.
        if object.meta.isLocalOnly, outgoing.evidence.mayHaveArrived { outgoing.remember(attempt) }
        // What was edited or deleted while this was on the wire has not been refused.
        let isSuperseded = object.meta.revision != attempt.revision
        outgoing.phase = isSuperseded ? .waiting : .rejected(.refused(attempt), failure)
        if isSuperseded { outgoing.idempotencyKey = key }
        if !isSuperseded, let name = attempt.action, let record = object.record {
            // What it has set here was for an action that the server does.
            object.record = withoutEffects(of: name, record, as: object.meta.confirmed?.base)
        }
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.summary)
    }

    /// The read that has to go before a write is refused: the change cannot be compared, so it is refused with it.
    func unreadable(_ failure: MetaObject.Failure, _ object: LocalObject) -> Plan {
        guard var outgoing = object.meta.outgoing, case .waiting = outgoing.phase else { return Plan() }
        if object.meta.isDeleted, outgoing.evidence.mayHaveArrived {
            return undecided(failure, object)
        }
        var object = object
        outgoing.lastError = failure
        outgoing.retry.due = nil
        outgoing.phase = .rejected(.unreadable, failure)
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: "cannot be read before the write: \(failure.summary)")
    }

    /// A delete is refused. An earlier try whose answer was lost may have done it, and transports and what stands between send
    /// one twice without a word: some servers answer for what does not exist as for what is forbidden (403). A read tells.
    func refusedDelete(
        _ failure: MetaObject.Failure, _ object: LocalObject, _ outgoing: Change
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        outgoing.phase = .waiting
        outgoing.lastError = failure
        outgoing.retry.due = nil
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), next: .confirmRefused, note: failure.summary)
    }

    /// The object cannot be read either: it may be gone, or hidden from these credentials.
    func undecided(_ failure: MetaObject.Failure, _ object: LocalObject) -> Plan {
        guard object.meta.isDeleted, var outgoing = object.meta.outgoing, case .waiting = outgoing.phase else {
            return Plan()
        }
        var (object, failure) = (object, failure)
        failure.message =
            "the server refuses to show what is to be deleted: \(failure.message): \(object.uri) is gone, or these "
            + "credentials may not see it; where the API answers so for what does not exist, write "
            + resource.goneSetting(forRead: failure.status ?? 403)
            + ", and then atmos retry \(object.uri.shellWord); or give the delete up: atmos discard \(object.uri.shellWord)"
        outgoing.lastError = failure
        outgoing.retry.due = nil
        outgoing.phase = .rejected(.unreadable, failure)
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.message)
    }
}
