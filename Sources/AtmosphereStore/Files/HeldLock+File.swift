internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension HeldLock {
    /// Takes a lock on a file of its own, which is made where it is missing and stays behind empty.
    ///
    /// It excludes other processes, and other holders in this one: `flock` belongs to the open file. The kernel gives it
    /// back when the process ends, however it ends.
    ///
    /// - Parameter file: a path; nothing else may be kept in the file.
    /// - Returns: nil where another holds it.
    /// - Throws: ``StoreError`` `inputOutput` or `full`.
    public static func take(file: String) throws(StoreError) -> HeldLock? {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("open", file) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let reason = StoreFile.failure("lock", file)
            _ = close(descriptor)
            if isHeld { return nil }
            throw reason
        }
        let held = Mutex<Int32?>(descriptor)
        return HeldLock {
            // Closing gives the lock back; a second release must not close a number that was given out again.
            if let descriptor = held.withLock({ $0.take() }) { _ = close(descriptor) }
        }
    }
}
