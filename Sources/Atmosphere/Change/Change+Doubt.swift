extension Change {
    /// Whether the server may have what was sent: it is on the wire, or an answer was lost and none has come since.
    var mayBeThere: Bool {
        switch phase {
        case .sending, .unknown: true
        case .waiting: evidence.mayHaveArrived
        case .conflicted, .rejected: false
        }
    }

    /// The refusal of the last try.
    var refusal: MetaObject.Failure? { lastError.flatMap { $0.isVerdict ? $0 : nil } }

    /// Marks the change as being sent. What the try before was refused for is no verdict about this one, also where the process
    /// ends before it is answered.
    mutating func begin(_ attempt: Attempt) {
        phase = .sending(attempt)
        lastError = lastError?.withoutVerdict
    }

    /// Of a create that is repeated under its key: refused often enough, so that a person decides.
    var isRefusedForGood: Bool { retry.spent == .acceptance }

    /// Of a create that may have arrived: what was sent first, which is what the server has of it.
    var firstTry: ObjectRecord? { unanswered.first ?? lostCreate?.record }

    /// What a delete that has been tried says to an edit.
    var whyNoEdit: String {
        switch phase {
        case .rejected: "was deleted here, and the server refused that; discard it to go on with what the server has"
        case .conflicted: "was deleted here and edited on the server; resolve that first"
        case .waiting, .sending, .unknown: "is being deleted on the server; synchronize first, then create it anew"
        }
    }
}
