#if Command
    internal import Atmosphere
    internal import Synchronization

    /// One line on a terminal that says how far a pull, or the transfer of a large content, has come; nothing in a pipe.
    final class ProgressLine: Sendable {
        private let isShown: Bool
        private let state: Mutex<State>

        private struct State {
            var start = ContinuousClock.now
            var drawn: ContinuousClock.Instant?
            var objects: [String: PullProgress] = [:]
        }

        init(_ output: Output) {
            isShown = output.showsProgress
            state = Mutex(State())
        }

        /// Draws the line anew, ten times a second at most.
        func show(_ progress: PullProgress) {
            guard isShown else { return }
            let text: String? = state.withLock { state in
                state.objects[progress.entity] = progress
                let now = ContinuousClock.now
                if let drawn = state.drawn, now - drawn < .milliseconds(100) { return nil }
                state.drawn = now
                let all = state.objects.values.reduce(0) { $0 + $1.objects }
                let seconds = (now - state.start) / .seconds(1)
                let rate = seconds > 0 ? ", \(Int(Double(all) / seconds)) objects a second" : ""
                let total = progress.total.map { " of \($0)" } ?? ""
                return "\(progress.entity): page \(progress.pages), \(progress.objects)\(total) objects\(rate)"
            }
            if let text { draw(text) }
        }

        /// Draws how far contents have come for as long as the body runs.
        func following<Result>(
            _ synchronizer: Synchronizer, _ body: () async throws -> Result
        ) async throws -> Result {
            guard isShown else { return try await body() }
            defer { end() }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [self] in
                    for try await status in synchronizer.statusChanges() {
                        guard let text = status.activities.lazy.compactMap(Self.text(of:)).first else { continue }
                        state.withLock { $0.drawn = ContinuousClock.now }
                        draw(text)
                    }
                }
                defer { group.cancelAll() }
                return try await body()
            }
        }

        /// What is said of the transfer of a content of a mebibyte or more; nil for anything else.
        static func text(of activity: SyncActivity) -> String? {
            guard let content = activity.content, max(activity.completed, activity.total ?? 0) >= 1 << 20 else {
                return nil
            }
            func size(_ bytes: Int) -> String {
                let tenths = bytes / ((1 << 20) / 10)
                return "\(tenths / 10).\(tenths % 10)"
            }
            let total = activity.total.map { " of \(size($0))" } ?? ""
            let what = "\(activity.kind.rawValue) of “\(content.member)” of \(content.uri)"
            return "\(what): \(size(activity.completed))\(total) MiB"
        }

        private func draw(_ text: String) {
            try? StandardStream.error.write("\r\u{1B}[K\(TextWidth.oneLine(text))")
        }

        /// Takes the line away.
        func end() {
            guard isShown, state.withLock({ $0.drawn != nil }) else { return }
            try? StandardStream.error.write("\r\u{1B}[K")
        }
    }
#endif
