#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What every store that lives in a file does with the file system.
package enum StoreFile {
    /// The path from the root, so that a later change of the working directory moves nothing.
    package static func absolutePath(_ path: String) throws(StoreError) -> String {
        guard !path.isEmpty else {
            throw StoreError(code: .inputOutput, message: "a store needs a path; set store.path in the route file")
        }
        if path.beginsWithSlash { return path }
        guard let directory = getcwd(nil, 0) else { throw failure("open", path) }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }

    /// The file that a symbolic link leads to, whether or not it is there, so that what stands beside the file is the same
    /// whatever it is called; any other path as it is.
    package static func behindLink(_ path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        // Links that lead round in a circle cannot be opened, which says whoever tries.
        return FilePlace.destination(path) ?? path
    }

    package static func directory(of path: String) -> String {
        let folder = path.throughLastSlash
        if folder.isEmpty { return "." }
        return folder == "/" ? "/" : String(Substring(folder.utf8.dropLast()))
    }

    /// Creates an empty file that only its owner may read, whatever the umask says; an existing one keeps its content, and is
    /// taken from others (``keepPrivate(_:)``).
    package static func create(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            if errno == EEXIST { return keepPrivate(path) }
            throw failure("create", path)
        }
        defer { _ = close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0, flush(descriptor) else { throw failure("create", path) }
        try synchronizeDirectory(of: path)
    }

    /// Takes from all others what its owner alone should read: a store that another program has made, or that was copied, may
    /// be there with mode 0644. What belongs to another user stays as it is, for only its owner can change that.
    package static func keepPrivate(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
        _ = chmod(path, status.st_mode & 0o700)
    }

    /// Names the first of several files that this process may not write; those that are missing are passed over.
    package static func checkWritable(_ paths: [String]) throws(StoreError) {
        for path in paths where access(path, W_OK) != 0 && errno != ENOENT { throw failure("write", path) }
    }

    /// Waits until the device has everything, not only its cache.
    package static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    /// Makes the names in the file's folder survive a loss of power.
    package static func synchronizeDirectory(of path: String) throws(StoreError) {
        let folder = directory(of: path)
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        defer { _ = close(descriptor) }
        // Some file systems cannot flush a directory and say so; there is nothing else to do then.
        if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw failure("flush", folder) }
    }

    /// Takes the lock of the one pusher, on `PATH.lock`.
    ///
    /// - Returns: nil where another holds it.
    package static func lockForPush(_ path: String) throws(StoreError) -> HeldLock? {
        try HeldLock.take(file: path + ".lock")
    }

    /// Whether there is no space: because the system said so, or because the device has less than SQLite's smallest files
    /// take, for a failure of which the system's reason is not known any more.
    package static func isFull(_ number: Int32, deviceOf path: String) -> Bool {
        if number == ENOSPC || number == EDQUOT { return true }
        var device = statvfs()
        guard statvfs(directory(of: path), &device) == 0 else { return false }
        return UInt64(device.f_bavail) * UInt64(device.f_frsize) < 1 << 16
    }

    /// The error for what the system just refused (`errno`).
    package static func failure(_ action: String, _ path: String) -> StoreError {
        let number = errno
        let reason = String(cString: strerror(number))
        let (code, remedy): (StoreError.Code, String) =
            switch number {
            case ENOENT: (.inputOutput, "does the folder \(directory(of: path)) exist?")
            case ENOSPC, EDQUOT: (.full, "free some space and try again")
            case ELOOP:
                (.inputOutput, "it is a symbolic link, which nothing is read or written through; remove the link")
            case EACCES, EPERM, EROFS:
                (.inputOutput, "check who owns the file and its folder, and who may write them (ls -l)")
            default: (.inputOutput, "check the file and its folder")
            }
        return StoreError(code: code, message: "cannot \(action) \(path): \(reason); \(remedy)")
    }
}
