/// An app context and a meta context that commit together.
///
/// Asynchronous at the door, synchronous inside: `body` runs on the store's own thread and must not block on anything
/// else. One write runs at a time; ``Durability/power`` writes go ahead of waiting ``Durability/process`` writes, so
/// that a save never waits for more than one short transaction of a pull.
///
/// To write one, see the guide "Writing a store" and run `StoreSuite` of AtmosphereTesting.
public protocol Store: Sendable {
    /// Runs `body` on a snapshot that no write disturbs.
    ///
    /// - Throws: what `body` throws, ``StoreError``, or `CancellationError` where the store can interrupt a read.
    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result

    /// Runs `body` in one transaction: all of it is kept when it returns, nothing when it throws.
    ///
    /// Cancelling the task stops no ``Durability/power`` write: what a request brought about must be recorded even while
    /// the work around it ends. A ``Durability/process`` write that still waits gives up.
    ///
    /// - Throws: what `body` throws, ``StoreError``, or `CancellationError` for a write that gave up waiting.
    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result

    /// One element per commit that changed records or meta objects, from the call on. Each call gives a new sequence.
    func commits() -> AsyncStream<CommitSet>

    /// Learns what is synchronized in it, before the first read or write of a ``Synchronizer``, and again with each one.
    ///
    /// The implementation that every store has keeps the indexes that the route file declares. A store around another
    /// passes it on.
    ///
    /// - Throws: ``StoreError``.
    func prepare(for routeFile: RouteFile) async throws

    /// Keeps these indexes from now on, for the objects there are and for those that come, and no others.
    ///
    /// An index changes no answer, only what it costs. A store without indexes ignores the call, and so does the
    /// implementation that every store has.
    ///
    /// - Throws: ``StoreError``.
    func keepIndexes(_ indexes: [QueryIndex]) async throws

    /// Publishes a commit of origin ``CommitSet/Origin/otherProcess`` if another process has written to the store since
    /// the last call. A store that cannot tell ignores the call, as the implementation that every store has does.
    ///
    /// - Throws: ``StoreError``.
    func checkForOtherWriters() async throws

    /// Takes the lock of the one process that may push.
    ///
    /// - Returns: nil where another process holds it. The lock is given back with ``HeldLock/release()`` or with the
    ///   end of the process.
    func lockForPush() async throws -> HeldLock?

    /// Where contents that wait to be uploaded are kept, beside the store. A store that is around another passes on that
    /// one's. nil, as the implementation that every store has gives, where there is no such place: nothing can be attached
    /// then without a network.
    var contentFolder: ContentFolder? { get }

    /// Writes what is still in memory and closes files. Later calls throw ``StoreError`` `closed`.
    func close() async throws

    /// What there is to say of the store since it was opened, in order: damage that was found, and what was saved.
    /// None by default.
    var notes: [StoreNote] { get }

    /// Has each note told that comes up from now on, beside being among ``notes``; each ``Synchronizer`` asks for it, and
    /// puts them into its log. A store around another passes it on. One that has nothing to say after it was opened ignores
    /// the call, as the implementation that every store has does.
    ///
    /// - Parameter tell: called from any task or thread; returns quickly.
    func tellNotes(_ tell: @escaping @Sendable (StoreNote) -> Void)
}

extension Store {
    /// None.
    public var notes: [StoreNote] { [] }
    /// Nothing: right for a store that has nothing to say once it is open.
    public func tellNotes(_ tell: @escaping @Sendable (StoreNote) -> Void) {}
    /// nil: nothing can be attached without a network.
    public var contentFolder: ContentFolder? { nil }
}

/// One thing that a store has to say although it goes on.
public struct StoreNote: Sendable, Hashable, CustomStringConvertible {
    /// A person should know: something may be lost. Other notes are for the log.
    public var isWarning: Bool
    /// Names the file, what is wrong with it and what was done.
    public var message: String

    /// A note with its message.
    public init(isWarning: Bool, message: String) {
        self.isWarning = isWarning
        self.message = message
    }

    public var description: String { message }
}

extension Store {
    /// Keeps the indexes that the route file's resources declare.
    public func prepare(for routeFile: RouteFile) async throws {
        try await keepIndexes(routeFile.resources.flatMap(QueryIndex.declared))
    }

    /// Nothing: a store without indexes.
    public func keepIndexes(_ indexes: [QueryIndex]) async throws {}
    /// Nothing: a store that cannot tell.
    public func checkForOtherWriters() async throws {}
}

/// What a commit survives.
public enum Durability: Sendable {
    /// A loss of power: flushed to the device before the write returns. Saves, sending marks, outcomes.
    case power
    /// The end of the process. Pulled pages, which can be pulled again.
    case process
}
