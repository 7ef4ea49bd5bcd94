/// Two objects that turn out to be one, or to share an identifier.
extension ObjectWriter {
    /// Whether the server has given a new object the identifier of one that was here before: that one is gone there.
    func isOlder(_ existing: LocalObject, thanCreateAt uri: ObjectURI) throws -> Bool {
        guard let created = try transaction.object(at: uri), created.meta.isLocalOnly,
            let outgoing = created.meta.outgoing, let sent = outgoing.creates.last,
            let resource = routeFile.resource(uri.entity)
        else { return false }
        return ChangeEngine(resource).isOlder(existing, than: sent, outgoing)
    }

    /// What was edited in an object that is gone may be meant for the new one that has its identifier, or not, and so may what
    /// was attached to it. A delete of it has no aim any more.
    func leaveToPerson(_ older: LocalObject, _ object: inout LocalObject) {
        guard let edited = older.record, let base = older.meta.confirmed?.base, let mine = object.record,
            var confirmed = object.meta.confirmed, let key = older.meta.outgoing?.idempotencyKey,
            let resource = routeFile.resource(object.uri.entity)
        else { return }
        let engine = ChangeEngine(resource)
        let unsendable = engine.unsendable(base: base, record: edited)
        let fields = engine.edited(from: base, to: edited)
        guard !(fields + unsendable).isEmpty || !older.meta.uploads.isEmpty else { return }
        let record = engine.with(unsendable, of: edited, engine.rebase(edited, from: base, onto: mine))
        object.record = record
        let theirs = confirmed.base
        var outgoing = object.meta.outgoing ?? .init(idempotencyKey: key)
        guard unsendable.isEmpty, older.meta.uploads.isEmpty else {
            // No side of a conflict holds these.
            var names = fields
            names += (unsendable + older.meta.uploads.map(\.member)).filter { !fields.contains($0) }
            let uri = ObjectURI(entity: object.uri.entity, id: object.meta.id.text)
            ChangeEngine.refuse(&outgoing, .init(message: ChangeEngine.isAnotherNow(uri, names)))
            // What the older one had in their members says nothing of the new one.
            object.meta.uploads = engine.unbased(older.meta.uploads) + object.meta.uploads
            object.meta.state = .updated(confirmed, outgoing)
            return
        }
        outgoing.phase = .conflicted(
            .init(.clash(fields), theirs: theirs, version: confirmed.version, sequence: confirmed.sequence))
        // Nothing was agreed on about them.
        var agreed = resource.mapping.members(of: theirs)
        let before = resource.mapping.members(of: base)
        let (shared, missing) = (fields.filter { agreed[$0] != nil }, fields.filter { agreed[$0] == nil })
        agreed.removeAll(named: shared)
        agreed.take(missing, from: before)
        confirmed.base = resource.mapping.record(agreed, over: theirs)
        object.meta.state = .updated(confirmed, outgoing)
    }

    /// The answer to a create says what the object was then. One that is remembered for its idempotency key can be much
    /// older than what was shown since, or even edited and sent from here under the new address.
    func renew(_ object: inout LocalObject, by existing: LocalObject) {
        guard let shown = existing.meta.confirmed, let answered = object.meta.confirmed,
            let resource = routeFile.resource(object.uri.entity)
        else { return }
        guard let mine = object.record else {
            if let outgoing = object.meta.outgoing { object.meta.state = .deleted(shown, outgoing) }
            return
        }
        let engine = ChangeEngine(resource)
        let outgoing = object.meta.outgoing ?? .init(idempotencyKey: existing.meta.outgoing?.idempotencyKey ?? "")
        let plan = engine.combine(
            object, base: answered.base, mine: mine, theirs: shown.base, version: shown.version,
            sequence: shown.sequence, stale: shown.stale, outgoing: outgoing, confirmed: answered)
        guard case .put(var joined) = plan.outcome else { return }
        if case .conflicted(let conflict)? = joined.meta.outgoing?.phase, conflict.theirs == shown.base {
            // What was shown stays confirmed; of what clashes the answer alone was before both sides.
            var confirmed = shown
            confirmed.base = engine.with(conflict.fields, of: answered.base, shown.base)
            joined.record = engine.rebase(mine, from: answered.base, onto: shown.base)
            joined.meta.confirmed = confirmed
        }
        object = joined
    }

    /// One object was known under two addresses: edits of both are kept, the later-found one's where they clash. Where it was
    /// edited under one and deleted under the other a person decides; a delete goes on where nobody has edited it.
    ///
    /// - Parameters:
    ///   - existing: what stands under the address that the object gets.
    ///   - old: the address that it had.
    func join(_ existing: LocalObject, to object: inout LocalObject, from old: ObjectURI) throws {
        guard let outgoing = existing.meta.outgoing, let resource = routeFile.resource(object.uri.entity)
        else { return }
        let engine = ChangeEngine(resource)
        guard let known = existing.meta.confirmed else { return engine.join(create: existing, outgoing, to: &object) }
        let confirmed = object.meta.confirmed ?? known
        let own = object.meta.outgoing
        if object.meta.isLocalOnly, let record = object.record, let sent = own?.firstTry {
            object.record = engine.rebase(
                record, from: engine.carried(by: nil, sent, over: nil), onto: confirmed.base)
        }
        let restated = engine.restated(outgoing, from: known.base, onto: confirmed.base)
        var waiting = engine.waiting(restated, of: existing, with: own)
        let isDeleted = object.meta.isDeleted
        // Neither address has seen what was edited under the other.
        let revision = max(object.meta.revision, existing.meta.revision) + 1
        guard let theirs = existing.record else {
            object.meta.revision = revision
            // What a server left out of a create is nobody's edit.
            let edited = try transaction.object(at: old).map(engine.edits) ?? []
            if !isDeleted, !edited.isEmpty, let record = object.record, !engine.isUnedited(record, confirmed.base) {
                engine.ask(about: edited, own ?? waiting, confirmed, &object)
                // The sides clash again when they are compared.
                if case .conflicted? = own?.phase { object.meta.confirmed?.version = nil }
            } else {
                if case .unknown = waiting.phase { waiting.phase = .waiting }
                object.record = nil
                object.meta.state = .deleted(confirmed, waiting)
            }
            return
        }
        let edited = engine.edits(of: existing)
        if isDeleted {
            guard !edited.isEmpty else { return }
            object.meta.revision = revision
            if case .sending = waiting.phase {
                object.meta.state = .deleted(confirmed, waiting)
                return
            }
        }
        object.record = engine.rebase(theirs, from: known.base, onto: object.record ?? confirmed.base)
        switch (waiting.phase, own?.phase) {
        case (.waiting, _) where isDeleted: engine.ask(about: edited, waiting, confirmed, &object)
        case (.waiting, .conflicted): break
        // Its answer comes to nobody: what the server shows of it is no news, and what must not be sent twice is asked about.
        case (.sending(let sent), .conflicted(var conflict)), (.unknown(let sent), .conflicted(var conflict)):
            if engine.mayRepeat(sent, of: existing) {
                object.meta.outgoing?.remember(sent)
            } else {
                conflict.lost = sent
                object.meta.outgoing?.phase = .conflicted(conflict)
            }
        default:
            object.meta.revision = revision
            object.meta.state = .updated(confirmed, waiting)
        }
    }
}
