#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Tokens in what other programs keep: `pass`, `secret-tool`, a keychain.
///
/// ```yaml
/// tokens:
///   load: [secret-tool, lookup, app, atmos]
///   save: [secret-tool, store, --label=atmos, app, atmos]
///   remove: [secret-tool, clear, app, atmos]
/// ```
///
/// Programs are run without a shell, found in `PATH`, with this process's environment, standard error and terminal, so
/// that they can ask for a passphrase. They say by their exit status whether it worked. `load` that prints nothing has
/// nothing; where it also fails although something was saved, such as a keychain that is locked, that is an error: a refresh
/// token from before must not be used in its place, for a server that meets it again ends all of them (RFC 9700 §4.14.2).
/// What a program has printed when it ends counts, whatever it leaves behind; one that does not end within a minute is ended.
/// Whether a save survives a loss of power is theirs to answer for.
package struct TokenCommands: TokenStorage {
    private let loading: [String]
    private let saving: [String]
    private let removing: [String]
    private let lockFile: String
    private let patience: Duration
    private let limit: Duration

    /// Takes programs with their arguments; runs none yet.
    ///
    /// - Parameters:
    ///   - load: prints what was saved.
    ///   - save: gets it on standard input, one line.
    ///   - remove: empty for none; then an empty line is saved instead.
    ///   - lockFile: holds the turn of one process, and whether something was saved.
    ///   - patience: how long ``lock()`` waits: longer than another process may wait for the answer to its request.
    ///   - limit: how long a program may take, and with it the person whom it asks for a passphrase.
    package init(
        load: [String], save: [String], remove: [String], lockFile: String, patience: Duration = .seconds(90),
        limit: Duration = .seconds(60)
    ) {
        loading = load
        saving = save
        removing = remove
        self.lockFile = lockFile
        self.patience = patience
        self.limit = limit
    }

    /// Names the program that loads; never its arguments.
    package var name: String { "the tokens that “\(loading.first ?? "")” keeps" }

    /// Has the program print what was saved; nil where it prints nothing.
    ///
    /// - Throws: ``StoreError`` where the program cannot be run, does not end, or fails to print what was saved.
    package func load() async throws -> [UInt8]? {
        let (status, output) = try await run(loading, input: [])
        let isBlank = output.allSatisfy { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == 0x20 }
        guard isBlank else { return output }
        if status != 0, try await BlockingCall.run({ SavedMark.isSet(in: lockFile) }) {
            throw failure(
                loading,
                "ended with \(status) and without the tokens that were saved; unlock them, or forget them "
                    + "(atmos logout)")
        }
        return nil
    }

    /// Gives the program the bytes and a line break on standard input, and notes in the lock file that something was
    /// saved.
    ///
    /// - Throws: ``StoreError`` where the program cannot be run, does not end, or says that it failed.
    package func save(_ bytes: [UInt8]) async throws {
        try await succeed(saving, input: bytes + [UInt8(ascii: "\n")])
        try await BlockingCall.run { try SavedMark.set(true, in: lockFile) }
    }

    /// Runs the command that removes; without one, saves an empty line.
    ///
    /// - Throws: ``StoreError`` where it fails and the tokens are, or may be, still there, or where it cannot be run.
    package func remove() async throws {
        if removing.isEmpty {
            try await succeed(saving, input: [UInt8(ascii: "\n")])
            return try await forgetMark()
        }
        let (status, _) = try await run(removing, input: [])
        guard status != 0 else { return try await forgetMark() }
        // What is not there cannot be removed; what still is afterwards was not.
        let isKept: Bool
        do { isKept = try await load() != nil } catch {
            // Locked, or taken away by somebody: said once, so that nobody is stuck with what is not there any more.
            try await forgetMark()
            throw failure(removing, "ended with \(status), and nothing can be loaded: the tokens may still be there")
        }
        if isKept { throw failure(removing, "ended with \(status)") }
    }

    private func forgetMark() async throws {
        try await BlockingCall.run { try SavedMark.set(false, in: lockFile) }
    }

    /// Waits for the lock file, which the kernel gives back when a process ends, for as long as the patience lasts.
    ///
    /// - Throws: ``StoreError`` where the file cannot be opened or locked; ``SyncError`` `unreachable` where another process
    ///   keeps it; `CancellationError`.
    package func lock() async throws -> HeldLock { try await lock(within: patience) }

    /// Waits for the lock file; throws as ``lock()``.
    package func lock(within patience: Duration) async throws -> HeldLock {
        try await FileLock.take(lockFile, patience: patience)
    }

    private func succeed(_ command: [String], input: [UInt8]) async throws {
        let (status, _) = try await run(command, input: input)
        guard status == 0 else { throw failure(command, "ended with \(status)") }
    }

    private func run(_ command: [String], input: [UInt8]) async throws -> (status: Int32, output: [UInt8]) {
        try await BlockingCall.run {
            do {
                return try ChildProcess.run(command, input: input, bytes: TokenFile.limit, limit: limit)
            } catch {
                throw failure(command, "\(error)")
            }
        }
    }

    /// Names the program alone: its arguments may say more than a log should hold.
    private func failure(_ command: [String], _ reason: String) -> StoreError {
        StoreError(
            code: .inputOutput,
            message: "the command “\(command.first ?? "")” of auth.tokens \(reason); try it in a terminal")
    }
}

/// One byte in the file for the lock: something was saved. No secret, and nothing of one.
private enum SavedMark {
    static func isSet(in path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    static func set(_ isSet: Bool, in path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
        defer { close(descriptor) }
        let done =
            isSet
            ? [UInt8(ascii: "s")].withUnsafeBytes { systemWrite(descriptor, $0) == 1 } : ftruncate(descriptor, 0) == 0
        guard done else { throw StoreFile.failure("write", path) }
    }
}

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
