import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The log of what was sent, merged or skipped, in a file beside the store: why each object is as it is.
///
/// One JSON object per line, appended as it happens, so that it costs what the change costs and outlives the process.
/// When the file has reached its limit it becomes `PATH.1` in place of the one before, so that two files are all there
/// ever is. Several processes may append. The log is help for people: where it cannot be written, nothing else fails.
package final class SyncLogFile: Sendable {
    /// The newest entries stand here, older ones in `PATH.1`.
    package let path: String
    private let limit: Int
    private let descriptor = Mutex<CInt>(-1)

    /// A log at a path; opens no file yet.
    ///
    /// - Parameters:
    ///   - path: made with the first entry, readable by its owner alone.
    ///   - limit: bytes after which the file is put aside; 1 MiB by default, which holds about ten thousand entries.
    package init(path: String, limit: Int = 1 << 20) {
        self.path = path
        self.limit = limit
    }

    deinit { descriptor.withLock { if $0 >= 0 { _ = close($0) } } }

    /// Appends one entry, unless it is routine.
    package func append(_ entry: SyncLogEntry) {
        guard !entry.isRoutine else { return }
        var line: Value.Members = [
            "time": .number(JSONNumber(entry.time.milliseconds)), "subject": .string(entry.subject),
            "message": .string(entry.message)
        ]
        if let former = entry.former { line["former"] = .string(former) }
        // Whoever looks at the file itself sees what a server's text holds, and is not steered by it.
        let bytes = UnseenText.escaped(Value.object(line).json()) + [UInt8(ascii: "\n")]
        descriptor.withLock { descriptor in
            // Another process may put the file aside between two looks at it; twice in a row means something else.
            for _ in 0..<3 {
                if Self.append(bytes, to: path, limit: limit, &descriptor) { break }
            }
        }
    }

    /// The entries that are left, oldest first.
    ///
    /// Lines that cannot be read, such as one that a loss of power cut, are left out.
    package func entries() -> [SyncLogEntry] {
        [path + ".1", path].flatMap { file -> [SyncLogEntry] in
            // Whoever appends can go over the limit by what others append at the same time, and no further.
            var status = stat()
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let bytes = try? SmallFile.read(file, limit: 16 * max(limit, 1 << 20))
            else { return [] }
            return bytes.split(separator: UInt8(ascii: "\n")).compactMap { SyncLogEntry(line: Array($0)) }
        }
    }

    /// - Returns: false where the file was put aside, and the line is still to be written.
    private static func append(_ bytes: [UInt8], to path: String, limit: Int, _ descriptor: inout CInt) -> Bool {
        if descriptor < 0 {
            descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            // There is nobody to tell. A symbolic link is nothing to write through, nor is a pipe that nobody reads.
            if descriptor < 0 { return true }
            StoreFile.keepPrivate(path)
        }
        _ = flock(descriptor, LOCK_EX)
        var here = stat()
        var there = stat()
        let isPresent =
            fstat(descriptor, &here) == 0 && lstat(path, &there) == 0 && here.st_ino == there.st_ino
            && here.st_dev == there.st_dev
        let isFull = here.st_size > 0 && Int(here.st_size) + bytes.count > limit
        if isPresent, !isFull {
            _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            _ = flock(descriptor, LOCK_UN)
            return true
        }
        if isPresent { _ = rename(path, path + ".1") }
        _ = close(descriptor)
        descriptor = -1
        return false
    }
}
