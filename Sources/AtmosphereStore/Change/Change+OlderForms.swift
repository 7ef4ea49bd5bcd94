/// Changes as the forms 1 and 2 have them: with flags, with one counter for all tries, and with causes that only sentinels
/// tell apart.
extension Change {
    /// Of form 1 or 2.
    ///
    /// - Parameter base: what the server has confirmed of the object.
    init(flagsOf fields: StoredFields, _ uri: ObjectURI, beside base: ObjectRecord?) throws(StoreError) {
        func snapshot() throws(StoreError) -> Attempt {
            try Attempt(stored: fields.fields("snapshot"), uri)
        }
        let phase: Change.Phase
        switch try fields.text("phase") {
        case "waiting": phase = .waiting
        case "sending": phase = .sending(try snapshot())
        case "unknown": phase = .unknown(try snapshot())
        case "conflicted":
            let isRefused = fields.value("lastError") != nil
            phase = .conflicted(
                try Self.conflict(flagsOf: fields.fields("conflict"), uri, beside: base, isRefused: isRefused))
        case "rejected":
            let failure = try MetaObject.Failure(stored: fields.fields("failure"))
            phase = .rejected(Self.verdict(about: try snapshot(), failure), failure)
        default: throw fields.wrong("phase", "a phase")
        }
        self.init(
            phase: phase, idempotencyKey: try fields.text("key"), evidence: try Self.evidence(flagsOf: fields))
        try readRest(fields, uri)
        retry = try retry(flagsOf: fields)
    }

    /// What the one counter of older forms has counted, as far as the rest says it.
    private func retry(flagsOf fields: StoredFields) throws(StoreError) -> Retry {
        let tries = Int(clamping: max(0, min(try fields.optionalInteger("attempts") ?? 0, 1 << 30)))
        let due = try fields.optionalInteger("nextAttempt").map { Timestamp(milliseconds: $0) }
        // Older ones gave up after eight, with what the server had said that it has, or had refused.
        let isRefused = lastError?.status.map { (200..<300).contains($0) || (400..<500).contains($0) } ?? false
        let isGivenUp = if case .unknown = phase { tries >= 8 && due == nil } else { false }
        let isSpent = isGivenUp && (evidence.isKnownThere || isRefused)
        let purpose: Retry.Purpose
        if unverified != nil {
            purpose = .verification
        } else if evidence == .begun {
            purpose = .deletion
        } else if evidence.isKnownThere || evidence.isLookedFor {
            purpose = .lookUp
        } else {
            // What only put the change off (429, 401) was not counted, and came on top of other tries.
            switch lastError?.status {
            case 404, 410: purpose = .existence
            case 409, 412, 428: purpose = .acceptance
            default: purpose = isSpent ? .acceptance : .answer
            }
        }
        return tries == 0 && due == nil ? Retry() : Retry(purpose, tries: tries, isSpent: isSpent, due: due)
    }

    private static func evidence(flagsOf fields: StoredFields) throws(StoreError) -> Evidence {
        let isLookedFor = try fields.flag("unshown")
        let mayHaveArrived = try fields.flag("mayHaveArrived")
        if try fields.flag("begun") { return .begun }
        if try fields.flag("named") { return .named(isLookedFor: isLookedFor) }
        if try fields.flag("knownThere") { return mayHaveArrived ? .nameless : .duplicate }
        if try fields.flag("answered") { return .underWay }
        return mayHaveArrived ? .inDoubt(isLookedFor: isLookedFor) : .none
    }

    /// - Parameter sent: what stood beside each refusal; with the sequence 0 where nothing had been sent.
    private static func verdict(about sent: Attempt, _ failure: MetaObject.Failure) -> Verdict {
        if sent.sequence == 0, failure.status == nil {
            let isDangling = failure.message.contains("which was removed here before the server knew it")
            return isDangling ? .dangling(sent.record) : .invalid
        }
        if failure.fields.contains(where: { $0.message == "not sent any more" }) { return .unsendable }
        if failure.fields.contains(where: { $0.message == "not taken" }) { return .notTaken }
        return .refused(sent)
    }

    /// - Parameters:
    ///   - base: what the server has confirmed of the object.
    ///   - isRefused: the server has refused a try.
    private static func conflict(
        flagsOf fields: StoredFields, _ uri: ObjectURI, beside base: ObjectRecord?, isRefused: Bool
    ) throws(StoreError) -> MetaObject.Conflict {
        let theirs = try fields.optionalRecord("theirs", of: uri)
        let names = try fields.names("fields")
        let cause: MetaObject.Conflict.Cause
        if let until = try fields.optionalInteger("retryAt") {
            cause = .leased(until: Timestamp(milliseconds: until))
        } else if !names.isEmpty {
            cause = .clash(names)
        } else {
            cause = isRefused && theirs != nil && theirs == base ? .refusedEachTime : .deletion
        }
        return try MetaObject.Conflict(cause, fields, uri)
    }
}
