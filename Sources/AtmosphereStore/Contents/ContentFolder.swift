#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Where a store keeps the contents that wait to be uploaded: files beside it, for their owner alone.
///
/// A file is called like the SHA-256 of what it holds, so that content which two uploads share is there once, and no name is
/// made of anything that a server or a person has chosen. A content is whole before its name is there: it is written to a
/// file of another name, flushed and renamed, and only then may a meta object refer to it. What no meta object refers to,
/// such as the rest of a process that was killed in between, is removed the next time that a ``Synchronizer`` opens the
/// store, or that an upload is done.
public final class ContentFolder: Sendable {
    /// Made with the first content.
    package let path: String
    /// What the folder of a store's contents is called, behind the store's own path.
    package static let suffix = ".contents"
    /// Ends with its owner, as a store in memory does.
    private let isTemporary: Bool

    /// - Parameter path: belongs to one store, and holds nothing else.
    public convenience init(path: String) { self.init(path, isTemporary: false) }

    private init(_ path: String, isTemporary: Bool) {
        self.path = path
        self.isTemporary = isTemporary
    }

    /// A folder among the system's temporary files, which is removed with the last reference to it.
    package static func temporary() -> ContentFolder {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return ContentFolder("\(root.isEmpty ? "/tmp" : root)/atmosphere-\(newName())", isTemporary: true)
    }

    deinit {
        guard isTemporary, isThere else { return }
        for name in names() { unlink("\(path)/\(name)") }
        cache.removeAll()
        unlink(lockPath)
        rmdir(path)
    }

    private var lockPath: String { path + "/.lock" }
    /// What was downloaded.
    package var cache: ContentCache { ContentCache(path: path + "/cache") }
    package static let piece = 1 << 18
    private static let unfinished = "new-"

    private static func newName() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// Whether anything was ever kept here.
    var isThere: Bool { access(path, F_OK) == 0 }

    // MARK: Keeping

    /// Copies content into the folder, flushed to the device.
    ///
    /// Call it inside ``whileNothingIsRemoved(_:)``, together with the transaction that refers to what was kept.
    ///
    /// - Throws: ``StoreError`` `full` or `inputOutput`; what reading the content throws.
    package func keep(_ content: AttachmentContent) async throws -> (digest: String, length: Int64) {
        let new = "\(path)/\(Self.unfinished)\(Self.newName())"
        let file = try await BlockingCall.run { try ContentFile(creating: new) }
        do {
            var digest = SHA256Digest()
            var length: Int64 = 0
            let next = try await content.start()
            while let chunk = try await next() {
                digest.update(chunk)
                length += Int64(chunk.count)
                try await BlockingCall.run { try file.append(chunk) }
            }
            let name = digest.finish()
            try await BlockingCall.run { [path] in
                try file.flush()
                guard rename(new, "\(path)/\(name)") == 0 else { throw StoreFile.failure("rename", new) }
                try StoreFile.synchronizeDirectory(of: new)
            }
            return (name, length)
        } catch {
            unlink(new)
            throw error
        }
    }

    // MARK: Removing

    /// Runs `body` while nothing is removed here, by this process or another.
    package func whileNothingIsRemoved<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let lock = try await BlockingCall.run { [path, lockPath] in
            if mkdir(path, 0o700) == 0 {
                try StoreFile.synchronizeDirectory(of: path)
            } else if errno != EEXIST {
                throw StoreFile.failure("create", path)
            }
            guard let lock = try ContentFile(locking: lockPath, LOCK_SH) else {
                throw StoreFile.failure("lock", lockPath)
            }
            return lock
        }
        defer { lock.end() }
        return try await body()
    }

    /// Removes what nothing refers to. Where somebody just keeps something, the next call does it.
    ///
    /// - Parameter isReferredTo: the addresses that meta objects hold, asked for once nobody can add one.
    package func removeAll(except isReferredTo: () async throws -> Set<String>) async throws {
        guard isThere, !names().isEmpty,
            let lock = try await BlockingCall.run({ [lockPath] in
                try ContentFile(locking: lockPath, LOCK_EX | LOCK_NB)
            })
        else { return }
        defer { lock.end() }
        let kept = try await isReferredTo()
        for name in names() where !kept.contains(name) { unlink("\(path)/\(name)") }
    }

    private func names() -> [String] { Self.names(in: path) }

    /// The files of contents, those that were not finished, and beginnings of downloads.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            let isContent = SHA256Digest.isDigest(name) || name.hasPrefix(ContentCache.part)
            if isContent || name.hasPrefix(unfinished) { names.append(name) }
        }
        return names
    }
}

/// An open file, used by one task at a time.
package final class ContentFile: Sendable {
    private let path: String
    private let descriptor: CInt

    package init(creating path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("create", path) }
    }

    package init(appendingTo path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
    }

    package init(reading path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
    }

    /// nil where another holds the lock.
    package init?(locking path: String, _ kind: CInt) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
        while flock(descriptor, kind) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { return nil }
            throw StoreFile.failure("lock", path)
        }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    package func append(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreFile.failure("write", path) }
            written += count
        }
    }

    package func flush() throws {
        guard StoreFile.flush(descriptor) else { throw StoreFile.failure("write", path) }
    }

    package func next(_ most: Int) throws -> [UInt8]? {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, used in
                count = read(descriptor, buffer.baseAddress, most)
                used = max(0, count)
            }
            if count > 0 { return bytes }
            if count == 0 { return nil }
            if errno != EINTR { throw StoreFile.failure("read", path) }
        }
    }

    /// How many bytes it has.
    ///
    /// - Throws: ``StoreError``.
    package func size() throws -> Int64 {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw StoreFile.failure("read", path) }
        return Int64(facts.st_size)
    }

    /// Gives a lock back.
    package func end() { _ = flock(descriptor, LOCK_UN) }
}
