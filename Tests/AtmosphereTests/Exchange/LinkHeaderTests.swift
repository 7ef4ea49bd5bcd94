import Testing

@testable import Atmosphere
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Link header") struct LinkHeaderTests {
    @Test(
        "the link with the relation next is found",
        arguments: [
            ([#"<https://a/b?page=2>; rel="next""#], "https://a/b?page=2"),
            ([#"<1>; rel="first", <2>; rel="next", <9>; rel="last""#], "2"),
            ([#"<1>;rel=prev,<2>;rel=NEXT"#], "2"), ([#"<1>; rel="first""#, #"<2>; rel="next""#], "2"),
            ([#"<2>; title="a, <3>; rel=\"next\""; rel="prev next""#], "2"),
            ([#"<a,b;c>; rel="next""#], "a,b;c"), ([#"  <2> ; rel = "next" "#], "2"),
            ([#"<2>; rel="prev"; rel="next""#], nil), ([#"<1>; rel="nextpage""#], nil), ([#"<1>; next"#], nil),
            ([#"<2>; x; rel=next"#], "2"), ([#"<2>; rel='next'"#], "2"),
            ([#"<2>; rel='prev next', <1>; rel=prev"#], "2"), ([#"<2>; rel="next"#], "2"),
            (["<1", "<2>; rel=next"], "2"), (["<1>, <2>;;;"], nil), (["<>; rel=next"], nil), ([""], nil), ([], nil),
            (["https://a/b?page=2"], "https://a/b?page=2"), ([" /b "], "/b")
        ] as [([String], String?)])
    func next(values: [String], target: String?) throws {
        #expect(try LinkHeader.next(in: values) == target)
    }

    @Test("what a parameter lacks is no end of the text", arguments: ["<a>;", "<a>; =", "<a>;;;"])
    func odd(text: String) throws {
        #expect(try LinkHeader.next(in: [text]) == nil)
    }

    @Test(
        "what is no list of links, or was cut, is no list without a next page",
        arguments: [
            "<", "<2", "<a>; rel=\"", "<a>; rel=\"\\", "<a>,,<", "<2; rel=\"next\"", "<2> rel=\"next\"",
            "<1; rel=\"first\", <2>; rel=\"next\"", "<1>; rel=\"first\", <2", "<1>; rel=\"first\", <2>; rel=\"ne"
        ])
    func unreadable(text: String) {
        #expect(throws: LinkHeader.Unreadable.self) { try LinkHeader.next(in: [text]) }
        #expect(!LinkHeader.namesNext([text]))
    }
}
