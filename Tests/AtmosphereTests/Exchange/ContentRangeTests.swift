import Testing

@testable import Atmosphere
@testable import AtmosphereExchange

@Suite("Ranges of contents")
struct ContentRangeTests {
    @Test(
        "a range of bytes is read, with the whole length or without",
        arguments: [
            ("bytes 5-9/10", 5, 9, 10), ("BYTES 0-0/1", 0, 0, 1), ("bytes 5-9/*", 5, 9, nil),
            ("bytes 5-9223372036854775806/9223372036854775807", 5, .max - 1, .max),
            ("bytes 5-9223372036854775806/*", 5, .max - 1, nil)
        ] as [(String, Int64, Int64, Int64?)])
    func reading(header: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(ContentRange(header))
        #expect(range.first == first && range.last == last && range.total == total && range.end == last + 1)
    }

    @Test(
        "what is no range of bytes, or ends beyond what can be counted, is none",
        arguments: [
            "", "bytes", "bytes 5-9223372036854775807/*", "bytes 5-9223372036854775807/9223372036854775807",
            "bytes 5-9223372036854775808/*", "bytes 9-5/10", "bytes 5-9/9", "bytes -5-9/10", "bytes 5-9", "bytes */10",
            "items 5-9/10", "bytes 5-9/-1", "bytes +5-9/10", "bytes ５-9/10", "bytes 5-9/10/11"
        ])
    func refused(header: String) { #expect(ContentRange(header) == nil) }

    @Test("only what lies behind the first bytes, to the end, is the rest")
    func rest() throws {
        let range = try #require(ContentRange("bytes 5-9/10"))
        #expect(range.isRest(behind: 5) && !range.isRest(behind: 4) && !range.isRest(behind: .max))
        #expect(try !#require(ContentRange("bytes 5-8/10")).isRest(behind: 5))
        #expect(try !#require(ContentRange("bytes 5-9/*")).isRest(behind: 5))
    }
}
