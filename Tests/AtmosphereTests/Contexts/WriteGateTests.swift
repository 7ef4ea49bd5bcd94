import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

private final class Log: Sendable {
    private let state = Mutex<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }
    func append(_ number: Int) { state.withLock { $0.append(number) } }
}

private final class Occupancy: Sendable {
    private let state = Mutex((now: 0, most: 0, entered: 0))

    var most: Int { state.withLock(\.most) }
    var entered: Int { state.withLock(\.entered) }
    func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.entered + 1) } }
    func leave() { state.withLock { $0.now -= 1 } }
}

@Suite("the gate in front of a writer")
struct WriteGateTests {
    private func untilWaiting(_ count: Int, at gate: WriteGate) async {
        while gate.waiting < count { await Task.yield() }
    }

    @Test("power writes go ahead of process writes, each in the order they came")
    func priority() async throws {
        let gate = WriteGate()
        let order = Log()
        try await gate.enter(.process)
        var tasks: [Task<Void, any Error>] = []
        for (number, durability) in [Durability.process, .process, .power, .process, .power].enumerated() {
            tasks.append(
                Task {
                    try await gate.enter(durability)
                    order.append(number)
                    gate.leave()
                })
            await untilWaiting(number + 1, at: gate)
        }
        gate.leave()
        for task in tasks { try await task.value }
        #expect(order.numbers == [2, 4, 0, 1, 3])
        #expect(gate.waiting == 0)
    }

    @Test("a waiting process write gives up when it is cancelled, and the others go on")
    func cancellation() async throws {
        let gate = WriteGate()
        try await gate.enter(.power)
        let first = Task { try await gate.enter(.process) }
        await untilWaiting(1, at: gate)
        let second = Task { try await gate.enter(.process) }
        await untilWaiting(2, at: gate)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(gate.waiting == 1)
        gate.leave()
        try await second.value
        gate.leave()
        try await gate.enter(.process)
        gate.leave()
    }

    @Test("a write of a task that is cancelled already: process gives up only where it would wait, power never")
    func cancelledBefore() async throws {
        let gate = WriteGate()
        func entering(_ durability: Durability) async -> Result<Void, any Error> {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await gate.enter(durability)
            }
            return await task.result
        }
        let free = await entering(.process)
        #expect(throws: Never.self) { try free.get() }
        let refused = await entering(.process)
        #expect(throws: CancellationError.self) { try refused.get() }
        let power = Task { await entering(.power) }
        await untilWaiting(1, at: gate)
        gate.leave()
        let entered = await power.value
        #expect(throws: Never.self) { try entered.get() }
        gate.leave()
    }

    @Test("one at a time is inside, whatever is cancelled")
    func exclusion() async {
        let gate = WriteGate()
        let inside = Occupancy()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let task = Task {
                        try await gate.enter(number % 3 == 0 ? .power : .process)
                        inside.enter()
                        await Task.yield()
                        inside.leave()
                        gate.leave()
                    }
                    if number % 5 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(inside.most == 1)
        #expect(inside.entered >= 160)
        #expect(gate.waiting == 0)
    }
}
