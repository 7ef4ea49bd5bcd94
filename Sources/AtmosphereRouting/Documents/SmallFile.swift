#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Reads whole files that must be small, and looks at their mode through the same descriptor, so that nobody can swap
/// the file in between.
package enum SmallFile {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case tooLarge
        /// Group or others may read, write or execute it.
        case notPrivate
        /// A pipe, a device or a socket, which may keep a reader waiting.
        case notRegular
        /// `errno`.
        case system(CInt)

        package var description: String {
            switch self {
            case .tooLarge: "the file is too large"
            case .notPrivate: "group or others may read the file"
            case .notRegular: "is not a regular file"
            case .system(let code): "cannot be read: \(String(cString: strerror(code)))"
            }
        }
    }

    package static let noSuchFile = ENOENT

    /// - Parameter mayWait: reads a pipe as well, and waits for its writer.
    package static func read(
        _ path: String, limit: Int, mustBePrivate: Bool = false, mayWait: Bool = false
    ) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK a named pipe that nobody writes would stop us here for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit, mustBePrivate: mustBePrivate, mayWait: mayWait)
    }

    /// A file below a folder. No part of its path may be a link, so that nothing outside of the folder is read.
    ///
    /// - Parameter path: names with `/` between them; none is empty, `.` or `..`.
    package static func read(below folder: String, _ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let names = path.slashedParts.map(String.init)
        guard let last = names.last, !names.contains(".."), !names.contains(".") else { throw .system(ENOENT) }
        var place = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard place >= 0 else { throw .system(errno) }
        defer { close(place) }
        for name in names.dropLast() {
            let next = openat(place, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
            guard next >= 0 else { throw .system(errno) }
            close(place)
            place = next
        }
        let descriptor = openat(place, last, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    private static func read(
        _ descriptor: CInt, limit: Int, mustBePrivate: Bool = false, mayWait: Bool = false
    ) throws(Failure) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .system(EISDIR) }
        guard mayWait || status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard !mustBePrivate || status.st_mode & 0o077 == 0 else { throw .notPrivate }
        return try readAll(descriptor, limit: limit)
    }

    private static func readAll(_ descriptor: CInt, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .tooLarge }
        }
    }
}

private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
