/// What all parts of one simulation share: the time, what is to happen when, the trace, and what was found wrong.
///
/// It is used from one thread only, the one that runs the simulation: every task has the simulation's own executor.
final class SimulatedWorld: @unchecked Sendable {
    private struct Event {
        var time: Int64
        var order: Int
        var action: () -> Void
    }

    let executor = SimulationExecutor()
    /// Milliseconds since 1970.
    private(set) var now: Int64 = 1_790_000_000_000
    private var events: [Event] = []
    private var eventCount = 0
    private var scheduling: SimulationRandom
    /// Jobs run in a random order instead of the one in which they came.
    private let shuffles: Bool
    private(set) var trace: SimulationTrace
    private(set) var violations: [String] = []
    private(set) var counts: [String: Int] = [:]
    /// Faults are over.
    var isCalm = false

    init(seed: UInt64, keepsTrace: Bool) {
        scheduling = SimulationRandom(seed, "scheduling")
        shuffles = scheduling.chance(50)
        trace = SimulationTrace(keepsLines: keepsTrace)
    }

    func at(_ time: Int64, _ action: @escaping () -> Void) {
        eventCount += 1
        let event = Event(time: max(time, now), order: eventCount, action: action)
        // The next to happen stands last, and of two at one time the one that was said first.
        var index = events.count
        while index > 0, events[index - 1].time <= event.time { index -= 1 }
        events.insert(event, at: index)
    }

    func after(_ milliseconds: Int, _ action: @escaping () -> Void) { at(now + Int64(milliseconds), action) }

    /// Runs until nothing is left to happen, or until a time.
    func run(until limit: Int64 = .max) {
        var steps = 0
        while violations.isEmpty {
            executor.drain { shuffles ? scheduling.below($0) : 0 }
            guard let next = events.last, next.time <= limit else { break }
            events.removeLast()
            now = max(now, next.time)
            next.action()
            steps += 1
            if steps > 200_000 { return violated("it does not come to rest") }
        }
        if limit != .max { now = max(now, limit) }
    }

    /// Nothing happens any more; calls of processes that have ended return.
    func end() {
        events = []
        executor.drain { _ in 0 }
        events = []
    }

    func note(_ line: @autoclosure () -> String) { trace.add(time: now, line) }

    func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }

    func violated(_ message: String) {
        note("VIOLATION \(message)")
        violations.append(message)
    }
}

/// What happened, line by line; two runs of one seed have the same.
struct SimulationTrace: Sendable {
    let keepsLines: Bool
    private(set) var lines: [String] = []
    /// FNV-1a of all lines.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    init(keepsLines: Bool) { self.keepsLines = keepsLines }

    mutating func add(time: Int64, _ text: () -> String) {
        let seconds = time % 100_000_000
        let line = "\(seconds / 1000).\(seconds % 1000 / 100)\(seconds % 100 / 10)\(seconds % 10) \(text())"
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        digest = (digest ^ 10) &* 0x0000_0100_0000_01B3
        if keepsLines { lines.append(line) }
    }
}

/// One answer that a task waits for; the first to come counts.
final class Waiter<Answer: Sendable>: @unchecked Sendable {
    // Used from the simulation's thread only.
    private var continuation: UnsafeContinuation<Answer, any Error>?
    private var answer: Result<Answer, any Error>?

    var isAnswered: Bool { answer != nil }

    func resume(_ answer: Result<Answer, any Error>) {
        guard self.answer == nil else { return }
        self.answer = answer
        continuation?.resume(with: answer)
        continuation = nil
    }

    /// - Throws: what it was resumed with, or `CancellationError` where the task was cancelled first.
    func value() async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                if let answer { return continuation.resume(with: answer) }
                self.continuation = continuation
            }
        } onCancel: {
            resume(.failure(CancellationError()))
        }
    }
}
