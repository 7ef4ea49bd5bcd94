/// Questions about two records of one object, and records made of two.
extension ChangeEngine {
    /// Whether nobody has edited what is to be deleted. What the server alone decides is nobody's edit; nor is a member
    /// that the base lacks, which may only not be shown in lists, unless a list shows it now, or another version is there.
    func isUntouched(_ shown: Representation, since confirmed: MetaObject.Confirmed) -> Bool {
        guard let record = shown.record else { return false }
        let (base, theirs) = (resource.mapping.members(of: confirmed.base), resource.mapping.members(of: record))
        let hasOtherVersion = shown.version.map { $0 != confirmed.version && confirmed.version != nil } ?? false
        let names = shown.isListed || hasOtherVersion ? base.names + theirs.names : base.names
        let fixed = resource.fixed
        return names.allSatisfy {
            fixed.contains($0) || confirmed.isStale($0) || merge.same($0, base[$0], theirs[$0])
        }
    }

    /// Whether nothing has changed there since the base but what updates without an answer have done, with the members that
    /// the server alone decides.
    func isOwn(_ shown: ObjectRecord, _ base: ObjectRecord, _ outgoing: Change) -> Bool {
        guard !outgoing.tries.isEmpty else { return false }
        var theirs = resource.mapping.members(of: shown)
        var ours = resource.mapping.members(of: known(base, outgoing, shown: shown))
        for name in resource.fixed { (theirs[name], ours[name]) = (nil, nil) }
        return merge.same(ours, theirs)
    }

    func isSame(_ left: ObjectRecord, _ right: ObjectRecord) -> Bool {
        left == right || merge.same(resource.mapping.members(of: left), resource.mapping.members(of: right))
    }

    /// Whether an edit leaves nothing to be sent. Other than ``isSame(_:_:)`` it tells `10` from `10.00`.
    func isUnedited(_ record: ObjectRecord, _ base: ObjectRecord) -> Bool {
        record == base
            || merge.isUnedited(resource.mapping.members(of: base), resource.mapping.members(of: record))
                && !isEditedUnseen(record, base)
    }

    /// Whether the server's object says anything else than what a create has sent.
    func differs(_ sent: ObjectRecord, _ theirs: ObjectRecord) -> Bool {
        let never = neverCreated.union([resource.idField].compactMap(\.self)).union(resource.writeonly)
        let members = resource.mapping.members(of: theirs)
        return resource.mapping.members(of: sent).contains {
            !never.contains($0.name) && !merge.same($0.name, $0.value, members[$0.name])
        }
    }

    /// Whether what is shown is the object as it was before its delete; what a list had not shown of it does not count, apart
    /// from what the delete sets.
    func isStill(_ record: ObjectRecord, _ version: String?, _ confirmed: MetaObject.Confirmed) -> Bool {
        if let version, let known = confirmed.version, version != known { return false }
        let (base, theirs) = (resource.mapping.members(of: confirmed.base), resource.mapping.members(of: record))
        let isSet = resource.delete.set.contains { member in
            theirs[member.name] == member.value && base[member.name] != member.value
        }
        if isSet { return false }
        return base.names.allSatisfy { merge.same($0, base[$0], theirs[$0]) }
    }

    /// A record without some members.
    func lacking(_ names: [String], _ record: ObjectRecord) -> ObjectRecord {
        guard !names.isEmpty else { return record }
        var members = resource.mapping.members(of: record)
        members.removeAll(named: names)
        return resource.mapping.record(members, over: record)
    }

    /// The record with what it lacks taken from the server.
    func adopted(_ record: ObjectRecord, theirs: ObjectRecord) -> ObjectRecord {
        var members = resource.mapping.members(of: renewed(record, theirs: theirs))
        for member in resource.mapping.members(of: theirs) where members[member.name] == nil {
            members[member.name] = member.value
        }
        return resource.mapping.record(members, over: theirs)
    }

    /// The record with the identifier, and with what the server alone sets, as the server has them.
    func renewed(_ record: ObjectRecord, theirs: ObjectRecord) -> ObjectRecord {
        var members = resource.mapping.members(of: record)
        let theirMembers = resource.mapping.members(of: theirs)
        if let id = resource.idField { members[id] = theirMembers[id] }
        for member in theirMembers where resource.fixed.contains(member.name) {
            members[member.name] = member.value
        }
        return resource.mapping.record(members, over: theirs)
    }

    /// A record with the values that another has of some members.
    func with(_ names: [String], of other: ObjectRecord, _ record: ObjectRecord) -> ObjectRecord {
        guard !names.isEmpty else { return record }
        var members = resource.mapping.members(of: record)
        let values = resource.mapping.members(of: other)
        members.take(names, from: values)
        return resource.mapping.record(members, over: record)
    }

    /// A record with some members as they were before.
    func without(_ names: [String], _ record: ObjectRecord, as before: ObjectRecord?) -> ObjectRecord {
        guard !names.isEmpty, let before else { return record }
        var members = resource.mapping.members(of: record)
        let old = resource.mapping.members(of: before)
        members.take(names, from: old)
        return resource.mapping.record(members, over: record)
    }

    /// A record as the server can show it: what it never shows is done with once it has accepted it.
    func shown(_ record: ObjectRecord) -> ObjectRecord {
        guard !resource.writeonly.isEmpty else { return record }
        var members = resource.mapping.members(of: record)
        for name in resource.writeonly { members[name] = nil }
        return resource.mapping.record(members, over: record)
    }

    /// A record with the identifier where the route file says it stands.
    func withID(_ record: ObjectRecord, _ id: ObjectID) -> ObjectRecord {
        guard let member = resource.id.singleMember else { return record }
        return record.replacing(member: member, with: id.value)
    }

    /// Whether an identifier was made for its object alone, and chosen by nobody.
    func hasOwnUUID(_ meta: MetaObject) -> Bool { ObjectID(meta.uri.segments.last ?? meta.id.text).isUUID }
}
