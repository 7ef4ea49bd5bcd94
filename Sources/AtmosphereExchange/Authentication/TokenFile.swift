internal import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Tokens in a file of their own with mode 0600, replaced as a whole, so that it is whole at any instant.
///
/// Beside it `PATH.lock` holds the turn of one process; it stays, for a lock on a file that goes would be none.
package struct TokenFile: TokenStorage {
    /// Absolute, or relative to the working directory.
    package let path: String
    static let limit = 64 << 10
    private let patience: Duration

    /// Touches no file; one that is not there is an empty storage.
    ///
    /// - Parameter patience: how long ``lock()`` waits: longer than another process may wait for the answer to its request.
    package init(path: String, patience: Duration = .seconds(90)) {
        self.path = path
        self.patience = patience
    }

    /// `the tokens file PATH`
    package var name: String { "the tokens file \(path)" }

    /// The file's bytes; nil where there is no file.
    ///
    /// - Throws: ``StoreError`` where the file cannot be read, or can be read by others.
    package func load() async throws -> [UInt8]? {
        try await BlockingCall.run {
            do {
                return try SmallFile.read(path, limit: Self.limit, mustBePrivate: true)
            } catch SmallFile.Failure.system(let code) where code == SmallFile.noSuchFile {
                return nil
            } catch SmallFile.Failure.notPrivate {
                throw StoreError(
                    code: .inputOutput, message: "\(name) can be read by others: run chmod 600 \(path.shellWord)")
            } catch {
                throw StoreError(code: .inputOutput, message: "\(name): \(error)")
            }
        }
    }

    /// Makes room for the next save in advance, so that a full disk or a folder without write permission is noticed while
    /// the present tokens are still good.
    package func prepare() async throws {
        try await BlockingCall.run { try write([UInt8](repeating: UInt8(ascii: " "), count: 16 << 10)) }
    }

    /// Removes the room that was made.
    ///
    /// - Throws: ``StoreError`` where it stays.
    package func withdraw() async throws {
        try await BlockingCall.run { try Self.unlinkIfThere(path + ".new") }
    }

    /// Writes `PATH.new` with mode 0600, flushes it and puts it in the file's place.
    ///
    /// - Throws: ``StoreError`` where a file cannot be written, flushed or replaced; the old tokens stay then.
    package func save(_ bytes: [UInt8]) async throws {
        try await BlockingCall.run {
            try write(bytes)
            guard rename(path + ".new", path) == 0 else { throw StoreFile.failure("replace", path) }
            try StoreFile.synchronizeDirectory(of: path)
        }
    }

    /// Removes the file and what a save left beside it.
    ///
    /// - Throws: ``StoreError`` where one of them stays.
    package func remove() async throws {
        try await BlockingCall.run {
            for file in [path + ".new", path] { try Self.unlinkIfThere(file) }
        }
    }

    private static func unlinkIfThere(_ file: String) throws {
        if unlink(file) != 0, errno != ENOENT { throw StoreFile.failure("remove", file) }
    }

    /// Waits for `PATH.lock`, which the kernel gives back when a process ends, for as long as the patience lasts.
    ///
    /// - Throws: ``StoreError`` where it cannot be opened or locked; ``SyncError`` `unreachable` where another process
    ///   keeps it; `CancellationError`.
    package func lock() async throws -> HeldLock { try await lock(within: patience) }

    /// Waits for `PATH.lock`; throws as ``lock()``.
    package func lock(within patience: Duration) async throws -> HeldLock {
        try await FileLock.take(path + ".lock", patience: patience)
    }

    /// Writes the file that takes the other's place; only its owner may ever read it.
    private func write(_ bytes: [UInt8]) throws {
        let new = path + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("create", new) }
        defer { _ = close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw StoreFile.failure("create", new) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreFile.failure("write", new) }
            written += count
        }
        // The old length goes last: its blocks were there already.
        guard ftruncate(descriptor, off_t(bytes.count)) == 0, StoreFile.flush(descriptor) else {
            throw StoreFile.failure("write", new)
        }
    }
}

/// A lock among processes that the kernel gives back when its holder ends.
package enum FileLock {
    /// Waits for the turn; a process has the lock for as long as one request to a token endpoint takes.
    ///
    /// - Throws: ``StoreError`` where the file cannot be opened or locked; ``SyncError`` `unreachable` where another process
    ///   has not given it back when the patience ends; `CancellationError`.
    package static func take(_ path: String, patience: Duration) async throws -> HeldLock {
        let held = try await BlockingCall.run {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
            return HeldDescriptor(descriptor)
        }
        let end = ContinuousClock.now.advanced(by: patience)
        var pause = Duration.milliseconds(1)
        do {
            while try !held.lock(path) {
                guard ContinuousClock.now < end else { throw stillHeld(path, patience) }
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .milliseconds(50))
            }
        } catch {
            held.close()
            throw error
        }
        return HeldLock { held.close() }
    }

    private static func stillHeld(_ path: String, _ patience: Duration) -> SyncError {
        let message =
            "\(path) has been held by another process for \(patience.components.seconds) s, which signs in, or asks "
            + "somebody for a passphrase; end that process, or try again"
        return SyncError(
            code: .unreachable, message: message,
            cause: TransportError(code: .timeout, message: message, mayHaveArrived: false))
    }
}

/// Closes once: a second time could close a number that was given out again.
private final class HeldDescriptor: Sendable {
    private let descriptor: Mutex<CInt?>

    init(_ descriptor: CInt) { self.descriptor = Mutex(descriptor) }

    /// - Returns: false where another has it.
    func lock(_ path: String) throws(StoreError) -> Bool {
        guard let descriptor = descriptor.withLock({ $0 }) else { return false }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreFile.failure("lock", path) }
        return false
    }

    func close() {
        if let descriptor = descriptor.withLock({ $0.take() }) { closeDescriptor(descriptor) }
    }
}

private func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
