/// What a read shows that follows a delete, or a write to an object that the server says it has not.
extension ChangeEngine {
    /// What is to be said of a delete that the server has nothing to do for. Below a parent it says nothing of the others.
    var alreadyGone: String {
        let isBelow = !resource.isUniquePerParent && !resource.delete.parentEntities.isEmpty
        return "already gone"
            + (isBelow ? " from below its parent; where it was moved to another one, a pull brings it back" : "")
    }

    /// The read that followed an accepted delete. Where it shows another object than before, a trash may hold it, say, so
    /// the server has done something; where nothing has changed the delete is kept.
    ///
    /// - Parameters:
    ///   - isBegun: it was accepted for later (202).
    ///   - retryAt: when it may be asked for again, by the number of times that it was still there.
    func shownAfterDelete(
        _ theirs: Representation, isBegun: Bool, over object: LocalObject, uri: ObjectURI, key: String,
        retryAt: (Int) -> Timestamp
    ) -> Plan {
        guard case .deleted(let confirmed, var outgoing) = object.meta.state, case .waiting = outgoing.phase else {
            return remote(theirs, over: object, uri: uri, key: key)
        }
        // What own updates without an answer have done is no other object.
        guard let record = theirs.record,
            isStill(record, theirs.version, confirmed) || isOwn(record, confirmed.base, outgoing)
        else {
            return Plan(outcome: .remove, note: "deleted on the server", confirmed: .delete)
        }
        var object = object
        let now = MetaObject.Confirmed(
            base: record, version: theirs.version, sequence: max(theirs.sequence, confirmed.sequence))
        let tries = outgoing.retry.count(.deletion)
        let isBegun = isBegun && !outgoing.retry.hasUsedUp(Self.mostLookUps, for: .deletion)
        let failure = MetaObject.Failure(
            message: isBegun
                ? "the server accepted the delete for later (202), and still shows the object"
                : "the server accepted the delete and shows the object all the same; where a member says that it is deleted, "
                    + "name it under deletes: { field: MEMBER }")
        outgoing.lastError = failure
        if isBegun {
            outgoing.evidence = .begun
            outgoing.retry.due = retryAt(tries)
        } else {
            outgoing.evidence.endWait()
            outgoing.retry = Retry()
            outgoing.phase = .rejected(.notTaken, failure)
        }
        object.meta.state = .deleted(now, outgoing)
        return Plan(outcome: .put(object), note: failure.message)
    }

    /// The read that followed: what is there has not been deleted, so the refusal stands.
    func shownAfterRefusal(_ theirs: Representation, over object: LocalObject, uri: ObjectURI, key: String) -> Plan {
        var plan = remote(theirs, over: object, uri: uri, key: key)
        guard theirs.record != nil else {
            if plan.outcome == .remove { (plan.confirmed, plan.note) = (.delete, alreadyGone) }
            return plan
        }
        var left = object
        switch plan.outcome {
        case .keep: break
        case .put(let merged): left = merged
        case .remove: return plan
        }
        guard left.meta.isDeleted, var outgoing = left.meta.outgoing, case .waiting = outgoing.phase,
            let failure = outgoing.lastError
        else { return plan }
        // No try was done.
        outgoing.evidence = .none
        outgoing.phase = .rejected(
            .refused(.init(record: nil, revision: left.meta.revision, sequence: theirs.sequence)), failure)
        left.meta.outgoing = outgoing
        plan.outcome = .put(left)
        plan.note = failure.summary
        return plan
    }

    /// A read that followed a 404 to a write. Where the server shows the object, and says for the second time that the write
    /// has no such object, the write goes to a wrong address, or is refused to who may only read. Content is not sent a second
    /// time to find that out.
    ///
    /// - Parameter missed: what was told so.
    func shownAfterGone(
        _ theirs: Representation, to missed: ObjectRequest.Missed, over object: LocalObject, uri: ObjectURI, key: String
    ) -> Plan {
        var plan = remote(theirs, over: object, uri: uri, key: key)
        guard theirs.record != nil else {
            if object.meta.isDeleted, plan.outcome == .remove {
                plan.confirmed = .delete
                plan.note = alreadyGone
            }
            return plan
        }
        var left = object
        switch plan.outcome {
        case .keep: break
        case .put(let merged): left = merged
        case .remove: return plan
        }
        guard var outgoing = left.meta.outgoing, case .waiting = outgoing.phase, var failure = outgoing.lastError
        else { return plan }
        var upload: MetaObject.Upload?
        switch missed {
        case .content(let sent):
            upload = left.meta.uploads.first { $0.id == sent.upload }
            guard upload != nil, sent.revision == left.meta.revision else { return plan }
        case .write, .lease: guard outgoing.retry.hasUsedUp(2, for: .existence) else { return plan }
        }
        let verb: Verb =
            if let upload {
                .upload(upload.member)
            } else if left.meta.isDeleted {
                .delete
            } else if let base = left.meta.confirmed?.base, let record = left.record,
                let action = nextAction(base: base, record: record)
            {
                .action(action.name)
            } else {
                .update
            }
        let words = resource.words(for: verb, status: failure.status ?? 404)
        let alone = upload.map { " --upload \($0.member.shellWord)" } ?? ""
        failure.message =
            "\(failure.message); the server shows it, and answers \(words.remedy); or these credentials may read it and not "
            + "change it; then atmos retry \(uri.shellWord), or give the change up: atmos discard \(uri.shellWord)\(alone)"
        outgoing.lastError = failure
        outgoing.retry = Retry()
        var refused = Attempt(record: left.record, revision: left.meta.revision, sequence: theirs.sequence)
        refused.upload = upload?.id
        outgoing.phase = .rejected(.refused(refused), failure)
        left.meta.outgoing = outgoing
        plan.outcome = .put(left)
        plan.note = failure.message
        return plan
    }
}
