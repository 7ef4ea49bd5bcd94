import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("JSON values")
struct JSONValueTests {
    private func decode(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }

    @Test("the first of duplicate names wins, in small and in large objects, also when one is written with escapes")
    func duplicates() throws {
        #expect(try decode(#"{"a":1,"b":2,"a":3}"#) == ["a": 1, "b": 2])
        #expect(try decode(#"{"\u0061":1,"a":3}"#) == ["a": 1])
        #expect(try decode(#"{"":1,"":3}"#) == ["": 1])
        #expect(try decode(#"{"sharedprefix1":1,"sharedprefix2":2,"sharedprefix1":3}"#).members?.count == 2)
        let many = (0..<100).map { #""member\#($0 % 50)":\#($0)"# }.joined(separator: ",")
        let members = try #require(try decode("{\(many)}").members)
        #expect(members.count == 50)
        #expect(members["member7"] == 7)
    }

    @Test("names and texts that only look the same are different")
    func normalization() throws {
        let members = try #require(try decode("{\"\u{E9}\":1,\"e\u{301}\":2}").members)
        #expect(members.count == 2)
        #expect(members["e\u{301}"] == 2)
        #expect(Value.string("\u{E9}") != .string("e\u{301}"))
        #expect(Value.object(["\u{E9}": 1]) != .object(["e\u{301}": 1]))
    }

    @Test("objects are equal whatever the order of their members; arrays are not")
    func equality() throws {
        let left = try decode(#"{"a":[1,2.0,{"x":null}],"b":"t"}"#)
        let right = try decode(#"{"b":"t","a":[1.0,2,{"x":null}]}"#)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(try decode("[1,2]") != decode("[2,1]"))
        #expect(try decode(#"{"a":1}"#) != decode(#"{"a":1,"b":null}"#))
        #expect(try decode("1") != decode(#""1""#))
    }

    @Test(
        "escapes are decoded to the text they stand for",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u65e5""#, "é日"),
            (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00 \uDBFF\uDFFF""#, "😀 \u{10FFFF}"),
            (#""\u0000""#, "\u{0}"), (#""\ud800""#, "\u{FFFD}"), (#""\udc00\ud800x""#, "\u{FFFD}\u{FFFD}x"),
            (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\n""#, "\u{FFFD}\n")
        ])
    func escapes(json: String, text: String) throws { #expect(try decode(json) == .string(text)) }

    @Test("only what must be escaped is written with escapes")
    func writing() throws {
        let value: Value = ["a\"b": "\\/é\u{1F}\u{7F}\u{2028}\n", "list": [nil, true, false, 1, [], [:]]]
        let text = "{\"a\\\"b\":\"\\\\/é\\u001f\u{7F}\u{2028}\\n\",\"list\":[null,true,false,1,[],{}]}"
        #expect(String(decoding: value.json(), as: UTF8.self) == text)
        #expect(try decode(text) == value)
    }

    @Test("members keep their order, and a person gets one line for each")
    func pretty() throws {
        let value = try decode(#"{"z":1.50,"a":[1,{"b":null}],"e":{},"f":[]}"#)
        #expect(
            value.prettyJSON() == """
                {
                  "z": 1.50,
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "e": {},
                  "f": []
                }
                """)
        #expect(String(decoding: value.json(), as: UTF8.self) == #"{"z":1.50,"a":[1,{"b":null}],"e":{},"f":[]}"#)
    }

    @Test("an object of 100,000 members is read in linear time")
    func wide() throws {
        let text = "{" + (0..<100_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        let clock = ContinuousClock()
        var count = 0
        let elapsed = try clock.measure { count = try decode(text).members?.count ?? 0 }
        #expect(count == 100_000)
        // Comparing each name with each takes minutes.
        #expect(elapsed < .seconds(20))
    }

    @Test(
        "what is wrong is said with its place",
        arguments: [
            ("", JSONError.Code.truncated, 0), ("  ", .truncated, 2), ("[1,", .truncated, 3), ("[1", .truncated, 2),
            ("{\"a\"", .truncated, 4), ("\"abc", .truncated, 4), ("tru", .truncated, 3), ("1 2", .malformed, 2),
            ("[1,]", .malformed, 3), ("{\"a\":1,}", .malformed, 7), ("[01]", .malformed, 1), ("nul1", .malformed, 0),
            ("\"a\u{1}\"", .malformed, 2), ("{1:2}", .malformed, 1), ("[1 2]", .malformed, 3),
            ("\u{FEFF}[]", .invalidUTF8, 0), (#""\x""#, .malformed, 1), (#""\u12G4""#, .malformed, 1),
            ("-", .truncated, 1),
            ("'a'", .malformed, 0), ("[1}", .malformed, 2), ("{\"a\":1]", .malformed, 6)
        ] as [(String, JSONError.Code, Int)])
    func errors(text: String, code: JSONError.Code, offset: Int) throws {
        let error = try #require(throws: JSONError.self) { try decode(text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
        #expect(error.message.hasSuffix("at byte \(offset)"))
    }

    @Test(
        "bytes that are not UTF-8 are refused wherever they stand in a string",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFE], [0xFF], [0xF0, 0x9F, 0x98], [0xF0, 0x28, 0x8C, 0xBC]
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) throws {
        for before in 0..<18 {
            for after in [0, 1, 2, 3, 16] {
                let plain = { (count: Int) in [UInt8](repeating: 0x61, count: count) }
                let text = [0x22] + plain(before) + bytes + plain(after) + [0x22]
                let error = try #require(throws: JSONError.self) { try Value(json: text) }
                #expect(error.code == .invalidUTF8)
                #expect(error.offset == before + 1)
            }
        }
    }

    @Test("every Unicode scalar is read as it stands and comes back")
    func allScalars() throws {
        for start in stride(from: 0x20 as UInt32, to: 0x110000, by: 0x1000) {
            let scalars = (start..<min(start + 0x1000, 0x110000)).compactMap { Unicode.Scalar($0) }
            let text = String(String.UnicodeScalarView(scalars))
            let json = Value.string(text).json()
            #expect(try Value(json: json) == .string(text))
        }
    }

    @Test("a control character, a quote or a backslash is found at every place of a long string")
    func everyPlace() throws {
        for length in 0..<40 {
            for place in 0..<max(1, length) {
                for special in ["\"", "\\", "\u{0}", "\u{1F}", "\u{80}", "é", "😀"] {
                    var text = String(repeating: "x", count: length)
                    let index = text.index(text.startIndex, offsetBy: min(place, length))
                    text.insert(contentsOf: special, at: index)
                    #expect(try Value(json: Value.string(text).json()) == .string(text))
                }
            }
        }
    }
}
