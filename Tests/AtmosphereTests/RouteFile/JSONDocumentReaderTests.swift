import Atmosphere
import Testing

@Suite("The JSON notation of route files") struct JSONDocumentReaderTests {
    private func read(_ text: String) throws(RouteFileError) -> RouteNode {
        try JSONDocumentReader().read(Array(text.utf8), source: "a.json")
    }

    private func place(_ line: Int, _ column: Int) -> RoutePlace {
        RoutePlace(source: "a.json", line: line, column: column)
    }

    @Test("everything knows its line and its column in Unicode scalars")
    func places() throws {
        let root = try read("{\n  \"ä👍\": [1, \"x\"],\r\n\t\"b\": null }")
        #expect(
            root
                == RouteNode(
                    .map([
                        .init(
                            key: "ä👍", place: place(2, 3),
                            node: RouteNode(
                                .list([
                                    RouteNode(.scalar("1", isPlain: true), at: place(2, 10)),
                                    RouteNode(.scalar("x", isPlain: false), at: place(2, 13))
                                ]), at: place(2, 9))),
                        .init(
                            key: "b", place: place(3, 2),
                            node: RouteNode(.scalar("null", isPlain: true), at: place(3, 7)))
                    ]), at: place(1, 1)))
    }

    @Test("escapes are decoded, and numbers keep their text")
    func escapes() throws {
        let root = try read(#"["\"\\\/\b\f\n\r\t", "\u00e4\uD83D\uDC4D", -1.50e+3, true]"#)
        guard case .list(let elements) = root.content else { throw RouteFileError([]) }
        #expect(
            elements.map(\.content) == [
                .scalar("\"\\/\u{8}\u{C}\n\r\t", isPlain: false), .scalar("ä👍", isPlain: false),
                .scalar("-1.50e+3", isPlain: true), .scalar("true", isPlain: true)
            ])
    }

    @Test("members that stand twice are kept for the check")
    func duplicates() throws {
        guard case .map(let entries) = try read(#"{"a": 1, "a": 2}"#).content else { throw RouteFileError([]) }
        #expect(entries.map(\.key) == ["a", "a"])
    }

    @Test("a byte order mark is skipped")
    func byteOrderMark() throws {
        let root = try JSONDocumentReader().read([0xEF, 0xBB, 0xBF] + Array("{}".utf8), source: "a.json")
        #expect(root == RouteNode(.map([]), at: place(1, 1)))
    }

    @Test(
        "a mistake is refused with its place",
        arguments: [
            ("", "a.json:1:1: the document is empty; a route file is a map of settings"),
            ("{} x", "a.json:1:4: there is more text behind the end of the document"),
            ("{\n a: 1}", "a.json:2:2: expected a key in double quotes"),
            ("{\"a\" 1}", "a.json:1:6: expected “:” behind the key"),
            ("{\"a\": 1,}", "a.json:1:9: expected a key in double quotes"),
            ("{\"a\": 1 \"b\": 2}", "a.json:1:9: expected “,” or “}”"),
            ("[1 2]", "a.json:1:4: expected “,” or “]”"),
            ("[1,]", "a.json:1:4: expected a value: text stands in double quotes in JSON"),
            ("[012]", "a.json:1:2: expected a value: text stands in double quotes in JSON"),
            ("[yes]", "a.json:1:2: expected a value: text stands in double quotes in JSON"),
            ("{\"a\": ", "a.json:1:7: expected a value: text stands in double quotes in JSON"),
            ("[\"a", "a.json:1:4: the text has no closing quote"),
            ("[\"a\nb\"]", "a.json:1:4: a line break, tab or control character inside a text; write it as an escape"),
            ("[\"\\x\"]", "a.json:1:3: an unknown escape in a text"),
            ("[\"\\u12\"]", "a.json:1:3: an unknown escape in a text"),
            ("[\"\\uD800\"]", "a.json:1:3: half a surrogate pair in a text"),
            ("[\"\\uDC00\\uD800\"]", "a.json:1:3: half a surrogate pair in a text"),
            (
                String(repeating: "[", count: 100_000),
                "a.json:1:65: more than 64 maps and lists inside each other"
            ),
            (
                "[" + String(repeating: "1,", count: 20_000),
                "a.json:1:20000: more than 10000 values; a route file cannot be that large"
            )
        ])
    func mistakes(text: String, message: String) throws {
        let error = try #require(throws: RouteFileError.self) { try read(text) }
        #expect(error.description == message)
    }
}
