#if Notifications
    import NIOCore

    /// Runs tasks on an event loop: what begins and ends there changes threads nowhere on its way.
    final class LoopExecutor: TaskExecutor {
        private let loop: any EventLoop
        private let gate: LoopGate

        init(_ loop: any EventLoop, gate: LoopGate) {
            self.loop = loop
            self.gate = gate
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isTaken = gate.execute(loop) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            // A task that is left when the loop has ended must come to its end, too.
            if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        }
    }
#endif
