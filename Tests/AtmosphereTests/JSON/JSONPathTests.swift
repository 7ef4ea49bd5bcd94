import Testing

@testable import Atmosphere
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("JSON paths")
struct JSONPathTests {
    @Test(
        "a path reads as its steps, and its written form reads back",
        arguments: [
            ("$", [], "$"), ("$.a", [.member("a")], "$.a"), ("a", [.member("a")], "$.a"),
            ("a.b", [.member("a"), .member("b")], "$.a.b"), ("$.a.b", [.member("a"), .member("b")], "$.a.b"),
            ("$['odd name']", [.member("odd name")], "$['odd name']"), (#"["x"]"#, [.member("x")], "$.x"),
            (#"$["@odata.nextLink"]"#, [.member("@odata.nextLink")], "$['@odata.nextLink']"),
            ("$[0]", [.index(0)], "$[0]"), ("a[-1].id", [.member("a"), .index(-1), .member("id")], "$.a[-1].id"),
            ("[12].id", [.index(12), .member("id")], "$[12].id"),
            ("errors[*].reason", [.member("errors"), .all, .member("reason")], "$.errors[*].reason"),
            ("$[*]", [.all], "$[*]"), ("a-b_c:d/é日", [.member("a-b_c:d/é日")], "$.a-b_c:d/é日"),
            (#"$['it\'s \\ "q"']"#, [.member(#"it's \ "q""#)], #"$['it\'s \\ "q"']"#),
            (#"$["a\"b"]"#, [.member(#"a"b"#)], #"$['a"b']"#), ("$['']", [.member("")], "$['']"),
            ("$['$a']", [.member("$a")], "$['$a']"), ("$['*'][*]", [.member("*"), .all], "$['*'][*]"),
            ("a['b'][1]", [.member("a"), .member("b"), .index(1)], "$.a.b[1]"), ("0", [.member("0")], "$.0")
        ] as [(String, [JSONPath.Step], String)])
    func reading(text: String, steps: [JSONPath.Step], description: String) throws {
        let path = try JSONPath(text)
        #expect(path == JSONPath(steps))
        #expect(path.description == description)
        #expect(try JSONPath(path.description) == path)
    }

    @Test(
        "a bad path is refused with the column and what to do",
        arguments: [
            ("", 1, "empty"), ("$.", 3, "name"), ("$a", 2, "dot"), ("a.", 3, "name"), (".a", 1, "name"),
            ("a..b", 3, ".."),
            ("$..a", 3, ".."), ("a.*", 3, "[*]"), ("a[", 3, "ends inside"), ("a[]", 3, "index"), ("a[-0]", 3, "behind"),
            ("a[-x]", 3, "behind"),
            ("a[1", 4, "]"), ("a[1:2]", 4, "]"), ("a['b]", 6, "no end"), ("a['b'", 6, "]"), ("a b", 2, "dot"),
            ("a]", 2, "dot"), (#"a['\n']"#, 5, "backslash"), ("a[99999999999]", 3, "too large"), ("a.$b", 3, "quotes"),
            ("[?(@.a)]", 2, "index"), ("$.a ", 4, "dot"), ("a.'b'", 3, "quotes"), ("a[ 0]", 3, "index")
        ])
    func refused(text: String, column: Int, part: String) throws {
        let error = try #require(throws: JSONPathError.self) { try JSONPath(text) }
        #expect(error.column == column)
        #expect(error.message.contains(part))
        #expect(error.message.contains("column \(column)"))
    }

    private static let body = """
        {"a":{"b":[{"c":1},{"c":2},{"d":3}]},"n":null,"e":{"x":["m1"],"y":["m2","m3"]},"a":9,"s":"text","\\u0071":7}
        """

    @Test(
        "the values at a path are found, decoded or not",
        arguments: [
            ("$.a.b[1].c", ["2"]), ("$.a.b[*].c", ["1", "2"]), ("$.a.b[7]", []), ("$.a.x", []), ("$.s.x", []),
            ("$.s[0]", []), ("$.n", ["null"]), ("$.n.x", []), ("$.e[*]", [#"["m1"]"#, #"["m2","m3"]"#]),
            ("$.e[*][*]", [#""m1""#, #""m2""#, #""m3""#]), ("$.e[*][1]", [#""m3""#]), ("$.q", ["7"]),
            ("$.a.b[2].d", ["3"]),
            ("a[0]", []), ("$.a.b.c", []), ("$.a.b[-1]", [#"{"d":3}"#]), ("$.a.b[-3].c", ["1"]), ("$.a.b[-4]", [])
        ] as [(String, [String])])
    func finding(text: String, expected: [String]) throws {
        let path = try JSONPath(text)
        let bytes = Array(Self.body.utf8)
        let found = path.values(in: try Value(json: bytes)).map { String(decoding: $0.json(), as: UTF8.self) }
        #expect(found == expected)
        #expect(
            path.first(in: try Value(json: bytes)).map { String(decoding: $0.json(), as: UTF8.self) } == expected.first)
        let slices = try bytes.withUnsafeBufferPointer { buffer in
            try path.ranges(in: JSONScanner(buffer), 0..<buffer.count).map {
                String(decoding: buffer[$0], as: UTF8.self)
            }
        }
        #expect(slices == expected)
    }

    @Test("the empty path is the value itself")
    func root() throws { #expect(try JSONPath("$").values(in: 5) == [5]) }
}
