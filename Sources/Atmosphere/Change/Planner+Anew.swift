/// An object that the server has deleted and that is created once more, here and by another client.
extension Planner {
    /// Whether what a look-up shows is what the server had deleted: it has the look-up value that the object had then, so
    /// that another client has made it anew, or somebody has brought it back.
    func isAnew(_ theirs: ObjectRecord, _ outgoing: Change?) -> Bool {
        guard !resource.looksUpByID, let previous = outgoing?.previous,
            let value = resource.lookupValue(of: previous), let shown = resource.lookupValue(of: theirs)
        else { return false }
        return ObjectID.compared(value) == ObjectID.compared(shown)
    }

    /// Two clients have made the same object anew: it is one, and not two. Both started from what the server had before it
    /// was deleted, so that is the base of the merge, and each side's edits stay edits. With what was sent as the base, as for
    /// a create that only one can have sent, the edits of this side would count as theirs to change back.
    ///
    /// - Parameter isOwn: what is shown of it says what was sent.
    func metAnew(
        _ found: Representation, _ theirs: ObjectRecord, by object: LocalObject, _ outgoing: Change,
        isOwn: Bool, arrival: Int64, key: String
    ) -> Plan {
        guard let given = object.record, let previous = outgoing.previous else {
            return met(found, theirs, byDeleted: object, outgoing, key: key)
        }
        // What a list leaves out is not known to be what was sent: it is what it was, until it is read.
        let theirs = found.isPartial ? found.completed(over: previous).record ?? theirs : theirs
        var object = object
        var next = Change(idempotencyKey: key)
        // What a try without an answer may have brought is no news where it is shown.
        if outgoing.evidence.mayHaveArrived {
            next.unanswered = outgoing.unanswered + [outgoing.lostCreate?.record].compactMap(\.self)
        }
        // Both began with the same members: what either has added since is news to the other.
        let mine = renewed(given, theirs: theirs)
        object.record = mine
        var plan = combine(
            object, base: renewed(previous, theirs: theirs), mine: mine, theirs: theirs, version: found.version,
            sequence: arrival, outgoing: next, confirmed: nil)
        if !found.isPartial, case .put(var joined) = plan.outcome, case .waiting? = joined.meta.outgoing?.phase {
            joined.meta.outgoing?.unanswered = []
            plan.outcome = .put(joined)
        }
        if isOwn, outgoing.evidence.mayHaveArrived {
            (plan.note, plan.confirmed) = ("found on the server", .create)
        } else {
            plan.note = "another has made it anew, too; \(plan.note ?? "merged with that")"
        }
        if found.isPartial, resource.read.isOffered { plan.followUp = .read }
        return askingForVersion(plan)
    }
}
