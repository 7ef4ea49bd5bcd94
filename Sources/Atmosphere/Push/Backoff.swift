/// Exponential backoff with full jitter: half of 1, 2, 4, … seconds and up to as much again, 5 minutes at most.
enum Backoff {
    static func delay(attempts: Int, random: Double) -> Duration {
        let ceiling = min(300_000, 1000 << min(max(attempts - 1, 0), 20))
        return .milliseconds(ceiling / 2 + Int(Double(ceiling / 2) * random))
    }
}
