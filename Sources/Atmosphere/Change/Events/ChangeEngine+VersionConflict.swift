/// An update of a version that is not the server’s any more (409, 412).
extension ChangeEngine {
    /// How often an update that met a newer version is merged and tried again in a row.
    static var mergeRetries: Int { 5 }

    /// The server has another version: the answer shows what to merge with, else a read does, or the next pull.
    func versionConflict(
        _ failure: MetaObject.Failure, _ theirs: Representation?, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change, key: String, retryAt: (Int) -> Timestamp
    ) -> Plan {
        var (object, outgoing) = (object, outgoing)
        let refusals = outgoing.retry.count(.acceptance)
        outgoing.lastError = failure
        outgoing.phase = .waiting
        // Something between may have sent it twice, and this answers the second.
        outgoing.remember(attempt)
        if outgoing.retry.hasUsedUp(Self.mergeRetries + 1, for: .acceptance), let confirmed = object.meta.confirmed {
            outgoing.phase = .conflicted(
                .init(
                    .refusedEachTime, theirs: confirmed.base, version: confirmed.version,
                    sequence: confirmed.sequence))
            object.meta.outgoing = outgoing
            return Plan(outcome: .put(object), note: "merged \(refusals - 1) times and refused each time")
        }
        if let theirs, isNews(theirs, to: object.meta) {
            object.meta.outgoing = outgoing
            var plan = remote(theirs, over: object, uri: object.uri, key: key)
            // Where a read is asked for, what the answer shows is older than what is known.
            if plan.next == nil {
                if plan.outcome == .keep { plan.outcome = .put(object) }
                plan.note = plan.note ?? failure.message
                return plan
            }
        }
        if !resource.read.isOffered { outgoing.retry.due = retryAt(refusals) }
        object.meta.outgoing = outgoing
        return Plan(
            outcome: .put(object), next: resource.read.isOffered ? .read : nil, note: failure.message)
    }

    /// Whether what a refusal shows is another version than the one that was written to: what shows no more than that
    /// repeats what was sent.
    private func isNews(_ theirs: Representation, to meta: MetaObject) -> Bool {
        guard theirs.isTelling, let confirmed = meta.confirmed else { return false }
        guard theirs.version != nil else { return theirs.isDeleted }
        return !theirs.version.hasSameBytes(as: confirmed.version)
    }
}
