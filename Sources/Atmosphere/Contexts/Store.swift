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
    /// - Returns: nil where another process holds it. The lock is given back with ``PushLock/release()`` or with the
    ///   end of the process.
    func lockForPush() async throws -> PushLock?

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
        try await keepIndexes(routeFile.resources.flatMap(\.queryIndexes))
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

/// What one commit changed.
public struct CommitSet: Sendable, Hashable {
    /// Who brought a commit about; in `otherProcess` nobody knows what for.
    public enum Origin: Sendable, Hashable {
        /// The application's own edits and decisions; a pull; a push, with the marks and outcomes of what it sends; a
        /// live update; another process that wrote to the same store.
        case application, pull, push, live, otherProcess
    }

    /// What the whole commit was made for; one commit has one.
    public var origin: Origin
    /// The changed objects by entity; an empty set says that any object of the entity may have changed.
    public var objects: [String: Set<String>]

    /// A commit of these objects; see ``objects`` for what an empty set means.
    public init(origin: Origin, objects: [String: Set<String>]) {
        self.origin = origin
        self.objects = objects
    }
}

/// The right to push, held until released.
public struct PushLock: Sendable {
    private let once: Once

    /// A lock that the closure gives back.
    ///
    /// - Parameter onRelease: gives the right back; called once at most.
    public init(onRelease: @escaping @Sendable () -> Void) { once = Once(onRelease) }

    /// Gives the right back; a second call does nothing.
    public func release() { once.run() }
}

/// What can be read inside a transaction or a snapshot.
public protocol StoreSnapshot: AppContext, MetaContext {
    /// Record and meta object together.
    func object(at uri: ObjectURI) throws -> LocalObject?
    /// Objects per entity and state.
    func counts() throws -> [String: StateCounts]
}

/// Objects of one entity by state; an object counts in `objects` when it has a working record.
public struct StateCounts: Sendable, Hashable {
    /// Those with a working record, whatever their state.
    public var objects = 0
    /// All that are not synchronized; the following say of them what they are, and one may be several.
    public var changed = 0
    /// New ones that the server does not know.
    public var localOnly = 0
    /// Deleted here, which the server does not know yet.
    public var deleted = 0
    /// A person has to decide.
    public var conflicted = 0
    /// The server refused them for good, or they could not be sent.
    public var rejected = 0
    /// Sent without an answer.
    public var unknown = 0

    /// No objects in any state.
    public init() {}

    /// Adds one object that is not synchronized.
    public mutating func count(_ meta: MetaObject) {
        guard let outgoing = meta.outgoing else { return }
        changed += 1
        if meta.isLocalOnly { localOnly += 1 }
        if meta.isDeleted { deleted += 1 }
        switch outgoing.phase {
        case .waiting, .sending: break
        case .unknown: unknown += 1
        case .conflicted: conflicted += 1
        case .rejected: rejected += 1
        }
    }
}

/// A transaction: everything of a snapshot, with the whole page at once for a pull.
///
/// Writing methods of ``AppContext`` and ``MetaContext`` throw ``StoreError`` `readOnly` on a plain snapshot.
public protocol StoreTransaction: StoreSnapshot {
    /// Stores a slice of a page as confirmed by the server, in one go.
    ///
    /// For each item of `items`: an object that is not known is inserted as synchronized; a synchronized one gets the
    /// item's record and version, and is not rewritten where both are the same as before; every other item is left
    /// alone and its index returned in ``Absorbed/deferred`` for the planner: its object is not synchronized (or has a
    /// record without a meta object, or one that is not its base), or was confirmed by a request that started after
    /// `page.sequence`, or was deleted on the server (``PageItem/isDeleted``), or has another version on a page that
    /// ``Page/ordersVersions``. An object that is not rewritten keeps the sequence it had.
    func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed

    /// Starts to note which objects of the entity the listing `listing` shows; forgets an earlier listing's notes.
    func beginListing(entity: String, listing: Int64) throws
    /// Objects that are synchronized, were confirmed before `listing` began and were not shown by it since
    /// ``beginListing(entity:listing:)``: `limit` at most, after `after`, ascending. None for a listing that was not
    /// begun, or not last.
    func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI]
    /// Forgets the notes of the listing.
    func endListing(entity: String) throws
}

/// What ``StoreTransaction/absorb(_:items:)`` did.
public struct Absorbed: Sendable, Hashable {
    /// Objects that were not known and are stored as synchronized.
    public var inserted = 0
    /// Synchronized objects whose record or version was replaced.
    public var updated = 0
    /// Shown as they were; not written again.
    public var unchanged = 0
    /// Indices into the page of items that the planner must decide.
    public var deferred: [Int] = []

    /// Nothing was done yet.
    public init() {}
}
