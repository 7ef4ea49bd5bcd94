package import Atmosphere

extension MetaObject {
    /// The content of a member that a person means who drops one of several: the one that was refused or is in doubt, and
    /// else the latest.
    package func firstToDrop(from member: String) -> Upload? {
        let waiting = uploads.filter { $0.member == member }
        let asked = outgoing?.phase.upload ?? outgoing?.lost?.upload
        let free = waiting.filter { status(of: $0) != .sending(.update) }
        return free.first { $0.id == asked } ?? free.last ?? waiting.last
    }

    /// Whether the server may have taken content that waits here, as far as anybody knows.
    package func mayBeDone(_ upload: Upload) -> Bool {
        switch outgoing?.phase {
        case .sending(let attempt), .unknown(let attempt): attempt.upload == upload.id
        case .conflicted(let conflict): conflict.lost?.upload == upload.id
        // Edits go before contents, and those that are in doubt are remembered.
        case .waiting:
            confirmed != nil && uploads.first?.id == upload.id && outgoing?.unanswered.isEmpty == true
                && outgoing?.evidence.mayHaveArrived == true
        case .rejected, nil: false
        }
    }
}

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
