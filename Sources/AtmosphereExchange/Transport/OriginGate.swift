/// Lets requests to one origin through: so many at once, so many a second. Knows until when the origin asked for a
/// pause, which each exchange minds itself.
package actor OriginGate {
    private let environment: SyncEnvironment
    private let concurrent: Int
    private let interval: Duration?
    private var running = 0
    private var waiting: [AbandonableWait<Void>] = []
    private var nextStart: Timestamp
    private var pause: OriginPause?
    /// When the pauses of other processes were looked for last.
    private var lastLook: Timestamp?
    private var isLooking = false
    private var lookers: [AbandonableWait<Void>] = []
    /// Pauses in a row.
    private var silentPauses = 0

    package init(limits: Limits, environment: SyncEnvironment) {
        self.environment = environment
        concurrent = max(1, limits.concurrent)
        interval = limits.rate.map { .seconds(1 / $0) }
        nextStart = Timestamp(milliseconds: 0)
    }

    /// nil where there is no pause, and where the clock was set back since it began, so that nobody can tell how much
    /// of it is left.
    package var presentPause: OriginPause? {
        guard let pause, pause.start.age(at: environment.now()) != nil else { return nil }
        return pause
    }

    /// When ``presentPause`` is over.
    package var pausedUntil: Timestamp? { presentPause?.end }

    /// Runs `body` when it is this request's turn.
    ///
    /// - Parameter isNext: the request goes before all that wait already.
    /// - Returns: nil where the origin has asked for a pause by then, and `body` did not run.
    /// - Throws: what `body` throws, or ``ResourceClient/CancelledBeforeSending`` while waiting for the turn.
    package func pass<Result: Sendable>(
        isNext: Bool = false, _ body: @Sendable () async throws -> Result
    ) async throws -> Result? {
        try await enter(isNext: isNext)
        defer { leave() }
        do {
            while let wake = delay() { try await environment.sleep(wake) }
        } catch is CancellationError {
            throw ResourceClient.CancelledBeforeSending()
        }
        if let pausedUntil, pausedUntil > environment.now() { return nil }
        return try await body()
    }

    /// The origin asked for a pause, which holds for requests that have not begun; a shorter one than the present changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - until: nil where it did not say how long: two seconds then, and twice as long each further time, five minutes at
    ///     most.
    ///   - isCut: it asked for longer.
    /// - Returns: the pause that holds now.
    @discardableResult
    package func pause(until: Timestamp?, isCut: Bool = false) -> OriginPause {
        let now = environment.now()
        let until = until ?? now.advanced(by: .seconds(min(300, 1 << min(silentPauses + 1, 9))))
        silentPauses += 1
        var present = OriginPause(start: now, end: until, isCut: isCut)
        if let longer = presentPause, longer.end > until { (present.end, present.isCut) = (longer.end, longer.isCut) }
        pause = present
        return present
    }

    /// The origin asked another process for a pause.
    private func take(_ other: OriginPause) {
        let now = environment.now()
        guard other.start.age(at: now) != nil, other.end > pausedUntil ?? now else { return }
        pause = other
    }

    /// Looks for what other processes were asked for: not with each of many requests, but none goes before the look that
    /// is due has come back.
    ///
    /// - Throws: ``ResourceClient/CancelledBeforeSending`` while another's look is waited for.
    package func look(in pauses: SharedPauses) async throws {
        if isLooking {
            let look = AbandonableWait<Void>()
            lookers.append(look)
            do {
                return try await look.value()
            } catch {
                throw ResourceClient.CancelledBeforeSending()
            }
        }
        let now = environment.now()
        if let age = lastLook?.age(at: now), age < .seconds(2) { return }
        lastLook = now
        isLooking = true
        if let pause = await pauses.load() { take(pause) }
        isLooking = false
        for looker in lookers { looker.end(.success(())) }
        lookers = []
    }

    /// The origin answered without asking for patience.
    package func goOn() { silentPauses = 0 }

    private func delay() -> Timestamp? {
        let now = environment.now()
        guard let interval else { return nil }
        if nextStart.isAwaited(at: now, atMost: interval) { return nextStart }
        nextStart = now.advanced(by: interval)
        return nil
    }

    /// How many requests wait for a place; for tests, which cannot see a wait from outside.
    package var waitingRequests: Int { waiting.count }

    private func enter(isNext: Bool) async throws {
        guard running >= concurrent else {
            running += 1
            return
        }
        let place = AbandonableWait<Void>()
        waiting.insert(place, at: isNext ? 0 : waiting.count)
        do {
            // The place is handed over in `leave`, so `running` stays as it is.
            try await place.value()
        } catch {
            waiting.removeAll { $0 === place }
            throw ResourceClient.CancelledBeforeSending()
        }
    }

    private func leave() {
        while !waiting.isEmpty {
            if waiting.removeFirst().end(.success(())) { return }
        }
        running -= 1
    }
}
