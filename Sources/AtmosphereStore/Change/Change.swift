/// A change on its way to the server.
package struct Change: Sendable, Hashable {
    /// How far the change has come.
    package var phase: Phase
    /// What has been tried in vain since the last success or edit.
    package var retry: Retry
    /// Sent with each try of the same create, where the route file declares an idempotency header.
    package var idempotencyKey: String
    /// What is known of whether the server has what was sent.
    package var evidence: Evidence
    /// What the last try that failed was told; kept until one succeeds.
    package var lastError: MetaObject.Failure?
    /// The number of the oldest request for a page that was not answered when this was first sent, or of the first try
    /// itself: what a request before it has shown was there before. nil for what was never sent.
    package var lowWaterMark: Int64?
    /// The record as it was sent by tries whose answer was lost and that are not on the wire any more, the latest
    /// last: updates, and creates that a look-up did not find. What the server shows of them is this client's own and
    /// clashes with none of its later edits.
    package var unanswered: [ObjectRecord] = []
    /// A write that the server has accepted in an answer that says too little, and that was not read since: the base is
    /// what was sent.
    package var unverified: Unverified?
    /// Of an object that the server has deleted and that is created once more: what it was when the server last
    /// confirmed it. Another client may create it once more, too, and both start from this.
    package var previous: ObjectRecord?

    /// A change that waits for its first try, unless told otherwise.
    package init(
        phase: Phase = .waiting, retry: Retry = Retry(), idempotencyKey: String, evidence: Evidence = .none,
        lastError: MetaObject.Failure? = nil
    ) {
        self.phase = phase
        self.retry = retry
        self.idempotencyKey = idempotencyKey
        self.evidence = evidence
        self.lastError = lastError
    }

    /// An accepted write of which a read has to show what has become.
    package struct Unverified: Sendable, Hashable {
        /// What was sent.
        package var sent: ObjectRecord
        /// The base of the change; nil for a create.
        package var before: ObjectRecord?
        /// The declared action that carried it; nil for an update or a create.
        package var action: String?

        /// A create, unless told otherwise.
        package init(sent: ObjectRecord, before: ObjectRecord? = nil, action: String? = nil) {
            self.sent = sent
            self.before = before
            self.action = action
        }

        /// A read alone is owed: no edit of the record was sent that it has to show, as behind content for a member that the
        /// server sets itself.
        package static func read(over base: ObjectRecord) -> Unverified { .init(sent: base, before: base) }

        /// A read alone is owed.
        package var isRead: Bool { sent == before }
    }

    /// How far a change has come on its way to the server.
    package enum Phase: Sendable, Hashable {
        /// Not on the wire.
        case waiting
        /// On the wire, or was when the process ended.
        case sending(Attempt)
        /// Sent without an answer: it may or may not have happened. A person decides unless it can be looked up.
        case unknown(Attempt)
        /// Both sides changed and the policy asks a person.
        case conflicted(MetaObject.Conflict)
        /// It is not sent any more: a person decides.
        case rejected(Verdict, MetaObject.Failure)
    }
}

extension Change {
    /// As many as a person who goes on editing without a network may leave behind; of more the oldest are forgotten.
    package static var mostUnanswered: Int { 8 }

    /// Of an object that the server has deleted and that is created once more: what a request before `sequence` has shown
    /// is the one that was deleted.
    package static func anew(key: String, after sequence: Int64?, previous: ObjectRecord?) -> Change {
        var outgoing = Change(idempotencyKey: key)
        outgoing.lowWaterMark = sequence
        outgoing.previous = previous
        return outgoing
    }

    /// Keeps what an update has sent whose answer will not come any more.
    package mutating func remember(_ snapshot: Attempt) {
        guard let record = snapshot.record, unanswered.last != record else { return }
        unanswered = unanswered.suffix(Self.mostUnanswered - 1) + [record]
    }

    /// Another change in place of this one, with a new key. Of an action that must not be sent twice nobody is asked any more, and
    /// it may be done all the same.
    package func followed(by key: String) -> Change {
        var next = Change(idempotencyKey: key)
        next.unanswered = unanswered
        if let lost, lost.upload == nil { next.remember(lost) }
        return next
    }

    /// Where nothing speaks against it any more, it waits to be sent.
    package var undisputed: Change {
        var outgoing = self
        if case .conflicted = phase { outgoing.phase = .waiting }
        return outgoing
    }

    /// An edit gives a refused change another chance; what is on the wire or undecided stays so.
    ///
    /// - Parameter key: the idempotency key from now on: a server that has seen the old one knows it for other content.
    package func afterEdit(key: String) -> Change {
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
    package func afterEditOfUpdate(key: String) -> Change {
        var outgoing = afterEdit(key: key)
        outgoing.idempotencyKey = key
        return outgoing
    }

    /// In conflict because the server refuses the change each time, and not because of what it has shown.
    package var isRefusedEachTime: Bool {
        if case .conflicted(let conflict) = phase { conflict.cause == .refusedEachTime } else { false }
    }

    /// Of an update: what was sent without an answer and must not be sent twice.
    package var lost: Attempt? {
        switch phase {
        case .unknown(let sent): sent
        case .conflicted(let conflict): conflict.lost
        case .waiting, .sending, .rejected: nil
        }
    }

    /// Of an update: the answer to one was lost, and that may have given the object another identifier.
    package var mayBeRenamed: Bool { evidence.mayHaveArrived && !tries.isEmpty }

    /// Of an update: the record as each try has sent it whose answer was lost, the latest last.
    package var tries: [ObjectRecord] {
        guard let lost, lost.upload == nil, let record = lost.record else { return unanswered }
        return unanswered + [record]
    }

    /// Of a create: what may be on the server already. That of a refused one is, too, where an earlier try was not answered:
    /// what denied it may have been behind.
    package var lostCreate: Attempt? {
        switch phase {
        case .sending(let sent), .unknown(let sent): sent
        case .rejected(let verdict, _): evidence.mayHaveArrived ? verdict.attempt : nil
        case .waiting, .conflicted: nil
        }
    }

    /// Of a create that is refused, and of which no answer was lost: what was sent. The server has it all the same where what refused
    /// it stands in front of the server, or comes behind what was done.
    package var refusedCreate: ObjectRecord? {
        guard case .rejected(let verdict, _) = phase, !evidence.mayHaveArrived else { return nil }
        return verdict.attempt?.record
    }

    /// Of a create whose answer was lost: looked for, not there so far, and asked for again; nothing the server has said
    /// speaks of it.
    package var isLookedForInVain: Bool {
        guard case .unknown(let sent) = phase, sent.action == nil, sent.upload == nil else { return false }
        return evidence == .inDoubt(isLookedFor: true) && retry.due != nil
    }

    /// Of a create: all that may be on the server already, the first try first. Where nothing of it is on the wire or looked
    /// for, that is what earlier tries have sent whose answers were lost: what denied them may have been behind.
    package var creates: [ObjectRecord] {
        switch phase {
        case .sending(let sent), .unknown(let sent): unanswered + [sent.record].compactMap(\.self)
        case .waiting: evidence.mayHaveArrived ? unanswered : []
        case .rejected(let verdict, _):
            evidence.mayHaveArrived ? unanswered + [verdict.attempt?.record].compactMap(\.self) : []
        case .conflicted: []
        }
    }
}

extension Change.Phase {
    /// The upload that is on the wire, or whose outcome nobody knows, or that was refused.
    package var upload: String? {
        switch self {
        case .sending(let snapshot), .unknown(let snapshot), .rejected(.refused(let snapshot), _): snapshot.upload
        case .waiting, .conflicted, .rejected: nil
        }
    }
}
