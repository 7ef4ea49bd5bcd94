import Testing

@testable import Atmosphere
@testable import AtmosphereRouting

@Suite("What a declared type takes") struct FieldTypeAcceptanceTests {
    @Test(
        "texts",
        arguments: [
            (.integer, ["4", "-7"], ["1.5", "abc", ""]), (.decimal, ["1.5", "0.10"], ["1.5x", "abc"]),
            (.float, ["1e3"], ["x"]), (.boolean, ["true", "false"], ["yes", "1", "True"]),
            (.date, ["2026-02-28"], ["2026-02-30", "soon"]),
            (.instant, ["2026-02-28T10:00:00Z"], ["2026-02-28", "now"]),
            (.seconds, ["1760000000", "-1.5", "2026-02-28T10:00:00Z"], ["2026-02-28", "1760000000000", "now", ""]),
            (.milliseconds, ["1760000000000"], ["x"]), (.microseconds, ["1760000000000000"], ["1e300"]),
            (.json, ["{}", "1"], ["{"]), (.string, ["", "x"], [])
        ] as [(FieldType, [String], [String])])
    func texts(_ type: FieldType, _ good: [String], _ bad: [String]) {
        #expect(good.filter { !type.accepts(text: $0) } == [])
        #expect(bad.filter { type.accepts(text: $0) } == [])
    }

    /// A type with JSON values that it takes, and others that it does not.
    struct Case: Sendable {
        var type: FieldType
        var good: String
        var bad: String
    }

    @Test(
        "values; null is one of every type",
        arguments: [
            Case(type: .integer, good: "[4, null]", bad: #"[1.5, "4", true]"#),
            Case(type: .decimal, good: #"[1.5, "1.50", null]"#, bad: #"["x", false]"#),
            Case(type: .float, good: "[1.5]", bad: #"["1.5"]"#),
            Case(type: .boolean, good: "[true]", bad: #"["true", 1]"#),
            Case(type: .date, good: #"["2026-01-02"]"#, bad: #"["2026-02-30", 5]"#),
            Case(type: .instant, good: #"["2026-01-02T03:04:05Z"]"#, bad: #"["x"]"#),
            Case(
                type: .seconds, good: #"[1760000000, 1.76e9, 0, "1760000000", null]"#,
                bad: #"["2026-01-02T03:04:05Z", 1760000000000, true]"#),
            Case(type: .milliseconds, good: "[1760000000000]", bad: "[1e18]"),
            Case(type: .string, good: #"["x", null]"#, bad: "[1, []]"),
            Case(type: .json, good: #"[1, "x", [], null]"#, bad: "[]")
        ])
    func values(_ each: Case) throws {
        let good = try #require(try Value(json: Array(each.good.utf8)).array)
        let bad = try #require(try Value(json: Array(each.bad.utf8)).array)
        #expect(good.filter { !each.type.accepts($0) } == [])
        #expect(bad.filter { each.type.accepts($0) } == [])
    }
}
