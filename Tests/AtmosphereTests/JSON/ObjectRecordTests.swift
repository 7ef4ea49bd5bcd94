import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Object records")
struct ObjectRecordTests {
    private func record(_ text: String) throws -> ObjectRecord { try ObjectRecord(bytes: Array(text.utf8)) }

    @Test("one member is read without the others, the first of duplicates")
    func member() throws {
        let record = try record(#" { "a" : 1.50 , "b":{"a":2}, "a":3, "q\u0075ote":"\n", "n":null, "":0 } "#)
        #expect(record["a"] == .number(JSONNumber("1.5")!))
        #expect(record["a"]?.number?.lexeme == "1.50")
        #expect(record["b"] == ["a": 2])
        #expect(record["quote"] == "\n")
        #expect(record["n"] == .null)
        #expect(record[""] == 0)
        #expect(record["absent"] == nil)
        #expect(record.members.names == ["a", "b", "quote", "n", ""])
    }

    @Test(
        "several members are set at once as one after another",
        arguments: [
            "{}", " { } ", #"{"a":1}"#, #"{ "a" : 1 , "b" : 2.0 }"#, #"{"c":1,"a":1.50,"x":[ ],"a":2}"#,
            #"{"\u0061":1 , "z":{"a":1}}"#
        ])
    func several(_ text: String) throws {
        let edits: [Value.Member] = [
            .init(name: "a", value: "new"), .init(name: "b", value: [1]), .init(name: "q\"", value: .null)
        ]
        let record = try record(text)
        let one = edits.reduce(record) { $0.replacing(member: $1.name, with: $1.value) }
        #expect(record.replacing(edits) == one)
        #expect(record.replacing([]) == record)
        #expect(record.replacing(Array(edits.prefix(1))) == record.replacing(member: "a", with: "new"))
    }

    @Test(
        "one member is set or removed, and every other keeps its bytes",
        arguments: [
            (#"{"a":1,"b":2.0,"c":3}"#, "b", "9", #"{"a":1,"b":9,"c":3}"#),
            (#"{"a":1,"b":2.0,"c":3}"#, "a", nil, #"{"b":2.0,"c":3}"#),
            (#"{"a":1,"b":2.0,"c":3}"#, "b", nil, #"{"a":1,"c":3}"#),
            (#"{"a":1,"b":2.0,"c":3}"#, "c", nil, #"{"a":1,"b":2.0}"#),
            (#"{"a":1,"b":2.0,"c":3}"#, "d", #"{"x":[]}"#, #"{"a":1,"b":2.0,"c":3,"d":{"x":[]}}"#),
            (#"{"a":1}"#, "x", nil, #"{"a":1}"#),
            (#"{"a":1}"#, "a", nil, "{}"),
            ("{}", "a", "null", #"{"a":null}"#),
            (" { } ", "a", "1", #" {"a":1 } "#),
            (#"{ "a" : 1 , "b" : 2 }"#, "a", "5", #"{ "a" : 5 , "b" : 2 }"#),
            (#"{ "a" : 1 , "b" : 2 }"#, "a", nil, #"{   "b" : 2 }"#),
            (#"{ "a" : 1 , "b" : 2 }"#, "b", nil, #"{ "a" : 1 }"#),
            (#"{ "a" : 1 , "b" : 2 }"#, "c", "3", #"{ "a" : 1 , "b" : 2,"c":3 }"#),
            (#"{"a":1,"b":2,"a":3}"#, "a", nil, #"{"b":2}"#),
            (#"{"a":1,"a":2,"b":3}"#, "a", nil, #"{"b":3}"#),
            (#"{"b":1,"a":2,"a":3}"#, "a", nil, #"{"b":1}"#),
            (#"{"a":1,"a":2}"#, "a", nil, "{}"),
            (#"{"a":1,"a":2}"#, "a", "7", #"{"a":7,"a":2}"#),
            (#"{"\u0061":1,"b":",}"}"#, "a", nil, #"{"b":",}"}"#)
        ] as [(String, String, String?, String)])
    func replacing(text: String, name: String, value: String?, expected: String) throws {
        let value = try value.map { try Value(json: Array($0.utf8)) }
        let result = try record(text).replacing(member: name, with: value)
        #expect(result.description == expected)
        #expect(try ObjectRecord(bytes: result.bytes)[name] == value)
    }

    @Test(
        "only one JSON object within the limits is a record",
        arguments: ["[]", "1", "", "{", "{}{}", "null", #"{"a":}"#])
    func refused(text: String) { #expect(throws: JSONError.self) { try record(text) } }

    @Test("members that were set keep their order")
    func members() {
        #expect(ObjectRecord(["z": 1, "a": [true, nil]]).description == #"{"z":1,"a":[true,null]}"#)
    }
}
