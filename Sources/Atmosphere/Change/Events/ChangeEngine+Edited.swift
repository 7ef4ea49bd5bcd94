/// What edits and deletes here make of an object.
extension ChangeEngine {
    /// The application saved `record`. An edit of a member takes the place of the content that waits for it.
    func save(_ record: ObjectRecord, over object: LocalObject?, uri: ObjectURI, id: ObjectID, key: String) throws
        -> LocalObject
    {
        guard let object else {
            let meta = MetaObject(
                uri: uri, id: id, state: .created(.init(idempotencyKey: key), deleting: false), revision: 1)
            return LocalObject(record: record, meta: meta)
        }
        var meta = object.meta
        meta.revision += 1
        let superseded = superseded(by: record, in: object)
        meta.uploads.removeAll { superseded.contains($0) }
        if let outgoing = meta.outgoing { meta.outgoing = Self.forgetting(superseded, in: outgoing, key: key) }
        switch meta.state {
        case .synchronized(let confirmed):
            guard !isUnedited(record, confirmed.base) else { return object }
            meta.state = .updated(confirmed, .init(idempotencyKey: key))
        case .created(let outgoing, _):
            let isStillRefused = isRefusedForReference(outgoing, unlessMended: record)
            meta.state = .created(isStillRefused ? outgoing : outgoing.afterEdit(key: key), deleting: false)
        case .updated(let confirmed, let outgoing):
            // What an update without an answer may have brought there has to be taken back there, too.
            if outgoing.phase == .waiting, outgoing.unanswered.isEmpty, outgoing.unverified == nil,
                meta.uploads.isEmpty,
                isUnedited(record, confirmed.base)
            {
                meta.state = .synchronized(confirmed)
                return LocalObject(record: confirmed.base, meta: meta)
            }
            var next =
                isRefusedForReference(outgoing, unlessMended: record) ? outgoing : outgoing.afterEditOfUpdate(key: key)
            if next.isRefusedEachTime, object.record.map({ !isSame(record, $0) }) == true {
                // Something else goes there now, so the server is asked once more.
                next.phase = .waiting
                next.retry = Retry()
            }
            meta.state = .updated(confirmed, next)
            if case .conflicted(let conflict) = next.phase, !conflict.fields.isEmpty, let theirs = conflict.theirs {
                // What is edited while sides clash may clash, too, or clash no more.
                let base = undone(record, from: object.record, confirmed.base, theirs)
                var kept = confirmed
                kept.base = base
                let plan = combine(
                    LocalObject(record: record, meta: meta), base: base, mine: record, theirs: theirs,
                    version: conflict.version, sequence: conflict.sequence, stale: kept.stale, outgoing: next,
                    confirmed: kept)
                if case .put(let joined) = plan.outcome { return joined }
            }
        case .deleted(let confirmed, let outgoing):
            guard case .waiting = outgoing.phase else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(uri) \(outgoing.whyNoEdit)")
            }
            meta.state = .updated(confirmed, outgoing.followed(by: key))
        }
        return LocalObject(record: record, meta: meta)
    }

    /// The base of an edit that sets members back to what they were before both sides changed them: that is a decision
    /// against theirs, and no lack of a change.
    func undone(
        _ record: ObjectRecord, from before: ObjectRecord?, _ base: ObjectRecord, _ theirs: ObjectRecord
    ) -> ObjectRecord {
        guard let before else { return base }
        let mine = resource.mapping.members(of: record)
        let theirMembers = resource.mapping.members(of: theirs)
        var members = resource.mapping.members(of: base)
        let names = merge.changes(from: resource.mapping.members(of: before), to: mine)
            .filter { merge.same($0, mine[$0], members[$0]) }
        members.take(names, from: theirMembers)
        return resource.mapping.record(members, over: base)
    }

    /// What it refers to was removed before the server knew it, and the edit leaves the reference as it is: sent, it would
    /// name what only this client ever had.
    func isRefusedForReference(_ outgoing: Change, unlessMended record: ObjectRecord) -> Bool {
        guard case .rejected(.dangling(let before?), _) = outgoing.phase else { return false }
        return resource.references.allSatisfy {
            resource.mapping.value($0.field, in: before) == resource.mapping.value($0.field, in: record)
        }
    }

    /// The application deleted the object.
    func delete(_ object: LocalObject, key: String) -> Plan {
        var object = object
        object.meta.revision += 1
        switch object.meta.state {
        case .created(let outgoing, _):
            switch outgoing.phase {
            case .waiting, .rejected, .conflicted:
                return Plan(outcome: .remove, note: "never reached the server")
            case .sending, .unknown:
                object.meta.state = .created(outgoing, deleting: true)
            }
        case .synchronized(let confirmed):
            object.meta.state = .deleted(confirmed, .init(idempotencyKey: key))
        case .updated(let confirmed, let outgoing):
            if case .sending = outgoing.phase {
                object.meta.state = .deleted(confirmed, outgoing)
            } else {
                object.meta.state = .deleted(confirmed, outgoing.followed(by: key))
            }
        case .deleted(let confirmed, let outgoing):
            // As an edit does, it gives what was refused another chance.
            guard case .rejected = outgoing.phase else { return Plan() }
            object.meta.state = .deleted(confirmed, outgoing.afterEdit(key: key))
        }
        object.record = nil
        object.meta.waitsFor = []
        return Plan(outcome: .put(object))
    }
}
