public import AtmosphereStore
internal import Synchronization

/// A store in one file that only grows: each commit is a line of JSON at its end.
///
/// Everything is in memory. A commit is flushed to the device before it returns, also one that would have to survive less;
/// what was cut off at the end by a loss of power was never acknowledged and is dropped. Opening reads the file, and writes
/// it anew where most of it is out of date. One process at a time can have it open. For some thousands of objects: a commit
/// that follows a read costs a copy of the tables, and a query looks at every object of its entity.
///
/// It uses nothing of Atmosphere that is not public.
public final class LogStore: Store {
    /// What was done at opening that a person may want to know.
    public let notes: [StoreNote]

    private let path: String
    /// Blocks on a queue of its own.
    private let file: LogFile
    /// nil once closed.
    private let contents: Mutex<Contents?>
    /// One writer at a time, saves first.
    private let gate = WriteGate()
    /// Every commit to every stream, in bounded memory.
    private let publisher = CommitPublisher()

    /// Opens the file, or makes it, readable by its owner only.
    ///
    /// - Throws: ``StoreError``: `inUse` where another store has it open, `damaged` with the line, `newerFormat`,
    ///   `inputOutput`, `full`.
    public init(path: String) throws {
        self.path = path
        let (file, contents, notes) = try LogFile.open(path)
        self.file = file
        self.contents = Mutex(contents)
        self.notes = notes
    }

    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreSnapshot) throws -> Result
    ) async throws -> Result {
        let snapshot = LogTransaction(try current(), isWritable: false)
        defer { snapshot.end() }
        return try body(snapshot)
    }

    public func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await gate.enter(durability)
        defer { gate.leave() }
        // Where it throws, nothing has happened yet.
        let (result, new, steps) = try transaction(body)
        guard !steps.isEmpty else { return result }
        // Flushed; all of it or nothing.
        try await file.append(steps)
        contents.withLock { $0 = new }
        var commit = CommitSet(origin: origin, objects: [:])
        for case .object(let uri, _) in steps { commit.insert([uri.id], of: uri.entity) }
        publisher.publish(commit)
        return result
    }

    private func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> (Result, Contents, [Step]) {
        let transaction = LogTransaction(try current(), isWritable: true)
        defer { transaction.end() }
        let result = try body(transaction)
        return (result, transaction.contents, transaction.steps)
    }

    public func commits() -> AsyncStream<CommitSet> { publisher.subscribe() }

    public func lockForPush() async throws -> HeldLock? {
        _ = try current()
        return try HeldLock.take(file: path + ".push")
    }

    public func close() async throws {
        try await gate.enter(.power)
        defer { gate.leave() }
        contents.withLock { $0 = nil }
        publisher.finish()
        await file.close()
    }

    private func current() throws -> Contents {
        guard let contents = contents.withLock({ $0 }) else { throw StoreError.closed(path) }
        return contents
    }
}

extension StoreError.Code {
    /// Another store has the file open.
    public static let inUse = StoreError.Code("inUse")
}

extension Adapter {
    /// `store: { kind: log, path: tasks.log }`
    public static var log: Adapter { .store("log") { try LogStore(path: $0.path) } }
}
