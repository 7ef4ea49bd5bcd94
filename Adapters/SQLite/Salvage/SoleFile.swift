#if SQLite
    internal import AtmosphereStore
    internal import Synchronization

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// A store's file that nobody else has open, until the end of this object.
    ///
    /// SQLite's own locks tell that: in the mode with a write-ahead log each connection holds a shared lock on a range of the
    /// file as long as it is open (https://www.sqlite.org/lockingv3.html). The lock belongs to the process and goes with
    /// any descriptor of the file that the process closes, so no store of this process may have it open either.
    final class SoleFile {
        let path: String
        private let descriptor: Int32

        /// - Returns: nil where another process, or a store of this one, has the file open.
        static func take(_ path: String, _ stores: OpenStores) throws(StoreError) -> SoleFile? {
            guard !stores.has(path) else { return nil }
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
            let file = SoleFile(path, descriptor)
            var range = flock()
            range.l_type = Int16(F_WRLCK)
            range.l_whence = Int16(SEEK_SET)
            // PENDING_BYTE, RESERVED_BYTE and the shared range.
            range.l_start = 0x4000_0000
            range.l_len = 512
            return fcntl(descriptor, F_SETLK, &range) == 0 ? file : nil
        }

        private init(_ path: String, _ descriptor: Int32) {
            self.path = path
            self.descriptor = descriptor
        }

        deinit { _ = close(descriptor) }

        /// The first bytes; fewer where the file is shorter.
        func beginning(_ count: Int) throws(StoreError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
            guard found >= 0 else { throw StoreFile.failure("read", path) }
            return Array(bytes[..<found])
        }

        /// Writes what the file holds into a new one, for its owner only, and flushes that.
        func copy(to new: String) throws(StoreError) { try Self.copy(descriptor, path, to: new) }

        /// The same for a file that SQLite does not lock.
        ///
        /// - Returns: false where there is no such file, or nothing in it.
        @discardableResult
        static func copy(_ old: String, to new: String) throws(StoreError) -> Bool {
            let source = open(old, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if source < 0, errno == ENOENT { return false }
            guard source >= 0 else { throw StoreFile.failure("open", old) }
            defer { _ = close(source) }
            guard lseek(source, 0, SEEK_END) > 0 else { return false }
            try copy(source, old, to: new)
            return true
        }

        private static func copy(_ source: Int32, _ path: String, to new: String) throws(StoreError) {
            let target = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard target >= 0 else { throw StoreFile.failure("create", new) }
            defer { _ = close(target) }
            guard fchmod(target, 0o600) == 0 else { throw StoreFile.failure("create", new) }
            _ = try transfer(source, path, to: target, new)
            guard StoreFile.flush(target) else { throw StoreFile.failure("write", new) }
        }

        /// Becomes what another file holds. Whoever waits for the file finds that, for it stays the same file.
        func become(_ new: String) throws(StoreError) {
            let source = open(new, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard source >= 0 else { throw StoreFile.failure("open", new) }
            defer { _ = close(source) }
            let size = try Self.transfer(source, new, to: descriptor, path)
            guard ftruncate(descriptor, size) == 0, StoreFile.flush(descriptor) else {
                throw StoreFile.failure("write", path)
            }
        }

        private static func transfer(
            _ source: Int32, _ from: String, to target: Int32, _ to: String
        ) throws(StoreError) -> off_t {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var place: off_t = 0
            while true {
                let count = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, place) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw StoreFile.failure("read", from) }
                if count == 0 { return place }
                var written = 0
                while written < count {
                    let step = buffer[written..<count].withUnsafeBytes {
                        pwrite(target, $0.baseAddress, $0.count, place + off_t(written))
                    }
                    if step < 0, errno == EINTR { continue }
                    guard step > 0 else { throw StoreFile.failure("write", to) }
                    written += step
                }
                place += off_t(count)
            }
        }

        /// Writes the header of one database over that of another, with the size that the other has.
        static func mend(_ damaged: String, header count: Int, like whole: String) throws(StoreError) {
            let (source, target) = (open(whole, O_RDONLY | O_CLOEXEC), open(damaged, O_RDWR | O_CLOEXEC))
            defer { for each in [source, target] where each >= 0 { _ = close(each) } }
            guard source >= 0, target >= 0 else { throw StoreFile.failure("open", damaged) }
            var header = [UInt8](repeating: 0, count: count)
            guard header.withUnsafeMutableBytes({ pread(source, $0.baseAddress, $0.count, 0) }) == count else {
                throw StoreFile.failure("read", whole)
            }
            // The page size, the number of pages, and no list of free ones.
            let pageSize = max(512, Int(header[16]) << 8 | Int(header[17]))
            let pages = UInt32(truncatingIfNeeded: Int(lseek(target, 0, SEEK_END)) / pageSize)
            header.replaceSubrange(28..<32, with: withUnsafeBytes(of: pages.bigEndian) { Array($0) })
            header.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
            guard header.withUnsafeBytes({ pwrite(target, $0.baseAddress, $0.count, 0) }) == count else {
                throw StoreFile.failure("write", damaged)
            }
        }

        static func flush(_ path: String) throws(StoreError) {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
            defer { _ = close(descriptor) }
            guard StoreFile.flush(descriptor) else { throw StoreFile.failure("write", path) }
        }

        static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

        /// In bytes; -1 where there is no such file.
        static func size(_ path: String) -> Int64 {
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_size) : -1
        }

        static func remove(_ paths: [String]) { for path in paths { unlink(path) } }

        static func move(_ old: String, to new: String) throws(StoreError) {
            guard rename(old, new) == 0 else { throw StoreFile.failure("replace", new) }
        }
    }

    /// The files that stores of this process have open.
    struct OpenStores: Sendable {
        /// Held while one is opened, too: two stores of one process do not shut each other out by locks.
        static let shared = Mutex(OpenStores())

        fileprivate struct File: Hashable {
            var device: UInt64
            var inode: UInt64

            init?(_ path: String) {
                var status = stat()
                guard stat(path, &status) == 0 else { return nil }
                device = UInt64(truncatingIfNeeded: status.st_dev)
                inode = UInt64(status.st_ino)
            }
        }

        private var files: [File: Int] = [:]

        func has(_ path: String) -> Bool { File(path).map { files[$0] != nil } ?? false }

        mutating func add(_ path: String) -> Entry {
            let file = File(path)
            if let file { files[file, default: 0] += 1 }
            return Entry(file)
        }

        private mutating func remove(_ file: File) {
            let left = (files[file] ?? 1) - 1
            files[file] = left == 0 ? nil : left
        }

        /// One store's, until ``end()`` or the end of the object.
        final class Entry: Sendable {
            private let file: File?
            private let counted: Mutex<File?>

            fileprivate init(_ file: File?) {
                self.file = file
                counted = Mutex(file)
            }

            /// Whether the path leads to the file still; not where nothing is there, or another file.
            func isAt(_ path: String) -> Bool {
                guard let now = File(path) else { return errno != ENOENT && errno != ENOTDIR }
                return now == file
            }

            func end() {
                guard let file = counted.withLock({ $0.take() }) else { return }
                OpenStores.shared.withLock { $0.remove(file) }
            }

            deinit { end() }
        }
    }
#endif
