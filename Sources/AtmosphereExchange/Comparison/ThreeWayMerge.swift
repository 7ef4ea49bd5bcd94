/// Combines two changes of one record against their common base, member by member. Pure.
///
/// A member is atomic unless the field rules say otherwise; members declared `together` win or lose as one. A member
/// that only one side changed is taken from that side; one that both changed to the same meaning is taken from theirs.
/// What was only written otherwise here (`10` for `10.00`) gives way to whatever they wrote.
package struct ThreeWayMerge {
    package var fields: FieldRules
    var conflict: ConflictRules
    /// Members the server alone decides.
    var readonly: MemberNames
    /// To remove a member is to send null for it: to remove one that is null changes nothing. What is absent may only not be
    /// shown, so null in its place does.
    private var removesByNull = false
    /// So many levels down each object is merged member by member, as what is inside of a member that is merged deep.
    private var levels = 0
    /// Asked before the policies; nil for none.
    var resolve: (@Sendable (_ fields: [String], Sides) -> ConflictResolver.Choice)?

    /// What is merged.
    struct Sides {
        var base: Value.Members
        var mine: Value.Members
        var theirs: Value.Members
    }

    /// How many levels of objects inside of a member that is merged deep are merged member by member; what is deeper is one
    /// piece. Each takes stack.
    package static let deepLevels = 64

    package struct Result: Equatable {
        package var record: Value.Members
        /// Members that both sides changed and that a person must decide; `record` holds mine for what clashes in them.
        package var clashes: [String]
    }

    package init(fields: FieldRules, conflict: ConflictRules, readonly: MemberNames) {
        self.fields = fields
        self.conflict = conflict
        self.readonly = readonly
    }

    /// For the members of a resource, under rules other than its own.
    package init(_ resource: Resource, under rules: ConflictRules) {
        self.init(fields: resource.fields, conflict: rules, readonly: resource.fixed)
        removesByNull = resource.update.body == .changed
    }

    package init(_ resource: Resource) {
        self.init(resource, under: resource.conflict)
        guard let resolver = resource.conflict.resolver else { return }
        resolve = { [name = resource.name] fields, sides in
            resolver(.init(entity: name, fields: fields, base: sides.base, mine: sides.mine, theirs: sides.theirs))
        }
    }

    /// The members that an update would send.
    package func changedMembers(of resource: Resource, base: ObjectRecord, record: ObjectRecord) -> [String] {
        let never = resource.neverSent.union(resource.update.without)
        return changes(from: resource.mapping.members(of: base), to: resource.mapping.members(of: record))
            .filter { !never.contains($0) }
    }

    package func merge(base: Value.Members, mine: Value.Members, theirs: Value.Members) -> Result {
        var merged = theirs
        var clashes: [String] = []
        var gone: [String] = []
        func take(_ names: [String], from side: Value.Members) {
            for name in names {
                if let value = side[name] { merged[name] = value } else { gone.append(name) }
            }
        }
        let sides = Sides(base: base, mine: mine, theirs: theirs)
        for group in groups(base, mine, theirs) {
            let changedHere = group.contains { isChanged($0, base[$0], mine[$0]) }
            let changedThere = group.contains { isChanged($0, base[$0], theirs[$0]) }
            guard !(group.allSatisfy { readonly.contains($0) }) else { continue }
            guard changedHere else {
                if group.allSatisfy({ isUnedited($0, base[$0], theirs[$0]) }) {
                    take(group.filter { !isUnedited($0, base[$0], mine[$0]) }, from: mine)
                }
                continue
            }
            if !changedThere {
                take(group, from: mine)
                continue
            }
            if group.allSatisfy({ same($0, mine[$0], theirs[$0]) }) { continue }
            let settled = settled(group, sides)
            take(group, from: settled.values)
            if settled.isClash { clashes += group }
        }
        merged.removeAll(named: gone)
        return Result(record: merged, clashes: clashes)
    }

    /// What members become that both sides have changed.
    ///
    /// - Returns: a record that has their values, and whether a person must decide about them.
    private func settled(_ group: [String], _ sides: Sides) -> (values: Value.Members, isClash: Bool) {
        let winner = declaredWinner(of: group, sides)
        func joined(for winner: Winner) -> (values: Value.Members, clashes: Bool)? {
            guard group.count == 1, let name = group.first,
                let one = combined(
                    name, base: sides.base[name], mine: sides.mine[name], theirs: sides.theirs[name], winner)
            else { return nil }
            return ([name: one.value], one.clashes)
        }
        // A resolver is asked for what cannot be put together, before the policies.
        let combination = joined(for: resolve == nil ? winner : .person)
        if let combination, !combination.clashes { return (combination.values, false) }
        switch resolve?(group, sides) ?? .declared {
        case .theirs: return (sides.theirs, false)
        case .mine: return (sides.mine, false)
        case .set(let values): return (values, false)
        case .declared: break
        }
        let declared = resolve == nil || winner == .person ? combination : joined(for: winner)
        return (declared?.values ?? (winner == .theirs ? sides.theirs : sides.mine), winner == .person)
    }

    /// Who wins members that both sides have changed, by the policies.
    private func declaredWinner(of group: [String], _ sides: Sides) -> Winner {
        switch policy(for: group) {
        case .theirs: .theirs
        case .mine: .mine
        case .newest: newerSide(sides)
        case .ask, .merge: .person
        }
    }

    /// Who wins a member that both sides have changed.
    package enum Winner { case mine, theirs, person }

    /// Who wins a member that has another value there, and is to get one from here that nobody knows yet: that of content which
    /// waits to be uploaded.
    package func winner(
        of name: String, base: Value.Members, mine: Value.Members, theirs: Value.Members
    ) -> Winner {
        // The record does not say when the content was attached.
        if case .newest = policy(for: [name]), resolve == nil { return .person }
        let sides = Sides(base: base, mine: mine, theirs: theirs)
        switch resolve?([name], sides) ?? .declared {
        case .mine: return .mine
        case .theirs: return .theirs
        case .set: return .person
        case .declared: return declaredWinner(of: [name], sides)
        }
    }

    /// Whether two records mean the same, member by member, by declared type.
    package func same(_ left: Value.Members, _ right: Value.Members) -> Bool {
        left.allSatisfy { same($0.name, $0.value, right[$0.name]) }
            && right.allSatisfy { left[$0.name] != nil || same($0.name, nil, $0.value) }
    }

    /// The members that were edited, in the order of `right`, then those that only `left` has.
    package func changes(from left: Value.Members, to right: Value.Members) -> [String] {
        right.filter { !isUnedited($0.name, left[$0.name], $0.value) }.map(\.name)
            + left.filter { right[$0.name] == nil && !isUnedited($0.name, $0.value, nil) }.map(\.name)
    }

    /// Whether nothing of a record was edited.
    package func isUnedited(_ left: Value.Members, _ right: Value.Members) -> Bool {
        changes(from: left, to: right).isEmpty
    }

    /// Whether a member is as it was, and written as it was: a value that means the same and is written otherwise was
    /// edited, for the server may tell the two apart.
    private func isUnedited(_ name: String, _ left: Value?, _ right: Value?) -> Bool {
        switch (absentIfEmpty(left), absentIfEmpty(right)) {
        case (nil, nil): true
        case (let left?, nil): removesByNull && left.isNull
        case (let left?, let right?):
            left.isWritten(like: right) || fields.links.contains(name) && Self.refersAlike(left, right)
        default: false
        }
    }

    /// Whether a side means something else by a member than the base.
    private func isChanged(_ name: String, _ base: Value?, _ side: Value?) -> Bool {
        !same(name, base, side) && !(removesByNull && base?.isNull == true && side == nil)
    }

    package func same(_ name: String, _ left: Value?, _ right: Value?) -> Bool {
        let left = absentIfEmpty(left)
        let right = absentIfEmpty(right)
        switch (left, right) {
        case (nil, nil): return true
        case (let left?, let right?):
            return left == right || fields.types[name]?.equal(left, right) == true
                || isSameContent(name, left, right)
                || fields.links.contains(name) && Self.refersAlike(left, right)
        default: return false
        }
    }

    /// Whether two values of a member that is a link name the same objects: the server may show an identifier as a number
    /// where a link has only its text.
    private static func refersAlike(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { refersAlike($0, $1) }
        default: ObjectID(left).map { $0.text == ObjectID(right)?.text } ?? (left == right)
        }
    }

    /// Whether two values of a member stand for the same content.
    private func isSameContent(_ name: String, _ left: Value, _ right: Value) -> Bool {
        guard !fields.identities.isEmpty, let path = fields.identities[name] ?? fields.identities[Attachment.others],
            let here = path.first(in: left), !here.isNull
        else { return false }
        return here == path.first(in: right)
    }

    private func absentIfEmpty(_ value: Value?) -> Value? {
        guard let value, fields.absentEquals.contains(value) else { return value }
        return Value?.none
    }

    private func policy(for group: [String]) -> ConflictRules.Policy {
        for name in group {
            guard let index = conflict.fields.index(forKey: name),
                conflict.fields[index].key.hasSameBytes(as: name)
            else { continue }
            let own = conflict.fields[index].value
            return own == .merge ? conflict.clash : own
        }
        return conflict.policy == .merge ? conflict.clash : conflict.policy
    }

    /// Whose time is later. An edit that left the time as it was does not say when it was made, so a person decides, as where
    /// the two times cannot be compared.
    private func newerSide(_ sides: Sides) -> Winner {
        guard let time = conflict.time, let here = sides.mine[time], let there = sides.theirs[time] else {
            return .person
        }
        let type = fields.typeOfMoment(time)
        guard type.compare(here, sides.base[time] ?? .null) != .equal, let order = type.compare(here, there) else {
            return .person
        }
        return order == .greater ? .mine : .theirs
    }

    /// Every member once, in the order of theirs, then mine, then base; declared groups stand at their first member.
    private func groups(_ base: Value.Members, _ mine: Value.Members, _ theirs: Value.Members) -> [[String]] {
        var seen = Set<ScalarText>()
        var groups: [[String]] = []
        for name in theirs.names + mine.names + base.names where !seen.contains(ScalarText(name)) {
            let group = fields.together.first { $0.contains { $0.hasSameBytes(as: name) } } ?? [name]
            seen.formUnion(group.map { ScalarText($0) })
            groups.append(group)
        }
        return groups
    }

    /// Both sides of a member put together.
    private struct Combination {
        var value: Value
        /// Both sides have changed something in it that a person must decide; `value` holds mine for that.
        var clashes = false
    }

    /// - Parameter winner: of what both sides have changed inside of it.
    private func combined(
        _ name: String, base: Value?, mine: Value?, theirs: Value?, _ winner: Winner
    ) -> Combination? {
        let declared = fields.merge[name]
        let rule: FieldRules.Merge? = declared ?? (levels > 0 ? FieldRules.Merge.deep : nil)
        switch rule {
        case .deep:
            guard let mine = mine?.members, let theirs = theirs?.members else { return nil }
            var (rules, conflict) = (FieldRules(), ConflictRules())
            rules.absentEquals = fields.absentEquals
            conflict.policy = winner == .mine ? .mine : winner == .theirs ? .theirs : .ask
            var inner = ThreeWayMerge(fields: rules, conflict: conflict, readonly: [])
            inner.levels = declared == nil ? levels - 1 : Self.deepLevels
            let result = inner.merge(base: base?.members ?? Value.Members(), mine: mine, theirs: theirs)
            return Combination(value: .object(result.record), clashes: !result.clashes.isEmpty)
        case .set:
            guard let mine = mine?.array, let theirs = theirs?.array else { return nil }
            // Sets, for a server may give lists of any length.
            let (known, here) = (Set(base?.array ?? []), Set(mine))
            let removed = known.subtracting(here)
            let present = known.union(theirs)
            return Combination(
                value: .array(theirs.filter { !removed.contains($0) } + mine.filter { !present.contains($0) }))
        case .lines:
            guard let base = base?.string, let mine = mine?.string, let theirs = theirs?.string else { return nil }
            return LineMerge.merge(base: base, mine: mine, theirs: theirs).map { Combination(value: .string($0)) }
        case nil: return nil
        }
    }

    /// The same rules, under which the server's values win in these members.
    package func taking(theirs names: [String]) -> ThreeWayMerge {
        var other = self
        for name in names { other.conflict.fields[name] = .theirs }
        return other
    }
}
