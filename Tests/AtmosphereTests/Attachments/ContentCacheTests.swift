import Foundation
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("The cache of contents")
struct ContentCacheTests {
    private func subject(_ id: String, _ value: Value = "v") -> ContentCache.Subject {
        ContentCache.Subject(ObjectURI(entity: "tasks", id: id), "scan", value: value)
    }

    private func put(_ text: String, _ subject: ContentCache.Subject, in cache: ContentCache) async throws {
        let content = AttachedContent(bytes: ResponseBody(Array(text.utf8)), mediaType: "text/plain", length: nil)
        _ = try await cache.keeping(content, of: subject, tag: "\"1\"").bytes.collect(upTo: 1 << 20)
    }

    private func text(_ subject: ContentCache.Subject, in cache: ContentCache) async throws -> String? {
        guard let kept = await cache.content(of: subject) else { return nil }
        let bytes = try await kept.content.bytes.collect(upTo: 1 << 20)
        #expect(kept.content.length == Int64(bytes.count) && kept.tag == "\"1\"")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The modification time of the file of a content, so that the order of use is known.
    private func age(_ cache: ContentCache, _ seconds: Double, but kept: Set<String> = []) throws -> Set<String> {
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: cache.path))
        for name in names.subtracting(kept) {
            let time = Date(timeIntervalSinceNow: -seconds)
            try FileManager.default.setAttributes(
                [.modificationDate: time], ofItemAtPath: "\(cache.path)/\(name)")
        }
        return names
    }

    @Test("a content comes back as long as the member says the same, whatever its size")
    func roundTrip() async throws {
        let folder = ContentFolder.temporary()
        for text in ["", "a", String(repeating: "0123456789", count: 60_000)] {
            try await put(text, subject("1"), in: folder.cache)
            #expect(try await self.text(subject("1"), in: folder.cache) == text)
        }
        #expect(try await text(subject("1", "other"), in: folder.cache) == nil)
        #expect(try await text(subject("2"), in: folder.cache) == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.cache.path)
        #expect(files.count == 1)
        let path = "\(folder.cache.path)/\(files[0])"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("what was used longest ago goes first, and what waits to be uploaded never does")
    func limit() async throws {
        let folder = ContentFolder.temporary()
        let queued = try await folder.whileNothingIsRemoved {
            try await folder.keep(AttachmentContent(Array(repeating: 7, count: 9_000), fileName: "a"))
        }
        var cache = folder.cache
        cache.limit = 3_000
        let text = String(repeating: "x", count: 1_000)
        try await put(text, subject("1"), in: cache)
        let first = try age(cache, 300)
        try await put(text, subject("2"), in: cache)
        let second = try age(cache, 200, but: first)
        // Used again, so that the second is the oldest now.
        #expect(try await self.text(subject("1"), in: cache) == text)
        try await put(text, subject("3"), in: cache)
        #expect(second.count == 2)
        #expect(try await self.text(subject("1"), in: cache) == text)
        #expect(try await self.text(subject("2"), in: cache) == nil)
        #expect(try await self.text(subject("3"), in: cache) == text)
        // Larger than all that may be there.
        try await put(String(repeating: "x", count: 4_000), subject("4"), in: cache)
        #expect(try await self.text(subject("4"), in: cache) == nil)
        #expect(try await self.text(subject("3"), in: cache) == text)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(queued.digest)"))
    }

    @Test("what broke off counts as well, goes as well, and is no content")
    func parts() async throws {
        let folder = ContentFolder.temporary()
        var cache = folder.cache
        cache.limit = 1_500
        var roomy = cache
        roomy.limit = 5_000
        func broken(_ id: String, _ tag: String, length: Int64?) async throws -> ContentCache.Part? {
            let content = AttachedContent(bytes: ResponseBody(Array(repeating: 7, count: 1_000)), length: length)
            _ = try await roomy.keeping(content, of: subject(id), tag: tag).bytes.collect(upTo: 1 << 20)
            return await cache.part(of: subject(id))
        }
        #expect(try await broken("weak", "W/\"1\"", length: 2_000) == nil)
        let part = try #require(try await broken("1", "\"1\"", length: 2_000))
        #expect(part.count == 1_000 && part.length == 2_000 && part.tag == "\"1\"")
        #expect(await cache.content(of: subject("1")) == nil)
        // It is whole now.
        #expect(try await broken("1", "\"1\"", length: 1_000) == nil)
        #expect(try await broken("1", "\"1\"", length: 2_000) != nil)
        _ = try age(cache, 300)
        try await put(String(repeating: "x", count: 1_000), subject("2"), in: cache)
        #expect(await cache.part(of: subject("1")) == nil)
        cache.removeAll()
        #expect(!FileManager.default.fileExists(atPath: cache.path))
    }

    @Test("a damaged file is no content")
    func damaged() async throws {
        let folder = ContentFolder.temporary()
        try await put("text", subject("1"), in: folder.cache)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.cache.path).first)
        for damage in ["", "{", "no line", "{}\n", #"{"value":7}"# + "\ntext"] {
            try Data(damage.utf8).write(to: URL(filePath: "\(folder.cache.path)/\(name)"))
            #expect(try await text(subject("1"), in: folder.cache) == nil)
        }
    }
}
