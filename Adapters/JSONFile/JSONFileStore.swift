public import Atmosphere

/// A store in one JSON file that people can read, an object to a line: for small data, and to look at.
///
/// Everything is in memory, and each commit writes the whole file anew beside the old one and puts it in its place, so
/// the file is whole at any instant; ``Durability/power`` commits are flushed to the device first. For more than some
/// thousand objects, or for several processes that write, use the SQLite store.
///
/// Another process's writes are not seen. A commit that would undo them throws ``StoreError`` `inputOutput` instead.
public final class JSONFileStore: Store {
    private let path: String
    private let store: MemoryStore

    /// Opens the file, or creates it readable by its owner only.
    ///
    /// - Parameter path: absolute, or relative to the working directory at this moment.
    /// - Throws: ``StoreError``: `inputOutput` where the folder does not exist or the file may not be used, `damaged`
    ///   where it is not a store of this kind (it is left as it is), `newerFormat` where a newer version wrote it.
    public init(path: String) throws {
        let path = try StoreFile.absolutePath(path)
        let file = ReplacedFile(path: path)
        var state = StoreState()
        if let bytes = try file.read() {
            state = try StoreState(document: bytes, place: path)
        } else {
            try file.replace(with: state.document(), durability: .power)
        }
        self.path = path
        store = MemoryStore(name: path, state: state) { state, durability in
            try file.replace(with: state.document(), durability: durability)
        }
    }

    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreSnapshot) throws -> Result
    ) async throws -> Result {
        try await store.read(body)
    }

    public func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(durability, origin: origin, body)
    }

    public func commits() -> AsyncStream<CommitSet> { store.commits() }

    /// Takes the lock on `FILE.lock`, which also excludes another store of this process on the same file.
    public func lockForPush() async throws -> PushLock? {
        try await store.read { _ in }
        return try StoreFile.lockForPush(path)
    }

    public func close() async throws { try await store.close() }
}

extension Adapter {
    /// A store in a JSON file: `store: { kind: json-file, path: tasks.json }`.
    public static var jsonFile: Adapter { .store("json-file") { try JSONFileStore(path: $0.path) } }
}
