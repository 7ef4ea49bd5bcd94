internal import Atmosphere

extension StoreSuite {
    var filterChecks: [ConformanceCheck] {
        [
            check("every query is answered as the core answers it, whatever its filter, order, limit and offset") {
                store in
                try await Self.fill(store)
                try await Self.compare(store, Kinds.answers, "without indexes")
                try await Self.compareEqualities(store, "without indexes")
            },
            check("indexes change no answer, over objects there were and objects that came or changed since") { store in
                try await store.change { transaction in
                    for (uri, record) in Kinds.firstRecords { try transaction.upsert([(uri, record)]) }
                }
                try await store.keepIndexes(Kinds.indexes)
                try await Self.compare(store, Kinds.firstAnswers, "after the indexes were made")
                try await Self.fill(store)
                try await Self.compare(store, Kinds.answers, "after more objects came")
                try await Self.compareEqualities(store, "with indexes")
                try await store.keepIndexes(Array(Kinds.indexes.prefix(1)))
                try await store.keepIndexes([QueryIndex("unknown", Kinds.indexes[0].fields)])
                try await Self.compare(store, Kinds.answers, "after the indexes were given up")
            },
            check("texts that differ behind their first 3,000 characters are told apart, also by an index") { store in
                let long = String(repeating: "long ", count: 600)
                let field = Query.Field("v", type: .string)
                try await store.keepIndexes([QueryIndex("tasks", [.init(.member("v"), type: .string)])])
                try await store.change { transaction in
                    for end in ["x", "y", "z"] {
                        let record = ObjectRecord(["v": .string(long + end)])
                        try transaction.upsert([(Sample.task(end), record)])
                    }
                }
                try await store.read { snapshot in
                    let order = [Query.Order("v", ascending: false, type: .string)]
                    for (filter, expected) in [
                        (field == .string(long + "y"), ["y"]), (field != .string(long + "y"), ["z", "x"]),
                        (field > .string(long + "x"), ["z", "y"]), (.everything, ["z", "y", "x"])
                    ] {
                        let query = Query("tasks", where: filter, order: order)
                        try Expect.equal(Self.ids(query, snapshot), expected, "the identifiers of \(query)")
                    }
                }
            },
            check("an index follows every way in which an object changes") { store in
                try await store.keepIndexes(Kinds.indexes)
                try await Self.fill(store)
                try await Self.compare(store, Kinds.answers, "before the changes")
                let page = Sample.page(
                    (0..<40).map { (.integer(Int64($0)), #"{"n":\#(200 - $0),"t":"page \#($0 % 3)"}"#, nil) },
                    entity: Kinds.entity, sequence: 50)
                try await store.absorb(page)
                try await store.change { transaction in
                    try transaction.delete((41..<50).map { Sample.uri(Kinds.entity, "\($0)") })
                    try transaction.changeIdentifier(
                        from: Sample.uri(Kinds.entity, "51"), to: Sample.uri(Kinds.entity, "moved"))
                    try transaction.upsert([(Sample.uri(Kinds.entity, "52"), Sample.record(#"{"n":-1,"t":"last"}"#))])
                }
                let records = try await store.read { snapshot in
                    var found: [(ObjectURI, ObjectRecord)] = []
                    try snapshot.records(matching: Query(Kinds.entity)) { uri, record in
                        found.append((uri, record))
                        return true
                    }
                    return found
                }
                try Expect.that(records.contains { $0.0.id == "moved" }, "the moved object must be found")
                try await Self.compare(store, Kinds.answers(of: records), "after pages, deletions and moves")
            },
            check("a write sees in its queries what it has changed") { store in
                try await store.keepIndexes(Kinds.indexes)
                try await Self.fill(store)
                try await store.change { transaction in
                    let wanted = Query(
                        Kinds.entity, where: Query.Field("n", type: .decimal) == 1_000_000, limit: 5)
                    try Expect.equal(Self.ids(wanted, transaction), [], "before the change")
                    try transaction.upsert([(Sample.uri(Kinds.entity, "new"), Sample.record(#"{"n":1e6}"#))])
                    try Expect.equal(Self.ids(wanted, transaction), ["new"], "after the change")
                    try Expect.equal(transaction.count(matching: wanted), 1, "the count after the change")
                }
            }
        ]
    }

    private static func fill(_ store: any Store) async throws {
        try await store.change { transaction in
            for (uri, record) in Kinds.records { try transaction.upsert([(uri, record)]) }
        }
    }

    private static func compare(_ store: any Store, _ answers: [Kinds.Answer], _ when: String) async throws {
        for (query, answer) in zip(Kinds.queries, answers) {
            try await store.read { snapshot in
                try Expect.equal(ids(query, snapshot), answer.ids, "\(when), the identifiers of \(query)")
                try Expect.equal(snapshot.count(matching: query), answer.count, "\(when), the count of \(query)")
            }
            // Others have checks to run, too, on few threads.
            await Task.yield()
        }
    }

    private static func compareEqualities(_ store: any Store, _ when: String) async throws {
        for (query, answer) in zip(Kinds.equalities, Kinds.equalAnswers) {
            try await store.read { snapshot in
                try Expect.equal(ids(query, snapshot), answer, "\(when), the identifiers of \(query)")
            }
            await Task.yield()
        }
    }
}

/// Records with values of every kind, and queries about them.
private enum Kinds {
    static let entity = "kinds"

    static let values = [
        "null", "true", "false", "0", "-0", "1", "1.0", "10e-1", "-1", "0.1", "0.10", "-0.12", "-0.123", "12", "123",
        "1e400", "-1e400", "1e-400", "12345678901234567890.5", "12345678901234567890.25", "99", "101", "1e101", "1e102",
        #""""#, #""a""#, #""aa""#, #""ab""#, #""b""#, #""B""#, #""é""#, #""e\u0301""#, #""10""#, #""9""#, #""1.0""#,
        #""true""#, #""a\u0000b""#, #""\uD83D\uDE00""#, #""2026-01-02T03:04:05Z""#, #""2026-01-02T04:04:05+01:00""#,
        #""2026-01-02T03:04:05.5Z""#, #""1969-12-31T23:59:59Z""#, #""2026-01-02""#, #""0001-01-01""#, "[]",
        #"["a","b"]"#, #"["10"]"#, "{}", #"{"a":1}"#, #""TRUE""#, #""a ""#, #""a_b""#, #""a%b""#, #""a\\b""#, #""É""#
    ]

    /// By the number of the record: every value as `v`, beside it a number and a text with ties, and numbers in `o` and at the
    /// top, where `o` may lack its own.
    static let records: [(ObjectURI, ObjectRecord)] = (0..<(2 * values.count)).map { number in
        let value = number % 10 == 9 ? "" : #""v":\#(values[number % values.count]),"#
        let id = number % 3 == 2 ? "key-\(number)" : "\(number)"
        let inside = [#"{"p":\#(number % 5)}"#, "{}", "null", #"{"p":null}"#][number % 11 < 8 ? 0 : number % 11 - 7]
        return (
            ObjectURI(entity: entity, id: id),
            Sample.record(
                #"{\#(value)"n":\#(number % 7),"t":"text \#(number % 4)","o":\#(inside),"p":\#(number % 6)}"#)
        )
    }

    static let firstRecords = Array(records.prefix(values.count))

    /// What the core answers to one of the queries.
    struct Answer: Sendable {
        var ids: [String]
        var count: Int
    }

    /// Asked once for all stores: it takes longer than most of them.
    static let answers = answers(of: records)
    static let firstAnswers = answers(of: firstRecords)

    static func answers(of records: [(ObjectURI, ObjectRecord)]) -> [Answer] {
        queries.map { query in
            Answer(
                ids: query.select(from: records).map(\.0.id), count: records.filter { query.matches($0.1) }.count)
        }
    }

    static let indexes =
        FieldType.allCases.filter { $0 != .json }.map { QueryIndex(entity, [.init(.member("v"), type: $0)]) } + [
            QueryIndex(entity, [.init(.member("n"), type: .decimal), .init(.member("v"), type: .string)]),
            QueryIndex(entity, [.init(.member("t"), type: .string), .init(.member("n"), type: .decimal)]),
            QueryIndex(entity, [.init(insideOrNot[0], type: .integer)]),
            QueryIndex(entity, [.init(firstOf: insideOrNot, type: .integer)])
        ]

    /// A member of `o`, and where there is none the record's own.
    private static let insideOrNot = [JSONPath([.member("o"), .member("p")]), .member("p")]

    static let queries: [Query] = ofOtherComparisons + ofPatterns + ofFilters + ofPlaces + ofOrders

    private static let compared: [Value] = [
        nil, true, false, 1, 0, -1, "1.0", "a", "b", "B", "", "é", "É", "10", "9", "true", "TRUE",
        "2026-01-02T03:04:05Z",
        "2026-01-02", ["a", "b"], [:], .number(JSONNumber("0.1")!), .number(JSONNumber("1.0")!),
        .number(JSONNumber("1e101")!), .number(JSONNumber("12345678901234567890.3")!)
    ]

    /// Every value is compared as every type by `==`, where each pair of a type and a value has a rule of its own.
    static let equalities: [Query] = ofOneCondition([.equal])

    /// The identifiers, of all records.
    static let equalAnswers: [[String]] = equalities.map { $0.select(from: records).map(\.0.id) }

    /// Of the other comparisons, which add little to that, each seventeenth.
    private static let ofOtherComparisons: [Query] = {
        let all = ofOneCondition(Query.Condition.Comparison.allCases.filter { $0 != .equal })
        return stride(from: 0, to: all.count, by: 17).map { all[$0] }
    }()

    private static func ofOneCondition(_ comparisons: [Query.Condition.Comparison]) -> [Query] {
        compared.flatMap { value in
            (FieldType.allCases.map(Optional.some) + [nil]).flatMap { type in
                comparisons.map { Query(entity, where: [Query.Condition("v", $0, value, type: type)]) }
            }
        }
    }

    private static let v = Query.Field("v", type: .string)
    private static let n = Query.Field("n", type: .decimal)
    private static let t = Query.Field("t", type: .string)

    private static let ofFilters: [Query] = {
        var nested = Query.Condition("p of o", .greaterOrEqual, 3, type: .integer)
        nested.paths = [insideOrNot[0]]
        var either = Query.Condition("p", .equal, 3, type: .integer)
        either.paths = insideOrNot
        let filters: [Query.Filter] = [
            .everything, .or([]), !.everything, n == 3 && v != "a", n == 3 || n == 5, !(n == 3),
            !(n < 2 || t == "text 1"),
            n.isOne(of: [1, 2, 9]) && t.hasPrefix("text"), n.isOne(of: []), t.hasPrefix("text 1") && n > 2,
            v.contains("a") && n == 1, n == 2 && v >= "a", n == 2 && v < "b" && v > "", .condition(nested),
            .condition(nested) && n == 1, .condition(either), !(n == 1 && v == nil), v == nil && n == 2,
            .condition(either) && n > 2, !.condition(either), t == "text 1" && n >= 2 && n < 6,
            v.contains("0") || t == "text 2"
        ]
        return filters.map { Query(entity, where: $0) }
            + filters.map {
                Query(entity, where: $0, order: [.init("n", ascending: false, type: .decimal)], limit: 7, offset: 2)
            }
            + filters.map { Query(entity, where: $0, order: [.init("v", type: .string)], limit: 4) }
            + filters.map { Query(entity, where: $0, limit: 3, offset: 5) }
    }()

    /// Texts that some databases take for patterns.
    private static let ofPatterns: [Query] = ["_", "%", "\\", "A", "a_", "a%", "a\\"].flatMap {
        [Query(entity, where: v.contains(.string($0))), Query(entity, where: v.hasPrefix($0))]
    }

    private static let ofOrders: [Query] = FieldType.allCases.flatMap { type -> [Query] in
        [true, false].flatMap { ascending -> [Query] in
            let order = [Query.Order("v", ascending: ascending, type: type)]
            let two = [Query.Order("n", ascending: ascending, type: .decimal), Query.Order("v", type: .string)]
            return [
                Query(entity, order: order), Query(entity, order: order, limit: 10),
                Query(entity, order: order, limit: 10, offset: 15), Query(entity, order: two, limit: 50, offset: 3),
                Query(entity, where: n == 3, order: order + two, limit: 20),
                Query(entity, where: Query.Field("v", type: type) >= 1, order: order, limit: 5),
                Query(entity, order: order, limit: 0), Query(entity, order: order, limit: 3, offset: 1_000)
            ]
        }
    }

    private static let ofPlaces: [Query] = [true, false].flatMap { ascending -> [Query] in
        var order = Query.Order("p", ascending: ascending, type: .integer)
        order.paths = insideOrNot
        return [Query(entity, order: [order]), Query(entity, where: n > 2, order: [order], limit: 12, offset: 2)]
    }
}
