/// What a person decides.
extension ChangeEngine {
    /// What a person decided.
    ///
    /// - Throws: ``SyncError`` `wrongState`.
    func resolve(
        _ object: LocalObject, _ resolution: Synchronizer.Resolution, sequence: Int64, key: String
    ) throws -> Plan {
        if case .resend = resolution { return try resend(object, sequence: sequence, key: key) }
        guard case .conflicted(let conflict) = object.meta.outgoing?.phase else {
            throw SyncError(code: .wrongState, message: "\(object.uri) is not conflicted")
        }
        switch resolution {
        case .theirs:
            guard !conflict.fields.isEmpty, let joined = joined(object, conflict, theirs: true) else {
                var object = object
                // What another has the lease of is left as it is: the contents go with the edits.
                if conflict.retryAt != nil { object.meta.uploads = [] }
                return Self.accept(conflict, of: object)
            }
            return insist(joined, withoutContents(object, of: conflict.fields), conflict, key: key)
        case .mine:
            return insist(joined(object, conflict, theirs: false) ?? object.record, object, conflict, key: key)
        case .both(let others):
            let changes = try bothTexts(object, conflict, others)
            return try self.resolve(object, .set(changes), sequence: sequence, key: key)
        case .set(let changes):
            guard let theirs = conflict.theirs else {
                throw SyncError(
                    code: .wrongState,
                    message:
                        "\(object.uri) was deleted on the server, so there is nothing of theirs to set members of; "
                        + "“mine” creates it anew, to be edited then, and “theirs” lets it go")
            }
            let record = joined(object, conflict, theirs: true) ?? theirs
            let names = changes.map(\.name)
            try requireKnown(names, of: object, conflict, theirs)
            let members = try resource.setting(changes, in: resource.mapping.members(of: record), of: object.uri)
            // Content of which nothing is said is no value: it waits on, and goes over theirs.
            let kept = withoutContents(object, of: names)
            return insist(resource.mapping.record(members, over: record), kept, conflict, key: key)
        case .adopt, .resend: return Plan()
        }
    }

    /// An object without the contents that wait for members which shall be something else.
    private func withoutContents(_ object: LocalObject, of members: [String]) -> LocalObject {
        let names = Set(members.map { ScalarText($0) })
        var object = object
        object.meta.uploads.removeAll { replaces($0) && names.contains(ScalarText($0.member)) }
        return object
    }

    /// The values that keep both texts of each member that clashes.
    ///
    /// - Parameter others: values of members that need not be texts.
    /// - Throws: ``SyncError`` `invalidRecord` for a member that has no text on one side and no value, `wrongState` for
    ///   an object that one side has deleted.
    private func bothTexts(
        _ object: LocalObject, _ conflict: MetaObject.Conflict, _ others: [(name: String, value: Value?)]
    ) throws -> [(name: String, value: Value?)] {
        guard let mine = object.record, let theirs = conflict.theirs, !conflict.fields.isEmpty else {
            throw SyncError(
                code: .wrongState,
                message: "\(object.uri) has no member that clashes, of which both could be kept; choose mine or theirs")
        }
        let (mineMembers, theirMembers) = (resource.mapping.members(of: mine), resource.mapping.members(of: theirs))
        var changes = others
        let isGiven = Set(others.map { ScalarText($0.name) })
        for field in conflict.fields where !isGiven.contains(ScalarText(field)) {
            if let waiting = contested(in: object).last(where: { $0.member.hasSameBytes(as: field) }) {
                throw SyncError(
                    code: .invalidRecord,
                    message: "\(field.quoted) of \(object.uri) is no text on both sides: content waits for it "
                        + "(\(waiting.fileName)); choose mine or theirs, or say which value it shall have")
            }
            guard let ours = mineMembers[field]?.string, let other = theirMembers[field]?.string else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "\(field.quoted) of \(object.uri) is no text on both sides, so both cannot be kept; say "
                        + "which value it shall have")
            }
            changes.append((field, .string(LineMerge.union(of: other, and: ours))))
        }
        return changes
    }

    /// A decision cannot be taken back, so it has to be about members that there are, and about one that clashes, unless content
    /// waits for all that do.
    ///
    /// - Throws: ``SyncError`` `invalidRecord`.
    private func requireKnown(
        _ names: [String], of object: LocalObject, _ conflict: MetaObject.Conflict, _ theirs: ObjectRecord
    ) throws {
        let records = [theirs, object.record, object.meta.confirmed?.base].compactMap { $0 }
        let seen = records.flatMap { resource.mapping.members(of: $0).names }
        let known = Set((seen + resource.namedMembers + conflict.fields).map { ScalarText($0) })
        let clashing = conflict.fields.map(\.quoted).joined(separator: ", ")
        for name in names where !known.contains(ScalarText(name)) {
            let names = known.sorted().map(\.text)
            let near = NearestName.of(name, among: names).map { "; did you mean \($0.quoted)?" } ?? ""
            let clash = clashing.isEmpty ? "" : "; what clashes is \(clashing)"
            throw SyncError(
                code: .invalidRecord, message: "\(object.uri) has no \(name.quoted)\(near.isEmpty ? clash : near)")
        }
        let clashes = Set(conflict.fields.map { ScalarText($0) })
        let waiting = Set(contested(in: object).map { ScalarText($0.member) })
        guard waiting.isSuperset(of: clashes) || names.contains(where: { clashes.contains(ScalarText($0)) }) else {
            throw SyncError(
                code: .invalidRecord,
                message:
                    "\(names.map(\.quoted).joined(separator: ", ")) of \(object.uri) does not clash, so nothing is "
                    + "decided by it; set \(clashing), or decide first and edit then")
        }
    }

    /// Both sides' edits with one side's values for the members that clash; nil where one side deleted the object.
    func joined(_ object: LocalObject, _ conflict: MetaObject.Conflict, theirs: Bool) -> ObjectRecord? {
        guard let base = object.meta.confirmed?.base, let outgoing = object.meta.outgoing, let mine = object.record,
            let other = conflict.theirs
        else { return nil }
        let others = resource.mapping.members(of: other)
        let before = resource.mapping.members(of: known(base, outgoing, shown: other))
        let own = resource.mapping.members(of: mine)
        var result = merge.merge(base: before, mine: own, theirs: others)
        if theirs {
            // Decided for what was shown; an edit that clashes since is newer than that.
            let clashing = Set(result.clashes.map { ScalarText($0) })
            let decided = merge.taking(theirs: conflict.fields.filter { clashing.contains(ScalarText($0)) })
            result = decided.merge(base: before, mine: own, theirs: others)
        }
        return withUnseen(of: mine, since: base, in: resource.mapping.record(result.record, over: other))
    }

    /// Theirs replaces mine.
    static func accept(_ conflict: MetaObject.Conflict, of object: LocalObject) -> Plan {
        guard let theirs = conflict.theirs else { return Plan(outcome: .remove) }
        var object = object
        object.record = theirs
        let confirmed = MetaObject.Confirmed(
            base: theirs, version: conflict.version, sequence: conflict.sequence,
            stale: object.meta.confirmed?.stale ?? [])
        object.meta.state = .synchronized(confirmed)
        if let lost = conflict.lost, lost.upload != nil, !object.meta.uploads.isEmpty {
            object.meta.state = .updated(confirmed, Self.lost(lost, key: object.meta.outgoing?.idempotencyKey ?? ""))
        }
        return Plan(outcome: .put(object))
    }

    /// Mine goes over theirs, which becomes the base.
    private func insist(
        _ mine: ObjectRecord?, _ object: LocalObject, _ conflict: MetaObject.Conflict, key: String
    ) -> Plan {
        var object = object
        object.meta.revision += 1
        guard let theirs = conflict.theirs else {
            object.meta.uploads = unbased(object.meta.uploads)
            object.record = mine
            let previous = object.meta.confirmed?.base
            object.meta.state = .created(
                .anew(key: key, after: conflict.sequence, previous: previous), deleting: false)
            return Plan(outcome: .put(object))
        }
        let (before, stale) = (object.meta.confirmed?.base, object.meta.confirmed?.stale ?? [])
        object.meta.uploads = based(object.meta.uploads, on: theirs)
        let confirmed = MetaObject.Confirmed(
            base: theirs, version: conflict.version, sequence: conflict.sequence, stale: stale)
        guard let mine else {
            object.meta.state = .deleted(confirmed, .init(idempotencyKey: key))
            return Plan(outcome: .put(object))
        }
        object.record = mine
        let isDone = isUnedited(mine, theirs) && (conflict.lost?.upload == nil || object.meta.uploads.isEmpty)
        // What may have happened already does not go again for what was decided about other members.
        var next = conflict.lost.map { Self.lost($0, key: key) } ?? Change(idempotencyKey: key)
        if let before { next = restated(next, from: before, onto: theirs) }
        object.meta.state = isDone ? .synchronized(confirmed) : .updated(confirmed, next)
        return Plan(outcome: .put(object))
    }

    /// A change whose action or upload was sent without an answer.
    private static func lost(_ sent: Attempt, key: String) -> Change {
        Change(phase: .unknown(sent), idempotencyKey: key, evidence: .inDoubt(isLookedFor: false))
    }

    // MARK: Another try, and none

    /// A refused or failed change that is to be tried again.
    ///
    /// - Parameter engine: by the rules of its entity; nil where the route file does not have it any more.
    /// - Throws: ``SyncError`` `wrongState` where nothing waits, or a person must decide first.
    static func retried(_ given: LocalObject, key: String, by engine: ChangeEngine?) throws -> LocalObject {
        var object = given
        guard var outgoing = object.meta.outgoing else {
            throw SyncError(code: .wrongState, message: "\(object.uri) has nothing to send")
        }
        switch outgoing.phase {
        case .rejected(.dangling, _), .rejected(.invalid, _):
            throw SyncError(
                code: .wrongState, message: outgoing.lastError?.message ?? "\(object.uri) refers to a removed object")
        case .rejected:
            object = engine?.withoutUnsendable(object) ?? object
            outgoing.phase = .waiting
            // A server that knows the key would repeat its refusal.
            outgoing.idempotencyKey = key
        case .waiting, .sending: break
        case .unknown where outgoing.retry.due != nil: break
        case .unknown, .conflicted:
            throw SyncError(
                code: .wrongState, message: "\(object.uri) waits for a decision; resolve it instead of retrying")
        }
        outgoing.retry = Retry()
        object.meta.outgoing = outgoing
        return object
    }

    /// What was edited here is dropped; an object that the server does not know vanishes. Of what the server may have all the
    /// same a read is owed: a list can have shown that while it was on the wire, and shows it no more.
    ///
    /// - Parameter engine: by the rules of its entity; nil where the route file does not have it any more.
    /// - Throws: ``SyncError`` `wrongState` for a create that is on the wire: the server may have it.
    static func discarded(_ given: LocalObject, makeKey: () -> String, by engine: ChangeEngine?) throws -> Plan {
        var object = given
        guard let confirmed = object.meta.confirmed else {
            if case .sending? = object.meta.outgoing?.phase {
                throw SyncError(
                    code: .wrongState,
                    message: "\(object.uri) is being sent, so the server may have it: delete it "
                        + "(atmos delete \(object.uri.shellWord)), or discard it when the push has ended")
            }
            return Plan(outcome: .remove)
        }
        object.meta.uploads = []
        // The base is behind theirs, so going back to it would be a new change.
        if case .conflicted(let conflict) = object.meta.outgoing?.phase { return accept(conflict, of: object) }
        object.record = confirmed.base
        let isInDoubt = object.meta.outgoing?.mayBeThere == true && engine?.resource.read.isOffered == true
        let unverified = object.meta.outgoing?.unverified ?? (isInDoubt ? .read(over: confirmed.base) : nil)
        object.meta.state = .synchronized(confirmed)
        if let unverified {
            var outgoing = Change(idempotencyKey: makeKey())
            outgoing.unverified = unverified
            object.meta.state = .updated(confirmed, outgoing)
        }
        return Plan(outcome: .put(object))
    }

    /// An object without content that waited for it.
    ///
    /// - Throws: ``SyncError`` `wrongState` where it does not wait any more, or is being sent.
    func discarded(_ upload: MetaObject.Upload, of object: LocalObject, key: String) throws -> LocalObject {
        let what = "the content of “\(upload.member)” of \(object.uri)"
        guard object.meta.uploads.contains(where: { $0.id == upload.id }) else {
            throw SyncError(code: .wrongState, message: "\(what) waits no more: it was uploaded, or dropped")
        }
        if object.meta.status(of: upload) == .sending(.update) {
            throw SyncError(code: .wrongState, message: "\(what) is being sent; drop it when the push has ended")
        }
        return drop(upload: upload.id, of: object, key: key)
    }
}
