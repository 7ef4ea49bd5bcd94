internal import Atmosphere

extension StoreSuite {
    var recordChecks: [ConformanceCheck] {
        [
            check("upsert creates and replaces, and keeps every byte") { store in
                let uri = Sample.task("1")
                let texts = [
                    #"{}"#, #"{"a":1}"#, #" { "b" : 1.10 , "b":2, "\u00e9\/" : "\ud83d\ude00" } "#,
                    #"{"long":"\#(String(repeating: "ä€😀", count: 20_000))"}"#
                ]
                for text in texts {
                    try await store.change { try $0.upsert([(uri, Sample.record(text))]) }
                    try await Expect.equal(store.record(at: uri), Sample.record(text), "the bytes of a record")
                }
            },
            check("a batch is written in its order") { store in
                let uri = Sample.task("1")
                try await store.change { transaction in
                    try transaction.upsert([
                        (uri, Sample.titled("1")), (Sample.task("2"), Sample.titled("2")), (uri, Sample.titled("3"))
                    ])
                    try transaction.upsert([])
                    try transaction.delete([])
                }
                try await Expect.equal(store.record(at: uri), Sample.titled("3"), "a record that stands twice")
            },
            check("an unknown object has neither record nor meta object, and deleting it is no error") { store in
                let uri = Sample.task("unknown")
                try await store.change { transaction in
                    try transaction.delete([uri])
                    try transaction.removeMeta([uri])
                    try transaction.changeIdentifier(from: uri, to: Sample.task("2"))
                    try transaction.changeMetaIdentifier(from: uri, to: Sample.task("2"), id: ObjectID("2"))
                }
                try await store.read { snapshot in
                    try Expect.equal(snapshot.record(at: uri), nil, "an unknown record")
                    try Expect.equal(snapshot.meta(at: uri), nil, "an unknown meta object")
                    try Expect.equal(snapshot.object(at: uri), nil, "an unknown object")
                    try Expect.equal(snapshot.alias(of: uri), nil, "the alias of an unknown object")
                    try Expect.equal(snapshot.record(at: Sample.task("2")), nil, "what a move of nothing made")
                    try Expect.equal(snapshot.counts(), [:], "the counts")
                }
            },
            check("record and meta object do not touch each other") { store in
                let uri = Sample.task("1")
                let meta = Sample.synchronized(uri, Sample.titled("base"), version: "v", sequence: 3)
                try await store.change { transaction in
                    try transaction.upsert([(uri, Sample.titled("base"))])
                    try transaction.put([meta])
                }
                try await Expect.equal(
                    store.read { try $0.object(at: uri) }, LocalObject(record: Sample.titled("base"), meta: meta),
                    "record and meta object together")
                try await store.change { try $0.upsert([(uri, Sample.titled("edited"))]) }
                try await Expect.equal(store.meta(at: uri), meta, "the meta object after an upsert")
                try await store.change { try $0.delete([uri]) }
                try await Expect.equal(store.meta(at: uri), meta, "the meta object after a delete")
                try await Expect.equal(store.record(at: uri), nil, "the record after a delete")
                try await store.change { transaction in
                    try transaction.upsert([(uri, Sample.titled("new"))])
                    try transaction.removeMeta([uri])
                }
                try await Expect.equal(store.record(at: uri), Sample.titled("new"), "the record without meta object")
                try await Expect.equal(store.meta(at: uri), nil, "the meta object after its removal")
                try await Expect.equal(
                    store.read { try $0.object(at: uri) }, nil, "an object that synchronization does not know")
            },
            check("changing an identifier moves the record, byte for byte, and nothing else") { store in
                let old = Sample.task("temporary")
                let record = Sample.record(#"{ "id" : "temporary" }"#)
                let meta = Sample.created(old)
                for new in ["7", "text/7", "8"].map(Sample.task) {
                    try await store.change { transaction in
                        try transaction.upsert([(old, record)])
                        try transaction.put([meta])
                        try transaction.changeIdentifier(from: old, to: new)
                    }
                    try await Expect.equal(store.record(at: old), nil, "the record under the old identifier")
                    try await Expect.equal(store.record(at: new), record, "the record under the new identifier")
                    try await Expect.equal(store.meta(at: old), meta, "the meta object, which stays")
                    try await Expect.equal(store.meta(at: new), nil, "a meta object under the new identifier")
                }
                try await store.change { try $0.changeIdentifier(from: Sample.task("7"), to: Sample.task("7")) }
                try await Expect.equal(store.record(at: Sample.task("7")), record, "a record moved to itself")
            },
            check("a taken identifier is refused, and nothing changes") { store in
                let one = Sample.task("1")
                let two = Sample.task("two")
                try await store.change { transaction in
                    try transaction.upsert([(one, Sample.titled("1")), (two, Sample.titled("2"))])
                    try transaction.put([Sample.created(one), Sample.created(two)])
                    try Expect.equal(
                        code(of: { try transaction.changeIdentifier(from: one, to: two) }), .identifierTaken,
                        "a move of the record onto another object")
                    try Expect.equal(
                        code(of: { try transaction.changeMetaIdentifier(from: one, to: two, id: ObjectID("two")) }),
                        .identifierTaken, "a move of the meta object onto another object")
                }
                try await store.read { snapshot in
                    try Expect.equal(snapshot.record(at: one), Sample.titled("1"), "the first record")
                    try Expect.equal(snapshot.record(at: two), Sample.titled("2"), "the second record")
                    try Expect.equal(snapshot.meta(at: one), Sample.created(one), "the first meta object")
                    try Expect.equal(snapshot.meta(at: two), Sample.created(two), "the second meta object")
                    try Expect.equal(snapshot.alias(of: one), nil, "an alias")
                }
            }
        ]
    }

    var identifierChecks: [ConformanceCheck] {
        let odd = [
            "0", "1", "01", "+1", "-1", "1.0", "1e0", "9223372036854775807", "9223372036854775808",
            "4611686018427387905", "a/b", "a/b/c", "/", "//", "a.b", ".", "..", "%2F", "'", "\"", "a\nb", "\0",
            "a\0b", "a\0c", " ", " 1", "é", "e\u{301}", "😀", "日本語", "null", "A", "a", "٣",
            String(repeating: "x", count: 20_000), String(repeating: "x", count: 20_001)
        ]
        return [
            check("identifiers of every kind are kept apart") { store in
                try await store.change { transaction in
                    for (index, id) in odd.enumerated() {
                        try transaction.upsert([(Sample.task(id), Sample.titled("\(index)"))])
                        try transaction.put([Sample.updated(Sample.task(id), base: Sample.titled("\(index)"))])
                    }
                }
                try await store.read { snapshot in
                    for (index, id) in odd.enumerated() {
                        try Expect.equal(
                            snapshot.record(at: Sample.task(id)), Sample.titled("\(index)"), "the record of \(id)")
                        try Expect.equal(
                            snapshot.meta(at: Sample.task(id)),
                            Sample.updated(Sample.task(id), base: Sample.titled("\(index)")),
                            "the meta object of \(id)")
                    }
                    try Expect.equal(snapshot.counts()["tasks"]?.objects, odd.count, "how many there are")
                }
                try await store.change { transaction in
                    for id in odd {
                        try transaction.delete([Sample.task(id)])
                        try transaction.removeMeta([Sample.task(id)])
                    }
                }
                try await Expect.equal(store.read { try $0.counts() }, [:], "the counts when all are gone")
            },
            check("queries and changes come in the order of ObjectURI, whatever was first") { store in
                let inOrder = Sample.tasks(odd).sorted()
                try await store.change { transaction in
                    for uri in inOrder.reversed() {
                        try transaction.upsert([(uri, Sample.titled("x"))])
                        try transaction.put([Sample.updated(uri)])
                    }
                }
                try await store.read { snapshot in
                    var found: [ObjectURI] = []
                    try snapshot.records(matching: Query("tasks")) { uri, _ in
                        found.append(uri)
                        return true
                    }
                    try Expect.equal(found, inOrder, "the order of a query")
                    for limit in [1, 3, 1_000] {
                        try Expect.equal(
                            Self.allChanged(snapshot, pagesOf: limit), inOrder, "changes in pages of \(limit)")
                    }
                }
            },
            check("entities are kept apart, whatever they are called") { store in
                let entities = ["tasks", "Tasks", "käse", "a b", "x\"y", "select", "'; DROP TABLE entity; --", "1"]
                try await store.change { transaction in
                    for entity in entities {
                        try transaction.upsert([(Sample.uri(entity, "1"), Sample.titled("\(entity.utf8.count)"))])
                    }
                    try transaction.delete([Sample.uri("Tasks", "1")])
                }
                try await store.read { snapshot in
                    for entity in entities {
                        try Expect.equal(
                            snapshot.record(at: Sample.uri(entity, "1")),
                            entity == "Tasks" ? nil : Sample.titled("\(entity.utf8.count)"), "1 of \(entity)")
                    }
                    try Expect.equal(Set(try snapshot.counts().keys), Set(entities).subtracting(["Tasks"]), "entities")
                }
            }
        ]
    }

    /// Everything that is not synchronized, asked for in pages.
    static func allChanged(
        _ snapshot: any StoreSnapshot, entity: String? = nil, pagesOf limit: Int
    ) throws -> [ObjectURI] {
        var found: [ObjectURI] = []
        while true {
            let page = try snapshot.changed(entity: entity, after: found.last, limit: limit)
            try Expect.that(page.count <= limit, "more changes than the limit of \(limit)")
            found += page.map(\.uri)
            if page.count < limit { return found }
        }
    }
}
