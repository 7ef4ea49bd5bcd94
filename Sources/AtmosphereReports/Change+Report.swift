package import Atmosphere

extension Change {
    /// It failed, and no person has to decide anything first.
    package var canBeRetried: Bool {
        switch phase {
        case .rejected: true
        case .waiting: lastError != nil
        case .unknown: retry.due != nil
        case .sending, .conflicted: false
        }
    }

    /// A request that carries it may have been done, as far as anybody knows.
    package var mayBeDone: Bool { if case .sending = phase { true } else { evidence.mayHaveArrived } }
}
