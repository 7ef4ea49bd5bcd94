import Atmosphere
import AtmosphereTesting
import Testing

@Suite("the manual clock")
struct ManualClockTests {
    @Test("a sleeper wakes when the clock has come to its time, and no sooner")
    func wakes() async throws {
        let clock = ManualClock(now: Timestamp(milliseconds: 1_000))
        let sleeper = Task {
            try await clock.sleep(until: Timestamp(milliseconds: 3_000))
            return clock.now
        }
        await clock.waitForSleep()
        #expect(clock.pause == .seconds(2))
        clock.advance(by: .milliseconds(1_999))
        #expect(clock.sleeping == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await sleeper.value == Timestamp(milliseconds: 3_000))
        #expect(clock.sleeping == 0)
    }

    @Test("a time that is not ahead is no sleep")
    func past() async throws {
        let clock = ManualClock(now: Timestamp(milliseconds: 1_000))
        try await clock.sleep(until: Timestamp(milliseconds: 1_000))
        try await clock.sleep(until: Timestamp(milliseconds: 0))
        #expect(clock.pause == .zero && clock.sleeping == 0)
    }

    @Test("a cancelled sleeper ends at once, also where it was cancelled before it slept")
    func cancelled() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
        await clock.waitForSleep()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let gate = Gate()
        let late = Task {
            try? await gate.pass()
            try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(clock.sleeping == 0)
    }

    @Test("each sleep is waited for once, by whoever waits")
    func watched() async throws {
        let clock = ManualClock()
        let watching = Task { await clock.waitForSleep() }
        let first = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
        await watching.value
        let second = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(2))) }
        await clock.waitForSleep()
        #expect(clock.sleeping == 2)
        clock.advance(by: .seconds(1))
        try await first.value
        #expect(clock.sleeping == 1)
        clock.advance(by: .seconds(1))
        try await second.value
    }

    @Test("the environment gives the same identifiers and numbers for the same seed, and others for another")
    func environment() {
        func sample(_ seed: UInt64) -> [String] {
            let environment = ManualClock(seed: seed).environment()
            return (0..<20).map { _ in "\(environment.makeUUID()) \(environment.random())" }
        }
        #expect(sample(1) == sample(1))
        #expect(sample(1) != sample(2))
        #expect(Set(sample(1)).count == 20)
        let clock = ManualClock()
        let environment = clock.environment()
        clock.advance(by: .seconds(5))
        #expect(environment.now() == clock.now)
        #expect((0..<100).allSatisfy { _ in (0..<1).contains(environment.random()) })
    }
}
