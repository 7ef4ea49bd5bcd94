/// Changes of members that the route file does not let be sent, because it has been edited since they were made: they are
/// dropped by nobody but a person.
extension ChangeEngine {
    private static let notSent = "not sent any more"

    /// The members that an update cannot carry to the server and that differ from what it has; those that are read elsewhere
    /// now by the server's names.
    func unsendable(base: ObjectRecord, record: ObjectRecord) -> [String] {
        let shown = unsendableFields(base: base, record: record)
        let unseen = unseenEdits(base: base, record: record)
        return shown + unseen.filter { name in !shown.contains { $0.hasSameBytes(as: name) } }
    }

    private func unsendableFields(base: ObjectRecord, record: ObjectRecord) -> [String] {
        let changed = merge.changes(from: resource.mapping.members(of: base), to: resource.mapping.members(of: record))
        let never = resource.readonly.union(resource.effects).union(resource.update.without)
            .subtracting(resource.actionMembers).subtracting(effects(base: base, record: record))
        return changed.filter {
            (never.contains($0) || resource.overrides($0, of: record, with: resource.update)) && !isOwn($0)
        }
    }

    /// Members of the server's object that were edited through fields which read elsewhere now.
    private func unseenEdits(base: ObjectRecord, record: ObjectRecord) -> [String] {
        resource.mapping.unseenChanges(from: base, to: record).filter { !isOwn($0) }
    }

    /// Whether something was edited that no field shows any more.
    func isEditedUnseen(_ record: ObjectRecord, _ base: ObjectRecord) -> Bool {
        !unseenEdits(base: base, record: record).isEmpty
    }

    /// A record with the edits of another that no field shows any more.
    func withUnseen(of edited: ObjectRecord, since base: ObjectRecord, in record: ObjectRecord) -> ObjectRecord {
        let names = unseenEdits(base: base, record: edited)
        guard !names.isEmpty else { return record }
        // What the fields show has been decided.
        let view = resource.mapping.members(of: record)
        var (old, mine, joined) = (Value.Members(), Value.Members(), Value.Members())
        old.take(names, from: resource.mapping.record(view, over: base).members)
        mine.take(names, from: resource.mapping.record(view, over: edited).members)
        var members = record.members
        joined.take(names, from: members)
        var rules = FieldRules()
        for name in names { rules.merge[name] = .deep }
        var conflict = ConflictRules()
        conflict.policy = .mine
        let merged = ThreeWayMerge(fields: rules, conflict: conflict, readonly: [])
            .merge(base: old, mine: mine, theirs: joined)
        members.take(names, from: merged.record)
        return ObjectRecord(members)
    }

    /// The members of a new object that a create cannot carry.
    func unsendable(new record: ObjectRecord) -> [String] {
        unsendableFields(new: record) + unseenEdits(base: ObjectRecord(Value.Members()), record: record)
    }

    private func unsendableFields(new record: ObjectRecord) -> [String] {
        let never = resource.readonly.union(resource.effects).subtracting(resource.actionMembers)
            .union(resource.neverWritten).subtracting(effects(base: nil, record: record))
        let references = (resource.parents + resource.references).map(\.field)
        let own = Set(references + [resource.lookup?.field].compactMap(\.self))
        return resource.mapping.members(of: record).filter {
            (never.contains($0.name) || resource.overrides($0.name, of: record, with: resource.create))
                && !isOwn($0.name) && !own.contains($0.name)
                && !merge.same($0.name, $0.value, nil)
                && !$0.value.isNull
        }.map(\.name)
    }

    /// Nobody's edit: the identifier, the version, and the mark of what was not read.
    func isOwn(_ name: String) -> Bool {
        name == ObjectRecord.unread || name == resource.idField || name == resource.versionField
    }

    /// A change that is to be sent for the first time and that the route file does not let be sent whole: refused here. nil
    /// where it can be.
    func refusedHere(_ object: LocalObject, _ outgoing: Change) -> LocalObject? {
        guard case .waiting = outgoing.phase, let record = object.record else { return nil }
        var names: [String] = []
        switch object.meta.state {
        case .created:
            // What was on the server once has what the server alone sets.
            if outgoing.lowWaterMark == nil, !outgoing.evidence.mayHaveArrived { names = unsendable(new: record) }
        case .updated(let confirmed, _): names = unsendable(base: confirmed.base, record: record)
        case .synchronized, .deleted: break
        }
        guard !names.isEmpty else { return nil }
        var (refused, next) = (object, outgoing)
        let failure = MetaObject.Failure(
            message: "the route file does not let \(names.map(\.quoted).joined(separator: ", ")) be sent any more "
                + "(readonly, without, set, fields): let it be sent again there, then atmos retry \(object.uri.shellWord); a "
                + "retry without that drops its value, and sends the rest",
            fields: names.map { .init(field: $0, message: Self.notSent) })
        next.lastError = failure
        next.retry.due = nil
        next.phase = .rejected(.unsendable, failure)
        refused.meta.outgoing = next
        return refused
    }

    /// A refused change that is to be tried again, without what still cannot be sent of it.
    func withoutUnsendable(_ object: LocalObject) -> LocalObject {
        guard case .rejected(.unsendable, _)? = object.meta.outgoing?.phase, let record = object.record else {
            return object
        }
        var object = object
        let mapping = resource.mapping
        guard let base = object.meta.confirmed?.base else {
            var members = mapping.members(of: record)
            for name in unsendableFields(new: record) { members[name] = nil }
            let isUnseen = isEditedUnseen(record, ObjectRecord(Value.Members()))
            object.record = mapping.record(members, over: isUnseen ? nil : record)
            return object
        }
        let left = without(unsendableFields(base: base, record: record), record, as: base)
        object.record = isEditedUnseen(left, base) ? mapping.record(mapping.members(of: left), over: base) : left
        return object
    }
}
