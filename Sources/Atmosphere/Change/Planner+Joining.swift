/// Two objects that turn out to be one, or to share an identifier.
extension Planner {
    /// The change of an object that was known under two addresses. What is on the wire stays so: its lane waits for the
    /// answer under the address that both have now, and a mark that a process has left is mended as any other. What was
    /// without an answer, and must not be sent twice, is for a person to decide.
    ///
    /// - Parameters:
    ///   - existing: the object whose change it was.
    ///   - other: the change under the other address; nil where there is none.
    func waiting(
        _ outgoing: Change, of existing: LocalObject, with other: Change?
    ) -> Change {
        var waiting = Change(idempotencyKey: outgoing.idempotencyKey)
        waiting.unanswered = ((other?.unanswered ?? []) + outgoing.unanswered)
            .suffix(Change.mostUnanswered)
        switch outgoing.phase {
        case .sending(let sent) where sent.upload == nil: waiting.phase = .sending(sent)
        case .sending(let sent), .unknown(let sent):
            waiting.evidence.lose()
            if !mayRepeat(sent, of: existing) {
                waiting.phase = .unknown(sent)
            } else if sent.upload == nil {
                waiting.remember(sent)
            }
        case .waiting, .conflicted, .rejected: break
        }
        return waiting
    }

    /// The members that an edit has changed and that a request carries, an update or an action.
    func edited(from base: ObjectRecord, to record: ObjectRecord) -> [String] {
        let mapping = resource.mapping
        let (carried, never) = (resource.actionMembers, resource.neverSent.union(resource.update.without))
        return merge.changes(from: mapping.members(of: base), to: mapping.members(of: record))
            .filter { carried.contains($0) || !never.contains($0) }
    }

    /// A record with the values that another has of some members.
    func with(_ names: [String], of other: ObjectRecord, _ record: ObjectRecord) -> ObjectRecord {
        guard !names.isEmpty else { return record }
        var members = resource.mapping.members(of: record)
        let values = resource.mapping.members(of: other)
        members.take(names, from: values)
        return resource.mapping.record(members, over: record)
    }

    /// What people read where a new object has got the identifier of one that was edited here.
    static func isAnotherNow(_ uri: ObjectURI, _ names: [String]) -> String {
        "\(uri) is another object now, to which the server has given the identifier of a deleted one; what was edited here of "
            + "that (\(names.joined(separator: ", "))) goes to the new one with atmos retry "
            + "\(uri.shellWord), and nowhere with atmos discard \(uri.shellWord)"
    }

    /// What people read where one object was here under two addresses, edited under one and deleted under the other.
    static func isDeletedToo(_ uri: ObjectURI, _ names: [String]) -> String {
        "\(uri) was here under two addresses, because the answer to its create was lost: it was deleted under one and edited "
            + "under the other (\(names.joined(separator: ", "))); the edit goes to the server with atmos retry "
            + "\(uri.shellWord), and atmos delete \(uri.shellWord) deletes it there"
    }
}
