#if SocketIO
    /// How long to wait before the next try.
    struct ReconnectPlan: Sendable {
        let first: Duration
        let longest: Duration
        private(set) var failures = 0

        init(first: Duration, longest: Duration) {
            self.first = first
            self.longest = longest
        }

        /// The connection was good: the next loss begins with the first pause.
        mutating func succeeded() { failures = 0 }

        /// Twice as long each time up to the longest, and spread from a half to one and a half of it, so that many
        /// clients do not come back at once.
        ///
        /// - Parameter random: in 0..<1.
        mutating func pause(random: Double) -> Duration {
            let ceiling = min(longest, first * (1 << min(failures, 20)))
            failures += 1
            return ceiling / 2 + ceiling * random
        }
    }
#endif
