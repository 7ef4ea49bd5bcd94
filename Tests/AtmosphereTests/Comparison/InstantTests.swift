import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Instants")
struct InstantTests {
    @Test(
        "a date and time is read as seconds and nanoseconds",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0), ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
            ("2000-02-29T12:00:00Z", 951_825_600, 0),
            ("2026-01-02T03:04:05Z", 1_767_323_045, 0), ("2026-01-02T03:04:05.000Z", 1_767_323_045, 0),
            ("2026-01-02t03:04:05z", 1_767_323_045, 0), ("2026-01-02 03:04:05", 1_767_323_045, 0),
            ("2026-01-02T03:04:05", 1_767_323_045, 0), ("2026-01-02T04:04:05+01:00", 1_767_323_045, 0),
            ("2026-01-01T22:34:05-04:30", 1_767_323_045, 0), ("2026-01-02T04:04:05+0100", 1_767_323_045, 0),
            ("2026-01-02T04:04:05+01", 1_767_323_045, 0), ("2026-01-02T03:04:05-00:00", 1_767_323_045, 0),
            ("2026-01-02T03:04:05.123456789Z", 1_767_323_045, 123_456_789),
            ("2026-01-02T03:04:05.1", 1_767_323_045, 100_000_000),
            ("2026-01-02T03:04:05.678901+00:00", 1_767_323_045, 678_901_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("0000-01-01T00:00:00Z", -62_167_219_200, 0), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59Z", 253_402_300_799, 0), ("1900-03-01T00:00:00Z", -2_203_891_200, 0)
        ] as [(String, Int64, Int32)])
    func reading(text: String, seconds: Int64, nanoseconds: Int32) throws {
        #expect(try #require(Instant(text)) == Instant(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "what is no date and time is refused",
        arguments: [
            "", "2026-01-02", "2026-1-2T03:04:05Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-02T24:00:00Z",
            "2026-01-02T03:60:00Z", "2026-01-02T03:04:61Z", "2026-01-02T03:04Z", "2026-01-02T03:04:05.Z",
            "2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:05+1:00",
            "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05 Z", " 2026-01-02T03:04:05Z", "20260102T030405Z", "2026-01-02T03:04:05+01:0",
            "2026-01-02_03:04:05", "+026-01-02T03:04:05Z", "２026-01-02T03:04:05Z"
        ])
    func refused(text: String) { #expect(Instant(text) == nil) }

    @Test("every day from 1890 to 2110 follows the one before")
    func calendar() throws {
        var expected: Int64? = nil
        for year in 1890...2110 {
            for month in 1...12 {
                for day in 1...31 {
                    let pad = { (number: Int, width: Int) in
                        String(repeating: "0", count: width - String(number).count) + String(number)
                    }
                    guard let days = Instant.day("\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))") else { continue }
                    if let expected, days != expected { Issue.record("\(year)-\(month)-\(day)") }
                    expected = days + 1
                }
            }
        }
        #expect(expected == 51499)
    }

    @Test("instants are ordered as time is")
    func order() throws {
        let texts = [
            "1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000001Z", "1970-01-01T00:00:01Z"
        ]
        let instants = try texts.map { try #require(Instant($0)) }
        #expect(instants.sorted() == instants)
        #expect(instants[0].timestamp == Timestamp(milliseconds: -100))
    }
}
