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
/// Whether a save survives a loss of power is theirs to answer for.
package struct TokenCommands: TokenStorage {
    private let loading: [String]
    private let saving: [String]
    private let removing: [String]
    private let lockFile: String
    private let patience: Duration

    /// Takes programs with their arguments; runs none yet.
    ///
    /// - Parameters:
    ///   - load: prints what was saved.
    ///   - save: gets it on standard input, one line.
    ///   - remove: empty for none; then an empty line is saved instead.
    ///   - lockFile: holds the turn of one process, and whether something was saved.
    ///   - patience: how long ``lock()`` waits: longer than another process may wait for the answer to its request.
    package init(
        load: [String], save: [String], remove: [String], lockFile: String, patience: Duration = .seconds(90)
    ) {
        loading = load
        saving = save
        removing = remove
        self.lockFile = lockFile
        self.patience = patience
    }

    /// Names the program that loads; never its arguments.
    package var name: String { "the tokens that “\(loading.first ?? "")” keeps" }

    /// Has the program print what was saved; nil where it prints nothing.
    ///
    /// - Throws: ``StoreError`` where the program cannot be run, or fails to print what was saved.
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
    /// - Throws: ``StoreError`` where the program cannot be run, or says that it failed.
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
                return try ChildProcess.run(command, input: input, limit: TokenFile.limit)
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

/// A program that is run to its end.
enum ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// - Parameter input: less than a pipe holds (64 KiB).
    /// - Throws: ``Failure``.
    static func run(
        _ command: [String], input: [UInt8], limit: Int
    ) throws(Failure) -> (status: Int32, output: [UInt8]) {
        guard let program = command.first else { throw Failure(description: "has no name") }
        let (readInput, writeInput) = try pipe()
        let (readOutput, writeOutput) = try pipe()
        var actions = FileActions()
        defer { actions.destroy() }
        actions.duplicate(readInput, STDIN_FILENO)
        actions.duplicate(writeOutput, STDOUT_FILENO)
        let pid = actions.spawn(command)
        close(readInput)
        close(writeOutput)
        defer { close(readOutput) }
        guard case .success(let child) = pid else {
            close(writeInput)
            if case .failure(let failure) = pid, failure.number != ENOENT {
                throw Failure(description: "cannot be run: \(String(cString: strerror(failure.number)))")
            }
            throw Failure(description: "cannot be run: there is no program \(program) in PATH")
        }
        withoutBrokenPipes {
            var written = 0
            while written < input.count {
                let count = input[written...].withUnsafeBytes { systemWrite(writeInput, $0) }
                if count < 0, errno == EINTR { continue }
                // A program that does not want its input says by its status what it makes of that.
                if count <= 0 { break }
                written += count
            }
        }
        close(writeInput)
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { systemRead(readOutput, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            if output.count <= limit { output += chunk[..<count] }
        }
        let status = wait(for: child)
        guard output.count <= limit else { throw Failure(description: "printed more than \(limit) bytes") }
        return (status, output)
    }

    private static func pipe() throws(Failure) -> (read: CInt, write: CInt) {
        var ends: [CInt] = [-1, -1]
        guard makePipe(&ends) == 0 else {
            throw Failure(description: "cannot be run: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Keeps the signal of a pipe that nobody reads, which is sent to the thread that writes, from ending this process.
    private static func withoutBrokenPipes(_ body: () -> Void) {
        var broken = sigset_t()
        var pending = sigset_t()
        var before = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &broken, &before)
        body()
        sigpending(&pending)
        if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
            var signal: CInt = 0
            sigwait(&broken, &signal)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    private static func wait(for child: pid_t) -> Int32 {
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        // WIFEXITED and WEXITSTATUS are macros.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}

/// `posix_spawn` with its attributes: signals that this process ignores are not ignored in the other.
private struct FileActions {
    struct SystemFailure: Error { var number: CInt }

    #if canImport(Darwin)
        private var actions: posix_spawn_file_actions_t?
        private var attributes: posix_spawnattr_t?
    #else
        private var actions = posix_spawn_file_actions_t()
        private var attributes = posix_spawnattr_t()
    #endif

    init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    }

    mutating func destroy() {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    mutating func duplicate(_ descriptor: CInt, _ target: CInt) {
        posix_spawn_file_actions_adddup2(&actions, descriptor, target)
    }

    mutating func spawn(_ command: [String]) -> Result<pid_t, SystemFailure> {
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let number = posix_spawnp(&child, command[0], &actions, &attributes, &arguments, environ)
        return number == 0 ? .success(child) : .failure(SystemFailure(number: number))
    }
}

private func makePipe(_ ends: inout [CInt]) -> CInt { pipe(&ends) }
private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
