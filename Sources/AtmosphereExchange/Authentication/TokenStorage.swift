/// Keeps tokens between two runs, apart from the store: in a file, in a password manager, in a keychain.
///
/// What is kept is one small text that means nothing to the storage. All calls come one after another as far as one
/// process goes; processes take turns by ``lock()``.
public protocol TokenStorage: Sendable {
    /// What a person would call it, for messages: `the tokens file tasks.db.tokens`.
    var name: String { get }

    /// What was saved last; nil where there is nothing.
    func load() async throws -> [UInt8]?

    /// Returns when the bytes survive a loss of power. What was there before is gone, or whole if this throws.
    func save(_ bytes: [UInt8]) async throws

    /// Forgets what is kept; that there is nothing is no error.
    func remove() async throws

    /// Called before something is spent whose replacement must be saved: throws where a save would fail, as far as can be
    /// known.
    func prepare() async throws

    /// Called where nothing is going to be saved after ``prepare()``: what that left behind can go.
    func withdraw() async throws

    /// Returns when no other process works with these tokens.
    ///
    /// - Throws: `CancellationError` as soon as the caller is cancelled, and ``SyncError`` `unreachable` where another process
    ///   does not come to an end; any other error says that only a person can mend it.
    func lock() async throws -> HeldLock

    /// As ``lock()``, with this patience in the place of the storage's own.
    func lock(within patience: Duration) async throws -> HeldLock
}

extension TokenStorage {
    /// Nothing: right for a storage that cannot tell.
    public func prepare() async throws {}
    /// Nothing: right for a storage that prepares nothing.
    public func withdraw() async throws {}
    /// ``lock()``: right for a storage that has no patience of its own.
    public func lock(within patience: Duration) async throws -> HeldLock { try await lock() }
}

/// Tokens that end with the process.
public actor MemoryTokenStorage: TokenStorage {
    /// `the tokens in memory`
    public nonisolated var name: String { "the tokens in memory" }
    private var bytes: [UInt8]?

    /// A storage with what was saved before.
    ///
    /// - Parameter bytes: what was saved before; nil for nothing.
    public init(_ bytes: [UInt8]? = nil) { self.bytes = bytes }

    /// What was saved last; never fails.
    public func load() -> [UInt8]? { bytes }
    /// Keeps the bytes until the process ends; they survive no loss of power.
    public func save(_ bytes: [UInt8]) { self.bytes = bytes }
    /// Forgets them.
    public func remove() { bytes = nil }
    /// No other process has them.
    public func lock() -> HeldLock { HeldLock {} }
}
