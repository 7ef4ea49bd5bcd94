import Atmosphere
import AtmosphereTesting
import Testing

@Suite("the conformance suite of stores catches broken stores")
struct StoreSuiteSelfTests {
    @Test("a fault is caught by the check that is meant for it", arguments: BrokenStore.Fault.allCases)
    func catches(_ fault: BrokenStore.Fault) async throws {
        let checks = StoreSuite(makeStore: { BrokenStore(fault) }).checks.filter { $0.name.hasPrefix(fault.check) }
        try #require(checks.count == 1, "\(fault.check)")
        // What the store throws where it should not is as much of a failure.
        let limit = fault == .neverEndsItsCommits ? Duration.milliseconds(500) : ConformanceCheck.usualLimit
        // What waits for a read that waits for it need not do so for long.
        let patience = fault == .readsWhatIsNotCommitted ? Duration.milliseconds(500) : Latch.patience
        await #expect(throws: (any Error).self) {
            try await Latch.$patience.withValue(patience) { try await checks[0].run(within: limit) }
        }
    }

    @Test("a store without a fault passes, also in what the faults are put around")
    func control() async throws {
        for check in StoreSuite(makeStore: { MemoryStore() }).checks { try await check.run() }
        for check in StoreSuite(makeStore: { BrokenStore(nil) }).checks { try await check.run() }
    }

    @Test("a store that does not keep its data fails the checks of durability")
    func catchesForgetfulness() async throws {
        let suite = StoreSuite {
            MemoryStore()
        } reopen: { _ in
            MemoryStore()
        }
        let durability = try #require(suite.checks.first { $0.name.hasPrefix("everything survives") })
        await #expect(throws: ConformanceFailure.self) { try await durability.run() }
    }

    @Test("a failure says what was expected and what came")
    func message() async throws {
        let suite = StoreSuite { BrokenStore(.ordersAsText) }
        let check = try #require(suite.checks.first { $0.name.hasPrefix("1,000 objects") })
        let failure = await #expect(throws: ConformanceFailure.self) { try await check.run() }
        #expect(failure?.message.contains("expected [\"1\", \"2\"") == true)
        #expect(failure?.message.contains("got [\"1\", \"10\"") == true)
    }
}
