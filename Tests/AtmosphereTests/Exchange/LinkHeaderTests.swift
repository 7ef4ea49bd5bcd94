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
            ([#"<2>; x; rel=next"#], "2"), (["<2"], nil), (["<>; rel=next"], nil), ([""], nil), ([], nil),
            (["https://a/b?page=2"], "https://a/b?page=2"), ([" /b "], "/b")
        ] as [([String], String?)])
    func next(values: [String], target: String?) {
        #expect(LinkHeader.next(in: values) == target)
    }

    @Test(
        "no text makes it fail",
        arguments: ["<", "<a>;", "<a>; =", "<a>; rel=\"", "<a>; rel=\"\\", "<a>;;;", "<a>,,<"])
    func odd(text: String) {
        #expect(LinkHeader.next(in: [text]) == nil)
    }
}
