/// Those who wait until the stream was read as far as they say.
struct ReadingWaiters {
    private var waiting: [UInt64: (number: UInt64, continuation: CheckedContinuation<Void, Never>)] = [:]
    private var last: UInt64 = 0
    /// The lowest number that somebody waits for.
    private var least = UInt64.max

    var count: Int { waiting.count }

    mutating func newKey() -> UInt64 {
        last += 1
        return last
    }

    mutating func add(_ key: UInt64, until number: UInt64, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[key] = (number, continuation)
        least = min(least, number)
    }

    mutating func remove(_ key: UInt64) -> CheckedContinuation<Void, Never>? {
        waiting.removeValue(forKey: key)?.continuation
    }

    /// - Parameter number: how far was read; nil where that means something else than before.
    /// - Returns: who waits no more, to be resumed.
    mutating func take(upTo number: UInt64?) -> [CheckedContinuation<Void, Never>] {
        let number = number ?? .max
        guard !waiting.isEmpty, number >= least else { return [] }
        let done = waiting.filter { $0.value.number <= number }
        for key in done.keys { waiting[key] = nil }
        least = waiting.values.map(\.number).min() ?? .max
        return done.values.map(\.continuation)
    }
}
