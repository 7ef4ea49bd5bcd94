#if Command
    internal import Atmosphere
    internal import AtmosphereReports
    internal import Synchronization

    /// Follows live updates beside the rounds of `sync --watch`, and says what they change and whether they arrive.
    final class LiveWatch: Sendable {
        private let synchronizer: Synchronizer
        private let output: Output
        private let file: LiveStatusFile?
        private let isBehind = Mutex(false)
        private let lastWord = Mutex("")

        init(_ synchronizer: Synchronizer, _ output: Output) {
            self.synchronizer = synchronizer
            self.output = output
            file = LiveStatusFile(of: synchronizer.routeFile)
        }

        /// Something was missed that a round has to find; asking takes the mark away.
        func takeGap() -> Bool {
            isBehind.withLock { isBehind in
                defer { isBehind = false }
                return isBehind
            }
        }

        /// Runs until it is cancelled. Where live updates cannot be followed at all, the rounds go on alone.
        func run() async {
            await withTaskGroup(of: Void.self) { group in
                let statuses = synchronizer.liveStatuses()
                let commits = synchronizer.store.commits()
                group.addTask { for await status in statuses { self.tell(status) } }
                group.addTask { for await commit in commits { self.tell(commit) } }
                do {
                    try await synchronizer.follow(catchUp: {
                        self.isBehind.withLock { $0 = true }
                        return true
                    })
                } catch {
                    if !Task.isCancelled {
                        let failure = CommandFailure(error)
                        output.warning("live updates cannot be followed: \(failure.messages.joined(separator: "; "))")
                    }
                }
                group.cancelAll()
            }
            file?.remove()
        }

        private func tell(_ status: LiveStatus) {
            file?.write(status)
            let word: String
            switch status {
            case .off, .connecting: return
            case .connected: word = "connected"
            case .disconnected(_, let reason): word = "not connected: \(reason)"
            }
            // Each try that fails for the same reason is not news.
            let isNews = lastWord.withLock { last in
                defer { last = word }
                return last != word
            }
            guard isNews else { return }
            if output.isJSON {
                try? output.json(["time": .string(RoundTime.now), "live": .string(word)])
            } else {
                try? output.remark("\(RoundTime.now)  live updates: \(TextWidth.oneLine(word))")
            }
        }

        /// What came by itself; what the rounds bring is told by them.
        private func tell(_ commit: CommitSet) {
            guard commit.origin == .live else { return }
            let changed = commit.objects.sorted { $0.key < $1.key }.flatMap { entity, ids in
                ids.isEmpty ? [entity] : ids.sorted().map { "\(entity)/\($0)" }
            }
            if output.isJSON {
                try? output.json([
                    "time": .string(RoundTime.now), "changed": .array(changed.map { .string($0) })
                ])
            } else {
                try? output.remark("\(RoundTime.now)  live: \(TextWidth.oneLine(changed.joined(separator: ", ")))")
            }
        }
    }

    enum RoundTime {
        /// In UTC, to the second.
        static var now: String {
            SyncEnvironment.live.now().rfc3339.split(separator: ".").first.map {
                $0.hasSuffix("Z") ? "\($0)" : "\($0)Z"
            } ?? ""
        }
    }
#endif
