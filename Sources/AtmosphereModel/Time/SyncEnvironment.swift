#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Time, randomness and identifiers, injected so that a whole system runs from one seed.
public struct SyncEnvironment: Sendable {
    /// The time of day, for tokens, log and backoff.
    public var now: @Sendable () -> Timestamp
    /// Returns at the given time or throws `CancellationError`.
    public var sleep: @Sendable (Timestamp) async throws -> Void
    /// A new UUID in lower case (RFC 9562), for identifiers that the client chooses, lookup fields and idempotency keys.
    package var makeUUID: @Sendable () -> String
    /// The same, behind those before it in the order of texts (RFC 9562 §5.7), for temporary identifiers: a push sends new
    /// objects in their order. ``makeUUID`` where an initializer gives none.
    package var makeAscendingUUID: @Sendable () -> String
    /// A number in 0..<1, for jitter.
    package var random: @Sendable () -> Double

    /// Takes each part from the caller; for tests and simulations, see `ManualClock` of AtmosphereTesting.
    package init(
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Timestamp) async throws -> Void,
        makeUUID: @escaping @Sendable () -> String, makeAscendingUUID: (@Sendable () -> String)? = nil,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.makeUUID = makeUUID
        self.makeAscendingUUID = makeAscendingUUID ?? makeUUID
        self.random = random
    }

    /// The machine's clock and random numbers.
    public static let live = SyncEnvironment(
        now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        sleep: { until in
            let wait = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)).duration(to: until)
            if wait > .zero { try await Task.sleep(for: wait) }
        },
        makeUUID: { UUID().uuidString.lowercased() },
        makeAscendingUUID: { OrderedUUIDs.live.next() },
        random: { Double.random(in: 0..<1) }
    )
}
