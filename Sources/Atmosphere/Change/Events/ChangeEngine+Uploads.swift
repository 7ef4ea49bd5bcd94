/// Contents that wait to be uploaded. Each is one more operation of the object's own change, behind its edits and actions,
/// so that it has their phases, their backoff and their decisions.
extension ChangeEngine {
    /// The application attached content.
    ///
    /// What another upload of the same member would only replace goes in its place, unless that may be on the server already.
    func attach(_ upload: MetaObject.Upload, to object: LocalObject) -> LocalObject {
        var object = object
        object.meta.revision += 1
        var outgoing = object.meta.outgoing
        let stays: String? =
            switch outgoing?.phase {
            case .sending(let attempt), .unknown(let attempt): attempt.upload
            default: nil
            }
        if replaces(upload) {
            let replaced = object.meta.uploads.filter { $0.member == upload.member && $0.id != stays }.map(\.id)
            object.meta.uploads.removeAll { replaced.contains($0.id) }
            if case .rejected(.refused(let attempt), _) = outgoing?.phase, let refused = attempt.upload,
                replaced.contains(refused)
            {
                outgoing = .init(idempotencyKey: upload.id)
                object.meta.outgoing = outgoing
            }
        }
        object.meta.uploads.append(upload)
        object.meta.settleUploads()
        return object
    }

    /// The application does not want content uploaded any more; everything else that is edited stays.
    ///
    /// - Parameter key: for what goes next, where the upload was all that had been sent of the change.
    func drop(upload id: String, of object: LocalObject, key: String) -> LocalObject {
        var object = object
        object.meta.revision += 1
        let wasFirst = object.meta.uploads.first?.id == id
        object.meta.uploads.removeAll { $0.id == id }
        guard let confirmed = object.meta.confirmed, var outgoing = object.meta.outgoing, let record = object.record
        else { return object }
        if case .conflicted(var conflict) = outgoing.phase, conflict.lost?.upload == id {
            conflict.lost = nil
            outgoing.phase = .conflicted(conflict)
            object.meta.outgoing = outgoing
        }
        let isEdited = !isUnedited(record, confirmed.base)
        let wasNext = wasFirst && !isEdited && outgoing.phase == .waiting && outgoing.unanswered.isEmpty
        if outgoing.phase.upload == id || wasNext {
            // What failed or was refused was this upload; edits whose answers were lost before are still under way.
            var fresh = Change(idempotencyKey: key)
            (fresh.unanswered, fresh.lowWaterMark) = (outgoing.unanswered, outgoing.lowWaterMark)
            outgoing = fresh
            object.meta.outgoing = outgoing
        }
        guard !isEdited, object.meta.uploads.isEmpty, outgoing.phase == .waiting, outgoing.unanswered.isEmpty else {
            return object
        }
        object.record = confirmed.base
        object.meta.state = .synchronized(confirmed)
        return object
    }

    /// The answer to content that was sent.
    func concludeUpload(
        _ id: String, _ answer: Answer, to attempt: Attempt, of object: LocalObject,
        _ outgoing: Change, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        guard let upload = object.meta.uploads.first(where: { $0.id == id }) else {
            // Deleted here meanwhile.
            outgoing.phase = .waiting
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "the content is not wanted any more")
        }
        switch answer {
        case .uploaded(let value): return uploaded(upload, value, of: object, key: key)
        case .accepted, .begun: return uploaded(upload, nil, of: object, key: key)
        case .postponed(let failure):
            outgoing.lastError = failure
            outgoing.phase = .waiting
        case .failed(let failure, let mayHaveArrived):
            if failure.status != 503 { outgoing.retry.count(.answer) }
            outgoing.lastError = failure
            if mayHaveArrived { outgoing.evidence.lose() }
            let isLost = mayHaveArrived && !replaces(upload)
            outgoing.retry.due = isLost ? nil : retryAt(max(1, outgoing.retry.tries(for: .answer)))
            outgoing.phase = isLost ? .unknown(attempt) : .waiting
        case .conflict(let failure) where failure.status == Lease.locked && resource.lease != nil:
            outgoing.lastError = failure
            outgoing.retry.due = retryAt(outgoing.retry.count(.answer))
            outgoing.phase = .waiting
        case .gone(let failure, _), .conflict(let failure), .rejected(let failure):
            outgoing.lastError = failure
            outgoing.retry.due = nil
            // What was edited meanwhile has not been refused.
            let isSuperseded = object.meta.revision != attempt.revision
            outgoing.phase = isSuperseded ? .waiting : .rejected(.refused(attempt), failure)
        }
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: outgoing.lastError?.summary)
    }

    /// - Parameter value: what the member is set to, by an edit that goes next; nil where the server has done that.
    func uploaded(
        _ upload: MetaObject.Upload, _ value: Value?, of object: LocalObject, key: String
    ) -> Plan {
        var object = object
        object.meta.uploads.removeAll { $0.id == upload.id }
        var plan = Plan(
            note: "“\(upload.member)” was uploaded: \(upload.fileName), \(upload.length) bytes",
            confirmed: .upload(upload.member))
        guard let confirmed = object.meta.confirmed, var record = object.record else {
            plan.outcome = .put(object)
            return plan
        }
        if let value {
            var members = resource.mapping.members(of: record)
            members[upload.member] = value
            record = resource.mapping.record(members, over: record)
            object.meta.revision += 1
        } else if resource.read.isOffered {
            plan.next = .read
        }
        object.record = record
        if isUnedited(record, confirmed.base), object.meta.uploads.isEmpty {
            object.meta.state = .synchronized(confirmed)
        } else {
            object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
        }
        plan.outcome = .put(object)
        return plan
    }
}
