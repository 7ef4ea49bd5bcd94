/// An edit lease that somebody else has.
extension ChangeEngine {
    /// Somebody else has the edit lease: the edit is kept, and shown as a conflict until a push gets the lease, or a
    /// pull brings what the other has done and both sides merge.
    func leaseRefused(_ failure: MetaObject.Failure, of object: LocalObject, retryAt: Timestamp) -> Plan {
        guard var outgoing = object.meta.outgoing, let confirmed = object.meta.confirmed else { return Plan() }
        switch outgoing.phase {
        case .waiting, .conflicted: break
        case .sending, .unknown, .rejected: return Plan()
        }
        outgoing.phase = .conflicted(
            .init(
                .leased(until: retryAt), theirs: confirmed.base, version: confirmed.version,
                sequence: confirmed.sequence))
        outgoing.lastError = failure
        var object = object
        object.meta.outgoing = outgoing
        return Plan(outcome: .put(object), note: failure.message)
    }
}
