/// What the actions that an edit calls set here until the server has answered them (`sets` in the route file).
extension Edit {
    /// Members after an edit, with what its actions set.
    ///
    /// An action that waits and that the edit calls sets its members anew, also where the edit says again what waits. What was set
    /// by an action that does not wait any more becomes again what the server has.
    ///
    /// - Parameters:
    ///   - names: the members that the edit sets, whatever they were before.
    ///   - before: the members before the edit; none for a new object.
    ///   - base: as the server has them; nil for a new object.
    ///   - uri: the object's own address; nil for a new object.
    ///   - moment: when the edit is made.
    func withEffects(
        _ members: Value.Members, setting names: [String] = [], over before: Value.Members, base: Value.Members?,
        of uri: ObjectURI?, at moment: Timestamp
    ) throws -> Value.Members {
        let actions = resource.actions.filter { !$0.sets.isEmpty }
        guard !actions.isEmpty else { return members }
        let merge = ChangeEngine(resource).merge
        let edited = MemberNames(names + merge.changes(from: before, to: members))
        /// Null of a new object asks for nothing.
        func waiting(_ members: Value.Members) -> [Action] {
            let changed =
                base.map { MemberNames(merge.changes(from: $0, to: members)) }
                ?? MemberNames(members.filter { !$0.value.isNull }.map(\.name))
            return actions.filter { $0.arguments.contains { changed.contains($0) } }
        }
        let called = waiting(members)
        let left = MemberNames(waiting(before).flatMap(\.sets).map(\.member))
            .subtracting(MemberNames(called.flatMap(\.sets).map(\.member)))
        var result = members
        for name in left { result[name] = base?[name] }
        for action in called where action.arguments.contains(where: { edited.contains($0) }) {
            for effect in action.sets {
                guard let value = try shown(effect, in: members, of: uri, at: moment) else { continue }
                result[effect.member] = value
            }
        }
        return result
    }

    /// - Returns: `.some(nil)` where the member is removed; nil where it stays as it is.
    private func shown(
        _ effect: ActionEffect, in members: Value.Members, of uri: ObjectURI?, at moment: Timestamp
    ) throws -> Value?? {
        switch effect.source {
        case .value(let value): return .some(value)
        case .absent: return .some(nil)
        case .member(let name): return .some(members[name])
        case .now:
            let type = resource.fields.typeOfMoment(effect.member)
            guard let instant = JSONNumber(moment.milliseconds).moment(decimals: 3) else { return nil }
            return .some(type.value(of: instant))
        case .place(let behind, let among):
            let target = members[behind].flatMap { ObjectID($0) }
            let lower = try target.flatMap { try placed($0, behind, effect.member, in: members) }
            // Behind one that has no place yet nothing can stand.
            guard target == nil || lower != nil else { return nil }
            let upper = try next(behind: lower, effect.member, among: among, in: members, but: uri)
            guard let type = resource.fields.types[effect.member],
                let value = PlaceValue.between(lower, upper, as: type)
            else { return nil }
            return .some(value)
        }
    }

    /// The place of the object to which a member refers; nil where it has none yet.
    private func placed(
        _ id: ObjectID, _ behind: String, _ member: String, in members: Value.Members
    ) throws -> Value? {
        let declared = resource.references.first { $0.field == behind && $0.entity == resource.name }
        let named = try address(of: declared ?? Reference(entity: resource.name, field: behind), id, in: members)
        let record = try snapshot.record(at: snapshot.alias(of: named) ?? named)
        return record.flatMap { resource.mapping.value(member, in: $0) }.flatMap { $0.isNull ? nil : $0 }
    }

    /// The first place behind another one, or the first of all, that an object has which is alike.
    private func next(
        behind lower: Value?, _ member: String, among: [String], in members: Value.Members, but uri: ObjectURI?
    ) throws -> Value? {
        var conditions = among.map { name in
            var value = members[name] ?? .null
            let type = resource.typeAmong(name)
            if type == .string, case .number = value { value = .string(value.text) }
            return Query.Condition(name, .equal, value, type: type)
        }
        if let lower {
            conditions.append(Query.Condition(member, .greater, lower))
        } else {
            conditions.append(Query.Condition(member, .notEqual, .null))
        }
        let query = Query(resource.name, where: conditions, order: [.ascending(member)], limit: 2)
        var found: Value?
        try snapshot.records(matching: resource.compiled(query)) { other, record in
            guard other != uri else { return true }
            found = resource.mapping.value(member, in: record)
            return false
        }
        return found
    }
}
