extension Resource {
    /// Members after single ones were set; nil removes one.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` for another value of a member that the server alone sets.
    func setting(
        _ changes: [(name: String, value: Value?)], in members: Value.Members, of uri: ObjectURI
    ) throws -> Value.Members {
        // Made anew each time that they are asked for.
        let (fixed, actionMembers) = (fixed, actionMembers)
        for change in changes {
            guard
                change.name == idField || !update.without.contains(change.name)
                    || actionMembers.contains(change.name)
                    || members[change.name] == change.value
            else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the “\(change.name)” of \(uri) cannot be edited: the route file says that no update "
                        + "carries it (update.without)")
            }
            guard
                !fixed.contains(change.name) || change.name == idField
                    || members[change.name] == change.value
            else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the “\(change.name)” of \(uri) cannot be edited: the route file says that "
                        + whoSets(change.name))
            }
        }
        var changed = members
        changed.set(changes)
        return changed
    }

    /// Who sets a member that no edit does, and where the route file says so.
    func whoSets(_ name: String) -> String {
        let setting = actions.first { action in action.sets.contains { $0.member == name } }
        guard !readonly.contains(name), let setting else { return "the server alone sets it (readonly)" }
        return "the action “\(setting.name)” sets it (actions.\(setting.name).sets)"
    }
}

extension LocalObject {
    /// - Throws: ``SyncError`` `wrongState` for an object that was deleted here: an edit would take that back unasked.
    func requireNotDeleted() throws {
        guard meta.isDeleted else { return }
        throw SyncError(
            code: .wrongState,
            message: "\(uri) was deleted here; to edit it, take the deletion back first: "
                + "atmos discard \(uri.shellWord)")
    }
}
