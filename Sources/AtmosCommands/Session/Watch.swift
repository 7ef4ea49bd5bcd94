#if Command
    internal import Atmosphere
    internal import AtmosphereReports
    internal import AtmosphereReachability

    /// Synchronizes again and again until the task is cancelled: at an interval, soon after an edit that another
    /// command makes, and with growing pauses while the server is away, which end when the system says that the network is
    /// back. Where the route file names a server for live updates they are followed meanwhile; the interval stays, for what
    /// they miss.
    struct Watch {
        let synchronizer: Synchronizer
        let output: Output
        let options: Synchronizer.PullOptions
        private let live: LiveWatch?
        /// nil where nothing has edit leases.
        private let leases: LeaseWatch?
        /// nil for a server on this machine, which needs no network.
        private let network: NetworkNews?
        private var plan: WatchPlan
        /// What was told already and still holds: told once, not with every round.
        private var told: Set<String> = []
        /// What was told to remain, and of which edits: told again where either is another.
        private var left: (lines: [String], edits: Set<LocalEdit>) = ([], [])

        init(
            _ synchronizer: Synchronizer, every interval: Duration, _ options: Synchronizer.PullOptions,
            _ output: Output
        ) {
            self.synchronizer = synchronizer
            self.output = output
            self.options = options
            plan = WatchPlan(interval: interval)
            live = synchronizer.routeFile.live == nil ? nil : LiveWatch(synchronizer, output)
            let hasLeases = synchronizer.routeFile.resources.contains { $0.lease != nil }
            leases = hasLeases ? LeaseWatch(synchronizer, output) : nil
            let isHere = RequestOrigin(synchronizer.routeFile.base).isLoopback
            network = isHere ? nil : NetworkNews(SystemReachability()) { Self.tell($0, output) }
        }

        private static func tell(_ isThere: Bool, _ output: Output) {
            let word = isThere ? "there" : "away"
            if output.isJSON {
                try? output.json(["time": .string(RoundTime.now), "network": .string(word)])
            } else {
                try? output.remark("\(RoundTime.now)  the network is \(isThere ? "there again" : word)")
            }
        }

        /// - Throws: ``CommandFailure`` where credentials are not accepted, which no waiting mends; `StoreError`.
        ///   Cancelling ends it without an error.
        mutating func run() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let live { group.addTask { await live.run() } }
                if let network { group.addTask { await network.run() } }
                if let leases { group.addTask { await leases.run() } }
                defer { group.cancelAll() }
                try await rounds()
            }
        }

        private mutating func rounds() async throws {
            do {
                while true {
                    // What is edited while the round runs may have come too late for it.
                    let known = try await edits()
                    let reached = try await round()
                    if reached { network?.prove() }
                    let pause = plan.pause(reached: reached, random: Double.random(in: 0..<1))
                    try await wait(pause, orNewsTo: known)
                    if network?.takeReturn() == true { plan.networkIsBack() }
                }
            } catch  where Task.isCancelled {
                try output.remark("stopped")
            }
        }

        /// - Returns: whether the server was reached.
        private mutating func round() async throws -> Bool {
            let report: SyncReport
            do {
                report = try await synchronizer.synchronize(options: options)
            } catch let error as SyncError where error.code == .pushedElsewhere {
                tell([CommandFailure(error)])
                return true
            }
            try Task.checkCancellation()
            let outcome = try await PushOutcome(report.push, in: synchronizer)
            try show(outcome, report)
            try await tellLeft(outcome)
            let pullFailures = report.pull?.failures(in: synchronizer.routeFile)
            let failures = outcome.failures + (pullFailures ?? [])
            let wasAway = plan.failures > 0
            tell(failures)
            // Behind a push that needs somebody who is signed in, a pull is made where reads need nobody.
            if let signIn = (pullFailures ?? failures).first(where: { $0.code == "signInNeeded" }) {
                throw CommandFailure.silent(signIn.status)
            }
            // That one object cannot be sent says nothing of the others.
            let reached =
                report.push.unreachable == nil
                && report.pull?.failures(in: synchronizer.routeFile).contains { $0.status == ExitStatus.network }
                    != true
            if reached, wasAway { try output.remark("\(now)  the server is there again") }
            return reached
        }

        /// One line per round in which something happened.
        private func show(_ outcome: PushOutcome, _ report: SyncReport) throws {
            if output.isJSON {
                let pull = report.pull?.json(in: synchronizer.routeFile) ?? .null
                return try output.json(["time": .string(now), "push": outcome.json, "pull": pull])
            }
            let news = outcome.news + (report.pull?.news(in: synchronizer.routeFile) ?? [])
            if !news.isEmpty { try output.remark("\(now)  \(news.joined(separator: "; "))") }
        }

        /// What remains after a round, and what it has left as it was.
        private mutating func tellLeft(_ outcome: PushOutcome) async throws {
            guard !output.isJSON else { return }
            for line in outcome.ignored { output.lastingWarning(line) }
            let lines = outcome.left
            let remaining = try await edits()
            guard lines != left.lines || remaining != left.edits else { return }
            for line in lines { try output.remark("\(now)  \(line)") }
            left = (lines, remaining)
        }

        private mutating func tell(_ failures: [CommandFailure]) {
            let messages = Set(failures.flatMap(\.messages))
            for failure in failures where !told.isSuperset(of: failure.messages) { output.failure(failure) }
            told = messages
        }

        private var now: String { RoundTime.now }

        // MARK: Waiting

        /// Ends after the pause, or within a second after something was edited here that was not known when the round
        /// began, or after live updates were missed, or after the network has come back. An edit alone is not tried while
        /// there is no network.
        private func wait(_ pause: Duration, orNewsTo known: Set<LocalEdit>) async throws {
            let end = ContinuousClock.now + pause
            while true {
                let left = end - ContinuousClock.now
                guard left > .zero else { return }
                try await Task.sleep(for: min(left, .seconds(1)))
                if network?.isBack == true { return }
                if network?.isAway != true, try await !edits().isSubset(of: known) { return }
                if live?.takeGap() == true { return }
            }
        }

        /// One edit that waits to be sent.
        private struct LocalEdit: Hashable {
            var uri: ObjectURI
            var revision: Int64
        }

        /// Looks at the first ones only: a thousand are news enough.
        private func edits() async throws -> Set<LocalEdit> {
            try await synchronizer.store.read { snapshot in
                Set(
                    try snapshot.changed(entity: nil, after: nil, limit: 1000).map {
                        LocalEdit(uri: $0.uri, revision: $0.revision)
                    })
            }
        }
    }
#endif
