internal import Atmosphere

extension StoreSuite {
    var queryChecks: [ConformanceCheck] {
        [
            check("1,000 objects come in order of identifier, as many as the limit says") { store in
                try await store.absorb(Sample.numbered((1...1_000).reversed()))
                try await store.read { snapshot in
                    for limit in [nil, 0, 1, 99, 100, 101, 250, 999, 1_000, 1_001] as [Int?] {
                        let expected = (1...1_000).prefix(limit ?? .max).map { "\($0)" }
                        try Expect.equal(
                            Self.ids(Query("tasks", limit: limit), snapshot), expected,
                            "the identifiers with a limit of \(limit.map(String.init) ?? "none")")
                    }
                }
            },
            check("conditions choose, an order sorts, ties follow by identifier") { store in
                try await store.change { transaction in
                    for number in 1...1_000 {
                        let json = "{\"n\":\(number),\"rest\":\(number % 7),\"name\":\"task \(number % 2)\"}"
                        try transaction.upsert([(Sample.task("\(number)"), Sample.record(json))])
                    }
                    try transaction.upsert([(Sample.task("x"), Sample.record(#"{"rest":0}"#))])
                    try transaction.upsert([(Sample.uri("lists", "1"), Sample.record(#"{"rest":3}"#))])
                }
                try await store.read { snapshot in
                    let three = Query("tasks", where: [Query.Condition("rest", .equal, 3)])
                    let expected = (1...1_000).filter { $0 % 7 == 3 }
                    try Expect.equal(Self.ids(three, snapshot), expected.map { "\($0)" }, "where rest = 3")
                    let both = Query(
                        "tasks",
                        where: [Query.Condition("rest", .equal, 3), Query.Condition("name", .notEqual, "task 1")],
                        order: [Query.Order("n", ascending: false)], limit: 5)
                    try Expect.equal(
                        Self.ids(both, snapshot),
                        expected.filter { $0 % 2 == 0 }.reversed().prefix(5).map { "\($0)" },
                        "where rest = 3 and name is not task 1, descending, 5 of them")
                    let ties = Query("tasks", order: [Query.Order("rest"), Query.Order("name", ascending: false)])
                    let sorted = (1...1_000).map { ($0 % 7, 1 - $0 % 2, $0) }.sorted(by: <).map { "\($0.2)" }
                    try Expect.equal(
                        Self.ids(ties, snapshot).filter { $0 != "x" }, sorted, "by rest, then name descending")
                    var few = ties
                    few.limit = 300
                    var all = ties
                    all.limit = .max
                    try Expect.equal(Self.ids(all, snapshot), Self.ids(ties, snapshot), "with the highest limit")
                    try Expect.equal(
                        Self.ids(few, snapshot), Array(Self.ids(ties, snapshot).prefix(300)), "the first 300 of them")
                    let none = Query("tasks", where: [Query.Condition("rest", .equal, 99)])
                    try Expect.equal(Self.ids(none, snapshot), [], "where rest = 99")
                }
            },
            check("a query ends when its closure says so, and hands on what the closure throws") { store in
                struct Stop: Error {}
                try await store.absorb(Sample.numbered(1...500))
                try await store.read { snapshot in
                    for order in [[], [Query.Order("title")]] {
                        for wanted in [1, 150] {
                            var seen = 0
                            try snapshot.records(matching: Query("tasks", order: order)) { _, _ in
                                seen += 1
                                return seen < wanted
                            }
                            try Expect.equal(seen, wanted, "records handed on until the closure returned false")
                        }
                        var isThrown = false
                        do {
                            try snapshot.records(matching: Query("tasks", order: order)) { _, _ in throw Stop() }
                        } catch is Stop {
                            isThrown = true
                        }
                        try Expect.that(isThrown, "the closure's error must come out of the query")
                    }
                }
            },
            check("a query's closure may use the transaction, even for the same query") { store in
                try await store.absorb(Sample.numbered(1...250))
                try await store.change { transaction in
                    var pairs = 0
                    try transaction.records(matching: Query("tasks")) { uri, record in
                        try Expect.equal(transaction.record(at: uri), record, "a record read inside a query")
                        try transaction.records(matching: Query("tasks", limit: 3)) { _, _ in
                            pairs += 1
                            return true
                        }
                        return true
                    }
                    try Expect.equal(pairs, 750, "records of the queries inside the query")
                }
            },
            check("a query hands on neither deleted records nor those of unknown entities") { store in
                try await store.absorb(Sample.numbered(1...300))
                try await store.change { transaction in
                    let gone = (1...300).filter { $0 > 50 && $0 < 280 }.map { Sample.task("\($0)") }
                    for uri in gone {
                        guard case .synchronized(let confirmed)? = try transaction.meta(at: uri)?.state else {
                            continue
                        }
                        var meta = Sample.updated(uri)
                        meta.state = .deleted(confirmed, Change(idempotencyKey: "k"))
                        try transaction.put([meta])
                    }
                    try transaction.delete(gone)
                }
                try await store.read { snapshot in
                    let expected = (Array(1...50) + Array(280...300)).map { "\($0)" }
                    try Expect.equal(Self.ids(Query("tasks"), snapshot), expected, "a query over deleted records")
                    try Expect.equal(Self.ids(Query("unknown"), snapshot), [], "a query of an unknown entity")
                }
            }
        ]
    }

    static func ids(_ query: Query, _ snapshot: any StoreSnapshot) throws -> [String] {
        var found: [String] = []
        try snapshot.records(matching: query) { uri, record in
            try Expect.equal(uri.entity, query.entity, "the entity of a query's object")
            found.append(uri.id)
            return true
        }
        return found
    }
}
