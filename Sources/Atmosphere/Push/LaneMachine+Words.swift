extension LaneMachine.End {
    /// Where an object stands after its state was stored.
    init(_ meta: MetaObject?, attempts: Int) {
        guard let outgoing = meta?.outgoing else {
            self = .done
            return
        }
        switch outgoing.phase {
        case .rejected: self = .rejected
        case .conflicted: self = .conflicted
        case .unknown, .waiting, .sending:
            // What the server has only accepted so far nobody waits for any longer.
            let most = outgoing.evidence.isNamed || outgoing.evidence == .begun ? min(3, attempts) : attempts
            if let failure = outgoing.lastError, let due = outgoing.retry.due {
                self = .failed(failure, retryAt: outgoing.retry.total < most ? due : nil)
            } else if case .unknown = outgoing.phase {
                self = .unknown
            } else {
                self = outgoing.lastError == nil ? .done : .pending
            }
        }
    }
}

extension LaneMachine.End {
    /// Whether what is left waits for a time, the network or a person: another look at it at once would change nothing.
    var isLeft: Bool {
        switch self {
        case .done, .held(.synchronized), .held(.waitsForParents), .held(.waitsForChange), .held(.inAnotherLane): false
        case .pending, .failed, .rejected, .conflicted, .unknown, .offline, .signInNeeded, .held(.notDue),
            .held(.needsPerson), .held(.notOffered):
            true
        }
    }

    /// Whether it goes when something else has gone.
    var waitsForOthers: Bool {
        switch self {
        case .held(.waitsForParents), .held(.waitsForChange): true
        case .held, .done, .pending, .failed, .rejected, .conflicted, .unknown, .offline, .signInNeeded: false
        }
    }

    var word: String {
        switch self {
        case .done: "done"
        case .pending: "still to be sent"
        case .held: "held"
        case .failed: "failed, to be tried again"
        case .rejected: "rejected"
        case .conflicted: "conflicted"
        case .unknown: "unknown"
        case .offline: "offline"
        case .signInNeeded: "sign in needed"
        }
    }
}
