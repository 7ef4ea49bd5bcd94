#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A program that is run to its end.
enum ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Runs a program. What it has printed when it ends counts: whoever it leaves behind with its standard output open is not waited for.
    ///
    /// - Parameters:
    ///   - input: less than a pipe holds (64 KiB).
    ///   - bytes: the most that it may print.
    ///   - limit: after so long it is ended.
    /// - Throws: ``Failure``.
    static func run(
        _ command: [String], input: [UInt8], bytes: Int, limit: Duration
    ) throws(Failure) -> (status: Int32, output: [UInt8]) {
        guard let program = command.first else { throw Failure(description: "has no name") }
        let (readInput, writeInput) = try pipe()
        let (readOutput, writeOutput) = try pipe()
        // Only in the same group as this process can it ask somebody at the terminal. Elsewhere it has a group of its own, so
        // that all it has started ends with it.
        let hasGroup = !isInForeground
        var actions = FileActions(ownGroup: hasGroup)
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
        let deadline = ContinuousClock.now + limit
        _ = fcntl(readOutput, F_SETFL, O_NONBLOCK)
        var output: [UInt8] = []
        var isOpen = true
        while true {
            // First its end, then what it has printed: all of that is there by then.
            let status = status(of: child)
            if isOpen { isOpen = read(readOutput, into: &output, upTo: bytes) }
            guard output.count <= bytes else {
                if status == nil { end(child, hasGroup) }
                throw Failure(description: "printed more than \(bytes) bytes")
            }
            if let status { return (status, output) }
            guard ContinuousClock.now < deadline else {
                end(child, hasGroup)
                throw Failure(description: "did not end within \(limit.components.seconds) s, and was ended")
            }
            pause(until: isOpen ? readOutput : -1)
        }
    }

    /// Takes what is there.
    ///
    /// - Returns: whether more may come.
    private static func read(_ descriptor: CInt, into output: inout [UInt8], upTo limit: Int) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while output.count <= limit {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return true }
            guard count > 0 else { return false }
            output += chunk[..<count]
        }
        return false
    }

    /// Waits a hundredth of a second, or less where something is printed.
    private static func pause(until descriptor: CInt) {
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waited, 1, 10)
    }

    /// Asks a program to end, and makes it end a second later.
    private static func end(_ child: pid_t, _ hasGroup: Bool) {
        let target = hasGroup ? -child : child
        _ = kill(target, SIGTERM)
        let deadline = ContinuousClock.now + .seconds(1)
        while status(of: child) == nil {
            if ContinuousClock.now >= deadline { _ = kill(target, SIGKILL) }
            pause(until: -1)
        }
        // What it has started and what minds no SIGTERM is there still.
        if hasGroup { _ = kill(target, SIGKILL) }
    }

    /// Whether the keys of a terminal go to this process and to whom it starts.
    private static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
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

    /// - Returns: nil while it runs.
    private static func status(of child: pid_t) -> Int32? {
        var status: CInt = 0
        let found = waitpid(child, &status, WNOHANG)
        guard found == child else { return found < 0 && errno != EINTR ? -1 : nil }
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

    init(ownGroup: Bool) {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = POSIX_SPAWN_SETSIGDEF
        if ownGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
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
