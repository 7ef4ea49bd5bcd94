/// An update of a version that is not the server’s any more (409, 412).
extension ChangeEngine {
    /// How often an update that met a newer version is merged and tried again in a row.
    static var mergeRetries: Int { 5 }

    /// The server has another version: a read shows what to merge with, or the next pull does.
    func versionConflict(
        _ failure: MetaObject.Failure, _ attempt: Attempt, _ object: LocalObject,
        _ outgoing: Change, retryAt: (Int) -> Timestamp
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
        if !resource.read.isOffered { outgoing.retry.due = retryAt(refusals) }
        object.meta.outgoing = outgoing
        return Plan(
            outcome: .put(object), next: resource.read.isOffered ? .read : nil, note: failure.message)
    }
}
