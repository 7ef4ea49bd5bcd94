#if Command
    /// When `sync --watch` goes on: after the interval, and after a growing pause while the server cannot be reached.
    struct WatchPlan: Sendable, Equatable {
        let interval: Duration
        /// Rounds in a row that did not reach the server.
        private(set) var failures = 0

        init(interval: Duration) { self.interval = interval }

        /// The pause after a round.
        ///
        /// Without the server: 1, 2, 4, … seconds, half of it and up to as much again by chance, so that many clients do
        /// not come back at once; no more than the interval, or a minute where that is longer.
        ///
        /// - Parameter random: in 0..<1.
        mutating func pause(reached: Bool, random: Double) -> Duration {
            guard !reached else {
                failures = 0
                return interval
            }
            failures += 1
            let most = max(interval, .seconds(60))
            let ceiling = min(most, .seconds(1 << min(failures - 1, 20)))
            return ceiling / 2 + ceiling / 2 * random
        }

        /// The network was away and is back: pauses begin to grow anew.
        mutating func networkIsBack() { failures = min(failures, 1) }
    }
#endif
