extension MetaObject.Outgoing {
    /// As many as a person who goes on editing without a network may leave behind; of more the oldest are forgotten.
    package static var mostUnanswered: Int { 8 }

    /// Of an object that the server has deleted and that is created once more: what a request before `sequence` has shown
    /// is the one that was deleted.
    package static func anew(key: String, after sequence: Int64?, former: ObjectRecord?) -> MetaObject.Outgoing {
        var outgoing = MetaObject.Outgoing(idempotencyKey: key)
        outgoing.knownBefore = sequence
        outgoing.former = former
        return outgoing
    }

    /// Keeps what an update has sent whose answer will not come any more.
    package mutating func remember(_ snapshot: MetaObject.Snapshot) {
        guard let record = snapshot.record, unanswered.last != record else { return }
        unanswered = unanswered.suffix(Self.mostUnanswered - 1) + [record]
    }

    /// Another change in place of this one, with a new key.
    package func followed(by key: String) -> MetaObject.Outgoing {
        var next = MetaObject.Outgoing(idempotencyKey: key)
        next.unanswered = unanswered
        return next
    }

    /// Where nothing speaks against it any more, it waits to be sent.
    package var undisputed: MetaObject.Outgoing {
        var outgoing = self
        if case .conflicted = phase { outgoing.phase = .waiting }
        return outgoing
    }

    /// An edit gives a refused change another chance; what is on the wire or undecided stays so.
    ///
    /// - Parameter key: the idempotency key from now on: a server that has seen the old one knows it for other content.
    package func afterEdit(key: String) -> MetaObject.Outgoing {
        var outgoing = self
        switch outgoing.phase {
        case .rejected, .waiting:
            outgoing.phase = .waiting
            outgoing.retry = Retry()
            outgoing.idempotencyKey = key
        case .sending, .unknown, .conflicted: break
        }
        return outgoing
    }

    /// The same for an update, of which what was edited goes next whatever became of the last try.
    package func afterEditOfUpdate(key: String) -> MetaObject.Outgoing {
        var outgoing = afterEdit(key: key)
        outgoing.idempotencyKey = key
        return outgoing
    }

    /// In conflict because the server refuses the change each time, and not because of what it has shown.
    package var isRefusedEachTime: Bool {
        if case .conflicted(let conflict) = phase { conflict.cause == .refusedEachTime } else { false }
    }

    /// Of an update: what was sent without an answer and must not be sent twice.
    package var lost: MetaObject.Snapshot? {
        switch phase {
        case .unknown(let sent): sent
        case .conflicted(let conflict): conflict.lost
        case .waiting, .sending, .rejected: nil
        }
    }

    /// Of a create: what may be on the server already. That of a refused one is, too, where an earlier try was not answered:
    /// what denied it may have been behind.
    package var lostCreate: MetaObject.Snapshot? {
        switch phase {
        case .sending(let sent), .unknown(let sent): sent
        case .rejected(let verdict, _): evidence.mayHaveArrived ? verdict.attempt : nil
        case .waiting, .conflicted: nil
        }
    }

    /// Of a create whose answer was lost: looked for, not there so far, and asked for again; nothing the server has said
    /// speaks of it.
    package var isLookedForInVain: Bool {
        guard case .unknown(let sent) = phase, sent.action == nil, sent.upload == nil else { return false }
        return evidence == .inDoubt(isLookedFor: true) && retry.due != nil
    }

    /// Of a create: all that may be on the server already, the first try first.
    package var creates: [ObjectRecord] { unanswered + [lostCreate?.record].compactMap(\.self) }
}

extension MetaObject {
    /// What the server has last shown of the object as a whole: what it confirmed, or what a conflict is about.
    package var lastShown: ObjectRecord? {
        if case .conflicted(let conflict) = outgoing?.phase, let theirs = conflict.theirs { return theirs }
        return confirmed?.base
    }
}
