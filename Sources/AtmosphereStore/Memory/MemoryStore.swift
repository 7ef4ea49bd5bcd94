internal import Synchronization

/// A store that lives and ends with the process: for tests, previews and commands that keep nothing.
///
/// A read works on an immutable snapshot, so it neither waits for a write nor delays one, however long it takes. The
/// lock of the pusher excludes other users of the same store only.
public final class MemoryStore: Store {
    /// Keeps a committed state somewhere before it becomes visible; throwing undoes the commit.
    package typealias Persist = @Sendable (StoreState, Durability) throws -> Void

    /// nil once closed.
    private let state: Mutex<StoreState?>
    private let isLockedForPush = Mutex(false)
    private let gate = WriteGate()
    private let publisher = CommitPublisher()
    private let name: String
    private let persist: Persist?
    /// That nothing is kept, where a route file chose it; nothing where the program did.
    public let notes: [StoreNote]
    /// Among the system's temporary files, for as long as the store is there.
    public let contentFolder: ContentFolder?

    /// An empty store, for a program that chose it itself: its ``notes`` say nothing.
    public convenience init() { self.init(name: "the store in memory", state: StoreState(), persist: nil) }

    /// - Parameter name: what messages call the store.
    package init(name: String, state: StoreState, persist: Persist?, notes: [StoreNote] = []) {
        self.notes = notes
        contentFolder = persist == nil ? .temporary() : nil
        self.name = name
        self.state = Mutex(state)
        self.persist = persist
    }

    /// Runs `body` in the calling task on what is committed now; a write meanwhile is not seen.
    ///
    /// - Throws: what `body` throws; ``StoreError`` `closed`.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreSnapshot) throws -> Result
    ) async throws -> Result {
        let transaction = MemoryTransaction(try snapshot(), isWritable: false)
        defer { transaction.end() }
        return try body(transaction)
    }

    /// Runs `body` in the calling task; both durabilities keep a commit until the process ends.
    ///
    /// - Throws: what `body` throws; ``StoreError`` `closed`; `CancellationError` for a ``Durability/process`` write
    ///   that gave up waiting.
    public func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await gate.enter(durability)
        defer { gate.leave() }
        let transaction = MemoryTransaction(try snapshot(), isWritable: true)
        defer { transaction.end() }
        let result = try body(transaction)
        guard transaction.isDirty else { return result }
        var commit = CommitSet(origin: origin, objects: [:])
        for (entity, ids) in transaction.touched { commit.insert(ids, of: entity) }
        let new = transaction.end()
        try persist?(new, durability)
        state.withLock { $0 = new }
        publisher.publish(commit)
        return result
    }

    /// Each commit from now on that changed something; it ends when the store is closed.
    public func commits() -> AsyncStream<CommitSet> { publisher.subscribe() }

    /// Takes the lock; nil while another user of this store has it.
    ///
    /// - Throws: ``StoreError`` `closed`.
    public func lockForPush() async throws -> HeldLock? {
        _ = try snapshot()
        let isTaken = isLockedForPush.withLock { isLocked in
            defer { isLocked = true }
            return isLocked
        }
        if isTaken { return nil }
        let isHeld = Mutex(true)
        return HeldLock { [self] in
            // A second release must not give back what another has taken since.
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if wasHeld { isLockedForPush.withLock { $0 = false } }
        }
    }

    /// Waits for the write under way, then drops everything. A second call does nothing more.
    public func close() async throws {
        try await gate.enter(.power)
        defer { gate.leave() }
        state.withLock { $0 = nil }
        publisher.finish()
    }

    private func snapshot() throws(StoreError) -> StoreState {
        guard let state = state.withLock({ $0 }) else { throw .closed(name) }
        return state
    }
}
