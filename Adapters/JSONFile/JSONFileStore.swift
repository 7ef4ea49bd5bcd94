public import AtmosphereStore
internal import Synchronization

/// A store in a folder of JSON lines that people can read, an object to a line, a file to an entity.
///
/// ```
/// tasks.store/
///   store.jsonl              what belongs to no entity: cursors, former identifiers, the list of the files
///   entities/lists.jsonl     the objects of one entity with their meta objects, in the order of their identifiers
///   entities/tasks.jsonl
///   journal.jsonl            the commits since the others were written
///   lock                     held for each commit; the last one that was flushed
/// ```
///
/// Everything is in memory; a commit appends one line to the journal, so it costs the change and not the store, and
/// ``Durability/power`` commits are flushed to the device. The other files are written anew when the journal has become
/// as long as they are (1 MiB at least), and when a small store is closed; each one beside the old one, so that a
/// process may end, or the power fail, at any instant. A commit that was cut off in the middle was never acknowledged
/// and is dropped. A journal that lacks a commit which was flushed is damaged, wherever it was cut.
///
/// Each line, and each file, has a checksum. A damaged file is kept under another name (`….damaged-1`), what can be
/// trusted of it is saved, and ``notes`` says so; the cursors of what may be incomplete are dropped, so that the next
/// pull asks for everything. Two things look like an ordinary end and cannot be told from one: a journal that lost only
/// commits of a pull, and a folder that was put back as a whole from an older copy.
///
/// Several processes may use one folder: each commit is made under a lock and sees what the others have written, and so
/// does each read. The folder and its files are readable by their owner only. For more objects than memory should hold,
/// or for queries that are faster than a look at every object, use the SQLite store.
public final class JSONFileStore: Store {
    private let path: String
    /// `PATH.contents`, beside the folder.
    public let contentFolder: ContentFolder?
    private let folder: StoreFolder
    private let keeper: StoreKeeper
    private let gate = WriteGate()
    private let publisher = CommitPublisher()

    /// Opens the folder, or creates it. Damage that is found makes no error; see ``notes``.
    ///
    /// - Parameter path: absolute, or relative to the working directory at this moment.
    /// - Throws: ``StoreError``: `inputOutput` where the folder around it does not exist, where the path is a file, or a
    ///   file may not be used; `newerFormat` where a newer version wrote it; `full`.
    public convenience init(path: String) throws { try self.init(path: path, limits: JournalLimits()) }

    init(path: String, limits: JournalLimits) throws {
        let path = try StoreFile.absolutePath(path)
        self.path = path
        contentFolder = ContentFolder(path: path + ContentFolder.suffix)
        folder = try StoreFolder(creating: path)
        keeper = try StoreKeeper(path: path, limits: limits)
    }

    /// Runs `body` on what was committed last, by whichever process; a write meanwhile is not seen.
    ///
    /// - Throws: what `body` throws; ``StoreError`` where what another process wrote cannot be read, or `closed`.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreSnapshot) throws -> Result
    ) async throws -> Result {
        if !isCurrent { publish(try await keeper.refresh()) }
        let transaction = MemoryTransaction(try snapshot(), isWritable: false)
        defer { transaction.end() }
        return try body(transaction)
    }

    /// Runs `body` under the lock of the folder, and appends what it changed to the journal before it is seen: flushed
    /// to the device for ``Durability/power``.
    ///
    /// - Throws: what `body` throws; ``StoreError`` where the folder cannot be locked or the journal not be written;
    ///   `CancellationError` for a ``Durability/process`` write that gave up waiting.
    public func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await gate.enter(durability)
        defer { gate.leave() }
        let commit = try await keeper.write(durability, body)
        publish(commit.foreign)
        publish(commit.touched, origin)
        return commit.result
    }

    /// Each commit from now on, of this store and, once they are noticed, of other processes.
    public func commits() -> AsyncStream<CommitSet> { publisher.subscribe() }

    /// Publishes what other processes have committed since the last call, read or write of this store.
    ///
    /// Costs some microseconds where there is nothing new; call it as often as another process's changes should be
    /// seen, there is no timer.
    ///
    /// - Throws: ``StoreError``.
    public func checkForOtherWriters() async throws {
        _ = try snapshot()
        if !isCurrent { publish(try await keeper.refresh()) }
    }

    /// Takes the lock on `push.lock`, which also excludes another store of this process on the same folder.
    public func lockForPush() async throws -> HeldLock? {
        _ = try snapshot()
        return try StoreFile.lockForPush(folder.path + "/push")
    }

    /// Waits for the write that runs, and ends the streams of commits. A second call does nothing.
    public func close() async throws {
        try await gate.enter(.power)
        defer { gate.leave() }
        try await keeper.close()
        publisher.finish()
    }

    /// Damaged files that were found, the names of their copies, and what was saved; and, not as warnings, commits that
    /// were cut off.
    public var notes: [StoreNote] { keeper.shared.withLock { $0.notes } }

    /// Has notes told of damage that another process left meanwhile, and of a journal that cannot be shortened.
    public func tellNotes(_ tell: @escaping @Sendable (StoreNote) -> Void) {
        keeper.shared.withLock { $0.listeners.append(tell) }
    }

    /// Whether this store has seen all of the journal.
    private var isCurrent: Bool {
        let extent = FileAccess.extent(of: folder.journal)
        return keeper.shared.withLock { $0.state == nil || $0.isOwn(extent) }
    }

    private func snapshot() throws(StoreError) -> StoreState {
        guard let state = keeper.shared.withLock({ $0.state }) else { throw .closed(path) }
        return state
    }

    private func publish(_ objects: [String: Set<String>], _ origin: CommitSet.Origin = .otherProcess) {
        guard !objects.isEmpty else { return }
        var commit = CommitSet(origin: origin, objects: [:])
        for (entity, ids) in objects { commit.insert(ids, of: entity) }
        publisher.publish(commit)
    }
}

extension Adapter {
    /// A store in a folder of JSON lines: `store: { kind: json-file, path: tasks.store }`.
    public static var jsonFile: Adapter { .store("json-file") { try JSONFileStore(path: $0.path) } }
}
