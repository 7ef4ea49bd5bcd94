/// Decides what becomes of one object. Pure: no clock, no randomness, no I/O; the caller passes time and identifiers in
/// and stores what comes out in the transaction that read the object.
struct Planner {
    let resource: Resource
    let merge: ThreeWayMerge
    /// What is here already under another identifier that an answer gives the object.
    var named: LocalObject?
    /// Another create of this client has become that.
    var isNamedByOther = false
    /// Identifiers of what other creates of this client have become.
    var others: Set<ScalarText> = []
    /// Somebody waits for the answer, and is told what was left out: nothing of it is queued.
    var isSynchronous = false
    /// Another create of this client that was not answered has the same look-up value; false where that decides nothing.
    var hasTwin = false
    /// How long a request may be on its way.
    var timeout = Duration.zero

    init(_ resource: Resource) {
        self.resource = resource
        self.merge = ThreeWayMerge(resource)
    }

    /// What to do with an object.
    struct Plan: Equatable {
        /// What it becomes; nil to leave it as it is.
        var outcome: Outcome = .keep
        /// What has to be asked of the server next.
        var followUp: FollowUp?
        /// For the log and for people: why.
        var note: String?
        /// The server has done what this says.
        var confirmed: Verb?
        /// Members of the change that the server took note of and left as they were.
        var ignored: [String] = []
        /// A create that was taken for done is not known to be, or an update has changed nothing.
        var isDisproved = false
        /// The base is the answer to a create: whatever else the server has shown of the object is as new, or newer.
        var isAsCreated = false

        enum Outcome: Equatable {
            case keep
            case put(LocalObject)
            case remove
        }

        enum FollowUp: Equatable {
            /// GET the object and merge what comes.
            case read
            /// The same after a write whose answer says too little; `before` is the base that the change was made to, nil for
            /// that of a create.
            case readBack(sent: ObjectRecord, before: ObjectRecord?)
            /// GET the object, to be sure that it is gone.
            case confirmGone
            /// GET an object whose delete was accepted, to be sure that it is gone. `isBegun`: it may be done later.
            case confirmDelete(isBegun: Bool)
            /// GET an object whose delete is refused, and may have been done by another try.
            case confirmRefused
            /// Ask whether the create has happened.
            case lookUp
        }
    }

    // MARK: What the server shows

    /// A representation came from a list, a GET or a live update.
    func remote(_ theirs: Representation, over object: LocalObject?, uri: ObjectURI, key: String) -> Plan {
        var theirs = theirs.completed(over: object?.meta.lastShown)
        if theirs.isRenamed, object?.meta.outgoing != nil {
            // What was edited under the old identifier may be meant for what has the new one, or not.
            theirs.record = nil
            theirs.id = nil
            theirs.isRenamed = false
        }
        guard var object else {
            guard let record = theirs.record, let id = theirs.id else { return Plan() }
            let confirmed = MetaObject.Confirmed(base: record, version: theirs.version, sequence: theirs.sequence)
            return Plan(
                outcome: .put(
                    LocalObject(record: record, meta: MetaObject(uri: uri, id: id, state: .synchronized(confirmed)))))
        }
        var isRewritten = false
        if let id = theirs.id, !object.meta.isLocalOnly {
            isRewritten = theirs.isRenamed || self.isRewritten(id, of: object.meta)
            // A link has said the identifier before, and not whether it is a number.
            if isRewritten || id.text == object.meta.id.text { object.meta.id = id }
        }
        if let plan = tooEarly(theirs, object.meta) { return plan }
        var plan: Plan
        switch object.meta.state {
        case .created: return shownNew(theirs, of: object, key: key)
        case .synchronized(let confirmed): plan = synchronized(object, confirmed, theirs)
        case .updated(let confirmed, let outgoing):
            if let unverified = outgoing.unverified {
                let isPart = theirs.isPartial && theirs.record != nil && resource.read.shape != .partial
                guard !isPart || !resource.read.isOffered else {
                    return Plan(followUp: .read, note: "a part of what a read is to show; asked for as a whole")
                }
                plan = readBack(
                    theirs, sent: unverified.sent, before: unverified.before, over: object, uri: uri, key: key)
            } else {
                plan = updated(object, confirmed, outgoing, theirs, key: key)
            }
        case .deleted(let confirmed, let outgoing): plan = deleted(object, confirmed, outgoing, theirs)
        }
        if isRewritten, plan.outcome == .keep { plan.outcome = .put(object) }
        return plan
    }

    /// What was shown of an object that is newer here, or on the wire; nil for anything else.
    private func tooEarly(_ theirs: Representation, _ meta: MetaObject) -> Plan? {
        if let confirmed = meta.confirmed {
            let isEarlier = theirs.sequence < confirmed.sequence
            switch resource.version.order(theirs.version, confirmed.version) {
            case .less: return Plan(note: "an older version than the one that is known; ignored")
            case .equal where isEarlier: return Plan()
            case nil where isEarlier:
                return Plan(followUp: .read, note: "requested before the last answer; asked for again")
            case .equal, .greater, nil: break
            }
        }
        guard case .sending = meta.outgoing?.phase else { return nil }
        return Plan(followUp: .read, note: "a push is on the wire; asked for again after it")
    }

    /// What is shown of an object whose create the server has not confirmed.
    private func shownNew(_ theirs: Representation, of object: LocalObject, key: String) -> Plan {
        if theirs.isTelling, let plan = shownNamed(theirs, of: object, key: key) { return plan }
        guard resource.assigned == .client, theirs.record != nil else { return Plan(note: "not on the server yet") }
        // At the identifier that the client chose: the create whose answer was lost has happened.
        guard object.meta.outgoing?.lostCreate == nil else {
            return lookedUp(theirs, of: object, arrival: theirs.sequence, key: key)
        }
        return met(theirs, by: object, key: key)
    }

    /// Whether the server keeps the identifier in capitals, or in small letters, other than it is known here: lists show it so,
    /// and there must not be two objects of it.
    private func isRewritten(_ id: ObjectID, of meta: MetaObject) -> Bool {
        !resource.isUniquePerParent && id.text != meta.id.text && id.text.lowercased() == meta.id.text.lowercased()
    }

    private func synchronized(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ theirs: Representation
    ) -> Plan {
        guard let record = theirs.record else { return Plan(outcome: .remove, note: "deleted on the server") }
        if record == confirmed.base, theirs.version == confirmed.version { return Plan() }
        var object = object
        object.record = record
        object.meta.state = .synchronized(
            .init(base: record, version: theirs.version, sequence: max(theirs.sequence, confirmed.sequence)))
        return Plan(outcome: .put(object))
    }

    private func updated(
        _ present: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change,
        _ theirs: Representation, key: String
    ) -> Plan {
        guard let mine = present.record else { return Plan() }
        var object = present
        guard let record = theirs.record else {
            return gone(object, confirmed, outgoing, sequence: theirs.sequence, key: key)
        }
        var outgoing = outgoing
        if isShownAgain(record, outgoing) {
            // Refused each time: what the person was shown again gives no reason to try once more.
            var confirmed = confirmed
            confirmed.sequence = max(theirs.sequence, confirmed.sequence)
            object.meta.state = .updated(confirmed, outgoing)
            return Plan(outcome: .put(object))
        }
        // What is sent next is not what this key has gone with.
        if outgoing.phase == .waiting, !isSame(record, confirmed.base) { outgoing.idempotencyKey = key }
        return combine(
            object, base: confirmed.base, mine: mine, theirs: record, version: theirs.version,
            sequence: max(theirs.sequence, confirmed.sequence), outgoing: outgoing, confirmed: confirmed)
    }

    private func deleted(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change,
        _ theirs: Representation
    ) -> Plan {
        guard let record = theirs.record else { return Plan(outcome: .remove, note: "deleted on both sides") }
        var object = object
        if isShownAgain(record, outgoing) {
            var confirmed = confirmed
            confirmed.sequence = max(theirs.sequence, confirmed.sequence)
            object.meta.state = .deleted(confirmed, outgoing)
            return Plan(outcome: .put(object))
        }
        let now = MetaObject.Confirmed(
            base: record, version: theirs.version, sequence: max(theirs.sequence, confirmed.sequence))
        if isUntouched(theirs, since: confirmed) || isOwn(record, confirmed.base, outgoing) {
            object.meta.state = .deleted(now, outgoing.undisputed)
            return Plan(outcome: .put(object))
        }
        switch resource.conflict.deletedHere {
        case .delete:
            object.meta.state = .deleted(now, outgoing.undisputed)
            return Plan(outcome: .put(object), note: "edited on the server; the delete goes on")
        case .recreate:
            object.record = record
            object.meta.state = .synchronized(now)
            return Plan(outcome: .put(object), note: "edited on the server; the delete was taken back")
        case .ask:
            var outgoing = outgoing
            outgoing.phase = .conflicted(
                .init(.deletion, theirs: record, version: theirs.version, sequence: theirs.sequence))
            object.meta.state = .deleted(confirmed, outgoing)
            return Plan(outcome: .put(object), note: "deleted here, edited on the server")
        }
    }

    /// Whether the server shows what a person was asked about already. Its version does not count: a list may show none, and
    /// some servers make another one for each answer.
    private func isShownAgain(_ record: ObjectRecord, _ outgoing: Change) -> Bool {
        guard case .conflicted(let conflict) = outgoing.phase, [.deletion, .refusedEachTime].contains(conflict.cause)
        else { return false }
        return conflict.theirs.map { isSame($0, record) } == true
    }

    /// Deleted there, edited here.
    private func gone(
        _ object: LocalObject, _ confirmed: MetaObject.Confirmed, _ outgoing: Change, sequence: Int64,
        key: String
    ) -> Plan {
        var object = object
        switch resource.conflict.deletedThere {
        case .delete:
            return Plan(outcome: .remove, note: "deleted on the server; the edit was dropped as the policy says")
        case .recreate:
            object.meta.state = .created(
                .anew(key: key, after: sequence, previous: confirmed.base), deleting: false)
            return Plan(outcome: .put(object), note: "deleted on the server; created anew as the policy says")
        case .ask:
            var outgoing = outgoing
            outgoing.phase = .conflicted(.init(.deletion, theirs: nil, version: nil, sequence: sequence))
            object.meta.state = .updated(confirmed, outgoing)
            return Plan(outcome: .put(object), note: "edited here, deleted on the server")
        }
    }

    // MARK: Joining two sides

    /// Merges and decides the state that follows. A clash keeps the old base, so that all three sides can be shown.
    func combine(
        _ object: LocalObject, base: ObjectRecord, mine: ObjectRecord, theirs: ObjectRecord, version: String?,
        sequence: Int64, outgoing: Change, confirmed: MetaObject.Confirmed?
    ) -> Plan {
        var object = object
        let theirMembers = resource.mapping.members(of: theirs)
        let result = merge.merge(
            base: resource.mapping.members(of: known(base, outgoing, shown: theirs)),
            mine: resource.mapping.members(of: mine), theirs: theirMembers)
        var outgoing = outgoing
        let lost = outgoing.lost
        // What is sent no more is no less an edit.
        let myMembers = resource.mapping.members(of: mine)
        var joined = result.record
        for name in unsendable(base: base, record: mine) where resource.fixed.containsSameBytes(as: name) {
            joined[name] = myMembers[name]
        }
        guard result.clashes.isEmpty else {
            var conflict = MetaObject.Conflict(
                .clash(result.clashes), theirs: theirs, version: version, sequence: sequence)
            conflict.lost = lost
            outgoing.phase = .conflicted(conflict)
            let kept = confirmed ?? .init(base: base, version: version, sequence: sequence)
            object.meta.state = .updated(kept, outgoing)
            return Plan(
                outcome: .put(object), note: "both sides changed \(result.clashes.joined(separator: ", "))")
        }
        let now = MetaObject.Confirmed(base: theirs, version: version, sequence: sequence)
        let isUnedited = merge.isUnedited(theirMembers, joined)
        if isUnedited, object.meta.uploads.isEmpty {
            object.record = theirs
            object.meta.state = .synchronized(now)
        } else {
            switch outgoing.phase {
            // An action that may have happened is not sent again because something else was shown.
            case .rejected, .unknown: break
            case .waiting, .sending, .conflicted: outgoing.phase = lost.map { .unknown($0) } ?? .waiting
            }
            object.record = isUnedited ? theirs : resource.mapping.record(joined, over: theirs)
            object.meta.state = .updated(now, outgoing)
        }
        return Plan(outcome: .put(object))
    }

    /// A base with the members that updates without an answer have brought to the server, as it shows now: its own edits
    /// are no news to a client.
    func known(
        _ base: ObjectRecord, _ outgoing: Change, shown theirs: ObjectRecord
    ) -> ObjectRecord {
        var tries = outgoing.unanswered
        if let last = outgoing.lost, last.upload == nil, let record = last.record { tries.append(record) }
        guard !tries.isEmpty else { return base }
        var members = resource.mapping.members(of: base)
        let theirMembers = resource.mapping.members(of: theirs)
        for sent in tries.map(resource.mapping.members) {
            let names = merge.changes(from: resource.mapping.members(of: base), to: sent)
            members.take(names.filter { merge.same($0, sent[$0], theirMembers[$0]) }, from: theirMembers)
        }
        return resource.mapping.record(members, over: base)
    }

    /// Whether nobody has edited what is to be deleted. What the server alone decides is nobody's edit; nor is a member
    /// that the base lacks, which may only not be shown in lists, unless a list shows it now, or another version is there.
    func isUntouched(_ shown: Representation, since confirmed: MetaObject.Confirmed) -> Bool {
        guard let record = shown.record else { return false }
        let (base, theirs) = (resource.mapping.members(of: confirmed.base), resource.mapping.members(of: record))
        let hasOtherVersion = shown.version.map { $0 != confirmed.version && confirmed.version != nil } ?? false
        let names = shown.isListed || hasOtherVersion ? base.names + theirs.names : base.names
        let fixed = resource.fixed
        return names.allSatisfy { fixed.containsSameBytes(as: $0) || merge.same($0, base[$0], theirs[$0]) }
    }

    /// Whether nothing has changed there since the base but what updates without an answer have done, with the members that
    /// the server alone decides.
    func isOwn(_ shown: ObjectRecord, _ base: ObjectRecord, _ outgoing: Change) -> Bool {
        guard !outgoing.unanswered.isEmpty else { return false }
        var theirs = resource.mapping.members(of: shown)
        var ours = resource.mapping.members(of: known(base, outgoing, shown: shown))
        for name in resource.fixed { (theirs[name], ours[name]) = (nil, nil) }
        return merge.same(ours, theirs)
    }

    /// `edited`, which was made from `old`, made from `new` instead: what it changed stays its own, also where both
    /// changed it.
    func rebase(_ edited: ObjectRecord, from old: ObjectRecord, onto new: ObjectRecord) -> ObjectRecord {
        var rules = resource.conflict
        rules.policy = .mine
        rules.fields = [:]
        let joined = ThreeWayMerge(fields: resource.fields, conflict: rules, readonly: resource.fixed).merge(
            base: resource.mapping.members(of: old), mine: resource.mapping.members(of: edited),
            theirs: resource.mapping.members(of: new))
        return resource.mapping.record(joined.record, over: new)
    }

    func isSame(_ left: ObjectRecord, _ right: ObjectRecord) -> Bool {
        left == right || merge.same(resource.mapping.members(of: left), resource.mapping.members(of: right))
    }

    /// Whether an edit leaves nothing to be sent. Other than ``isSame(_:_:)`` it tells `10` from `10.00`.
    func isUnedited(_ record: ObjectRecord, _ base: ObjectRecord) -> Bool {
        record == base
            || merge.isUnedited(resource.mapping.members(of: base), resource.mapping.members(of: record))
    }
}
