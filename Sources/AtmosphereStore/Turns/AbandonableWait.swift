internal import Synchronization

/// One wait of one task, which ends with an outcome that somebody gives it, or with the cancellation of the task:
/// whichever comes first.
///
/// Who hands something over asks ``end(_:)`` whether the wait has taken it; what a cancelled wait has not taken is for the
/// next one.
package final class AbandonableWait<Success: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Success, any Error>)
        case ended(Result<Success, any Error>)
    }

    private let state = Mutex(State.new)

    package init() {}

    /// Gives the wait its outcome; the first one counts.
    ///
    /// - Returns: whether it was the first.
    @discardableResult
    package func end(_ outcome: Result<Success, any Error>) -> Bool {
        let before = state.withLock { state -> State in
            let before = state
            if case .ended = before { return before }
            state = .ended(outcome)
            return before
        }
        switch before {
        case .new: return true
        case .waiting(let continuation):
            continuation.resume(with: outcome)
            return true
        case .ended: return false
        }
    }

    /// The outcome, which may have been given before; called once.
    ///
    /// - Throws: what the wait was ended with; `CancellationError` as soon as the task is cancelled.
    package func value(isolation: isolated (any Actor)? = #isolation) async throws -> Success {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Success, any Error>? in
                    if case .ended(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }
}
