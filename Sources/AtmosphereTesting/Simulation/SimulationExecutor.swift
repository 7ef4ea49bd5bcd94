internal import Dispatch
internal import Synchronization

/// Runs every job of every task in the thread that calls ``drain(_:)``, one at a time, in an order that the caller
/// chooses: the whole concurrency of a simulation, and no thread beside it.
///
/// A store with a queue of its own does its work elsewhere. Such a call is declared with ``outside(_:)``; until it ends
/// no other job runs, so it is one step to everybody else and the order stays the same each time.
final class SimulationExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Jobs of the call that is outside.
        var returned: [UnownedJob] = []
        var isOutside = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            guard state.isOutside else { return state.jobs.append(job) }
            state.returned.append(job)
            arrival.signal()
        }
    }

    /// Runs jobs until none is left.
    ///
    /// - Parameter choose: an index below the number of jobs that could run now.
    func drain(_ choose: (Int) -> Int) {
        while let job = next(choose) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next(_ choose: (Int) -> Int) -> UnownedJob? {
        if state.withLock({ $0.isOutside }) {
            arrival.wait()
            return state.withLock { $0.returned.removeFirst() }
        }
        return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.remove(at: choose($0.jobs.count)) }
    }

    /// Runs a call that works in threads of its own while everything here stands still.
    func outside<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { $0.isOutside = true }
        defer {
            state.withLock { state in
                state.isOutside = false
                // One came with the job that ends the call at the most, and it may run like any other now.
                while !state.returned.isEmpty {
                    arrival.wait()
                    state.jobs.append(state.returned.removeFirst())
                }
            }
        }
        return try await body()
    }
}

#if !canImport(Darwin)
    // A DispatchSemaphore may be used from any thread; Dispatch on Linux does not say so to the compiler.
    extension SimulationExecutor: @unchecked Sendable {}
#endif
