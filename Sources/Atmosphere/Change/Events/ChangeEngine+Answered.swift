/// The answer to what was sent, and the lack of one.
extension ChangeEngine {
    /// The answer to what `attempt` sent.
    ///
    /// - Parameters:
    ///   - arrival: a sequence taken when the answer came; what was requested earlier is older than the answer.
    ///   - retryAt: when a failed try may be repeated, by the number of tries that have failed.
    func conclude(
        _ answer: Answer, to attempt: Attempt, of object: LocalObject, arrival: Int64, key: String,
        retryAt: (Int) -> Timestamp
    ) -> Plan {
        guard var outgoing = object.meta.outgoing, case .sending(let current) = outgoing.phase,
            current.sequence == attempt.sequence
        else { return overtaken(answer, to: attempt, object, key: key) }
        var object = object
        if let upload = attempt.upload {
            return concludeUpload(
                upload, answer, to: attempt, of: object, outgoing, arrival: arrival, key: key, retryAt: retryAt)
        }
        switch answer {
        case .uploaded: return Plan()
        case .accepted(let theirs):
            return accepted(theirs, attempt, object, outgoing, arrival: arrival, key: key, retryAt: retryAt)
        case .begun(let isLater):
            outgoing.phase = .waiting
            if isLater { outgoing.evidence = .begun } else { outgoing.evidence.endWait() }
            outgoing.retry = Retry()
            outgoing.lastError = nil
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), next: .confirmDelete(isBegun: isLater))
        case .postponed(let failure): return postponed(failure, attempt, object, outgoing)
        case .failed(let failure, let mayHaveArrived):
            return failed(failure, mayHaveArrived: mayHaveArrived, attempt, object, outgoing, retryAt: retryAt)
        case .gone(let failure, let isCertain):
            if case .deleted = object.meta.state, attempt.record == nil, isCertain {
                return Plan(outcome: .remove, note: alreadyGone, confirmed: .delete)
            }
            if !object.meta.isLocalOnly {
                return missing(failure, attempt, object, outgoing, arrival: arrival, key: key)
            }
        case .conflict(let failure, let theirs):
            if !object.meta.isLocalOnly {
                return versionConflict(failure, theirs, attempt, object, outgoing, key: key, retryAt: retryAt)
            }
        case .unleased(let failure):
            return versionConflict(failure, nil, attempt, object, outgoing, key: key, retryAt: retryAt)
        case .rejected(let failure):
            if case .deleted = object.meta.state, attempt.record == nil, resource.read.isOffered {
                return refusedDelete(failure, object, outgoing)
            }
        }
        guard let failure = answer.failure else { return Plan() }
        return refused(failure, attempt, object, outgoing, key: key, retryAt: retryAt)
    }

    /// The answer to what was discarded, or is another change by now: a delete was done all the same.
    private func overtaken(_ answer: Answer, to attempt: Attempt, _ object: LocalObject, key: String) -> Plan {
        let isDelete = attempt.record == nil && attempt.upload == nil && !object.meta.isLocalOnly
        switch answer {
        case .accepted where isDelete, .gone(_, isCertain: true) where isDelete:
            // What was asked for since says more.
            var plan = remote(Representation(sequence: attempt.sequence), over: object, uri: object.uri, key: key)
            plan.confirmed = .delete
            return plan
        case .accepted, .begun, .uploaded, .gone, .conflict, .unleased, .rejected, .failed, .postponed:
            return Plan(note: "the object has moved on since")
        }
    }

    /// The server asks for patience, or for credentials, and has done nothing.
    func postponed(
        _ failure: MetaObject.Failure, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        let isLost = object.meta.isLocalOnly && outgoing.evidence.mayHaveArrived
        if !isLost, isUnwantedCreate(object.meta) { return Plan(outcome: .remove, note: "never reached the server") }
        outgoing.phase = isLost ? .unknown(attempt) : .waiting
        outgoing.lastError = isLost ? failure.withoutVerdict : failure
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.message)
    }

    /// There was no answer, or one that says nothing of the outcome.
    func failed(
        _ failure: MetaObject.Failure, mayHaveArrived: Bool, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change, retryAt: (Int) -> Timestamp
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        // A server that asks for patience (503) is not a failed try.
        if failure.status != 503 { outgoing.retry.count(.answer) }
        outgoing.retry.due = retryAt(max(1, outgoing.retry.tries(for: .answer)))
        if mayHaveArrived { outgoing.evidence.lose() }
        let isCreate = object.meta.isLocalOnly && outgoing.evidence.mayHaveArrived
        let isLost = isCreate || (mayHaveArrived && !mayRepeat(attempt, of: object))
        if !isLost, isUnwantedCreate(object.meta) { return Plan(outcome: .remove, note: "never reached the server") }
        outgoing.lastError = isLost ? failure.withoutVerdict : failure
        outgoing.phase = isLost ? .unknown(attempt) : .waiting
        if !isLost, mayHaveArrived { outgoing.remember(attempt) }
        if isLost, attempt.action != nil || recovery(of: attempt) == .askPerson { outgoing.retry.due = nil }
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.message)
    }

    /// The server has no such object: a read makes sure of it, where there is one.
    func missing(
        _ failure: MetaObject.Failure, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change, arrival: Int64, key: String
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        outgoing.retry.count(.existence)
        outgoing.phase = .waiting
        outgoing.lastError = failure
        // A try that was asked to wait, or one that something between sent, may have been done before this one.
        outgoing.remember(attempt)
        object.meta.outgoing = outgoing
        guard resource.read.isOffered else {
            return remote(
                .init(record: nil, id: nil, version: nil, sequence: arrival), over: object, uri: object.uri, key: key)
        }
        return Plan(outcome: .put(object), next: .confirmGone(after: .write), note: failure.message)
    }

    /// Deleted here while its create was on the wire.
    private func isUnwantedCreate(_ meta: MetaObject) -> Bool {
        if case .created(_, deleting: true) = meta.state { true } else { false }
    }
}
