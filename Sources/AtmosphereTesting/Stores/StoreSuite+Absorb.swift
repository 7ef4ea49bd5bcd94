internal import Atmosphere

extension StoreSuite {
    var absorbChecks: [ConformanceCheck] {
        [
            check("absorb inserts what is unknown as synchronized") { store in
                let absorbed = try await store.absorb(
                    Sample.page(
                        [
                            (.integer(1), #"{ "id" : 1 }"#, "\"v1\""), (.integer(2), #"{"id":2}"#, nil),
                            (.integer(3), #"{"id":3}"#, "")
                        ], sequence: 12))
                var expected = Absorbed()
                expected.inserted = 3
                try Expect.equal(absorbed, expected, "what was done")
                let rows = [("1", #"{ "id" : 1 }"#, "\"v1\""), ("2", #"{"id":2}"#, nil), ("3", #"{"id":3}"#, "")]
                for (id, json, version) in rows as [(String, String, String?)] {
                    let uri = Sample.task(id)
                    let meta = Sample.synchronized(
                        uri, Sample.record(json), version: version, sequence: 12, wireType: .number)
                    try await Expect.equal(
                        store.read { try $0.object(at: uri) }, LocalObject(record: Sample.record(json), meta: meta),
                        "the object \(id)")
                }
            },
            check("absorb takes only the items it is given") { store in
                let page = Sample.numbered(1...10)
                let absorbed = try await store.change { transaction in
                    _ = try transaction.absorb(page, items: 5..<5)
                    return try transaction.absorb(page, items: 2..<5)
                }
                try Expect.equal(absorbed.inserted, 3, "items inserted")
                try await Expect.equal(
                    store.read { try Self.ids(Query("tasks"), $0) }, ["3", "4", "5"], "the objects there are")
            },
            check("absorb counts what it defers from the beginning of the page, whatever slice it is given") { store in
                try await store.change { transaction in
                    for id in ["4", "6", "9"] { try transaction.put([Sample.updated(Sample.task(id))]) }
                }
                let page = Sample.numbered(1...10)
                for (slice, deferred) in [(2..<5, [3]), (5..<9, [5, 8]), (9..<10, []), (0..<10, [3, 5, 8])] {
                    let absorbed = try await store.write(.process, origin: .pull) {
                        try $0.absorb(page, items: slice)
                    }
                    try Expect.equal(
                        absorbed.deferred, deferred, "the indices into the page that were deferred of items \(slice)")
                }
            },
            check("absorb updates what differs in record or version, and rewrites nothing else") { store in
                let first = Sample.page([(.integer(1), "{\"a\":1}", "v"), (.integer(2), "{\"a\":2}", nil)], sequence: 5)
                try await store.absorb(first)
                let cases: [(String, String?, isSame: Bool)] = [
                    ("{\"a\":1}", "v", true), ("{\"a\":10}", "v", false), ("{\"a\":10}", "v", true),
                    ("{\"a\":10}", "w", false), ("{\"a\":10}", nil, false), ("{\"a\":10}", nil, true),
                    ("{\"a\":10}", "", false), ("{\"a\" :10}", "", false)
                ]
                var sequence: Int64 = 5
                var confirmed: Int64 = 5
                for (index, (json, version, isSame)) in cases.enumerated() {
                    sequence += 1
                    let absorbed = try await store.absorb(
                        Sample.page([(.integer(1), json, version)], sequence: sequence))
                    var expected = Absorbed()
                    if isSame { expected.unchanged = 1 } else { expected.updated = 1 }
                    try Expect.equal(absorbed, expected, "what step \(index) did")
                    if !isSame { confirmed = sequence }
                    let meta = Sample.synchronized(
                        Sample.task("1"), Sample.record(json), version: version, sequence: confirmed, wireType: .number)
                    try await Expect.equal(
                        store.read { try $0.object(at: Sample.task("1")) },
                        LocalObject(record: Sample.record(json), meta: meta), "the object after step \(index)")
                }
                try await Expect.equal(
                    store.record(at: Sample.task("2")), Sample.record("{\"a\":2}"), "the other object")
            },
            check("absorb tells mixed items of one page apart") { store in
                try await store.absorb(Sample.numbered(stride(from: 2, through: 300, by: 2)))
                try await store.change { transaction in
                    for number in stride(from: 6, through: 300, by: 6) {
                        try transaction.put([Sample.updated(Sample.task("\(number)"))])
                    }
                }
                let page = Sample.page(
                    (1...300).map {
                        (.integer(Int64($0)), "{\"id\":\($0),\"title\":\"\($0 % 4 == 0 ? "new" : "old")\"}", nil)
                    },
                    sequence: 20)
                let absorbed = try await store.absorb(page)
                var expected = Absorbed()
                expected.inserted = 150
                expected.deferred = (1...300).filter { $0 % 6 == 0 }.map { $0 - 1 }
                expected.updated = (1...300).count { $0 % 4 == 0 && $0 % 6 != 0 }
                expected.unchanged = (1...300).count { $0 % 2 == 0 && $0 % 4 != 0 && $0 % 6 != 0 }
                try Expect.equal(absorbed, expected, "what was done")
                try await Expect.equal(store.read { try $0.counts()["tasks"]?.objects }, 300, "objects in all")
            },
            check("absorb leaves objects with something to send to the engine, in every state") { store in
                let page = Sample.numbered([1], title: "theirs", sequence: 1_000)
                for meta in Sample.changes(Sample.task("1")) {
                    for record in [nil, Sample.titled("mine"), page.record(page.items[0])] {
                        try await store.change { transaction in
                            try transaction.put([meta])
                            if let record {
                                try transaction.upsert([(meta.uri, record)])
                            } else {
                                try transaction.delete([meta.uri])
                            }
                        }
                        let absorbed = try await store.absorb(page)
                        try Expect.equal(absorbed.deferred, [0], "what was deferred while \(meta.state)")
                        try Expect.equal(absorbed.inserted + absorbed.updated + absorbed.unchanged, 0, "the rest")
                        try await Expect.equal(
                            store.read { try $0.object(at: meta.uri) }, LocalObject(record: record, meta: meta),
                            "the object that was left alone")
                    }
                }
            },
            check("absorb leaves objects that were confirmed later to the engine") { store in
                try await store.absorb(Sample.numbered(1...3, title: "new", sequence: 10))
                try await store.change { transaction in
                    let record = Sample.record(#"{"id":3,"title":"new"}"#)
                    try transaction.put([Sample.synchronized(Sample.task("3"), record, sequence: 10, revision: 4)])
                }
                let earlier = try await store.absorb(Sample.numbered(1...3, title: "stale", sequence: 9))
                try Expect.equal(earlier.deferred, [0, 1, 2], "what an earlier request's page left")
                try Expect.equal(earlier.updated, 0, "what an earlier request's page updated")
                try await Expect.equal(
                    store.record(at: Sample.task("1")), Sample.record(#"{"id":1,"title":"new"}"#), "the record")
                let same = try await store.absorb(Sample.numbered(1...3, title: "newer", sequence: 10))
                try Expect.equal(same.updated, 3, "what the same request's next page updated")
            },
            check("absorb leaves another version to the engine where versions are ordered") { store in
                var page = Sample.page((1...3).map { (.integer($0), "{\"id\":\($0)}", "v1") }, sequence: 10)
                try await store.absorb(page)
                page = Sample.page(
                    [
                        (.integer(1), "{\"id\":1}", "v1"), (.integer(2), "{\"id\":2,\"a\":1}", "v1"),
                        (.integer(3), "{\"id\":3}", "v0"), (.integer(4), "{\"id\":4}", "v0")
                    ],
                    sequence: 11)
                page.ordersVersions = true
                var expected = Absorbed()
                expected.unchanged = 1
                expected.updated = 1
                expected.deferred = [2]
                expected.inserted = 1
                try await Expect.equal(store.absorb(page), expected, "what was done")
                try await Expect.equal(
                    store.read { try $0.meta(at: Sample.task("3"))?.confirmed?.version }, "v1",
                    "the version that was left")
            },
            check("absorb leaves deletions, and records without a base of their own, to the engine") { store in
                let uris = Sample.tasks(["1", "2", "3", "x"])
                try await store.absorb(Sample.numbered([1]))
                try await store.change { transaction in
                    try transaction.upsert([(uris[1], Sample.titled("no meta object"))])
                    try transaction.upsert([(uris[2], Sample.titled("not its base"))])
                    try transaction.put([Sample.synchronized(uris[2], Sample.titled("base"))])
                    try transaction.put([Sample.synchronized(uris[3], Sample.titled("no record"))])
                }
                let before = try await store.read { snapshot in try uris.map { try snapshot.record(at: $0) } }
                let page = Sample.page(
                    [
                        (.integer(1), #"{"id":1,"title":"old"}"#, nil), (.integer(2), "{}", nil),
                        (.integer(3), "{}", nil), (.text(ObjectID("x")), "{}", nil), (.integer(99), "{}", nil),
                        (.text(ObjectID("unknown")), "{}", nil)
                    ], sequence: 50, deleted: [0, 4, 5])
                let absorbed = try await store.absorb(page)
                try Expect.equal(absorbed.deferred, [0, 1, 2, 3, 4, 5], "what was deferred")
                let after = try await store.read { snapshot in try uris.map { try snapshot.record(at: $0) } }
                try Expect.equal(after, before, "the records")
                try await Expect.equal(store.meta(at: Sample.task("99")), nil, "a deleted object that was unknown")
            },
            check("identifiers keep their text and their wire type") { store in
                let ids: [PageItemID] = [
                    .integer(0), .integer(.max), .integer(-1), .integer(.min), .text(ObjectID("7", .string)),
                    .text(ObjectID("8", .number)), .text(ObjectID("1.50", .number)), .text(ObjectID("1e3", .number)),
                    .text(ObjectID("12345678901234567890", .number)), .text(ObjectID("007", .string)),
                    .text(ObjectID("a/b.c")), .text(ObjectID("é")), .text(ObjectID("e\u{301}")),
                    .text(ObjectID("a\0b")), .text(ObjectID("a\0c")), .text(ObjectID("list/42", .number)),
                    .text(ObjectID(String(repeating: "long", count: 10_000)))
                ]
                let page = Sample.page(
                    ids.enumerated().map { ($0.element, "{\"n\":\($0.offset)}", "v\($0.offset)") })
                let first = try await store.absorb(page)
                try Expect.equal(first.inserted, ids.count, "identifiers inserted")
                let second = try await store.absorb(page)
                try Expect.equal(second.unchanged, ids.count, "identifiers found again")
                try await store.read { snapshot in
                    for (index, id) in ids.enumerated() {
                        let uri = ObjectURI(entity: "tasks", id: id.objectID.text)
                        let meta = try snapshot.meta(at: uri)
                        try Expect.equal(meta?.id.text.utf8.map { $0 }, Array(id.objectID.text.utf8), "the text")
                        try Expect.equal(meta?.id.wireType, id.objectID.wireType, "the wire type of \(uri)")
                        try Expect.equal(meta?.confirmed?.version, "v\(index)", "the version of \(uri)")
                        try Expect.equal(
                            snapshot.record(at: uri), Sample.record("{\"n\":\(index)}"), "the record of \(uri)")
                    }
                    try Expect.equal(snapshot.counts()["tasks"]?.objects, ids.count, "objects in all")
                }
            },
            check("the number 1 and the text \"1\" name one object, whose wire type is the server's last") { store in
                let wireTypes: [ObjectID.WireType] = [.number, .string, .string, .number]
                for (index, wireType) in wireTypes.enumerated() {
                    let page = Sample.page([(.text(ObjectID("1", wireType)), "{}", nil)], sequence: Int64(10 + index))
                    try await store.absorb(page)
                    try await Expect.equal(
                        store.meta(at: Sample.task("1"))?.id, ObjectID("1", wireType), "the identifier, step \(index)")
                }
                try await Expect.equal(store.read { try $0.counts()["tasks"]?.objects }, 1, "objects in all")
            },
            check("absorb keeps the revision of an object that was edited here before") { store in
                let uri = Sample.task("1")
                let base = Sample.titled("base")
                var meta = Sample.synchronized(uri, base, version: "v", sequence: 3, revision: 6)
                meta.id = ObjectID("1", .number)
                try await store.change { [meta] transaction in
                    try transaction.upsert([(uri, base)])
                    try transaction.put([meta])
                }
                let same = try await store.absorb(
                    Sample.page([(.integer(1), base.description, "v")], sequence: 8))
                try Expect.equal(same.unchanged, 1, "an item like the base")
                try await Expect.equal(store.meta(at: uri), meta, "the meta object after it")
                let other = try await store.absorb(Sample.page([(.integer(1), "{\"a\":1}", "w")], sequence: 9))
                try Expect.equal(other.updated, 1, "an item unlike the base")
                meta.state = .synchronized(
                    MetaObject.Confirmed(base: Sample.record("{\"a\":1}"), version: "w", sequence: 9))
                try await Expect.equal(
                    store.read { try $0.object(at: uri) }, LocalObject(record: Sample.record("{\"a\":1}"), meta: meta),
                    "the object after it")
            },
            check("absorb leaves an object to the planner whose members own content has set since") { store in
                let uri = Sample.task("1")
                let base = Sample.titled("base")
                var meta = Sample.synchronized(uri, base, sequence: 3)
                meta.id = ObjectID("1", .number)
                meta.state = .synchronized(MetaObject.Confirmed(base: base, sequence: 3, stale: ["scan"]))
                try await store.change { [meta] transaction in
                    try transaction.upsert([(uri, base)])
                    try transaction.put([meta])
                }
                for json in [base.description, "{\"a\":1}"] {
                    let absorbed = try await store.absorb(Sample.page([(.integer(1), json, nil)], sequence: 8))
                    try Expect.equal(absorbed.deferred, [0], "what the planner decides about")
                }
                try await Expect.equal(store.meta(at: uri), meta, "the meta object after it")
            },
            check("an item that stands twice on a page is taken twice") { store in
                let page = Sample.page([
                    (.integer(1), "{\"a\":1}", nil), (.integer(1), "{\"a\":1}", nil), (.integer(1), "{\"a\":2}", nil),
                    (.text(ObjectID("x")), "{}", nil), (.text(ObjectID("x")), "{}", nil)
                ])
                let absorbed = try await store.absorb(page)
                var expected = Absorbed()
                expected.inserted = 2
                expected.unchanged = 2
                expected.updated = 1
                try Expect.equal(absorbed, expected, "what was done")
                try await Expect.equal(
                    store.record(at: Sample.task("1")), Sample.record("{\"a\":2}"), "the last of them")
            },
            check("what was absorbed can be edited, deleted and moved like any other object") { store in
                try await store.absorb(Sample.numbered(1...3))
                let uri = Sample.task("2")
                let base = Sample.record(#"{"id":2,"title":"old"}"#)
                let confirmed = MetaObject.Confirmed(base: base, sequence: 10)
                let meta = MetaObject(
                    uri: uri, id: ObjectID("2", .number),
                    state: .updated(confirmed, Change(idempotencyKey: "k")), revision: 1)
                try await store.change { transaction in
                    try transaction.upsert([(uri, Sample.titled("edited"))])
                    try Expect.equal(transaction.meta(at: uri)?.confirmed, confirmed, "the base after an edit")
                    try transaction.put([meta])
                    try transaction.changeIdentifier(from: Sample.task("3"), to: Sample.task("three"))
                    try transaction.changeMetaIdentifier(
                        from: Sample.task("3"), to: Sample.task("three"), id: ObjectID("three"))
                    try transaction.delete([Sample.task("1")])
                    try transaction.removeMeta([Sample.task("1")])
                }
                try await Expect.equal(
                    store.read { try $0.object(at: uri) }, LocalObject(record: Sample.titled("edited"), meta: meta),
                    "the edited object")
                let again = try await store.absorb(Sample.numbered(1...3, sequence: 11))
                var expected = Absorbed()
                expected.inserted = 2
                expected.deferred = [1]
                try Expect.equal(again, expected, "the next pull")
            }
        ]
    }
}
