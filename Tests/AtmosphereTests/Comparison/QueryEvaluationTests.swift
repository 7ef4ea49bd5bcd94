import Testing

@testable import Atmosphere

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

    @Test("a selection is of one entity, matching, in order and limited")
    func select() {
        var all = entries([("3", 3), ("1", 1), ("2", 2), ("4", nil)])
        all.append((ObjectURI(entity: "lists", id: "1"), ObjectRecord(["v": 1])))
        let query = Query("tasks", where: [.init("v", .notEqual, nil)], order: [.init("v", ascending: false)], limit: 2)
        #expect(query.select(from: all).map(\.0.id) == ["3", "2"])
        #expect(Query("tasks", limit: 0).select(from: all).isEmpty)
        #expect(Query("lists").select(from: all).count == 1)
    }
}
