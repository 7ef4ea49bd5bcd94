#if Command
    internal import Atmosphere
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// A file whose content is uploaded, or made of what is downloaded; in pieces, and never on Swift's cooperative threads.
    final class ContentFile: Sendable {
        private let stream: StandardStream

        private init(descriptor: Int32) { stream = StandardStream(descriptor: descriptor) }

        deinit { close(stream.descriptor) }

        private static let piece = 1 << 18

        // MARK: Reading

        /// The file as content.
        ///
        /// - Parameter mediaType: nil for what its name says.
        /// - Throws: ``CommandFailure`` `usage` where there is no such file, or it is a folder, a pipe or a device.
        static func content(_ path: String, mediaType: String?) throws -> AttachmentContent {
            let length = try opened(path).length
            let name = path.slashedParts.last.map(String.init) ?? path
            return AttachmentContent(
                length: length, fileName: name, mediaType: mediaType ?? self.mediaType(of: name)
            ) {
                // Opened anew each time, so that reading begins at the first byte.
                let file = try await BlockingCall.run { try opened(path).file }
                return { try await BlockingCall.run { try file.next() } }
            }
        }

        private static func opened(_ path: String) throws -> (file: ContentFile, length: Int64) {
            // Without O_NONBLOCK a named pipe that nobody writes would stop us here for ever.
            let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
            guard descriptor >= 0 else {
                throw CommandFailure.usage("\(path) cannot be read; name a file that you may read")
            }
            let file = ContentFile(descriptor: descriptor)
            var facts = stat()
            guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                throw CommandFailure.usage("\(path) is no file; name one that you may read")
            }
            return (file, Int64(facts.st_size))
        }

        private func next() throws -> [UInt8]? {
            var piece = [UInt8](repeating: 0, count: Self.piece)
            while true {
                let count = systemRead(stream.descriptor, &piece, piece.count)
                if count > 0 { return Array(piece[..<count]) }
                if count == 0 { return nil }
                if errno != EINTR { throw OutputError.failed(String(cString: strerror(errno))) }
            }
        }

        // MARK: Writing

        /// Writes content to a file that is not there yet, or to standard output (`-`). The file has its name once it is whole;
        /// what could not be written does not stay, other than where the process is killed: then it stays under a name of its
        /// own.
        ///
        /// - Returns: how many bytes.
        /// - Throws: ``CommandFailure``, and what the download throws.
        static func write(_ content: AttachedContent, to path: String) async throws -> Int64 {
            guard path != "-" else { return try await copy(content, to: .output) }
            try requireFree(path)
            // A name that goes on behind the file's own could be too long.
            let part = "\(path.throughLastSlash).part-\(UInt32.random(in: 0...UInt32.max))"
            let descriptor = systemOpen(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw unwritable(path) }
            let file = ContentFile(descriptor: descriptor)
            do {
                let count = try await copy(content, to: file.stream)
                try await BlockingCall.run { try file.rename(part, to: path) }
                return count
            } catch {
                unlink(part)
                throw error
            }
        }

        /// Gives the file its name when all of it is on the device; another file that has come there meanwhile keeps it.
        private func rename(_ part: String, to path: String) throws {
            guard StoreFile.flush(stream.descriptor) else { throw Self.unwritable(path) }
            if link(part, path) == 0 {
                unlink(part)
                return
            }
            // Some file systems give a file one name only.
            try Self.requireFree(path)
            guard systemRename(part, path) == 0 else { throw Self.unwritable(path) }
        }

        private static func requireFree(_ path: String) throws {
            var facts = stat()
            guard lstat(path, &facts) != 0 else {
                throw CommandFailure.usage("\(path) is there already; name another file, or remove it")
            }
            guard errno == ENOENT else { throw unwritable(path) }
        }

        private static func unwritable(_ path: String) -> CommandFailure {
            .usage("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }

        private static func copy(_ content: AttachedContent, to stream: StandardStream) async throws -> Int64 {
            var count: Int64 = 0
            for try await chunk in content.bytes {
                try await BlockingCall.run { try stream.write(chunk) }
                count += Int64(chunk.count)
            }
            guard let length = content.length, length != count else { return count }
            throw CommandFailure(
                code: "truncated", ["the content has \(count) bytes instead of \(length); try again"],
                status: ExitStatus.network)
        }

        // MARK: Kinds

        /// By the end of the name; what is not known is bytes.
        static func mediaType(of name: String) -> String {
            let end = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
            return mediaTypes[end.lowercased()] ?? "application/octet-stream"
        }

        private static let mediaTypes = [
            "avif": "image/avif", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip",
            "heic": "image/heic", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg",
            "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime",
            "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png",
            "svg": "image/svg+xml", "tiff": "image/tiff", "txt": "text/plain", "wav": "audio/wav",
            "webm": "video/webm", "webp": "image/webp", "xml": "application/xml", "zip": "application/zip"
        ]
    }

    private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

    private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }

    private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        read(descriptor, bytes, count)
    }
#endif
