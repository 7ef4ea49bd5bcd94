import AtmosphereTesting
import Foundation
import Testing

@Suite("a check of a conformance suite")
struct ConformanceCheckTests {
    @Test("that does not end fails by its name, and holds up nobody")
    func endless() async throws {
        let gate = Gate()
        let check = ConformanceCheck("a thing ends") { await Task { try? await gate.pass() }.value }
        let failure = await #expect(throws: ConformanceFailure.self) { try await check.run(within: .milliseconds(20)) }
        #expect(failure?.message == "“a thing ends” did not end within 0.02 seconds")
        gate.open()
    }

    @Test("has half a minute, or what the environment gives it")
    func limit() {
        let said = ProcessInfo.processInfo.environment["ATMOSPHERE_CHECK_SECONDS"].flatMap { Int($0) }
        #expect(ConformanceCheck.usualLimit == .seconds(said ?? 30))
    }

    @Test("ends with its body, hands on what that throws, and ends at once where the caller is cancelled")
    func outcomes() async throws {
        struct Odd: Error {}
        try await ConformanceCheck("fine") {}.run()
        await #expect(throws: Odd.self) { try await ConformanceCheck("odd") { throw Odd() }.run() }
        let gate = Gate()
        let task = Task {
            try await ConformanceCheck("cancelled") { try await gate.pass() }.run()
        }
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
