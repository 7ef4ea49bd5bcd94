import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// A value between quotes never ends them.
@Suite("Values between quotes") struct QuotedValueTests {
    @Test("a single quote stands twice, also with a mark behind it that makes it another character")
    func single() {
        #expect(Since.Quotes.single.around("it's") == "'it''s'")
        let marked = Array(Since.Quotes.single.around("a'\u{301} or 1 eq 1").unicodeScalars)
        #expect(marked == Array("'a''\u{301} or 1 eq 1'".unicodeScalars))
    }

    @Test("between double quotes stands what a string of JSON holds")
    func double() {
        #expect(Since.Quotes.double.around("a") == #""a""#)
        #expect(Since.Quotes.double.around(#"a"},"x":{"b\"#) == #""a\"},\"x\":{\"b\\""#)
        #expect(Since.Quotes.none.around("a\"b") == "a\"b")
    }

    @Test("the media type of a part of a form is one line", arguments: ["a/b\r\nX: y", "a/b\u{85}", ""])
    func part(_ mediaType: String) async throws {
        let content = AttachmentContent([1], fileName: "f", mediaType: mediaType)
        guard case .stream(_, let start) = content.body(part: "p", boundary: "b").body else {
            Issue.record("a form is a stream")
            return
        }
        let next = try await start()
        var whole: [UInt8] = []
        while let chunk = try await next() { whole += chunk }
        let text = String(decoding: whole, as: UTF8.self)
        #expect(text.contains("\r\nContent-Type: application/octet-stream\r\n\r\n"), "\(text)")
    }
}
