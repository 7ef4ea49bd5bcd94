/// Exponential backoff with full jitter: half of 1, 2, 4, … seconds and up to as much again, 5 minutes at most.
enum Backoff {
    static func delay(attempts: Int, random: Double) -> Duration {
        let ceiling = min(300_000, 1000 << min(max(attempts - 1, 0), 20))
        return .milliseconds(ceiling / 2 + Int(Double(ceiling / 2) * random))
    }
}

extension Synchronizer {
    /// When what fails now may be tried again, by the number of tries that have failed.
    func retryTimes() -> @Sendable (Int) -> Timestamp {
        let (now, random) = (environment.now(), environment.random())
        return { now.advanced(by: Backoff.delay(attempts: $0, random: random)) }
    }
}
