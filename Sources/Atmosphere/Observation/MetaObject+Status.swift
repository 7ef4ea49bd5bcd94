extension MetaObject {
    /// How the object stands to the server.
    package var status: ObjectStatus {
        guard let outgoing else { return .synchronized }
        let change: ObjectStatus.Change = isDeleted ? .delete : isLocalOnly ? .create : .update
        switch outgoing.phase {
        case .sending: return .sending(change)
        case .unknown: return .unknown(change)
        case .conflicted(let conflict): return .conflicted(change, conflict)
        case .rejected(_, let failure): return .rejected(change, failure)
        case .waiting:
            if !waitsFor.isEmpty { return .waiting(change, .parents(waitsFor)) }
            guard let error = outgoing.lastError else { return .waiting(change, .push) }
            return .waiting(change, .retry(at: outgoing.retry.due, after: error))
        }
    }
}
