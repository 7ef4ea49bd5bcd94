/// The members that a request for an object carries, and what it brings to the server.
extension ChangeEngine {
    /// The members that an update would send.
    func changedMembers(base: ObjectRecord, record: ObjectRecord) -> [String] {
        merge.changedMembers(of: resource, base: base, record: record)
    }

    /// The actions that have to carry a change, when everything that an update carries is on the server: what moves an
    /// object may depend on what it has become.
    func nextActions(base: ObjectRecord, record: ObjectRecord) -> [Action] {
        changedMembers(base: base, record: record).isEmpty ? pendingActions(base: base, record: record) : []
    }

    /// The first of ``nextActions(base:record:)``.
    func nextAction(base: ObjectRecord, record: ObjectRecord) -> Action? {
        nextActions(base: base, record: record).first
    }

    /// The actions whose members have changed, in the order of the route file.
    func pendingActions(base: ObjectRecord, record: ObjectRecord) -> [Action] {
        guard !resource.actionMembers.isEmpty else { return [] }
        let mapping = resource.mapping
        let changed = Set(merge.changes(from: mapping.members(of: base), to: mapping.members(of: record)))
        return resource.actions.filter { !changed.isDisjoint(with: $0.arguments) }
    }

    /// The members that the actions which wait have set here: nobody's edits.
    ///
    /// - Parameter base: nil for a new object, where actions wait that follow its create.
    func effects(base: ObjectRecord?, record: ObjectRecord) -> MemberNames {
        guard resource.actions.contains(where: { !$0.sets.isEmpty }) else { return [] }
        let members = resource.mapping.members(of: record)
        let waiting =
            base.map { pendingActions(base: $0, record: record) }
            ?? resource.actions.filter { $0.arguments.contains { members[$0].map { !$0.isNull } ?? false } }
        return MemberNames(waiting.flatMap(\.sets).map(\.member))
    }

    /// A record without what an action has set here that waits no more; what another one that waits sets, too, stays.
    func withoutEffects(of name: String, _ record: ObjectRecord, as base: ObjectRecord?) -> ObjectRecord {
        guard let base else { return record }
        func sets(_ actions: [Action]) -> MemberNames { MemberNames(actions.flatMap(\.sets).map(\.member)) }
        let others = pendingActions(base: base, record: record).filter { $0.name != name }
        let idle = sets(resource.actions.filter { $0.name == name }).subtracting(sets(others))
        return without(Array(idle), record, as: base)
    }

    /// A record with what actions that wait have set in another, as long as they wait.
    ///
    /// - Parameters:
    ///   - base: what the other was made from.
    ///   - new: what the server has.
    func keepingEffects(
        of edited: ObjectRecord, since base: ObjectRecord, in record: ObjectRecord, over new: ObjectRecord
    ) -> ObjectRecord {
        guard !resource.effects.isEmpty else { return record }
        let waiting = effects(base: new, record: record)
        let changed = merge.changes(from: resource.mapping.members(of: base), to: resource.mapping.members(of: edited))
        return with(changed.filter { waiting.contains($0) }, of: edited, record)
    }

    /// The fields whose change a request for the verb brings to the server.
    func carriedChanges(_ verb: Verb, _ object: LocalObject) -> [String] {
        guard let base = object.meta.confirmed?.base, let record = object.record else { return [] }
        switch verb {
        case .create, .delete, .upload: return []
        case .update: return changedMembers(base: base, record: record)
        case .action(let name):
            let arguments = resource.actions.first { $0.name == name }?.arguments ?? []
            let mapping = resource.mapping
            return merge.changes(from: mapping.members(of: base), to: mapping.members(of: record))
                .filter(arguments.contains)
        }
    }

    /// The record as a request has brought it to the server; what it could not carry is still the base's.
    ///
    /// - Parameters:
    ///   - action: the declared action that was the request; nil for a create or an update.
    ///   - base: nil for a create.
    func carried(by action: String?, _ sent: ObjectRecord, over base: ObjectRecord?) -> ObjectRecord {
        let mapping = resource.mapping
        guard let base else { return lacking(followingCreate(of: sent) + effects(base: nil, record: sent), sent) }
        guard !resource.actionMembers.isEmpty else { return sent }
        let from = mapping.members(of: sent)
        let before = mapping.members(of: base)
        guard let name = action else {
            var members = from
            for member in resource.actionMembers.union(resource.effects) { members[member] = before[member] }
            return mapping.record(members, over: sent)
        }
        var members = before
        for argument in resource.actions.first(where: { $0.name == name })?.arguments ?? [] {
            members[argument] = from[argument]
        }
        return mapping.record(members, over: base)
    }

    /// The members of a new object that its create does not carry, and that follow it.
    func followingCreate(of record: ObjectRecord) -> [String] {
        resource.followingCreate(in: resource.mapping.members(of: record))
    }

    /// Members that say nothing of whether an object is what a create has sent.
    var neverCreated: MemberNames { resource.neverSent.union(resource.create.without) }

    /// The members that an edit has changed and that a request carries, an update or an action.
    func edited(from base: ObjectRecord, to record: ObjectRecord) -> [String] {
        let mapping = resource.mapping
        let (carried, never) = (resource.actionMembers, resource.neverSent.union(resource.update.without))
        return merge.changes(from: mapping.members(of: base), to: mapping.members(of: record))
            .filter { carried.contains($0) || !never.contains($0) }
    }
}
