#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Contents that were downloaded, so that they are there without a network, and what came of those that broke off, so
/// that they go on where they ended (RFC 9110 §14).
///
/// They lie in a folder of their own, apart from what waits to be uploaded, and take no more than ``limit``: what was used
/// longest ago goes first. A file is called like the SHA-256 of what it is of; its first line says what it is, and the rest
/// is the content. The cache is help and no promise: where it cannot be written, nothing else fails.
package struct ContentCache: Sendable {
    package let path: String
    /// In bytes; content that is larger is not kept.
    var limit: Int64 = 256 << 20

    /// A content that is here.
    package struct Kept: Sendable {
        package var content: AttachedContent
        /// The entity tag that it came with (RFC 9110 §8.8.3).
        package var tag: String?
    }

    /// The beginning of a content whose download broke off.
    package struct Part: Sendable {
        /// The strong entity tag of the whole content.
        package var tag: String
        package var mediaType: String?
        /// Of the whole content, in bytes.
        package var length: Int64
        /// Of the beginning, in bytes.
        package var count: Int64
    }

    /// What a content is of: the member of an object, and what stood there when it was downloaded.
    package struct Subject: Sendable {
        fileprivate let name: String
        fileprivate let value: String

        package init(_ uri: ObjectURI, _ member: String, value: Value) {
            name = Self.digest("\(uri.entity)\n\(uri.id)\n\(member)")
            self.value = Self.digest(value.text)
        }

        private static func digest(_ text: String) -> String {
            var digest = SHA256Digest()
            digest.update(Array(text.utf8))
            return digest.finish()
        }
    }

    static let part = "part-"
    private static let unfinished = "new-"
    private static let longestHead = 16 << 10

    private func place(_ subject: Subject) -> String { "\(path)/\(subject.name)" }
    private func partPlace(_ subject: Subject) -> String { "\(path)/\(Self.part)\(subject.name)" }

    /// The content as it was downloaded last; nil where it was not, or something else stood in the member then.
    package func content(of subject: Subject) async -> Kept? {
        let file = place(subject)
        return try? await BlockingCall.run { () -> Kept? in
            guard let found = try CachedFile(file, of: subject.value) else { return nil }
            // What is used stays longest.
            _ = utimensat(AT_FDCWD, file, nil, 0)
            let reader = found.reader
            let content = AttachedContent(
                bytes: ResponseBody { try await reader.next() }, mediaType: found.mediaType, length: found.count)
            return Kept(content: content, tag: found.tag)
        }
    }

    /// What there is of a content whose download broke off.
    package func part(of subject: Subject) async -> Part? {
        let file = partPlace(subject)
        return try? await BlockingCall.run { () -> Part? in
            guard let found = try CachedFile(file, of: subject.value), let tag = found.tag, let length = found.length,
                found.count > 0
            else { return nil }
            return Part(tag: tag, mediaType: found.mediaType, length: length, count: found.count)
        }
    }

    package func removePart(of subject: Subject) { unlink(partPlace(subject)) }

    /// The same content, which is kept once it was read to its end, or as far as it was read when it breaks off, has a strong
    /// tag and a length.
    package func keeping(_ content: AttachedContent, of subject: Subject, tag: String?) async -> AttachedContent {
        if let length = content.length, length > limit { return content }
        let head: Value = [
            "value": .string(subject.value), "tag": tag.map(Value.string) ?? .null,
            "type": content.mediaType.map(Value.string) ?? .null,
            "length": content.length.map { Value.number(JSONNumber($0)) } ?? .null
        ]
        let new = newPlace()
        let file = try? await BlockingCall.run { () -> ContentFile in
            for folder in [StoreFile.directory(of: path), path] where mkdir(folder, 0o700) != 0 && errno != EEXIST {
                throw StoreFile.failure("create", folder)
            }
            let file = try ContentFile(creating: new)
            try file.append(head.json() + [UInt8(ascii: "\n")])
            return file
        }
        guard let file else { return content }
        // What came compressed has no length: its bytes are not those of the tag.
        let canGoOn = tag.map { !$0.hasPrefix("W/") } ?? false && content.length != nil
        let keeper = ContentKeeper(content, places(new, subject, canGoOn: canGoOn), file, in: self)
        var kept = content
        kept.bytes = ResponseBody { try await keeper.next() }
        return kept
    }

    /// The content whose beginning is here: that, and then the rest, which is kept as ``keeping(_:of:tag:)`` does.
    ///
    /// - Parameter rest: the bytes behind the beginning; its length is that of the whole.
    /// - Returns: nil where the beginning is not here any more.
    package func continuing(_ part: Part, with rest: AttachedContent, of subject: Subject) async -> AttachedContent? {
        let (new, place) = (newPlace(), partPlace(subject))
        let opened = try? await BlockingCall.run { () -> (ContentFile, ContentReader)? in
            // Nobody else goes on with it now.
            guard rename(place, new) == 0 else { return nil }
            guard let found = try CachedFile(new, of: subject.value), found.tag == part.tag, found.count == part.count
            else {
                unlink(new)
                return nil
            }
            return (try ContentFile(appendingTo: new), found.reader)
        }
        guard let (file, beginning) = opened ?? nil else { return nil }
        let keeper = ContentKeeper(rest, places(new, subject, canGoOn: true), file, behind: beginning, in: self)
        var whole = rest
        whole.bytes = ResponseBody { try await keeper.next() }
        return whole
    }

    private func places(_ new: String, _ subject: Subject, canGoOn: Bool) -> ContentKeeper.Places {
        .init(new: new, whole: place(subject), part: partPlace(subject), canGoOn: canGoOn)
    }

    private func newPlace() -> String {
        "\(path)/\(Self.unfinished)\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// A file of the cache that was opened to be read.
    private struct CachedFile {
        var tag: String?
        var mediaType: String?
        /// Of the whole content as it was announced, in bytes; nil where nobody said it.
        var length: Int64?
        /// Of what is here of the content, in bytes.
        var count: Int64
        var reader: ContentReader

        /// nil where there is none, or another value stood in the member.
        init?(_ path: String, of value: String) throws {
            guard access(path, F_OK) == 0 else { return nil }
            let opened = try ContentFile(reading: path)
            guard let first = try opened.next(longestHead), let end = first.firstIndex(of: UInt8(ascii: "\n")),
                let head = try Value(json: Array(first[..<end])).members, head["value"]?.string == value
            else { return nil }
            tag = head["tag"]?.string
            mediaType = head["type"]?.string
            length = head["length"]?.number?.int64
            count = try opened.size() - Int64(end + 1)
            reader = ContentReader(Array(first[(end + 1)...]), opened)
        }
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
    struct Places {
        var new: String
        var whole: String
        var part: String
        /// Whether what breaks off can go on from there.
        var canGoOn: Bool

        var broken: String? { canGoOn ? part : nil }
    }

    private let content: AttachedContent
    private let places: Places
    /// nil once nothing is kept of it.
    private var file: ContentFile?
    /// What is in the file already, until it was read.
    private var beginning: ContentReader?
    private let cache: ContentCache
    private var count: Int64 = 0

    init(
        _ content: AttachedContent, _ places: Places, _ file: ContentFile, behind beginning: ContentReader? = nil,
        in cache: ContentCache
    ) {
        self.content = content
        self.places = places
        self.file = file
        self.beginning = beginning
        self.cache = cache
    }

    deinit { if file != nil { unlink(places.new) } }

    func next() async throws -> [UInt8]? {
        if let chunk = try await beginning?.next() {
            count += Int64(chunk.count)
            return chunk
        }
        beginning = nil
        let chunk: [UInt8]?
        do {
            chunk = try await content.bytes.next()
        } catch {
            await keep(as: places.broken)
            throw error
        }
        guard let chunk else {
            let isWhole = content.length == nil || content.length == count
            await keep(as: isWhole ? places.whole : places.broken)
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

    /// Ends the file, and gives it its name.
    private func keep(as path: String?) async {
        guard let path, let file else { return drop() }
        self.file = nil
        try? await BlockingCall.run { [places, cache] in
            do {
                try file.flush()
                guard rename(places.new, path) == 0 else { throw StoreFile.failure("rename", places.new) }
                if path == places.whole { unlink(places.part) }
            } catch {
                unlink(places.new)
                throw error
            }
            cache.tidy()
        }
    }

    private func drop() {
        guard file != nil else { return }
        file = nil
        unlink(places.new)
    }
}
