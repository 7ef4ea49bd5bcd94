/// Deletes that the server has accepted and may not have done.
extension Planner {
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
        let isBegun = isBegun && tries < Self.mostLookUps
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

    // MARK: Refused

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
        return Plan(outcome: .put(object), followUp: .confirmRefused, note: failure.summary)
    }

    /// The read that followed: what is there has not been deleted, so the refusal stands.
    func shownAfterRefusal(_ theirs: Representation, over object: LocalObject, uri: ObjectURI, key: String) -> Plan {
        var plan = remote(theirs, over: object, uri: uri, key: key)
        guard theirs.record != nil else {
            if plan.outcome == .remove { (plan.confirmed, plan.note) = (.delete, "already gone") }
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

    /// The object cannot be read either: it may be gone, or hidden from these credentials.
    func undecided(_ failure: MetaObject.Failure, _ object: LocalObject) -> Plan {
        guard object.meta.isDeleted, var outgoing = object.meta.outgoing, case .waiting = outgoing.phase else {
            return Plan()
        }
        var (object, failure) = (object, failure)
        let status = failure.status ?? 403
        failure.message =
            "the server refuses to show what is to be deleted: \(failure.message): \(object.uri) is gone, or these "
            + "credentials may not see it; where the API answers so for what does not exist, write errors: { rules: [{ status: \(status), method: GET, treat: gone }] } for \(resource.name), and "
            + "then atmos retry \(object.uri.shellWord); or give the delete up: atmos discard \(object.uri.shellWord)"
        outgoing.lastError = failure
        outgoing.retry.due = nil
        outgoing.phase = .rejected(.unreadable, failure)
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.message)
    }

    /// Whether what is shown is the object as it was before its delete; what a list had not shown of it does not count.
    func isStill(_ record: ObjectRecord, _ version: String?, _ confirmed: MetaObject.Confirmed) -> Bool {
        if let version, let known = confirmed.version, version != known { return false }
        let (base, theirs) = (resource.mapping.members(of: confirmed.base), resource.mapping.members(of: record))
        return base.names.allSatisfy { merge.same($0, base[$0], theirs[$0]) }
    }
}

extension Resource {
    /// Whether an accepted delete may not be done, so that a read has to tell: where the server does it later (202, RFC 9110
    /// §15.3.3), answers with the object and no mark that it is deleted, or with what looks like an error. One of another
    /// method than DELETE changes the object, and may go on showing it.
    ///
    /// - Returns: whether it may be done later; nil where the answer is final.
    func isOpen(_ reply: ResourceClient.Reply, _ found: Representation?) -> Bool? {
        guard read.isOffered, delete.method == "DELETE", found?.isDeleted != true else { return nil }
        if reply.status == 202 { return true }
        guard reply.part == nil else { return nil }
        return found?.id != nil && found?.record != nil || reply.soundsLikeError ? false : nil
    }
}

extension ResourceClient.Reply {
    /// Whether a success has what many servers say of a failure: enough to ask whether it is one, and no more than that.
    fileprivate var soundsLikeError: Bool {
        guard (1...65_536).contains(body.count), let members = try? Value(json: body).members else { return false }
        return members.contains { member in
            switch (member.name.lowercased(), member.value) {
            case ("error", let value), ("errors", let value):
                ![.null, .bool(false), .string(""), .array([]), .object([:])].contains(value)
            case ("ok", let value), ("success", let value): value == .bool(false)
            case ("status", .string(let text)), ("result", .string(let text)):
                ["error", "fail", "failed", "failure"].contains(text.lowercased())
            default: false
            }
        }
    }
}
