import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Comparison by declared type")
struct FieldTypeTests {
    @Test(
        "two values of a type are equal when they mean the same",
        arguments: [
            (.decimal, "0.25", #""0.250""#, true), (.decimal, #""1.10""#, #""1.1""#, true),
            (.decimal, "1", "1.01", false),
            (.decimal, #""abc""#, #""abc""#, true), (.decimal, #""abc""#, "1", false), (.integer, "5", #""5""#, true),
            (.integer, "5", "5.0", true), (.integer, "9007199254740993", "9007199254740992", false),
            (.float, "0.1", "0.1000000000000000055511151231257827", true), (.float, "0.1", "0.2", false),
            (.float, "1e999", "1e999", true), (.float, "1e999", "1e998", false), (.boolean, "true", #""true""#, true),
            (.boolean, "1", "true", true), (.boolean, "0", "true", false), (.boolean, #""maybe""#, "true", false),
            (.instant, #""2026-01-02T03:04:05Z""#, #""2026-01-02T04:04:05.000+01:00""#, true),
            (.instant, #""2026-01-02T03:04:05Z""#, #""2026-01-02T03:04:05.001Z""#, false),
            (.instant, #""soon""#, #""soon""#, true), (.instant, "5", "5.0", true),
            (.date, #""2026-01-02""#, #""2026-01-02T00:00:00.000Z""#, true),
            (.date, #""2026-01-02""#, #""2026-01-03""#, false),
            (.seconds, "1760000000", #""1760000000""#, true), (.seconds, "1.76e9", "1760000000.0", true),
            (.seconds, "1760000000", #""2025-10-09T10:53:20+02:00""#, true),
            (.seconds, "1760000000", "1760000000.000000001", false),
            (.seconds, "0.0000000001", "0.0000000002", false),
            (.milliseconds, "-1", #""1969-12-31T23:59:59.999Z""#, true),
            (.microseconds, "1760000000000001", #""2025-10-09T08:53:20.000001Z""#, true),
            (.string, #""5""#, "5", true), (.string, "\"\u{E9}\"", "\"e\u{301}\"", false),
            (.string, #""a""#, #""a""#, true),
            (.json, #"{"a":1,"b":2}"#, #"{"b":2.0,"a":1}"#, true), (.json, #""5""#, "5", false),
            (.decimal, "null", "null", true), (.decimal, "null", "0", false), (.string, "null", #""""#, false),
            (.boolean, "null", "false", false), (.date, "null", #""2026-01-02""#, false)
        ] as [(FieldType, String, String, Bool)])
    func equality(type: FieldType, left: String, right: String, expected: Bool) throws {
        let (left, right) = (try Value(json: Array(left.utf8)), try Value(json: Array(right.utf8)))
        #expect(type.equal(left, right) == expected)
        #expect(type.equal(right, left) == expected)
        #expect(FieldType.equal(left, right, as: type) == expected)
        if expected, let order = type.compare(left, right) { #expect(order == .equal) }
    }

    @Test(
        "two values of a type are ordered by what they mean",
        arguments: [
            (.decimal, #""9.5""#, "10", .less), (.integer, "10", "9", .greater), (.float, "1e2", "99.9", .greater),
            (.boolean, "false", "true", .less), (.string, #""10""#, #""9""#, .less), (.string, #""Z""#, #""a""#, .less),
            (.instant, #""2026-01-02T03:04:05+02:00""#, #""2026-01-02T02:04:05Z""#, .less),
            (.date, #""2026-01-10""#, #""2026-01-09""#, .greater), (.decimal, #""x""#, "1", nil),
            (.decimal, "null", "1", nil),
            (.json, "[1]", "[2]", nil), (.json, #""a""#, "1", nil), (.json, "2", "10", .less),
            (.instant, #""soon""#, #""later""#, .greater),
            (.seconds, "999", #""1000""#, .less), (.seconds, "1760000000", #""2025-10-09T08:53:21Z""#, .less),
            (.milliseconds, "1760000000000", #""2025-10-09T08:53:19Z""#, .greater),
            // Beyond the years that can be written it is a number like any other.
            (.seconds, "1760000000000", "1760000000", nil), (.seconds, "1760000000001", "1760000000000", .greater)
        ] as [(FieldType, String, String, ValueOrder?)])
    func order(type: FieldType, left: String, right: String, expected: ValueOrder?) throws {
        let (left, right) = (try Value(json: Array(left.utf8)), try Value(json: Array(right.utf8)))
        #expect(type.compare(left, right) == expected)
        #expect(type.compare(right, left) == expected?.reversed)
    }

    @Test(
        "a moment is written in each unit and read again, with nothing lost",
        arguments: [
            (.seconds, "2025-10-09T08:53:20Z", "1760000000"), (.seconds, "2025-10-09T08:53:20.5Z", "1760000000.5"),
            (.milliseconds, "2025-10-09T08:53:20.5Z", "1760000000500"), (.seconds, "1970-01-01T00:00:00Z", "0"),
            (.milliseconds, "1970-01-01T00:00:00.000001Z", "0.001"), (.seconds, "1969-12-31T23:59:59.25Z", "-0.75"),
            (.seconds, "1969-12-31T23:59:50Z", "-10"), (.microseconds, "1969-12-31T23:59:58.5Z", "-1500000"),
            (.microseconds, "9999-12-31T23:59:59.999999999Z", "253402300799999999.999"),
            (.seconds, "0000-01-01T00:00:00Z", "-62167219200"), (.seconds, "0000-01-01T00:00:00.1Z", "-62167219199.9")
        ] as [(FieldType, String, String)])
    func moments(type: FieldType, text: String, number: String) throws {
        let instant = try #require(Instant(text))
        #expect(type.value(of: instant).number?.lexeme == number)
        #expect(type.moment(type.value(of: instant)) == instant)
        #expect(type.moment(.string(text)) == instant)
    }

    @Test("without a type, values are compared as JSON")
    func untyped() {
        #expect(FieldType.equal(1, .number(JSONNumber("1.0")!), as: nil))
        #expect(!FieldType.equal("1", 1, as: nil))
        #expect(FieldType.compare(2, 10, as: nil) == .less)
        #expect(FieldType.compare("2", "10", as: nil) == .greater)
        #expect(FieldType.compare("2", 10, as: nil) == nil)
        #expect(FieldType.compare(.null, .null, as: nil) == nil)
    }
}
