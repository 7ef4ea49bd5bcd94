/// Two sides of one object are joined.
extension ChangeEngine {
    /// Merges and decides the state that follows. A clash keeps the old base, so that all three sides can be shown. Content that
    /// waits is an edit of its member.
    ///
    /// - Parameter stale: what the server may have set since, of theirs.
    func combine(
        _ object: LocalObject, base: ObjectRecord, mine: ObjectRecord, theirs: ObjectRecord, version: String?,
        sequence: Int64, stale: [String] = [], outgoing: Change, confirmed: MetaObject.Confirmed?
    ) -> Plan {
        var object = object
        let (myMembers, theirMembers) = (resource.mapping.members(of: mine), resource.mapping.members(of: theirs))
        let before = resource.mapping.members(of: known(base, outgoing, shown: theirs))
        let result = merge.merge(base: before, mine: myMembers, theirs: theirMembers)
        let contents = weighed(object.meta.uploads, base: base, known: before, mine: myMembers, theirs: theirMembers)
        object.meta.uploads = contents.uploads
        let clashes =
            result.clashes
            + contents.clashes.filter { name in !result.clashes.contains { $0.hasSameBytes(as: name) } }
        var outgoing = Self.forgetting(contents.dropped, in: outgoing, key: outgoing.idempotencyKey)
        let lost = outgoing.lost
        // What is sent no more is no less an edit.
        var joined = result.record
        for name in unsendable(base: base, record: mine) where resource.fixed.contains(name) {
            joined[name] = myMembers[name]
        }
        guard clashes.isEmpty else {
            let note = "both sides changed \(clashes.joined(separator: ", "))"
            if case .rejected(.mistaken, _) = outgoing.phase, let confirmed {
                // Which object, or whether it is deleted, is asked first; who has it tried again is asked about the clash then.
                object.meta.state = .updated(confirmed, outgoing)
                return Plan(outcome: .put(object), note: note)
            }
            var conflict = MetaObject.Conflict(
                .clash(clashes), theirs: theirs, version: version, sequence: sequence)
            conflict.lost = lost
            outgoing.phase = .conflicted(conflict)
            let kept = confirmed ?? .init(base: base, version: version, sequence: sequence, stale: stale)
            object.meta.state = .updated(kept, outgoing)
            return Plan(outcome: .put(object), note: [note, contents.said].compactMap(\.self).joined(separator: "; "))
        }
        object.meta.uploads = based(object.meta.uploads, on: theirs)
        let now = MetaObject.Confirmed(base: theirs, version: version, sequence: sequence, stale: stale)
        let record = keepingEffects(
            of: mine, since: base,
            in: withUnseen(of: mine, since: base, in: resource.mapping.record(joined, over: theirs)), over: theirs)
        let isUnedited = merge.isUnedited(theirMembers, joined) && !isEditedUnseen(record, theirs)
        if isUnedited, object.meta.uploads.isEmpty {
            object.record = theirs
            object.meta.state = .synchronized(now)
        } else {
            switch outgoing.phase {
            // An action that may have happened is not sent again because something else was shown.
            case .rejected, .unknown: break
            case .waiting, .sending, .conflicted: outgoing.phase = lost.map { .unknown($0) } ?? .waiting
            }
            object.record = isUnedited ? theirs : record
            object.meta.state = .updated(now, restated(outgoing, from: base, onto: theirs))
        }
        return Plan(outcome: .put(object), note: contents.said.map { "changed on the server; \($0)" })
    }

    /// A change of one base as the same change of another: of what its attempts have sent only the members count that they
    /// have changed, so the others are as in the base.
    func restated(_ change: Change, from base: ObjectRecord, onto new: ObjectRecord) -> Change {
        func restated(_ sent: ObjectRecord) -> ObjectRecord {
            let members = resource.mapping.members(of: sent)
            return with(merge.changes(from: resource.mapping.members(of: base), to: members), of: sent, new)
        }
        var change = change
        change.unanswered = change.unanswered.map(restated)
        switch change.phase {
        case .sending(var attempt):
            attempt.record = attempt.record.map(restated)
            change.phase = .sending(attempt)
        case .unknown(var attempt):
            attempt.record = attempt.record.map(restated)
            change.phase = .unknown(attempt)
        case .conflicted(var conflict):
            if var lost = conflict.lost {
                lost.record = lost.record.map(restated)
                conflict.lost = lost
            }
            change.phase = .conflicted(conflict)
        case .waiting, .rejected: break
        }
        return change
    }

    /// A base with the members that updates without an answer have brought to the server, as it shows now: its own edits
    /// are no news to a client.
    func known(
        _ base: ObjectRecord, _ outgoing: Change, shown theirs: ObjectRecord
    ) -> ObjectRecord {
        let tries = tries(of: outgoing, from: base)
        guard !tries.isEmpty else { return base }
        var members = resource.mapping.members(of: base)
        let theirMembers = resource.mapping.members(of: theirs)
        for sent in tries {
            members.take(sent.names.filter { sent.hasSet($0, in: theirMembers, merge) }, from: theirMembers)
        }
        return resource.mapping.record(members, over: base)
    }

    /// What was edited here, with the texts as the server has tidied them that an update without an answer has brought there: these
    /// are taken, and do not go once more.
    func withTidied(
        _ mine: ObjectRecord, since base: ObjectRecord, _ outgoing: Change, shown theirs: ObjectRecord
    ) -> ObjectRecord {
        let tries = tries(of: outgoing, from: base)
        guard !tries.isEmpty else { return mine }
        let (here, there) = (resource.mapping.members(of: mine), resource.mapping.members(of: theirs))
        let names = edited(from: base, to: mine).filter { name in
            // What another try has sent as it is shown may be of that one.
            tries.contains { merge.same(name, $0.members[name], here[name]) && $0.hasSetTidied(name, in: there) }
                && !tries.contains { merge.same(name, $0.members[name], there[name]) }
        }
        return with(names, of: theirs, mine)
    }

    /// `edited`, which was made from `old`, made from `new` instead: what it changed stays its own, also where both
    /// changed it.
    func rebase(_ edited: ObjectRecord, from old: ObjectRecord, onto new: ObjectRecord) -> ObjectRecord {
        var rules = resource.conflict
        rules.policy = .mine
        rules.fields = [:]
        let joined = ThreeWayMerge(resource, under: rules).merge(
            base: resource.mapping.members(of: old), mine: resource.mapping.members(of: edited),
            theirs: resource.mapping.members(of: new))
        return keepingEffects(
            of: edited, since: old, in: resource.mapping.record(joined.record, over: new), over: new)
    }
}
