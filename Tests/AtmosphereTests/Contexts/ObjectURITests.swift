import Testing

@testable import AtmosphereModel

@Suite("the written form of an address")
struct ObjectURITests {
    @Test(
        "the first slash divides, whatever mark stands behind it, and the form is written again as it was",
        arguments: ["tasks/1", "tasks/\u{301}", "tasks/\u{20DD}/a", "tasks/a/\u{301}b", "tasks/\u{200D}x"])
    func roundTrip(text: String) throws {
        let uri = try #require(ObjectURI(text))
        #expect(uri.entity == "tasks")
        #expect(uri.id.utf8.elementsEqual(text.utf8.dropFirst(6)))
        #expect(uri.description.utf8.elementsEqual(text.utf8))
    }

    @Test("an address needs both parts", arguments: ["", "tasks", "tasks/", "/1", "/\u{301}"])
    func parts(text: String) { #expect(ObjectURI(text) == nil) }

    @Test("the levels of an identifier are divided at each slash")
    func segments() {
        let segments = ObjectURI(entity: "a", id: "1/\u{301}x").segments
        #expect(segments.map { Array($0.utf8) } == [[0x31], [0xCC, 0x81, 0x78]])
    }

    @Test("texts that are canonically equivalent are two keys")
    func keys() {
        #expect(Set(["K", "\u{212A}", "caf\u{E9}", "cafe\u{301}", "K"].map { ScalarText($0) }).count == 4)
        #expect("u:\u{301}".rest(after: "u:") == "\u{301}")
        #expect("u".rest(after: "u:") == nil)
    }

    @Test("paths are divided at each slash, whatever mark stands behind it")
    func paths() {
        let path = "/a/\u{301}b"
        #expect(path.throughLastSlash == "/a/" && path.afterLastSlash == "\u{301}b")
        #expect(path.slashedParts == ["a", "\u{301}b"])
        #expect("/\u{301}".beginsWithSlash && !"/\u{301}".endsWithSlash && "/\u{301}".hasSlash)
        #expect("//".withoutLastSlashes == "/" && "a//".withoutLastSlashes == "a" && "".withoutLastSlashes == "")
        #expect("a".throughLastSlash.isEmpty && "a".afterLastSlash == "a")
    }
}
