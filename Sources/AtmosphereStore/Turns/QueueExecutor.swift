internal import Dispatch

/// A serial executor that blocks none of Swift's cooperative threads: an actor that gives it as its `unownedExecutor` runs
/// on a queue of its own.
///
/// Work runs one piece at a time, in the order in which it was enqueued, and may wait for files, statements and answers.
/// Cancelling a task interrupts nothing of it. For a store that needs no actor of its own, ``BlockingQueue`` is one.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor with a queue of its own.
    ///
    /// - Parameter label: what the queue is called in a debugger.
    package init(label: String) { queue = DispatchQueue(label: label) }

    /// Called by Swift: runs the job on the queue, behind those that were enqueued before.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

#if !canImport(Darwin)
    // A DispatchQueue may be used from any thread; Dispatch on Linux does not say so to the compiler.
    extension QueueExecutor: @unchecked Sendable {}
#endif
