import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

@Suite("the conformance suite of stores catches broken stores")
struct StoreSuiteSelfTests {
    /// Of stores that can be opened beside each other, but not anew once they are closed.
    private static func suite(_ fault: BrokenStore.Fault?) -> StoreSuite {
        StoreSuite {
            BrokenStore(fault)
        } reopen: { known in
            BrokenStore(beside: try #require(known as? BrokenStore))
        }
    }

    @Test("a fault is caught by the check that is meant for it", arguments: BrokenStore.Fault.allCases)
    func catches(_ fault: BrokenStore.Fault) async throws {
        let checks = Self.suite(fault).checks.filter { $0.name.hasPrefix(fault.check) }
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
        for check in Self.suite(nil).checks where check.name.hasPrefix("of two stores") { try await check.run() }
    }

    @Test("the checks of two stores pass where only one at a time may have the data open")
    func exclusive() async throws {
        let open = Mutex(0)
        let suite = StoreSuite {
            open.withLock { $0 = 1 }
            return ExclusiveStore { open.withLock { $0 = 0 } }
        } reopen: { _ in
            try open.withLock {
                if $0 > 0 { throw StoreError(code: .inputOutput, message: "it is open elsewhere") }
                $0 = 1
            }
            return ExclusiveStore { open.withLock { $0 = 0 } }
        }
        for check in suite.checks where check.name.hasPrefix("of two stores") { try await check.run() }
        let stuck = StoreSuite {
            MemoryStore()
        } reopen: { _ in
            throw StoreError(code: .inputOutput, message: "the password is wrong")
        }
        let check = try #require(stuck.checks.first { $0.name.hasSuffix("one holds the push lock") })
        let failure = await #expect(throws: ConformanceFailure.self) { try await check.run() }
        #expect(failure?.message.contains("the password is wrong") == true)
    }

    @Test("what a store throws is told where a check waits for its closure, and where it cannot be closed after it")
    func thrown() async throws {
        for prefix in ["a snapshot stays as it was", "a read does not wait"] {
            let check = try #require(Self.suite(.cannotRead).checks.first { $0.name.hasPrefix(prefix) })
            let error = await #expect(throws: StoreError.self) { try await check.run() }
            #expect(error?.message == "the connection was refused")
        }
        let gate = Gate()
        let suite = StoreSuite { ExclusiveStore(isWritable: false) { await Task { try? await gate.pass() }.value } }
        let check = try #require(suite.checks.first { $0.name.hasPrefix("upsert creates") })
        let failure = await #expect(throws: ConformanceFailure.self) { try await check.run(within: .milliseconds(300)) }
        gate.open()
        #expect(failure?.message.hasPrefix("threw it cannot be written; after that “upsert creates") == true)
    }

    @Test("each check cleans up once, behind its store's end, whatever it found", arguments: [true, false])
    func cleanUp(isWritable: Bool) async throws {
        let steps = Mutex<[String]>([])
        let suite = StoreSuite {
            ExclusiveStore(isWritable: isWritable) { steps.withLock { $0.append("closed") } }
        } cleanUp: { _ in
            steps.withLock { $0.append("cleaned") }
        }
        let check = try #require(suite.checks.first { $0.name.hasPrefix("upsert creates") })
        let isPassed = (try? await check.run()) != nil
        #expect(isPassed == isWritable)
        #expect(steps.withLock { $0 } == ["closed", "cleaned"])
    }

    @Test("a failure writes queries as a person does, and no control character as it is")
    func messages() async throws {
        let check = try #require(Self.suite(.equalsWithoutCase).checks.first { $0.name.hasPrefix("every query") })
        let failure = await #expect(throws: ConformanceFailure.self) { try await check.run() }
        let message = try #require(failure?.message)
        #expect(message.hasPrefix("without indexes, the identifiers of kinds where v as string == \"b\": expected [\""))
        #expect(
            ConformanceFailure("the record of a\u{7}b\u{202E}c\n").message
                == #"the record of a\u{7}b\u{202E}c\u{A}"#)
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

/// A store in memory that says when it is closed, and perhaps cannot be written.
private final class ExclusiveStore: Store {
    private let store = MemoryStore()
    private let isWritable: Bool
    private let onClose: @Sendable () async -> Void

    init(isWritable: Bool = true, onClose: @escaping @Sendable () async -> Void) {
        self.isWritable = isWritable
        self.onClose = onClose
    }

    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
        try await store.read(body)
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin, _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        guard isWritable else { throw StoreError(code: .inputOutput, message: "it cannot be written") }
        return try await store.write(durability, origin: origin, body)
    }

    func commits() -> AsyncStream<CommitSet> { store.commits() }
    func lockForPush() async throws -> HeldLock? { try await store.lockForPush() }

    func close() async throws {
        await onClose()
        try await store.close()
    }
}
