/// Members that this client's own requests have set on the server, or may have, other than by an edit that waits here: by content,
/// by a save or an action that was sent at once. Until the server has shown them again, what is known of them is from before.
extension ChangeEngine {
    /// The server has taken content, or may have, and sets the member itself.
    ///
    /// - Parameter arrival: what was requested earlier shows the member as it was.
    func makeStale(_ member: String, of object: inout LocalObject, at arrival: Int64) {
        // What refers to the content is an edit of its own.
        guard !setsMember(member) else { return }
        makeStale([member], of: &object, at: arrival)
    }

    private func makeStale(_ members: [String], of object: inout LocalObject, at arrival: Int64) {
        object.meta.uploads = unbased(object.meta.uploads, of: members)
        guard var confirmed = object.meta.confirmed else { return }
        confirmed.stale += members.filter { !confirmed.isStale($0) }
        confirmed.sequence = max(confirmed.sequence, arrival)
        object.meta.confirmed = confirmed
    }

    /// A save, or an action, that was sent at once got no answer: the object stays as it was, and what the server shows of what
    /// was sent is nobody else's change. Where no single objects are read, nothing would show that.
    ///
    /// - Parameters:
    ///   - sent: what was sent.
    ///   - marked: the object that it was made from.
    ///   - arrival: what was requested earlier may show the members as they were.
    func unanswered(
        _ sent: Attempt, from marked: LocalObject, over object: LocalObject, arrival: Int64, key: String
    ) -> LocalObject {
        guard resource.read.isOffered, let record = sent.record, let before = marked.meta.confirmed?.base,
            let base = object.meta.confirmed?.base
        else { return object }
        let names = edited(from: before, to: record)
        guard !names.isEmpty else { return object }
        var (object, sent) = (owingRead(of: object, key: key), sent)
        sent.record = with(names, of: record, base)
        // What a queued update has sent without an answer is an edit of its own, also where it was taken back since.
        let queued = tries(of: object.meta.outgoing, from: base)
        makeStale(names.filter { name in !queued.contains { $0.changes(name) } }, of: &object, at: arrival)
        object.meta.outgoing?.remember(sent)
        if object.meta.outgoing?.unverified?.isRead == true { object.meta.outgoing?.evidence.lose() }
        return object
    }

    /// What one try without an answer may have set.
    struct Try {
        var base: Value.Members
        var members: Value.Members
        /// The members that it has changed.
        var names: [String]

        func changes(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }

        /// Whether what is shown has the value that it has changed the member to.
        func hasSet(_ name: String, in shown: Value.Members, _ merge: ThreeWayMerge) -> Bool {
            changes(name) && merge.same(name, members[name], shown[name]) || hasSetTidied(name, in: shown)
        }

        /// Whether what is shown has the text that it has changed the member to, as the server has tidied it. Of an edit that
        /// changes nothing but what servers tidy nothing shows that.
        func hasSetTidied(_ name: String, in shown: Value.Members) -> Bool {
            changes(name) && ChangeEngine.isNormalized(members[name], to: shown[name])
                && !ChangeEngine.isNormalized(members[name], to: base[name])
        }
    }

    func tries(of change: Change?, from base: ObjectRecord) -> [Try] {
        let old = resource.mapping.members(of: base)
        return (change?.tries ?? []).map { record in
            let members = resource.mapping.members(of: record)
            return Try(base: old, members: members, names: merge.changes(from: old, to: members))
        }
    }

    /// An object whose edit sets stale members to what is known of them: a save, or an action, without an answer may have set them
    /// to something else, which has to be taken back there then, as what a queued update has sent.
    ///
    /// - Parameter names: the members that the edit sets.
    func settingBack(_ names: [String], _ object: LocalObject) -> LocalObject {
        guard var confirmed = object.meta.confirmed, !confirmed.stale.isEmpty, let record = object.record else {
            return object
        }
        let (old, mine) = (resource.mapping.members(of: confirmed.base), resource.mapping.members(of: record))
        let lost = tries(of: object.meta.outgoing, from: confirmed.base)
        confirmed.stale.removeAll { name in
            names.contains { $0.hasSameBytes(as: name) } && merge.same(name, old[name], mine[name])
                && lost.contains { $0.changes(name) }
        }
        var object = object
        object.meta.confirmed = confirmed
        return object
    }

    /// Whether an edit sets stale members back, see ``settingBack(_:_:)``.
    func setsBack(_ changes: [(name: String, value: Value?)], in object: LocalObject) -> Bool {
        guard let record = object.record else { return false }
        var (wanted, members) = (object, resource.mapping.members(of: record))
        members.set(changes)
        wanted.record = resource.mapping.record(members, over: record)
        return settingBack(changes.map(\.name), wanted) != wanted
    }

    /// Whether the server sets a member for content.
    private func isOfContent(_ member: String) -> Bool {
        resource.attachment(member)?.upload.map { !$0.setsMember } == true
    }

    /// What the server shows, with what is known of the members that it leaves out, and with those of them that are stale.
    func completed(_ theirs: Representation, over object: LocalObject?) -> Representation {
        let known = object?.meta.lastShown
        var whole = theirs.completed(over: known, resource.mapping)
        guard theirs.stale == nil, let record = theirs.record, let confirmed = object?.meta.confirmed else {
            return whole
        }
        let shown = resource.mapping.members(of: record)
        guard theirs.sequence >= confirmed.sequence else {
            // What was asked for earlier shows of a save what that has sent, or nothing.
            let lost = tries(of: object?.meta.outgoing, from: confirmed.base)
            whole.stale = confirmed.stale.filter { name in !lost.contains { $0.hasSet(name, in: shown, merge) } }
            return whole
        }
        // A page of a list that leaves members out was completed before: what says nothing new may not be shown there.
        let isCompleted = theirs.isListed && resource.list.shape == .partial
        let before = known.map(resource.mapping.members) ?? [:]
        whole.stale = confirmed.stale.filter { name in
            if theirs.isPartial { return shown[name] == nil }
            return isCompleted && merge.same(name, shown[name], before[name])
        }
        return whole
    }

    /// An object whose stale members are known again, as far as the server shows them, with those that the request which is
    /// answered has set: what they were before is no base of another's change, and no edit of this client.
    func refreshed(_ object: LocalObject, by theirs: Representation) -> LocalObject {
        guard var confirmed = object.meta.confirmed, !confirmed.stale.isEmpty || !theirs.own.isEmpty,
            let record = theirs.record
        else { return object }
        let left = theirs.stale ?? []
        let told = confirmed.stale.filter { name in !left.contains { $0.hasSameBytes(as: name) } }
        guard !told.isEmpty || !theirs.own.isEmpty else { return object }
        var object = object
        let before = confirmed.base
        let lost = tries(of: object.meta.outgoing, from: before)
        let theirMembers = resource.mapping.members(of: record)
        // Of a save without an answer only what it has sent is its own; what else is there now, it has not brought.
        let shown =
            theirs.own
            + told.filter { name in
                !theirs.own.contains { $0.hasSameBytes(as: name) }
                    && (isOfContent(name) || lost.contains { $0.hasSet(name, in: theirMembers, merge) })
            }
        let others = told.filter { name in !shown.contains { $0.hasSameBytes(as: name) } }
        if var outgoing = object.meta.outgoing, !others.isEmpty {
            outgoing.unanswered = outgoing.unanswered.map { without(others, $0, as: before) }
            object.meta.outgoing = outgoing
        }
        if let mine = object.record {
            let (old, present) = (resource.mapping.members(of: before), resource.mapping.members(of: mine))
            object.record = with(shown.filter { merge.same($0, old[$0], present[$0]) }, of: record, mine)
        }
        confirmed.base = with(shown, of: record, before)
        confirmed.stale = left
        object.meta.confirmed = confirmed
        object.meta.outgoing = object.meta.outgoing.map { restated($0, from: before, onto: confirmed.base) }
        return object
    }

    /// An object as it was seen, with what this client's own requests are known by now to have set in it: that is nobody else's
    /// change, and no edit made since.
    func caughtUp(_ seen: LocalObject, with object: LocalObject) -> LocalObject {
        guard let now = object.meta.confirmed else { return seen }
        var shown = Representation(record: now.base, version: now.version, sequence: now.sequence)
        shown.stale = now.stale
        return refreshed(seen, by: shown)
    }

    /// An object of which a read has to show what the server has made of content, of a save without an answer, or of a create
    /// that a list has shown in part: the read can fail, and the process can end before it.
    func owingRead(of object: LocalObject, key: String) -> LocalObject {
        guard resource.read.isOffered, let base = object.meta.confirmed?.base else { return object }
        var object = object
        var change = Change(idempotencyKey: key)
        switch object.meta.state {
        case .synchronized: break
        case .updated(_, let outgoing):
            guard outgoing.phase == .waiting, outgoing.unverified == nil else { return object }
            change = outgoing
        case .created, .deleted: return object
        }
        change.unverified = .read(over: base)
        if let confirmed = object.meta.confirmed { object.meta.state = .updated(confirmed, change) }
        return object
    }

    /// Whether nothing of an object waits but the read that it owes, see ``owingRead(of:key:)``.
    func owesReadAlone(_ object: LocalObject) -> Bool {
        guard case .updated(let confirmed, let outgoing) = object.meta.state, outgoing.unverified?.isRead == true,
            outgoing.phase == .waiting, object.meta.uploads.isEmpty, let record = object.record
        else { return false }
        // What may be there otherwise and is no stale member was set back here.
        let isSetBack = tries(of: outgoing, from: confirmed.base).contains { !$0.names.allSatisfy(confirmed.isStale) }
        return !isSetBack && isUnedited(record, confirmed.base)
    }

    /// The read that an object owes shows another one at its address. Nothing was edited here that could be meant for that
    /// one, so the debt ends: as of any other object a whole list tells what has become of it.
    func readElsewhere(_ object: LocalObject) -> Plan {
        guard owesReadAlone(object), let confirmed = object.meta.confirmed else { return Plan() }
        var object = object
        object.record = confirmed.base
        object.meta.state = .synchronized(confirmed)
        return Plan(
            outcome: .put(object), note: "the server shows another object there; a pull of everything tells more")
    }

    /// Whether an update would carry members as they were before content of this client.
    func mustRefresh(_ object: LocalObject) -> Bool {
        guard resource.read.isOffered, let stale = object.meta.confirmed?.stale, !stale.isEmpty else { return false }
        return resource.update.body == .whole || stale.contains { resource.update.with.contains($0) }
    }
}
