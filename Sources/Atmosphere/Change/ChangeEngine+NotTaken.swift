/// Members of an accepted write that the server left as they were, or left out.
extension ChangeEngine {
    /// The members that a write changed, an update or an action, and that the server answers as they were before it: a
    /// write that it accepted and did not do. Values that it wrote in another form are not among them, nor null in the place of
    /// what was removed. Arguments of an action that the server shows neither before nor after it are among them where nothing
    /// of the action was done.
    ///
    /// - Parameter sent: the record as the request has carried it, see ``carried(by:_:over:)``.
    func ignored(sent: ObjectRecord, before: ObjectRecord, answered: ObjectRecord) -> [String] {
        let sentMembers = resource.mapping.members(of: sent)
        let members = resource.mapping.members(of: answered)
        let old = resource.mapping.members(of: before)
        let arguments = resource.actionMembers
        let changed = edited(from: before, to: sent).filter { name in
            name != resource.conflict.time && !resource.writeonly.contains(name)
        }
        let shown = changed.filter { name in
            members[name] != nil || old[name] != nil || !arguments.contains(name)
        }
        let left = shown.filter { name in
            merge.same(name, members[name], old[name]) && !merge.same(name, members[name], sentMembers[name])
                && !Self.isNormalized(sentMembers[name], to: members[name])
                && !(sentMembers[name] == nil && members[name]?.isNull == true)
        }
        return left.isEmpty || left.count < shown.count ? left : changed
    }

    /// Whether these are all members that a write changed.
    func ignoresAll(_ ignored: [String], of sent: ObjectRecord, _ before: ObjectRecord) -> Bool {
        let changed = edited(from: before, to: sent)
        return Set(ignored.map { ScalarText($0) }) == Set(changed.map { ScalarText($0) })
    }

    /// The members that a create has sent and that the server shows as if they had not been sent: it lacks them, or has in
    /// them what stands there by default. What creates alone carry, or an action as well, and nothing shows was taken.
    func leftOut(sent: ObjectRecord, answered: ObjectRecord) -> [String] {
        let arguments = resource.argumentsOfCreate
        let mayBeHidden = resource.update.without.union(arguments)
        var never = neverCreated.subtracting(arguments).union(resource.writeonly)
        never.formUnion(resource.parents.map(\.field))
        never.formUnion([resource.lookup?.field, resource.conflict.time].compactMap(\.self))
        let members = resource.mapping.members(of: answered)
        return resource.mapping.members(of: sent).filter { member in
            !never.contains(member.name) && !Self.isDefault(member.value) && Self.isDefault(members[member.name])
                && (members[member.name] != nil || !mayBeHidden.contains(member.name))
                && !merge.same(member.name, member.value, members[member.name])
        }.map(\.name)
    }

    /// What people read of a create of which not all was taken.
    ///
    /// - Parameter hidden: those of them that the server does not show.
    static func leftOut(_ members: [String], neverShown hidden: [String] = []) -> String {
        "the server accepted the create and left \(members.joined(separator: ", ")) out" + writeOnlyRemedy(hidden)
    }

    private static func isDefault(_ value: Value?) -> Bool {
        switch value {
        case nil, .null, .bool(false): true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        case .number(let number): number == JSONNumber(0)
        case .array(let values): values.isEmpty
        case .object(let members): members.isEmpty
        case .bool(true): false
        }
    }

    /// Whether a text differs only by what servers tidy: white space, and upper and lower case.
    static func isNormalized(_ sent: Value?, to kept: Value?) -> Bool {
        guard let sent = sent?.string, let kept = kept?.string else { return false }
        return tidied(sent) == tidied(kept)
    }

    static func tidied(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }

    /// Whether what a create left out goes with an update by itself: what a create does not take an update may. What the
    /// server never shows it may have taken, and a second time would be one comment, or one message, too many.
    func mayFollow(_ hidden: [String]) -> Bool { resource.update.isOffered && hidden.isEmpty }

    /// A change that was answered with success and did not take is refused: it is kept for a person to decide.
    func keep(_ said: String, _ ignored: [String], _ object: inout LocalObject) {
        guard var outgoing = object.meta.outgoing, case .waiting = outgoing.phase else { return }
        let failure = MetaObject.Failure(
            message: said, fields: ignored.map { .init(field: $0, message: "not taken") })
        outgoing.lastError = failure
        outgoing.phase = .rejected(.notTaken, failure)
        object.meta.outgoing = outgoing
        // What actions have set here was for what the server does.
        guard let base = object.meta.confirmed?.base, let record = object.record else { return }
        object.record = without(Array(effects(base: base, record: record)), record, as: base)
    }

    /// What people read of a change that did not take.
    ///
    /// - Parameters:
    ///   - action: the action that carried it; nil for an update.
    ///   - hidden: those of them that the server has never shown. Of an action that is no reason to ask whether it took them.
    static func notTaken(_ members: [String], by action: String? = nil, neverShown hidden: [String] = []) -> String {
        "the server accepted \(action.map(\.quoted) ?? "the update") and left \(members.joined(separator: ", ")) as it was"
            + (action == nil ? writeOnlyRemedy(hidden) : "")
    }

    private static func writeOnlyRemedy(_ hidden: [String]) -> String {
        guard !hidden.isEmpty else { return "" }
        let names = hidden.joined(separator: ", ")
        return "; it has never shown \(names): where it takes that and keeps it to itself, write writeonly: [\(names)] "
            + "and discard this, for a retry would send it again"
    }

    /// Of members that did not take those that were not there before either.
    func neverShown(_ members: [String], before: ObjectRecord) -> [String] {
        let known = resource.mapping.members(of: before)
        return members.filter { known[$0] == nil }
    }
}
