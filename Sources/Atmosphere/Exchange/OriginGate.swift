/// Lets requests to one origin through: so many at once, so many a second, none while the origin asked for a pause.
actor OriginGate {
    private let environment: SyncEnvironment
    private let concurrent: Int
    private let interval: Duration?
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var nextStart: Timestamp
    private(set) var pausedUntil: Timestamp?

    init(limits: Limits, environment: SyncEnvironment) {
        self.environment = environment
        concurrent = max(1, limits.concurrent)
        interval = limits.rate.map { .seconds(1 / $0) }
        nextStart = Timestamp(milliseconds: 0)
    }

    /// Runs `body` when it is this request's turn.
    ///
    /// - Throws: what `body` throws, or `CancellationError` while waiting for a pause to end.
    func pass<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        await enter()
        defer { leave() }
        while let wake = delay() { try await environment.sleep(wake) }
        return try await body()
    }

    /// The origin asked for a pause; a shorter one than the present changes nothing.
    func pause(until: Timestamp) {
        pausedUntil = max(pausedUntil ?? until, until)
    }

    private func delay() -> Timestamp? {
        let now = environment.now()
        if let until = pausedUntil {
            if until > now { return until }
            pausedUntil = nil
        }
        guard let interval else { return nil }
        if nextStart > now { return nextStart }
        nextStart = now.advanced(by: interval)
        return nil
    }

    private func enter() async {
        if running < concurrent {
            running += 1
        } else {
            // The place is handed over in `leave`, so `running` stays as it is.
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }
}
