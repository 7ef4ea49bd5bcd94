/// An action that was called at once.
extension ChangeEngine {
    /// The members that a call sets: those of which the route file says so, and those that its answer shows changed to what was
    /// given. Any other argument may be no value of a member.
    ///
    /// - Parameters:
    ///   - before: the object as it was when the action was called.
    ///   - shown: what the answer shows of the object; nil where that is nothing.
    func members(
        setBy action: Action, _ arguments: Value.Members, in before: LocalObject, shown: ObjectRecord? = nil
    ) -> [String] {
        guard action.method != "GET" else { return [] }
        let declared = Set(action.arguments.map { ScalarText($0) })
        let old = before.meta.confirmed.map { resource.mapping.members(of: $0.base) } ?? [:]
        let new = shown.map(resource.mapping.members)
        return arguments.names.filter { name in
            if declared.contains(ScalarText(name)) { return true }
            guard let new else { return false }
            return merge.same(name, arguments[name], new[name]) && !merge.same(name, old[name], new[name])
        }
    }

    /// The object as a call leaves it on the server; nil where it sets nothing.
    ///
    /// - Parameter before: the object as it was when the action was called.
    func called(_ action: Action, _ arguments: Value.Members, in before: LocalObject) -> ObjectRecord? {
        let names = members(setBy: action, arguments, in: before)
        guard let base = before.meta.confirmed?.base, !names.isEmpty else { return nil }
        var called = resource.mapping.members(of: base)
        called.take(names, from: arguments)
        return resource.mapping.record(called, over: base)
    }

    /// A call that got no answer: what the server shows of its arguments later is this client's own.
    ///
    /// - Parameters:
    ///   - before: the object as it was when the action was called.
    ///   - arrival: what was requested earlier may show the members as they were.
    func unansweredCall(
        _ action: Action, _ arguments: Value.Members, from before: LocalObject, over object: LocalObject,
        arrival: Int64, key: String
    ) -> LocalObject {
        guard let called = called(action, arguments, in: before) else { return object }
        let sent = Attempt(record: called, revision: object.meta.revision, sequence: arrival)
        return unanswered(sent, from: before, over: object, arrival: arrival, key: key)
    }
}
