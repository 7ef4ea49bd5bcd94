/// Contents that wait to be uploaded. Each is one more operation of the object's own change, behind its edits and actions,
/// so that it has their phases, their backoff and their decisions.
extension ChangeEngine {
    /// The application attached content.
    ///
    /// It takes the place of an upload of the same member that it would only replace, unless that may be on the server already,
    /// and of whatever of the member was refused: another upload, or the edit that refers to the content before.
    func attach(_ attached: MetaObject.Upload, to object: LocalObject) -> LocalObject {
        var (object, upload) = (object, attached)
        object.meta.revision += 1
        let replaced = replaced(by: upload, in: object)
        let ids = Set(replaced.map(\.id))
        object.meta.uploads.removeAll { ids.contains($0.id) }
        if let outgoing = object.meta.outgoing {
            object.meta.outgoing = Self.forgetting(replaced, in: outgoing, key: upload.id)
        }
        if replaces(upload) { object = withoutRefusedEdit(of: upload.member, object, key: upload.id) }
        // What an upload before it may have brought is nobody else's change.
        let mayBeOwn = !setsMember(upload.member) && replaced.contains { $0.base == nil }
        let isStale = object.meta.confirmed?.isStale(upload.member) == true
        upload.base = mayBeOwn || isStale ? nil : object.meta.confirmed.map { content(of: upload.member, in: $0.base) }
        object.meta.uploads.append(upload)
        object.meta.settleUploads()
        return rejoined(object)
    }

    /// The uploads in whose place another one of the same member goes.
    func replaced(by upload: MetaObject.Upload, in object: LocalObject) -> [MetaObject.Upload] {
        var stays: String?
        var refused: String?
        switch object.meta.outgoing?.phase {
        case .sending(let attempt), .unknown(let attempt): stays = attempt.upload
        case .conflicted(let conflict): stays = conflict.lost?.upload
        case .rejected(.refused(let attempt), _): refused = attempt.upload
        case .waiting, .rejected, nil: break
        }
        return object.meta.uploads.filter { other in
            other.member.hasSameBytes(as: upload.member) && other.id != stays
                && (replaces(upload) || other.id == refused)
        }
    }

    /// Where an edit of a member was refused, that member is as the server has it again, and the rest gets another try.
    private func withoutRefusedEdit(of member: String, _ object: LocalObject, key: String) -> LocalObject {
        guard case .updated(let confirmed, let outgoing) = object.meta.state, let record = object.record,
            case .rejected(let verdict, _) = outgoing.phase
        else { return object }
        switch verdict {
        case .refused(let sent): guard sent.upload == nil else { return object }
        case .notTaken: break
        case .unsendable, .invalid, .dangling, .mistaken, .unreadable: return object
        }
        let names = edited(from: confirmed.base, to: record)
        guard names.contains(where: { $0.hasSameBytes(as: member) }) else { return object }
        var object = object
        object.record = without([member], record, as: confirmed.base)
        var next = outgoing.afterEditOfUpdate(key: key)
        next.lastError = nil
        object.meta.state = .updated(confirmed, next)
        return object
    }

    /// An object without what was edited in members before something newer went into them at once. What was edited there since
    /// stays; so does one that is on the wire, for nobody knows which of the two the server does last: a read shows.
    ///
    /// - Parameter before: the object as it was when that was sent.
    func withoutEdits(
        of members: [String], in before: LocalObject, _ object: LocalObject, key: String
    ) -> LocalObject {
        guard case .updated(let confirmed, let outgoing) = object.meta.state, let record = object.record,
            let then = before.record, let base = before.meta.confirmed?.base
        else { return object }
        if case .sending = outgoing.phase { return object }
        let (now, old) = (resource.mapping.members(of: record), resource.mapping.members(of: then))
        let known = Set(edited(from: base, to: then).map { ScalarText($0) })
        let names = members.filter { known.contains(ScalarText($0)) && merge.same($0, old[$0], now[$0]) }
        guard !names.isEmpty else { return object }
        var (object, next) = (object, outgoing.afterEditOfUpdate(key: key))
        next.unanswered = next.unanswered.map { without(names, $0, as: confirmed.base) }
        if next.phase == .waiting { next.lastError = nil }
        let left = without(names, record, as: confirmed.base)
        let idle = effects(base: confirmed.base, record: record)
            .subtracting(effects(base: confirmed.base, record: left))
        object.record = without(Array(idle), left, as: confirmed.base)
        object.meta.revision += 1
        object.meta.state = .updated(confirmed, next)
        return settled(object)
    }

    /// An object of which nothing waits any more is as the server has it.
    private func settled(_ object: LocalObject) -> LocalObject {
        guard case .updated(let confirmed, let outgoing) = object.meta.state, let record = object.record,
            isUnedited(record, confirmed.base), object.meta.uploads.isEmpty, outgoing.phase == .waiting,
            outgoing.unanswered.isEmpty, outgoing.unverified == nil
        else { return rejoined(object) }
        var object = object
        object.record = confirmed.base
        object.meta.state = .synchronized(confirmed)
        return object
    }

    /// Content went into a member at once, or may have: what waited for the member before is older, contents and edits, and what
    /// it is now a read has to show, where the server sets it.
    ///
    /// - Parameters:
    ///   - replaced: the uploads before it.
    ///   - before: the object as it was when the content was sent; nil where the server has not said that it has the content.
    ///   - arrival: what was requested earlier is older than the content.
    func attachedNow(
        into member: String, insteadOf replaced: Set<String>, in before: LocalObject?, of object: LocalObject,
        arrival: Int64, key: String
    ) -> LocalObject {
        var object = object
        for upload in object.meta.uploads where replaced.contains(upload.id) {
            object = drop(upload: upload.id, of: object, key: key)
        }
        guard !setsMember(member) else { return object }
        let isAnswered = before != nil
        if let before, replaces(member) {
            object = withoutEdits(of: [member], in: before, object, key: key)
        }
        makeStale(member, of: &object, at: arrival)
        var owing = owingRead(of: object, key: key)
        if !isAnswered, owing.meta.outgoing?.unverified?.isRead == true { owing.meta.outgoing?.evidence.lose() }
        return owing
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
            fresh.unverified = outgoing.unverified
            outgoing = fresh
            object.meta.outgoing = outgoing
        }
        return settled(object)
    }

    /// The answer to content that was sent.
    func concludeUpload(
        _ id: String, _ answer: Answer, to attempt: Attempt, of object: LocalObject, _ outgoing: Change,
        arrival: Int64, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        guard let upload = object.meta.uploads.first(where: { $0.id == id }) else {
            // Deleted here meanwhile, or something newer is to be there.
            outgoing.phase = .waiting
            object.meta.outgoing = outgoing
            if let member = attempt.member, answer.mayHaveArrived { makeStale(member, of: &object, at: arrival) }
            return Plan(outcome: .put(object), note: "the content is not wanted any more")
        }
        switch answer {
        case .uploaded(let value): return uploaded(upload, value, of: object, arrival: arrival, key: key)
        case .accepted, .begun: return uploaded(upload, nil, of: object, arrival: arrival, key: key)
        case .postponed(let failure):
            outgoing.lastError = failure
            outgoing.phase = .waiting
        case .failed(let failure, let mayHaveArrived):
            if failure.status != 503 { outgoing.retry.count(.answer) }
            outgoing.lastError = failure
            if mayHaveArrived {
                outgoing.evidence.lose()
                makeStale(upload.member, of: &object, at: arrival)
            }
            let isLost = mayHaveArrived && !replaces(upload)
            outgoing.retry.due = isLost ? nil : retryAt(max(1, outgoing.retry.tries(for: .answer)))
            outgoing.phase = isLost ? .unknown(attempt) : .waiting
        case .unleased(let failure):
            outgoing.lastError = failure
            outgoing.retry.due = retryAt(outgoing.retry.count(.answer))
            outgoing.phase = .waiting
        case .gone(let failure, let isCertain) where isAbout(upload, object) && (isCertain || resource.read.isOffered):
            // The object is gone, or the address is wrong: a read tells, where there is one.
            outgoing.lastError = failure
            outgoing.phase = .waiting
            object.meta.outgoing = outgoing
            guard resource.read.isOffered else {
                let gone = Representation(sequence: arrival)
                return remote(gone, over: object, uri: object.uri, key: key)
            }
            return Plan(outcome: .put(object), next: .confirmGone(after: .content(attempt)), note: failure.message)
        case .gone(let failure, _), .conflict(let failure, _), .rejected(let failure):
            outgoing.lastError = failure
            outgoing.retry.due = nil
            // What was edited meanwhile has not been refused.
            let isSuperseded = object.meta.revision != attempt.revision
            outgoing.phase = isSuperseded ? .waiting : .rejected(.refused(attempt), failure)
        }
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: outgoing.lastError?.summary)
    }

    /// Whether a request that carries the content, or asks where it goes, is about the object.
    private func isAbout(_ upload: MetaObject.Upload, _ object: LocalObject) -> Bool {
        !object.meta.isLocalOnly && resource.attachment(upload.member)?.upload?.namesObject == true
    }

    /// - Parameter value: what the member is set to, by an edit that goes next; nil where the server has done that.
    func uploaded(
        _ upload: MetaObject.Upload, _ value: Value?, of object: LocalObject, arrival: Int64, key: String
    ) -> Plan {
        var object = object
        object.meta.uploads.removeAll { $0.id == upload.id }
        makeStale(upload.member, of: &object, at: arrival)
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
            plan.next = .verify(sent: confirmed.base, before: confirmed.base)
        }
        object.record = record
        if isUnedited(record, confirmed.base), object.meta.uploads.isEmpty {
            object.meta.state = .synchronized(confirmed)
        } else {
            object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
        }
        plan.outcome = .put(value == nil ? owingRead(of: object, key: key) : object)
        return plan
    }
}
