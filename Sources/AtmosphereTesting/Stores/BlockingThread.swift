internal import Dispatch
internal import Synchronization

/// Threads of its own for closures that wait inside a transaction, which must not be done on Swift's own threads.
final class BlockingThread: TaskExecutor {
    private let queue = DispatchQueue(label: "BlockingThread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

#if !canImport(Darwin)
    // A DispatchQueue may be used from any thread; Dispatch on Linux does not say so to the compiler.
    extension BlockingThread: @unchecked Sendable {}
#endif

/// A door between two closures: one waits until the other opens it, but not for ever.
package final class Latch: Sendable {
    private struct State {
        var isOpen = false
        /// Nobody will open it any more.
        var isGivenUp = false
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    private let semaphore = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    func open() {
        let waiters = state.withLock { state in
            if !state.isOpen { semaphore.signal() }
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for each in waiters { each.resume(returning: true) }
    }

    /// How long a closure waits for another one; less than a check may take, so that it says what did not happen.
    @TaskLocal package static var patience = ConformanceCheck.usualLimit * 2 / 3

    /// Blocks the thread.
    ///
    /// - Returns: false where the patience has ended.
    func block() -> Bool {
        let milliseconds = Int(Self.patience / .milliseconds(1))
        guard semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
        semaphore.signal()
        return true
    }

    /// Returns when a closure that the task calls has opened the door.
    ///
    /// - Parameter what: whose closure it is, for a message: `a read`.
    /// - Throws: what the task threw without opening it; ``ConformanceFailure`` where it ended without.
    func wait(for task: Task<some Sendable, any Error>, _ what: String) async throws {
        Task {
            _ = await task.result
            giveUp()
        }
        let isOpen = await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.isOpen || state.isGivenUp { return state.isOpen }
                state.waiters.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        guard !isOpen else { return }
        _ = try await task.value
        throw ConformanceFailure("\(what) came back, and its closure was not called")
    }

    private func giveUp() {
        let waiters = state.withLock { state in
            state.isGivenUp = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for each in waiters { each.resume(returning: false) }
    }
}
