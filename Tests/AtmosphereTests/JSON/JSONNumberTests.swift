import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("JSON numbers")
struct JSONNumberTests {
    @Test("a number of more than 4,096 bytes is an error", arguments: ["", "-", "0.", "1e"])
    func longest(beginning: String) throws {
        let text = beginning + String(repeating: "9", count: 4_096 - beginning.utf8.count)
        #expect(try Value(json: Array(text.utf8)).text == text)
        let error = try #require(throws: JSONError.self) { try Value(json: Array((text + "9").utf8)) }
        #expect(error.code == .numberTooLong && error.message == "a number has more than 4096 bytes, at byte 0")
    }

    @Test(
        "numbers are equal by exact decimal value, and equal numbers have equal hashes",
        arguments: [
            ("1", "1.0"), ("1", "10e-1"), ("1", "1E0"), ("1", "0.1e+1"), ("-0", "0"), ("0", "0.000"), ("0", "0e99"),
            ("-0.0", "0"), ("100", "1e2"), ("1e2", "1E+002"), ("120", "1.20e2"), ("-2.50", "-2.5"),
            ("0.001", "1e-3"), ("1e400", "10e399"), ("1e-400", "0.1e-399"),
            ("9007199254740993", "9007199254740993.0"),
            ("1e99999999999999999999", "10e99999999999999999998"),
            ("1e-99999999999999999999", "0.1e-99999999999999999998"),
            ("1e999999999999999999", "10e999999999999999998"),
            ("0.1e1000000000000000000", "1e999999999999999999"),
            ("1e100000000000000000000", "0.01e100000000000000000002"),
            ("0e99999999999999999999", "0")
        ])
    func equal(left: String, right: String) throws {
        let (left, right) = (try #require(JSONNumber(left)), try #require(JSONNumber(right)))
        #expect(left == right)
        #expect(right == left)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
    }

    @Test("the whole order is that of the values")
    func order() throws {
        let ascending = [
            "-1e99999999999999999999", "-1e99999999999999999998", "-1e400", "-9223372036854775809",
            "-9223372036854775808", "-10", "-9", "-1.5", "-1", "-0.5", "-1e-400", "-1e-99999999999999999999", "0",
            "1e-99999999999999999999", "1e-99999999999999999998", "1e-400", "0.1", "0.10000000000000000001", "0.25",
            "1",
            "1.0000000000000000000000000001", "9", "10", "9007199254740992", "9007199254740993",
            "9223372036854775807", "9223372036854775808", "1e400", "2e400", "1e99999999999999999998",
            "1e99999999999999999999"
        ]
        let numbers = try ascending.map { try #require(JSONNumber($0)) }
        for (index, left) in numbers.enumerated() {
            for (other, right) in numbers.enumerated() {
                #expect((left < right) == (index < other), "\(left) < \(right)")
                #expect((left == right) == (index == other), "\(left) == \(right)")
            }
        }
    }

    @Test(
        "a text that JSON does not call a number is refused",
        arguments: [
            "", " ", "1 ", " 1", "+1", "01", "-", "-01", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity", "1_000",
            "1,5",
            "١", "1e5.0", "--1", "1.2.3", "true"
        ])
    func refused(lexeme: String) { #expect(JSONNumber(lexeme) == nil) }

    @Test("the lexeme is kept as it was written", arguments: ["1.10", "-0", "1E+002", "12345678901234567890123"])
    func lexeme(text: String) throws {
        #expect(JSONNumber(text)?.lexeme == text)
        #expect(try Value(json: Array("[\(text)]".utf8)).json() == Array("[\(text)]".utf8))
    }

    @Test(
        "a whole number of 64 bits is found however it is written",
        arguments: [
            ("0", 0), ("-0", 0), ("0.0e5", 0), ("1e3", 1000), ("1.5e1", 15), ("100e-2", 1), ("-12.0", -12),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9.223372036854775807e18", Int64.max), ("1000000000000000000.0", 1_000_000_000_000_000_000)
        ] as [(String, Int64)])
    func integer(lexeme: String, expected: Int64) { #expect(JSONNumber(lexeme)?.int64 == expected) }

    @Test(
        "what is no whole number of 64 bits has no such value",
        arguments: ["1.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e99999999999999999999"])
    func noInteger(lexeme: String) throws { #expect(try #require(JSONNumber(lexeme)).int64 == nil) }

    @Test("the nearest binary value is given where there is one")
    func double() {
        #expect(JSONNumber("0.1")?.double == 0.1)
        #expect(JSONNumber("1E400")?.double == nil)
        #expect(JSONNumber("-1e400")?.double == nil)
        #expect(JSONNumber("1e-400")?.double == 0)
        #expect(JSONNumber(Int.max).lexeme == "9223372036854775807")
        #expect(JSONNumber(Int64.min).lexeme == "-9223372036854775808")
    }
}
