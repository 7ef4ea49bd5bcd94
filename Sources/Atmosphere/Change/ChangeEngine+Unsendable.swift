/// Changes of members that the route file does not let be sent, because it has been edited since they were made: they are
/// dropped by nobody but a person.
extension ChangeEngine {
    private static let notSent = "not sent any more"

    /// The members that an update cannot carry to the server and that differ from what it has.
    func unsendable(base: ObjectRecord, record: ObjectRecord) -> [String] {
        let (old, new) = (resource.mapping.members(of: base), resource.mapping.members(of: record))
        let changed = merge.changes(from: old, to: new)
        if changed.isEmpty, base != record {
            // Read elsewhere now.
            return merge.changes(from: base.members, to: record.members).filter { $0 != ObjectRecord.unread }
        }
        let never = resource.readonly.union(resource.update.without).subtracting(resource.actionMembers)
        return changed.filter { never.contains($0) && !isOwn($0) }
    }

    /// The members of a new object that a create cannot carry.
    func unsendable(new record: ObjectRecord) -> [String] {
        let never = resource.readonly.subtracting(resource.actionMembers).union(resource.neverWritten)
        let references = (resource.parents + resource.references).map(\.field)
        let own = Set(references + [resource.lookup?.field].compactMap(\.self))
        return resource.mapping.members(of: record).filter {
            never.contains($0.name) && !isOwn($0.name) && !own.contains($0.name)
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
                + "(readonly, without, fields): let it be sent again there, then atmos retry \(object.uri.shellWord); a "
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
        guard let base = object.meta.confirmed?.base else {
            var members = resource.mapping.members(of: record)
            for name in unsendable(new: record) { members[name] = nil }
            object.record = resource.mapping.record(members, over: record)
            return object
        }
        let isReadElsewhere = merge.isUnedited(resource.mapping.members(of: base), resource.mapping.members(of: record))
        object.record =
            isReadElsewhere ? base : without(unsendable(base: base, record: record), record, as: base)
        return object
    }
}
