internal import Atmosphere

/// What a call of a process that ended meets: it can write nothing any more, and nobody hears its result.
struct ProcessEnded: Error {}

/// One life of a client: from an opened store to a crash or the end.
final class SimulatedProcess: @unchecked Sendable {
    // Used from the simulation's thread only.
    let client: SimulatedClient
    /// Which of the device's processes it is.
    let slot: Int
    let name: String
    private(set) var isDead = false
    private var fail: [() -> Void] = []
    /// What its end ends, however long it lives.
    private var ends: [() -> Void] = []
    var isFollowing = false
    /// Calls that have not returned, and those of them that send what waits.
    private(set) var running = 0
    private var sending = 0
    var tasks: [Task<Void, Never>] = []
    /// Writes without an answer.
    var writing = 0
    var synchronizer: Synchronizer?
    /// How many calls the application has made.
    private(set) var calls = 0
    /// What runs is one call, which sends what waits.
    var isPushingAlone: Bool { running == 1 && sending == 1 }
    var pace = Pace()

    init(_ client: SimulatedClient, slot: Int, life: Int) {
        self.client = client
        self.slot = slot
        name = "c\(client.number)\(slot == 0 ? "" : "b").\(life)"
    }

    /// A call of the application begins.
    ///
    /// - Parameter sends: it sends what waits.
    func begins(sends: Bool) {
        calls += 1
        running += 1
        if sends { sending += 1 }
    }

    func ended(sends: Bool) {
        running -= 1
        if sends { sending -= 1 }
    }

    /// A point at which the process may end.
    ///
    /// - Throws: ``ProcessEnded`` from the end on.
    func reach(_ point: String) throws {
        try checkAlive()
        guard !client.world.isCalm, let left = client.crashAfter else { return }
        client.crashAfter = left - 1
        guard left <= 0 else { return }
        client.crashAfter = nil
        client.crash(self, at: point)
        throw ProcessEnded()
    }

    func checkAlive() throws { if isDead { throw ProcessEnded() } }

    /// The waiter fails when the process ends.
    func wait<Answer>(for waiter: Waiter<Answer>) {
        fail.append { waiter.resume(.failure(ProcessEnded())) }
        if fail.count > 400 { fail.removeFirst(200) }
    }

    /// Runs `action` when the process ends.
    func atEnd(_ action: @escaping () -> Void) { ends.append(action) }

    func die() {
        isDead = true
        for each in fail + ends { each() }
        (fail, ends) = ([], [])
    }

    func sleep(_ milliseconds: Int64) async throws {
        try checkAlive()
        let waiter = Waiter<Void>()
        wait(for: waiter)
        client.world.at(client.world.now + max(0, milliseconds)) { waiter.resume(.success(())) }
        try await waiter.value()
        try checkAlive()
    }

    var environment: SyncEnvironment {
        let client = client
        return SyncEnvironment(
            now: { Timestamp(milliseconds: client.world.now + client.skew) },
            sleep: { until in try await self.sleep(until.milliseconds - client.world.now - client.skew) },
            makeUUID: { client.random.uuid() }, random: { client.random.unit() })
    }
}

/// A process's store: what it commits outlives it. Commits are points at which the process may end.
final class SimulatedStore: Store {
    private let inner: any Store
    private let process: SimulatedProcess
    private let isOutside: Bool

    /// - Parameter isOutside: it works in threads of its own.
    init(_ inner: any Store, _ process: SimulatedProcess, isOutside: Bool) {
        self.inner = inner
        self.process = process
        self.isOutside = isOutside
    }

    private func call<Result>(_ body: () async throws -> Result) async throws -> Result {
        isOutside ? try await process.client.world.executor.outside(body) : try await body()
    }

    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
        try process.checkAlive()
        return try await call { try await inner.read(body) }
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try process.reach("before a commit")
        if origin != .application, process.client.random.chance(20) {
            // Others get their turn.
            do { try await process.sleep(Int64(process.client.random.below(5))) } catch is CancellationError {}
            try process.checkAlive()
        }
        let (result, changes) = try await call {
            try await inner.write(durability, origin: origin) { transaction -> (Result, [CommitWatch.Change]) in
                // It may have ended while it waited for its turn.
                try process.checkAlive()
                let result = try body(transaction)
                return (result, process.client.watch == nil ? [] : try Self.changes(transaction))
            }
        }
        process.client.world.count("commits")
        process.client.watch?.committed(changes, by: process.name)
        try process.reach("after a commit")
        return result
    }

    private static func changes(_ transaction: any StoreTransaction) throws -> [CommitWatch.Change] {
        guard let touched = (transaction as? MemoryTransaction)?.changes.objects else { return [] }
        return try touched.sorted().map { uri in
            let object = try transaction.object(at: uri)
            return .init(uri: uri, object: object, alias: object == nil ? try transaction.alias(of: uri) : nil)
        }
    }

    func commits() -> AsyncStream<CommitSet> { inner.commits() }

    func lockForPush() async throws -> HeldLock? {
        try process.checkAlive()
        return try await inner.lockForPush()
    }

    func close() async throws { try await call { try await inner.close() } }
}
