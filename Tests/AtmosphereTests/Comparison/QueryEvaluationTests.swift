import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Query evaluation")
struct QueryEvaluationTests {
    private let record = ObjectRecord([
        "n": 5, "price": "12.50", "title": "Zoë", "done": true, "due": nil, "tags": ["a"],
        "at": "2026-01-02T03:04:05Z", "code": "007"
    ])

    @Test(
        "a condition holds by value, by text, or by its declared type",
        arguments: [
            (.init("n", .equal, 5), true), (.init("n", .equal, "5"), true), (.init("n", .notEqual, "5"), false),
            (.init("n", .less, "10"), true), (.init("n", .greater, "10"), false), (.init("n", .lessOrEqual, 5), true),
            (.init("n", .greaterOrEqual, 6), false), (.init("n", .equal, "five"), false),
            (.init("price", .equal, "12.5"), false), (.init("price", .equal, "12.5", type: .decimal), true),
            (.init("price", .less, 100), true), (.init("price", .less, "100", type: .decimal), true),
            (.init("price", .less, "2", type: .string), true), (.init("title", .equal, "Zoë"), true),
            (.init("title", .greater, "Z"), true), (.init("done", .equal, true), true),
            (.init("done", .equal, "true"), true),
            (.init("done", .equal, "false"), false), (.init("done", .notEqual, "false"), true),
            (.init("due", .equal, nil), true), (.init("absent", .equal, nil), true),
            (.init("due", .notEqual, "x"), true),
            (.init("due", .less, "x"), false), (.init("due", .greater, "x"), false), (.init("n", .greater, nil), false),
            (.init("due", .equal, "null"), false), (.init("tags", .equal, ["a"]), true),
            (.init("tags", .less, ["b"]), false),
            (.init("at", .equal, "2026-01-02T04:04:05+01:00", type: .instant), true),
            (.init("at", .less, "2026-01-02 03:04:06", type: .instant), true),
            (.init("at", .greaterOrEqual, "2026-01-02", type: .date), true), (.init("code", .equal, "7"), false),
            (.init("code", .equal, "007"), true)
        ] as [(Query.Condition, Bool)])
    func conditions(condition: Query.Condition, expected: Bool) {
        #expect(Query("tasks", where: [condition]).matches(record) == expected)
    }

    @Test("of the places of a field the first that a record has counts")
    func places() {
        var condition = Query.Condition("id", .equal, 1, type: .integer)
        condition.paths = [JSONPath([.member("a"), .member("id")]), .member("id")]
        let query = Query("tasks", where: [condition])
        #expect(query.matches(ObjectRecord(["id": 1])))
        #expect(query.matches(ObjectRecord(["a": ["t": 2], "id": 1])))
        #expect(query.matches(ObjectRecord(["a": nil, "id": 1])))
        #expect(query.matches(ObjectRecord(["a": ["id": 1], "id": 2])))
        #expect(!query.matches(ObjectRecord(["a": ["id": nil], "id": 1])))
        #expect(condition.place == "$.a.id,$.id" && "\(query)" == "tasks where a.id or id as integer == 1")
    }

    @Test("the field of an index reads back from its text, whatever its names are")
    func indexFields() {
        let odd = JSONPath([.member("a,b"), .member("it's,"), .all])
        for paths in [[JSONPath.member("due")], [odd], [odd, .member("a\u{0600}"), .member("due")]] {
            let field = QueryIndex.Field(firstOf: paths, type: .date)
            #expect(QueryIndex.Field(field.description) == field)
        }
        #expect(QueryIndex.Field(.member("due"), type: .date).description == "date:$.due")
        for text in ["date:", "date:$.due,", "day:$.due", "$.due", "date:$['a,b"] {
            #expect(QueryIndex.Field(text) == nil, "\(text)")
        }
    }

    @Test("all conditions must hold")
    func all() {
        #expect(Query("tasks").matches(record))
        #expect(Query("tasks", where: [.init("n", .greater, 1), .init("n", .less, 9)]).matches(record))
        #expect(!Query("tasks", where: [.init("n", .greater, 1), .init("n", .less, 2)]).matches(record))
    }

    private func entries(_ values: [(String, Value?)]) -> [(ObjectURI, ObjectRecord)] {
        values.map { id, value in
            (ObjectURI(entity: "tasks", id: id), ObjectRecord(value.map { ["v": $0] } ?? [:]))
        }
    }

    @Test("null and absence come first, then values by type; ties by identifier")
    func order() {
        let all = entries([
            ("h", ["x"]), ("g", "10"), ("f", "9"), ("e", 10), ("d", 9), ("c", true), ("b", nil as Value?),
            ("a", Value.null),
            ("i", 9)
        ])
        let ids = { (query: Query) in query.sorted(all).map(\.0.id).joined() }
        #expect(ids(Query("tasks", order: [.init("v")])) == "abcdiegfh")
        #expect(ids(Query("tasks", order: [.init("v", ascending: false)])) == "hfgedicab")
        #expect(ids(Query("tasks", order: [.init("v", type: .decimal)])) == "abcdfiegh")
        #expect(ids(Query("tasks")) == "abcdefghi")
    }

    @Test("the first difference decides, then the next order")
    func severalOrders() {
        let rows: [(String, Value.Members)] = [
            ("1", ["a": 1, "b": "x"]), ("2", ["a": 1, "b": "y"]), ("3", ["a": 0, "b": "z"]), ("4", ["b": "z"])
        ]
        let all = rows.map { (ObjectURI(entity: "tasks", id: $0.0), ObjectRecord($0.1)) }
        let query = Query("tasks", order: [.init("a"), .init("b", ascending: false)])
        #expect(query.sorted(all).map(\.0.id) == ["4", "3", "2", "1"])
    }

    @Test("a text is found in any case, by the letters of Unicode; an element of a list is it as a whole")
    func anyCase() {
        let v = Query.Field("v"), typed = Query.Field("v", type: .string)
        let holds = { (filter: Query.Filter, value: Value) in
            Query("tasks", where: filter).matches(ObjectRecord(["v": value]))
        }
        #expect(holds(v.contains("MILK", ignoringCase: true), "Oat milk"))
        #expect(!holds(v.contains("MILK"), "Oat milk"))
        #expect(holds(v.contains("straße Ö", ignoringCase: true), "STRAßE ö"))
        #expect(!holds(v.contains("e", ignoringCase: true), nil))
        #expect(holds(v.contains("Milk", ignoringCase: true), ["oat", "milk"]))
        #expect(!holds(v.contains("Mil", ignoringCase: true), ["oat", "milk"]))
        #expect(!holds(v.contains("1", ignoringCase: true), 12) && holds(typed.contains("1", ignoringCase: true), 12))
    }

    @Test("a selection is of one entity, matching, in order and limited")
    func select() {
        var all = entries([("3", 3), ("1", 1), ("2", 2), ("4", nil)])
        all.append((ObjectURI(entity: "lists", id: "1"), ObjectRecord(["v": 1])))
        let query = Query("tasks", where: [.init("v", .notEqual, nil)], order: [.init("v", ascending: false)], limit: 2)
        #expect(query.select(from: all).map(\.0.id) == ["3", "2"])
        #expect(Query("tasks", limit: 0).select(from: all).isEmpty)
        #expect(Query("lists").select(from: all).count == 1)
    }

    private static let values: [Value] = [
        nil, true, false, 0, 1, -1, "", "0", "1", "1.0", "a", "A", "ab", "é", "e\u{301}", "true", "TRUE", "10", "9",
        "2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00", [], ["a"], [1], [:], ["a": 1], "a\u{0}b",
        .number(JSONNumber("1.0")!), .number(JSONNumber("-0")!), .number(JSONNumber("1e400")!),
        .number(JSONNumber("0.10")!), .number(JSONNumber("1767322245")!)
    ]

    @Test("where sort keys tell, they tell exactly which values a condition holds for", arguments: FieldType.allCases)
    func keyTests(_ type: FieldType) throws {
        var told = 0
        for value in Self.values {
            for comparison in Query.Condition.Comparison.allCases {
                let condition = Query.Condition("v", comparison, value, type: type)
                guard let test = condition.keyTest else { continue }
                told += 1
                for member in Self.values {
                    #expect(
                        test.holds(for: type.sortKey(of: member)) == condition.holds(for: member),
                        "\(condition) of \(member.text)")
                }
            }
        }
        #expect(told > 100 || type == .json)
    }

    @Test("sort keys alone do not tell which numbers are equal as texts and truth values, and are not said to")
    func keysOfNumbers() {
        for type in [FieldType.string, .boolean] {
            let one = Value.number(JSONNumber("1.0")!)
            #expect(type.equal(1, one) && type.sortKey(of: 1) != type.sortKey(of: one))
            #expect(Query.Condition("v", .equal, 1, type: type).keyTest == nil)
        }
    }

    @Test("a query is described as a person writes it, on one line")
    func descriptions() {
        let title = Query.Field("title"), price = Query.Field("price", type: .decimal)
        #expect("\(title == "a")" == #"title == "a""#)
        #expect(
            "\(title.contains("a\u{202E}") && !(price >= 10))"
                == #"title contains "a\u{202E}" && !(price as decimal >= 10)"#)
        #expect(
            "\((title == nil || title.hasPrefix("x")) && price < 3)"
                == #"(title == null || title begins with "x") && price as decimal < 3"#)
        #expect("\(Query.Filter.everything) \(Query.Filter.or([]))" == "everything nothing")
        var nested = Query.Condition("p of o", .notEqual, ["a"])
        nested.paths = [JSONPath([.member("o"), .member("p")])]
        let query = Query(
            "tasks", where: [nested], order: [.init("due", ascending: false, type: .instant), .init("n")], limit: 5,
            offset: 2)
        #expect(
            "\(query)"
                == #"tasks where o.p != ["a"], ordered by due as instant descending, n, limit 5, offset 2"#)
    }
}
