import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Times to ask for changes since")
struct TimeFormatTests {
    /// 2024-01-02T03:04:05.006007008Z
    private let instant = Instant(seconds: 1_704_164_645, nanoseconds: 6_007_008)

    @Test(
        "an instant is written as the API wants it",
        arguments: [
            ("seconds", "1704164645"), ("milliseconds", "1704164645006"), ("microseconds", "1704164645006007"),
            ("yyyy-MM-dd HH:mm:ss", "2024-01-02 03:04:05"), ("yyyy-MM-ddTHH:mm:ssZ", "2024-01-02T03:04:05Z"),
            ("yyyy-MM-dd", "2024-01-02"), ("dd.MM.yyyy 'um' HH:mm", "02.01.2024 um 03:04"),
            ("yyyyMMddHHmmss.SSS", "20240102030405.006"), ("yyyy-MM-ddTHH:mm:ss.SSSSSS", "2024-01-02T03:04:05.006007")
        ])
    func written(pattern: String, expected: String) throws {
        let format = try TimeFormat(pattern)
        #expect(format.text(instant) == expected)
        let read = try #require(format.instant(written: expected))
        #expect(format.text(read) == expected)
        #expect(format.instant(written: expected + "x") == nil && format.instant(written: "") == nil)
    }

    @Test(
        "what is no format is refused with the reason",
        arguments: [
            ("YYYY-MM-dd", "“YYYY” means nothing; use yyyy, MM, dd, HH, mm, ss and S"),
            ("yyyy-MM-dd 'at", "a quote is not closed"),
            ("HH:mm", "it needs yyyy, MM and dd, or is seconds, milliseconds or microseconds"),
            ("minutes", "“m” means nothing; use yyyy, MM, dd, HH, mm, ss and S")
        ])
    func refused(pattern: String, message: String) {
        let error = #expect(throws: TimeFormatError.self) { try TimeFormat(pattern) }
        #expect(error?.message == message)
    }

    @Test("prefix and quotes stand around the value; the overlap is taken off, also from a number")
    func values() throws {
        var since = Since(parameter: "filter", origin: .field(.member("updated")))
        #expect(since.value(from: "2024-01-02T03:04:05Z") == "2024-01-02T03:03:05Z")
        since.overlap = .zero
        #expect(since.value(from: "2024-01-02T03:04:05Z") == "2024-01-02T03:04:05Z")
        since.prefix = "updated gt "
        since.quotes = .single
        #expect(since.value(from: "2024-01-02T03:04:05Z") == "updated gt '2024-01-02T03:04:05Z'")
        since.suffix = ")"
        #expect(since.value(from: "2024-01-02T03:04:05Z") == "updated gt '2024-01-02T03:04:05Z')")
        since.suffix = ""
        since.quotes = .double
        since.overlap = .seconds(65)
        since.format = try TimeFormat("yyyy-MM-dd HH:mm:ss")
        #expect(since.value(from: "2024-01-02T03:04:05.999Z") == #"updated gt "2024-01-02 03:03:00""#)
        since.prefix = ""
        since.quotes = .none
        since.format = try TimeFormat("milliseconds")
        #expect(since.value(from: "1704164645006") == "1704164580006")
        #expect(since.value(from: "2024-01-02T03:04:05.006Z") == "1704164580006")
        // In the server's own form where none is declared.
        since.format = nil
        for (cursor, sent) in [
            ("2024-01-02 00:00:05", "2024-01-01 23:59:00"), ("2024-01-02T00:00:05.12Z", "2024-01-01T23:59:00.12Z"),
            ("2024-01-02T00:00:05+02:00", "2024-01-01T23:59:00+02:00"),
            ("2024-01-02t00:00:05.000001-0930", "2024-01-01t23:59:00.000001-0930"),
            ("Tue, 02 Jan 2024 00:00:05 GMT", "Mon, 01 Jan 2024 23:59:00 GMT"), ("2024-03-01", "2024-02-29")
        ] {
            #expect(since.value(from: cursor) == sent)
        }
        // What is no time is the server's own word.
        #expect(since.value(from: "cursor-17") == "cursor-17")
    }

    @Test(
        "a declared form holds for what a header or the body says: the date of HTTP, a date, and the form itself",
        arguments: [
            ("Tue, 02 Jan 2024 03:04:05 GMT", "02.01.2024 03:02"), ("2024-01-02", "01.01.2024 23:58"),
            ("02.01.2024 03:04", "02.01.2024 03:02")
        ])
    func declared(_ cursor: String, sent: String) throws {
        var since = Since(parameter: "since", origin: .header("Last-Modified"))
        since.overlap = .seconds(120)
        since.format = try TimeFormat("dd.MM.yyyy HH:mm")
        #expect(since.value(from: cursor) == sent)
    }

    @Test(
        "the date of HTTP is written as it is read",
        arguments: [0, -1, -86_400, -86_401, 1_709_164_800, 253_402_300_799, -62_167_219_200])
    func httpDates(_ seconds: Int64) throws {
        let instant = Instant(seconds: seconds)
        #expect(HTTPDate.parse(HTTPDate.text(instant)) == instant)
        #expect(HTTPDate.text(Instant(seconds: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(Instant(seconds: -1)).hasPrefix("Wed, 31 Dec 1969"))
    }

    @Test(
        "the older forms of it are read, too (RFC 9110 §5.6.7), and nothing else",
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Friday, 27-Nov-26 10:00:00 GMT", "2026-11-27T10:00:00Z"),
            ("Wednesday, 31-Dec-69 23:59:59 GMT", "1969-12-31T23:59:59Z"),
            ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"), ("Fri Nov 27 10:00:00 2026", "2026-11-27T10:00:00Z"),
            ("Sunday, 06-Nov-1994 08:49:37 GMT", nil), ("Sunday, 06-Nov--4 08:49:37 GMT", nil),
            ("Sunday, 31-Feb-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49 1994", nil), ("Sun Nov 6 1994 08:49:37", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("the first of all tasks", nil), ("", nil)
        ] as [(String, String?)])
    func olderHTTPDates(_ text: String, _ expected: String?) {
        #expect(HTTPDate.parse(text)?.description == expected)
    }
}
