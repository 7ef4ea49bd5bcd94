import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("The gate in front of an origin")
struct OriginGateTests {
    private final class Log: Sendable {
        private let state = Mutex<[Int]>([])

        var numbers: [Int] { state.withLock { $0 } }
        func append(_ number: Int) { state.withLock { $0.append(number) } }
    }

    private func gate(concurrent: Int) -> OriginGate {
        var limits = Limits()
        limits.concurrent = concurrent
        return OriginGate(limits: limits, environment: TinyWorld.environment())
    }

    private func untilWaiting(_ count: Int, at gate: OriginGate) async {
        while await gate.waitingRequests < count { await Task.yield() }
    }

    @Test("a request that is cancelled while it waits for a place is not sent, and the others keep their order")
    func cancelled() async throws {
        let (origin, answers, log) = (gate(concurrent: 1), Gate(), Log())
        let first = Task { try await origin.pass { try await answers.pass() } }
        await answers.waitForArrivals()
        var tasks: [Task<Void?, any Error>] = []
        for number in 1...3 {
            tasks.append(Task { try await origin.pass { log.append(number) } })
            await untilWaiting(number, at: origin)
        }
        tasks[1].cancel()
        let ended = await tasks[1].result
        #expect(throws: ResourceClient.CancelledBeforeSending.self) { try ended.get() }
        #expect(await origin.waitingRequests == 2)
        answers.open()
        _ = try await first.value
        _ = try await tasks[0].value
        _ = try await tasks[2].value
        #expect(log.numbers == [1, 3])
        // No place was lost, and none was given twice.
        let again = Gate()
        let one = Task { try await origin.pass { try await again.pass() } }
        await again.waitForArrivals()
        let other = Task { try await origin.pass { log.append(4) } }
        await untilWaiting(1, at: origin)
        #expect(log.numbers == [1, 3])
        again.open()
        _ = try await one.value
        _ = try await other.value
        #expect(log.numbers == [1, 3, 4])
    }

    @Test("a request that is next goes before all that wait already")
    func next() async throws {
        let (origin, log, answers) = (gate(concurrent: 1), Log(), Gate())
        let first = Task { try await origin.pass { try await answers.pass() } }
        await answers.waitForArrivals()
        let other = Task { try await origin.pass { log.append(2) } }
        await untilWaiting(1, at: origin)
        let next = Task { try await origin.pass(isNext: true) { log.append(1) } }
        await untilWaiting(2, at: origin)
        answers.open()
        _ = try await (first.value, other.value, next.value)
        #expect(log.numbers == [1, 2])
    }

    @Test("who waits for another's look at shared pauses ends when it is cancelled, and the look goes on")
    func look() async throws {
        let (origin, loading) = (gate(concurrent: 1), Gate())
        var pauses = SharedPauses(in: MemoryStore())
        pauses.load = {
            try? await loading.pass()
            return nil
        }
        let shared = pauses
        let first = Task { try await origin.look(in: shared) }
        await loading.waitForArrivals()
        let second = Task { try await origin.look(in: shared) }
        second.cancel()
        await #expect(throws: ResourceClient.CancelledBeforeSending.self) { try await second.value }
        loading.open()
        try await first.value
    }
}
