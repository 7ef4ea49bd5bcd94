#if SQLite
    internal import Dispatch

    /// Runs blocking work one piece at a time on a queue of its own, outside Swift's cooperative threads.
    ///
    /// GRDB's asynchronous calls would do as much, but they interrupt the statement when the task is cancelled, and a
    /// commit must not depend on that.
    actor BlockingQueue {
        private let executor: QueueExecutor

        init(label: String) { executor = QueueExecutor(DispatchQueue(label: label)) }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
    }

    // A DispatchQueue may be used from any thread; Dispatch on Linux does not say so to the compiler.
    private final class QueueExecutor: SerialExecutor, @unchecked Sendable {
        private let queue: DispatchQueue

        init(_ queue: DispatchQueue) { self.queue = queue }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
#endif
