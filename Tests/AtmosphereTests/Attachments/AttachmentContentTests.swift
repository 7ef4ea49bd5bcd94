import Testing

@testable import Atmosphere
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Content")
struct AttachmentContentTests {
    private func bytes(_ body: RequestBody) async throws -> [UInt8] {
        guard case .stream(let length, let start) = body else { return [] }
        let next = try await start()
        var whole: [UInt8] = []
        while let chunk = try await next() { whole += chunk }
        #expect(length == Int64(whole.count))
        return whole
    }

    @Test(
        "MD5 is what RFC 1321 says",
        arguments: [
            ("", "1B2M2Y8AsgTpgAmY7PhCfg=="), ("a", "DMF1ucDxtqgxw5niaXcmYQ=="),
            ("abc", "kAFQmDzST7DWlj99KOF/cg=="), ("message digest", "+WtpfXy3k41SWi8xqvFh0A=="),
            ("abcdefghijklmnopqrstuvwxyz", "w/zT12GS5AB9+0lsymfhOw=="),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "0XSrmNJ32fWlYRwsn0Gdnw=="),
            (String(repeating: "1234567890", count: 8), "V+30oivjyVWsSdouIQe2eg==")
        ])
    func md5(_ text: String, _ digest: String) async throws {
        #expect(try await AttachmentContent(Array(text.utf8), fileName: "f").md5() == digest)
        // However the bytes come.
        var pieces = MD5Digest()
        for byte in text.utf8 { pieces.update([byte]) }
        let bytes = pieces.finish()
        #expect(Base64.encode(bytes) == digest && Base64.decode(digest) == bytes)
        #expect(Base64.decode("Y Q=") == nil && Base64.decode("YWI=") == Array("ab".utf8))
    }

    @Test("lengths around the blocks of MD5 are padded alike", arguments: [55, 56, 57, 63, 64, 65, 119, 120, 128])
    func padding(_ length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        var whole = MD5Digest()
        whole.update(bytes)
        var halves = MD5Digest()
        halves.update(Array(bytes[..<(length / 2)]))
        halves.update(Array(bytes[(length / 2)...]))
        #expect(whole.finish() == halves.finish())
    }

    @Test("content is the body, as often as it is read")
    func plain() async throws {
        let content = AttachmentContent([1, 2, 3], fileName: "a.bin", mediaType: "image/png")
        let (body, type) = content.body(part: nil, boundary: "b")
        #expect(type == "image/png")
        for _ in 1...2 { #expect(try await bytes(body) == [1, 2, 3]) }
        #expect(try await bytes(AttachmentContent([], fileName: "empty").body(part: nil, boundary: "b").body) == [])
    }

    @Test("a form has the content as a part, and no name can end the part's head")
    func form() async throws {
        let content = AttachmentContent(Array("hello".utf8), fileName: "a\"\r\nX: y.txt", mediaType: "text/plain")
        let (body, type) = content.body(part: "file", boundary: "b-1")
        #expect(type == "multipart/form-data; boundary=b-1")
        let text = String(decoding: try await bytes(body), as: UTF8.self)
        #expect(
            text == "--b-1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%22%0D%0AX: y.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\nhello\r\n--b-1--\r\n")
    }

    @Test(
        "a document is no content where another type is declared",
        arguments: [
            ("image/jpeg", "application/json", false),
            ("image/jpeg", "application/problem+json; charset=utf-8", false),
            ("image/*", "Text/HTML; charset=utf-8", false), ("image/png", "application/xml", false),
            ("image/png", "image/jpeg", true), ("image/png", "application/octet-stream", true),
            ("image/png", nil, true),
            ("application/json", "application/json;charset=utf-8", true),
            ("application/geo+json", "application/json", true), ("text/*", "text/html", true),
            ("image/svg+xml", "application/json", false), ("*/*", "application/json", true),
            (nil, "application/json", true)
        ] as [(String?, String?, Bool)])
    func documents(_ declared: String?, _ type: String?, _ isContent: Bool) {
        var attachment = Attachment(name: "photo")
        attachment.download = .init(.url(.member("url")))
        attachment.download?.mediaType = declared
        #expect(attachment.mayBeContent(type) == isContent)
        // What is uploaded as one type comes back as that, unless the type says nothing.
        attachment.download?.mediaType = nil
        attachment.upload = .init()
        attachment.upload?.mediaType = declared
        #expect(attachment.mayBeContent(type) == isContent)
        attachment.upload?.mediaType = "application/octet-stream"
        #expect(attachment.mayBeContent(type))
    }

    @Test("places are filled with what they mean, and a size is a number")
    func places() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let record = ObjectRecord(["title": "{id}", "done": true, "list": ["a"]])
        let object = ObjectPlace(id: "7", record: record)
        let places = AttachmentPlaces(
            object, of: resource, id: ObjectID("7", .number), member: "photo",
            AttachmentContent([1, 2], fileName: "a.png"), md5: "x==")
        let filled = try places.filled([
            "id": "{id}", "size": "{file.size}", "text": "{member}/{file.name}", "list": [["sum": "{file.md5}"], 1],
            "other": "{ no place }", "type": "{file.type}", "own": "{done}", "twice": "{title}-{id}", "all": "{list}"
        ])
        #expect(
            filled == [
                "id": 7, "size": 2, "text": "photo/a.png", "list": [["sum": "x=="], 1], "other": "{ no place }",
                "type": "application/octet-stream", "own": true, "twice": "{id}-7", "all": ["a"]
            ])
        for text in ["{else}", "a{list}", "{lists.id}"] {
            let error = #expect(throws: SyncError.self) { try places.filled(text) }
            #expect(error?.code == .invalidRecord)
            #expect(error?.message.hasPrefix("the attachment “photo” of tasks/7 needs {") == true, "\(text)")
        }
        let download = AttachmentPlaces(object, of: resource, id: nil, member: "photo", nil)
        #expect(throws: SyncError.self) { try download.filled("{file.name}") }
    }
}
