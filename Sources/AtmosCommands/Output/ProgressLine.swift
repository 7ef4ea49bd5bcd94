#if Command
    internal import Atmosphere
    internal import Synchronization

    /// One line on a terminal that says how far a pull has come; nothing in a pipe.
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
            if let text { try? StandardStream.error.write("\r\u{1B}[K\(TextWidth.oneLine(text))") }
        }

        /// Takes the line away.
        func end() {
            guard isShown, state.withLock({ $0.drawn != nil }) else { return }
            try? StandardStream.error.write("\r\u{1B}[K")
        }
    }
#endif
