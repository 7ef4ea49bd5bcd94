import Testing

@testable import Atmosphere
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Values of a route file, typed from their text") struct RouteTextTests {
    @Test(
        "durations are ISO 8601 or one short unit",
        arguments: [
            ("PT2M", .seconds(120)), ("P7D", .seconds(604_800)), ("P1W", .seconds(604_800)),
            ("P1DT2H3M4.5S", .milliseconds(93_784_500)), ("PT0S", .zero), ("90s", .seconds(90)), ("5m", .seconds(300)),
            ("2h", .seconds(7200)), ("1d", .seconds(86_400)), ("250ms", .milliseconds(250)), ("0s", .zero),
            ("", nil), ("90", nil), ("s", nil), ("P", nil), ("PT", nil), ("P1DT", nil), ("PT1D", nil), ("P1M", nil),
            ("P1Y", nil), ("PT1S2M", nil), ("PT1M1M", nil), ("PT.5S", nil), ("PT1.S", nil), ("-5s", nil), ("1.5h", nil),
            ("5 s", nil), ("PT2m", nil), ("999999999999d", nil), ("99999999999999999999s", nil), ("P2000W1000000D", nil)
        ] as [(String, Duration?)])
    func durations(text: String, duration: Duration?) {
        #expect(NumberText.duration(text) == duration)
    }

    @Test(
        "sizes are bytes, or powers of 1000 or 1024 of them",
        arguments: [
            ("65536", 65536), ("64MiB", 64 << 20), ("1GB", 1_000_000_000), ("1GiB", 1 << 30), ("2kB", 2000),
            ("2KiB", 2048),
            ("1B", 1), ("0", nil), ("0MB", nil), ("", nil), ("MB", nil), ("1.5MB", nil), ("64 MiB", nil), ("-1", nil),
            ("1mb", nil), ("99999999999999999999GB", nil), ("9999999GB", nil)
        ] as [(String, Int?)])
    func sizes(text: String, size: Int?) {
        #expect(NumberText.size(text) == size)
    }

    @Test(
        "rates are requests for a unit of time",
        arguments: [
            ("10/s", 10), ("600/min", 10), ("3600/h", 1), ("0.5/s", 0.5), ("0/s", nil), ("10", nil), ("10/d", nil),
            ("/s", nil),
            ("1/2/s", nil), ("-1/s", nil), ("1./s", nil), ("inf/s", nil), ("1e3/s", nil)
        ] as [(String, Double?)])
    func rates(text: String, rate: Double?) {
        #expect(NumberText.rate(text) == rate)
    }

    @Test(
        "whole numbers are decimal and written in one way",
        arguments: [
            ("0", 0), ("-7", -7), ("12", 12), ("012", nil), ("1_0", nil), ("+1", nil), ("1.0", nil), ("0x1", nil)
        ]
            as [(String, Int?)])
    func wholeNumbers(text: String, number: Int?) {
        #expect(NumberText.whole(text) == number)
    }

    @Test(
        "the nearest name is the one with the fewest typing mistakes",
        arguments: [
            ("pagse", "pages"), ("page", "pages"), ("verison", "version"), ("Format", "format"),
            ("referencs", "references"),
            ("zzz", nil), ("", nil), ("idx", "id"), ("conflicting", "conflict"), ("conflagration", nil)
        ] as [(String, String?)])
    func nearestNames(written: String, meant: String?) {
        let names = ["pages", "version", "format", "references", "id", "ids", "conflict"]
        #expect(NearestName.of(written, among: names) == meant)
    }

    @Test(
        "a base is an absolute URL of HTTP without secrets and parameters",
        arguments: [
            ("https://api.example.com", true), ("HTTP://localhost:8080/v1/", true), ("https://[::1]:8443/a%20b", true),
            ("https://192.0.2.1/a:b@c", true), ("//api.example.com", false), ("https://", false),
            ("https://a b", false),
            ("https://a:b", false), ("https://a:99999", false), ("https://a/?", false), ("https://a#b", false),
            ("https://me@a", false), ("https://a/../b", false), ("https://a/ü", false), ("https://[x]", false),
            ("file:///etc", false)
        ])
    func bases(text: String, isValid: Bool) {
        #expect((PathText.baseComplaint(text) == nil) == isValid)
    }

    @Test("messages quote on one line, without control characters, and not endlessly")
    func quoting() {
        #expect("a\u{1B}[1m\nb\u{202E}".quoted == "“a\\u{1B}[1m\\u{A}b\\u{202E}”")
        #expect(String(repeating: "ä", count: 100).quoted == "“\(String(repeating: "ä", count: 60))…”")
    }
}
