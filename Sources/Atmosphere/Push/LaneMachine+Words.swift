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

extension LaneMachine.Order {
    /// What is asked of the server, for a message.
    var word: String { if case .send(let verb, _) = self { verb.word } else { "read" } }

    /// It is about an object that the server has shown before.
    var isAboutKnown: Bool {
        switch self {
        case .send(.create, _), .lookUp, .lease, .readBack(_, before: nil), .confirmDelete: false
        case .send, .read, .readBack, .confirmGone, .confirmRefused: true
        }
    }

    /// It asks what has become of a create.
    var isAboutCreate: Bool {
        switch self {
        case .lookUp, .readBack(_, before: nil): true
        default: false
        }
    }

    var isAboutDelete: Bool { if case .confirmDelete = self { true } else { false } }

    var reason: String {
        switch self {
        case .lookUp: "to look up what has become of the create"
        case .lease: "for the edit lease"
        case .read: "to compare before the write"
        case .readBack: "to see what the write has done"
        case .confirmGone, .confirmDelete, .confirmRefused: "to make sure that it is gone"
        case .send(let verb, _): verb.word
        }
    }
}
