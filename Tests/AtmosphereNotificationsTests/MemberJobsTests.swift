#if Notifications
    @testable import AtmosphereNotifications
    import NIOCore
    import NIOPosix
    import Synchronization
    import Testing

    @Suite("What is to be done for the clients of a loop")
    struct MemberJobsTests {
        private final class Notes: Sendable {
            private let texts = Mutex<[String]>([])
            var all: [String] { texts.withLock { $0 } }
            func add(_ text: String) { texts.withLock { $0.append(text) } }
        }

        private func offset(_ number: UInt64) -> Offset { Offset(epoch: "e", number: number) }

        private typealias Giving = @Sendable (MemberJobs, Notes, any EventLoop) -> Void

        /// Gives jobs while the loop can do none, more when those are done, and returns what was noted.
        private func notes(_ limits: MemberJobs.Limits, _ giving: Giving...) async throws -> [String] {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let loop = group.next()
            let jobs = MemberJobs(loop, limits: limits)
            let notes = Notes()
            for give in giving {
                try await loop.submit { give(jobs, notes, loop) }.get()
                // What was planned for these alone has begun, so that the duty below keeps none of them company.
                try await loop.submit {}.get()
                // A duty is done behind everything before it, and what its turn has done counts when that ends.
                await withCheckedContinuation { done in
                    jobs.execute(.init(kind: .duty) { _ in loop.execute { done.resume() } }) { _ in }
                }
                #expect(!jobs.isBusy)
            }
            try await group.shutdownGracefully()
            return notes.all
        }

        @Test("others have their turn between jobs that take long, and the jobs keep their order")
        func turns() async throws {
            var limits = MemberJobs.Limits()
            limits.turn = .nanoseconds(0)
            let seen = try await notes(limits) { jobs, notes, loop in
                for name in ["a", "b", "c"] {
                    jobs.execute(
                        .init(kind: .event(nil)) { isAlone in
                            notes.add(isAlone ? "\(name) alone" : name)
                            loop.execute { notes.add("other") }
                        }
                    ) { _ in }
                }
            }
            #expect(seen == ["a", "other", "b", "other", "c", "other"])
        }

        @Test("what a job leaves is done in parts, with others between, and before any other job")
        func parts() async throws {
            var limits = MemberJobs.Limits()
            limits.turn = .nanoseconds(0)
            let seen = try await notes(limits) { jobs, notes, loop in
                jobs.execute(
                    .init(kind: .event(nil), bytes: 5 << 20) { _ in
                        notes.add("begins")
                        var part = 0
                        jobs.goOn { _ in
                            part += 1
                            notes.add("part \(part)")
                            loop.execute { notes.add("other") }
                            return part == 3
                        }
                    }
                ) { _ in }
                jobs.execute(.init(kind: .event(nil)) { _ in notes.add("next") }) { _ in }
                #expect(jobs.isBusy)
            }
            #expect(
                seen == ["begins", "part 1", "other", "part 2", "other", "part 3", "other", "next"])
        }

        @Test("a loop that is about to end is given nothing more")
        func end() async throws {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let jobs = MemberJobs(group.next(), limits: MemberJobs.Limits())
            let gate = LoopGate()
            let notes = Notes()
            jobs.end()
            gate.close()
            try await group.shutdownGracefully()
            jobs.execute(.init(kind: .duty) { _ in notes.add("job") }) { _ in }
            gate.execute(group.next()) { notes.add("task") }
            #expect(notes.all.isEmpty && !jobs.isBusy)
            let executor = LoopExecutor(group.next(), gate: gate)
            let task = Task(executorPreference: executor) {
                await Task.yield()
                return "a task that was left comes to its end"
            }
            #expect(await task.value == "a task that was left comes to its end")
        }

        @Test("what fits into a turn is done in one, and a job that is alone knows it")
        func together() async throws {
            // However long this thread is kept from running.
            var limits = MemberJobs.Limits()
            limits.turn = .hours(1)
            let both = try await notes(limits) { jobs, notes, loop in
                for name in ["a", "b"] {
                    jobs.execute(
                        .init(kind: .event(nil)) { isAlone in
                            notes.add(isAlone ? "\(name) alone" : name)
                            loop.execute { notes.add("other") }
                        }
                    ) { _ in }
                }
            }
            #expect(both == ["a", "b", "other", "other"])
            let one = try await notes(limits) { jobs, notes, _ in
                jobs.execute(.init(kind: .event(nil)) { isAlone in notes.add("\(isAlone)") }) { _ in }
            }
            #expect(one == ["true"])
        }

        @Test(
            "beyond their number or their bytes events are dropped, duties are not, and it is told where and up to where",
            arguments: [false, true])
        func bounds(byBytes: Bool) async throws {
            var limits = MemberJobs.Limits()
            limits.busyJobs = 1
            if byBytes { limits.bytes = 300 } else { limits.jobs = 3 }
            @Sendable func telling(_ notes: Notes) -> @Sendable (Offset?) -> Void {
                { notes.add("missed \($0?.description ?? "-")") }
            }
            let many: Giving = { jobs, notes, _ in
                let missed = telling(notes)
                for number in 1...6 {
                    jobs.execute(
                        .init(kind: .event(number == 6 ? nil : offset(UInt64(number))), bytes: 100) { _ in
                            notes.add("\(number)")
                        }, missed: missed)
                }
                jobs.execute(.init(kind: .duty, bytes: 100) { _ in notes.add("duty") }, missed: missed)
                #expect(jobs.isBusy)
            }
            // What comes when that has been told is taken again.
            let one: Giving = { jobs, notes, _ in
                jobs.execute(.init(kind: .event(offset(7))) { _ in notes.add("7") }, missed: telling(notes))
            }
            let seen = try await notes(limits, many, one)
            #expect(seen == ["1", "2", "3", "missed e-5", "duty", "7"])
        }
    }
#endif
