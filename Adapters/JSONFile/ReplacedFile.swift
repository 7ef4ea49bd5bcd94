internal import Atmosphere
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file that is only ever replaced as a whole, so that it is whole at any instant.
final class ReplacedFile: Sendable {
    /// What tells one written file from another.
    private struct Identity: Equatable {
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            seconds = Int(time.tv_sec)
            nanoseconds = Int(time.tv_nsec)
        }
    }

    private let path: String
    /// As it was last read or written here; nil where there was none.
    private let known = Mutex<Identity?>(nil)

    init(path: String) {
        self.path = path
    }

    /// - Returns: nil where there is no file.
    func read() throws(StoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw StoreFile.failure("open", path)
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreFile.failure("read", path) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Self.uninterrupted { buffer.withUnsafeMutableBytes { Self.systemRead(descriptor, $0) } }
            guard count >= 0 else { throw StoreFile.failure("read", path) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        let identity = Identity(status)
        known.withLock { $0 = identity }
        return bytes
    }

    func replace(with bytes: [UInt8], durability: Durability) throws(StoreError) {
        try checkUnchanged()
        let new = path + ".new"
        let identity: Identity
        do throws(StoreError) {
            identity = try write(bytes, to: new, durability)
        } catch {
            unlink(new)
            throw error
        }
        guard rename(new, path) == 0 else {
            let failure = StoreFile.failure("replace", path)
            unlink(new)
            throw failure
        }
        known.withLock { $0 = identity }
        if durability == .power { try StoreFile.synchronizeDirectory(of: path) }
    }

    /// A moment later another process could still write; see the store's promise.
    private func checkUnchanged() throws(StoreError) {
        var status = stat()
        let present = stat(path, &status) == 0 ? Identity(status) : nil
        guard present == known.withLock({ $0 }) else {
            throw StoreError(
                code: .inputOutput,
                message: "\(path) was changed by another process since it was opened; close the store and open it "
                    + "again, or use the SQLite store, which several processes can share")
        }
    }

    private func write(_ bytes: [UInt8], to new: String, _ durability: Durability) throws(StoreError) -> Identity {
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("create", new) }
        defer { _ = close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw StoreFile.failure("create", new) }
        var written = 0
        while written < bytes.count {
            let count = Self.uninterrupted {
                bytes[written...].withUnsafeBytes { Self.systemWrite(descriptor, $0) }
            }
            guard count > 0 else { throw StoreFile.failure("write", new) }
            written += count
        }
        var status = stat()
        guard durability == .process || StoreFile.flush(descriptor), fstat(descriptor, &status) == 0 else {
            throw StoreFile.failure("write", new)
        }
        return Identity(status)
    }

    private static func uninterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}
