#if Notifications
    import NIOCore
    import Synchronization

    /// What is to be done for the clients of one loop, in order and a little at a time.
    ///
    /// However much there is, a turn of the loop ends after ``Limits/turn``, with the job that is under way or with what it
    /// leaves for later, so that connections are read and others answered in between. What waits is bounded, too: where
    /// events come faster than they go, the new ones are dropped until those who listen have been told so.
    ///
    /// `@unchecked Sendable`: the backlog is touched on the loop only.
    final class MemberJobs: @unchecked Sendable {
        /// Something to be done on the loop.
        struct Job: Sendable {
            enum Kind: Sendable {
                /// Has to be done.
                case duty
                /// Hands over an event, which can be dropped where clients are told so; its offset, if it has one.
                case event(Offset?)
            }

            var kind: Kind
            /// About the memory that it holds.
            var bytes = 0
            /// Told whether no other job follows in this turn of the loop.
            var body: @Sendable (_ isAlone: Bool) -> Void
        }

        /// How much waits before something is done about it.
        struct Limits: Sendable {
            /// How long a loop works for this before it looks at its connections.
            var turn = TimeAmount.milliseconds(5)
            /// Beyond these those who bring more are to wait.
            var busyJobs = 256
            var busyBytes = 4 << 20
            /// Beyond these events are dropped. One batch of a publisher always fits in.
            var jobs = 20_000
            var bytes = 64 << 20
        }

        private struct State {
            var jobs: [Job] = []
            /// Of these jobs and the backlog.
            var count = 0
            var bytes = 0
            /// Whether the loop will come to them.
            var isPlanned = false
            /// Whether events are dropped, and the last one with an offset.
            var isDropping = false
            var dropped: Offset?
            /// Whether the loop has ended, or is about to.
            var isOver = false
        }

        private let loop: any EventLoop
        private let limits: Limits
        private let state = Mutex(State())
        /// What did not fit into the turn in which it was found; it comes before all others.
        private var backlog = Queue<Job>()
        /// What the last job that was begun has left.
        private var rest: Rest?
        private var restBytes = 0

        /// NIO looks at its connections only when no task is due: longer than most that may come in between take.
        private static let pause = TimeAmount.milliseconds(1)

        init(_ loop: any EventLoop, limits: Limits) {
            self.loop = loop
            self.limits = limits
        }

        /// Whether those who bring more should wait.
        var isBusy: Bool { state.withLock { $0.count > limits.busyJobs || $0.bytes > limits.busyBytes } }

        /// Does a part, up to a time; returns whether nothing is left.
        typealias Rest = (NIODeadline) -> Bool

        /// What a job that is under way leaves for later: no other one is begun before it is done. To be called once for
        /// a job.
        func goOn(_ rest: @escaping Rest) {
            loop.assertInEventLoop()
            self.rest = rest
        }

        /// The loop is about to end: nothing more is done.
        func end() { state.withLock { $0.isOver = true } }

        /// Does a job on the loop, after those before it. The loop is woken once for all that have come meanwhile.
        ///
        /// - Parameter missed: called on the loop, in the place of the events that did not fit, with the last offset of
        ///   those.
        func execute(_ job: Job, missed: @escaping @Sendable (Offset?) -> Void) {
            state.withLock { state in
                guard !state.isOver else { return }
                var job = job
                if case .event(let offset) = job.kind,
                    state.isDropping || state.count >= limits.jobs || state.bytes + job.bytes > limits.bytes
                {
                    state.dropped = offset ?? state.dropped
                    guard !state.isDropping else { return }
                    state.isDropping = true
                    job = Job(kind: .duty) { _ in missed(self.endDropping()) }
                }
                state.jobs.append(job)
                state.count += 1
                state.bytes += job.bytes
                guard !state.isPlanned else { return }
                state.isPlanned = true
                // Inside the lock, so that none comes for a loop that has ended.
                loop.execute { self.work() }
            }
        }

        private func endDropping() -> Offset? {
            state.withLock { state in
                state.isDropping = false
                return state.dropped.take()
            }
        }

        private func work() {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            let isAlone = jobs.count == 1 && backlog.isEmpty && rest == nil
            let end = NIODeadline.now() + limits.turn
            var count = 0
            var bytes = 0
            func finish() {
                if let rest, !rest(end) { return }
                rest = nil
                count += 1
                bytes += restBytes
            }
            func run(_ job: Job) {
                restBytes = job.bytes
                job.body(isAlone)
                finish()
            }
            var mayBegin: Bool { rest == nil && (count == 0 || NIODeadline.now() < end) }
            if rest != nil { finish() }
            while let job = backlog.first, mayBegin {
                backlog.popFirst()
                run(job)
            }
            for job in jobs {
                // In their order: behind what is left of those before.
                if backlog.isEmpty, mayBegin { run(job) } else { backlog.append(job) }
            }
            let isDone = state.withLock { state in
                state.count -= count
                state.bytes -= bytes
                // What has not been done to its end counts still.
                state.isPlanned = state.count > 0
                return !state.isPlanned || state.isOver
            }
            if isDone { return }
            if backlog.isEmpty, NIODeadline.now() < end {
                loop.execute { self.work() }
            } else {
                // Behind the flush of what was written, which may take longer than the pause.
                loop.execute { [loop] in loop.scheduleTask(in: Self.pause) { self.work() } }
            }
        }
    }
#endif
