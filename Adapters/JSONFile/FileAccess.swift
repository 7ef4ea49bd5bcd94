internal import AtmosphereStore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Whole reads and writes, and files that are whole at any instant.
enum FileAccess {
    /// What tells one file from another, and one length from another.
    struct Extent: Sendable, Equatable {
        var inode: UInt64
        var size: Int

        init(inode: UInt64, size: Int) {
            self.inode = inode
            self.size = size
        }

        fileprivate init(_ status: stat) {
            inode = UInt64(status.st_ino)
            size = Int(status.st_size)
        }
    }

    /// - Returns: nil where there is no file.
    static func extent(of path: String) -> Extent? {
        var status = stat()
        return stat(path, &status) == 0 ? Extent(status) : nil
    }

    static func extent(of descriptor: Int32, _ path: String) throws(StoreError) -> Extent {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreFile.failure("read", path) }
        return Extent(status)
    }

    /// Everything from an offset on.
    static func read(_ descriptor: Int32, from offset: Int, _ path: String) throws(StoreError) -> [UInt8] {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw StoreFile.failure("read", path) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = uninterrupted { buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) } }
            guard count >= 0 else { throw StoreFile.failure("read", path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// - Returns: nil where there is no file.
    /// - Throws: ``StoreError``, also for a symbolic link: nothing in the folder is one.
    static func read(_ path: String) throws(StoreError) -> [UInt8]? {
        // A named pipe that nobody writes would stop us here for ever; nothing can be sought in one.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw StoreFile.failure("open", path)
        }
        defer { _ = close(descriptor) }
        return try read(descriptor, from: 0, path)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = uninterrupted { bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) } }
            guard count > 0 else { throw StoreFile.failure("write", path) }
            written += count
        }
    }

    /// Writes a new file beside the old one, flushes it and puts it in its place. The name survives a loss of power
    /// once the folder is flushed, which is left to the caller.
    ///
    /// - Parameter beforeRename: gets the new file's extent.
    static func replace(
        _ path: String, with bytes: [UInt8], beforeRename: (Extent) -> Void = { _ in }
    ) throws(StoreError) {
        let new = path + ".new"
        do throws(StoreError) {
            let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw StoreFile.failure("create", new) }
            defer { _ = close(descriptor) }
            guard fchmod(descriptor, 0o600) == 0 else { throw StoreFile.failure("create", new) }
            try write(bytes, to: descriptor, new)
            guard StoreFile.flush(descriptor) else { throw StoreFile.failure("write", new) }
            beforeRename(try extent(of: descriptor, new))
            guard rename(new, path) == 0 else { throw StoreFile.failure("replace", path) }
        } catch {
            unlink(new)
            throw error
        }
    }

    /// Gives a file a second name that nothing has yet, so that it outlives what takes its place; where the file system has no
    /// second names (exFAT, some folders of a network), it is copied.
    ///
    /// - Parameter link: the call of that name, and its error.
    /// - Returns: the name's path; nil where the file is not there.
    static func keepCopy(
        of path: String, link: (String, String) -> Int32 = { systemLink($0, $1) == 0 ? 0 : errno }
    ) throws(StoreError) -> String? {
        for number in 1...10_000 {
            let name = "\(path).damaged-\(number)"
            switch link(path, name) {
            case 0: return name
            case EEXIST: continue
            case ENOENT: return nil
            default: if try copy(path, to: name) { return name }
            }
        }
        throw StoreError(
            code: .inputOutput, message: "there are 10,000 damaged copies of \(path) already; remove some")
    }

    /// - Returns: false where the name is taken.
    private static func copy(_ path: String, to name: String) throws(StoreError) -> Bool {
        guard let bytes = try read(path) else { throw StoreFile.failure("keep a copy of", path) }
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0, errno == EEXIST { return false }
        guard descriptor >= 0 else { throw StoreFile.failure("keep a copy of", path) }
        defer { _ = close(descriptor) }
        do throws(StoreError) {
            try write(bytes, to: descriptor, name)
            guard StoreFile.flush(descriptor) else { throw StoreFile.failure("write", name) }
        } catch {
            unlink(name)
            throw error
        }
        return true
    }

    /// Names in a folder, without those that begin with a dot; none where there is no folder.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func uninterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func systemLink(_ path: String, _ name: String) -> Int32 { link(path, name) }

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
