internal import Synchronization

extension Task where Failure == any Error {
    /// The outcome, for a caller that may stop waiting while the task goes on: others wait for it too, or what it has begun
    /// must come to its end.
    ///
    /// - Throws: what the task throws; `CancellationError` as soon as the caller is cancelled.
    func valueUnlessCancelled() async throws -> Success {
        let wait = AbandonableWait<Success>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard wait.begin(continuation) else { return }
                Task<Void, Never> { wait.end(await self.result) }
            }
        } onCancel: {
            wait.cancel()
        }
    }
}

/// A continuation that is resumed by whatever comes first.
private final class AbandonableWait<Success: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Success, any Error>)
        case ended
    }
    private let state = Mutex(State.new)

    /// - Returns: false where the wait has ended before it began.
    func begin(_ continuation: CheckedContinuation<Success, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: CancellationError()) }
        return isNew
    }

    func cancel() { end(.failure(CancellationError())) }

    func end(_ result: Result<Success, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Success, any Error>? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(with: result)
    }
}
