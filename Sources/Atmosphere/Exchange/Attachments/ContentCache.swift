#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Contents that were downloaded whole, so that they are there without a network.
///
/// They lie in a folder of their own, apart from what waits to be uploaded, and take no more than ``limit``: what was used
/// longest ago goes first. A file is called like the SHA-256 of what it is of; its first line says what it is, and the rest
/// is the content. The cache is help and no promise: where it cannot be written, nothing else fails.
struct ContentCache: Sendable {
    let path: String
    /// In bytes; content that is larger is not kept.
    var limit: Int64 = 256 << 20

    /// A content that is here.
    struct Kept: Sendable {
        var content: AttachedContent
        /// The entity tag that it came with (RFC 9110 §8.8.3).
        var tag: String?
    }

    /// What a content is of: the member of an object, and what stood there when it was downloaded.
    struct Subject: Sendable {
        fileprivate let name: String
        fileprivate let value: String

        init(_ uri: ObjectURI, _ member: String, value: Value) {
            name = Self.digest("\(uri.entity)\n\(uri.id)\n\(member)")
            self.value = Self.digest(value.text)
        }

        private static func digest(_ text: String) -> String {
            var digest = SHA256()
            digest.update(Array(text.utf8))
            return digest.finish()
        }
    }

    private static let unfinished = "new-"
    private static let longestHead = 16 << 10

    /// The content as it was downloaded last; nil where it was not, or something else stood in the member then.
    func content(of subject: Subject) async -> Kept? {
        let file = "\(path)/\(subject.name)"
        return try? await BlockingCall.run { () -> Kept? in
            guard access(file, F_OK) == 0 else { return nil }
            let opened = try ContentFile(reading: file)
            guard let first = try opened.next(Self.longestHead), let end = first.firstIndex(of: UInt8(ascii: "\n")),
                let head = try Value(json: Array(first[..<end])).members, head["value"]?.string == subject.value
            else { return nil }
            let size = try opened.size()
            // What is used stays longest.
            _ = utimensat(AT_FDCWD, file, nil, 0)
            let rest = ContentReader(Array(first[(end + 1)...]), opened)
            let content = AttachedContent(
                bytes: ResponseBody { try await rest.next() }, mediaType: head["type"]?.string,
                length: size - Int64(end + 1))
            return Kept(content: content, tag: head["tag"]?.string)
        }
    }

    /// The same content, which is kept once it was read to its end.
    func keeping(_ content: AttachedContent, of subject: Subject, tag: String?) async -> AttachedContent {
        if let length = content.length, length > limit { return content }
        let head: Value = [
            "value": .string(subject.value), "tag": tag.map(Value.string) ?? .null,
            "type": content.mediaType.map(Value.string) ?? .null
        ]
        let new = "\(path)/\(Self.unfinished)\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let file = try? await BlockingCall.run { () -> ContentFile in
            for folder in [StoreFile.directory(of: path), path] where mkdir(folder, 0o700) != 0 && errno != EEXIST {
                throw StoreFile.failure("create", folder)
            }
            let file = try ContentFile(creating: new)
            try file.append(head.json() + [UInt8(ascii: "\n")])
            return file
        }
        guard let file else { return content }
        let keeper = ContentKeeper(
            content, file, from: new, to: "\(path)/\(subject.name)", in: self)
        var kept = content
        kept.bytes = ResponseBody { try await keeper.next() }
        return kept
    }

    func removeAll() {
        for name in ContentFolder.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Removes what was used longest ago until the limit holds, and what was left unfinished a day ago.
    func tidy() {
        struct File {
            var path: String
            var size: Int64
            var used: Int
        }
        var files: [File] = []
        for name in ContentFolder.names(in: path) {
            let file = "\(path)/\(name)"
            var facts = stat()
            guard stat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
            #if canImport(Darwin)
                let used = facts.st_mtimespec.tv_sec
            #else
                let used = facts.st_mtim.tv_sec
            #endif
            if name.hasPrefix(Self.unfinished) {
                if time(nil) - used > 86_400 { unlink(file) }
            } else {
                files.append(File(path: file, size: Int64(facts.st_size), used: used))
            }
        }
        var sum = files.reduce(0) { $0 + $1.size }
        for file in files.sorted(by: { $0.used < $1.used }) where sum > limit {
            unlink(file.path)
            sum -= file.size
        }
    }
}

/// The rest of a file, behind what was read of it already.
private actor ContentReader {
    private var first: [UInt8]?
    private let file: ContentFile

    init(_ first: [UInt8], _ file: ContentFile) {
        self.first = first.isEmpty ? nil : first
        self.file = file
    }

    func next() async throws -> [UInt8]? {
        if let first = first.take() { return first }
        return try await BlockingCall.run { [file] in try file.next(1 << 18) }
    }
}

/// A content on its way to its reader, and into a file.
private actor ContentKeeper {
    private let content: AttachedContent
    /// nil once nothing is kept of it.
    private var file: ContentFile?
    private let new: String
    private let path: String
    private let cache: ContentCache
    private var count: Int64 = 0

    init(_ content: AttachedContent, _ file: ContentFile, from new: String, to path: String, in cache: ContentCache) {
        self.content = content
        self.file = file
        self.new = new
        self.path = path
        self.cache = cache
    }

    deinit { if file != nil { unlink(new) } }

    func next() async throws -> [UInt8]? {
        guard let chunk = try await content.bytes.makeAsyncIterator().next() else {
            await finish()
            return nil
        }
        count += Int64(chunk.count)
        if let file {
            do {
                guard count <= cache.limit else { throw StoreError(code: .full, message: "larger than the cache") }
                try await BlockingCall.run { try file.append(chunk) }
            } catch {
                drop()
            }
        }
        return chunk
    }

    private func finish() async {
        guard let file else { return }
        guard content.length == nil || content.length == count else { return drop() }
        self.file = nil
        try? await BlockingCall.run { [new, path, cache] in
            do {
                try file.flush()
                guard rename(new, path) == 0 else { throw StoreFile.failure("rename", new) }
            } catch {
                unlink(new)
                throw error
            }
            cache.tidy()
        }
    }

    private func drop() {
        file = nil
        unlink(new)
    }
}
