internal import Atmosphere

extension StoreSuite {
    var metaChecks: [ConformanceCheck] {
        [
            check("a meta object comes back as it was put, in every state") { store in
                let uri = Sample.task("1")
                let base = Sample.titled("base")
                var metas = Sample.changes(uri)
                for wireType in [ObjectID.WireType.string, .number, .temporary] {
                    metas.append(Sample.synchronized(uri, base, version: "v", sequence: 5, wireType: wireType))
                }
                metas.append(Sample.synchronized(uri, base, sequence: 5, revision: 2))
                var other = Sample.synchronized(uri, base)
                other.id = ObjectID("another", .number)
                metas.append(other)
                other.waitsFor = [Sample.task("2")]
                metas.append(other)
                // A plain row has no room for these.
                var stale = Sample.synchronized(uri, base)
                stale.state = .synchronized(MetaObject.Confirmed(base: base, sequence: 5, stale: ["scan", "photo"]))
                metas.append(stale)
                for record in [nil, base, Sample.titled("edited")] {
                    for meta in metas {
                        try await store.change { transaction in
                            try transaction.put([meta])
                            if let record {
                                try transaction.upsert([(uri, record)])
                            } else {
                                try transaction.delete([uri])
                            }
                        }
                        try await store.read { snapshot in
                            try Expect.equal(snapshot.meta(at: uri), meta, "the meta object")
                            try Expect.equal(
                                snapshot.object(at: uri), LocalObject(record: record, meta: meta), "the object")
                            let isChanged = try !snapshot.changed(entity: nil, after: nil, limit: 10).isEmpty
                            try Expect.equal(isChanged, meta.isChanged, "whether \(meta.state) is changed")
                        }
                    }
                }
            },
            check(
                "contents that wait to be uploaded stay with their object, in their order, also under another identifier"
            ) {
                store in
                let uri = Sample.task("1")
                let moved = Sample.task("7")
                for meta in Sample.attached(uri) {
                    try await store.change { transaction in
                        try transaction.upsert([(uri, Sample.titled("base"))])
                        try transaction.put([meta])
                    }
                    try await store.read { snapshot in
                        try Expect.equal(snapshot.meta(at: uri), meta, "the meta object")
                        let changed = try snapshot.changed(entity: "tasks", after: nil, limit: 10)
                        try Expect.equal(changed, [meta], "what is changed")
                    }
                    try await store.change { transaction in
                        try transaction.changeIdentifier(from: uri, to: moved)
                        try transaction.changeMetaIdentifier(from: uri, to: moved, id: ObjectID("7"))
                    }
                    try await store.read { snapshot in
                        try Expect.equal(
                            snapshot.meta(at: moved)?.uploads, meta.uploads, "the uploads under the new identifier")
                    }
                    try await store.change { transaction in
                        try transaction.delete([moved])
                        try transaction.removeMeta([moved])
                        var plain = Sample.synchronized(uri, Sample.titled("base"))
                        try transaction.upsert([(uri, Sample.titled("base"))])
                        try transaction.put([plain])
                        plain = Sample.updated(uri)
                        try transaction.put([plain])
                    }
                    try await store.read { snapshot in
                        try Expect.equal(snapshot.meta(at: uri)?.uploads, [], "the uploads that are done")
                    }
                }
            },
            check("changed gives what is not synchronized, ascending, in pages") { store in
                let entities = ["a", "b", "c"]
                try await store.change { transaction in
                    for entity in entities {
                        for number in (1...30).reversed() {
                            let uri = Sample.uri(entity, number % 3 == 0 ? "t\(number)" : "\(number)")
                            try transaction.upsert([(uri, Sample.titled("x"))])
                            try transaction.put([
                                number % 2 == 0
                                    ? Sample.updated(uri) : Sample.synchronized(uri, Sample.titled("x"))
                            ])
                        }
                    }
                    try transaction.upsert([(Sample.uri("a", "alone"), Sample.titled("no meta object"))])
                }
                @Sendable func expected(_ entity: String) -> [ObjectURI] {
                    (1...30).filter { $0 % 2 == 0 }
                        .map { Sample.uri(entity, $0 % 3 == 0 ? "t\($0)" : "\($0)") }.sorted()
                }
                let b = expected("b")
                let all = entities.flatMap(expected)
                try await store.read { snapshot in
                    for limit in [1, 4, 15, 100] {
                        try Expect.equal(
                            Self.allChanged(snapshot, entity: "b", pagesOf: limit), b, "changes of b by \(limit)")
                        try Expect.equal(Self.allChanged(snapshot, pagesOf: limit), all, "all changes by \(limit)")
                    }
                    try Expect.equal(Self.allChanged(snapshot, entity: "unknown", pagesOf: 5), [], "changes of nothing")
                    let between = try snapshot.changed(entity: nil, after: Sample.uri("b", "zz"), limit: 1).map(\.uri)
                    try Expect.equal(between, [expected("c")[0]], "the first change after b/zz")
                }
                try await store.change { transaction in
                    for uri in b { try transaction.put([Sample.synchronized(uri, Sample.titled("x"))]) }
                }
                try await Expect.equal(
                    store.read { try Self.allChanged($0, entity: "b", pagesOf: 5) }, [], "changes once synchronized")
            },
            check("a moved meta object leaves an alias, and aliases are followed to the end") { store in
                let uris = Sample.tasks(["temporary", "1", "two", "3"])
                try await store.change { try $0.put([Sample.created(uris[0])]) }
                for (from, to) in zip(uris, uris.dropFirst()) {
                    try await store.change {
                        try $0.changeMetaIdentifier(from: from, to: to, id: ObjectID(to.id, .number))
                    }
                }
                var expected = Sample.created(uris[3])
                expected.id = ObjectID("3", .number)
                try await Expect.equal(store.meta(at: uris[3]), expected, "the meta object at its last place")
                try await store.read { [expected] snapshot in
                    for uri in uris.dropLast() {
                        try Expect.equal(snapshot.meta(at: uri), nil, "the meta object at \(uri)")
                        try Expect.equal(snapshot.alias(of: uri), uris[3], "the alias of \(uri)")
                    }
                    try Expect.equal(snapshot.alias(of: uris[3]), nil, "the alias of the present URI")
                    try Expect.equal(snapshot.formerURIs(of: uris[3]), [uris[2]], "what it was directly before")
                    try Expect.equal(snapshot.formerURIs(of: uris[0]), [], "what was never anything else")
                    try Expect.equal(
                        snapshot.changed(entity: nil, after: nil, limit: 9), [expected], "what is changed")
                }
            },
            check("an object that moves back leaves no circle of aliases") { store in
                let one = Sample.task("1")
                let two = Sample.task("2")
                try await store.change { transaction in
                    try transaction.put([Sample.created(one)])
                    try transaction.changeMetaIdentifier(from: one, to: two, id: ObjectID("2"))
                    try transaction.changeMetaIdentifier(from: two, to: one, id: ObjectID("1"))
                }
                try await Expect.equal(store.read { try $0.alias(of: one) }, nil, "the alias of the live object")
                try await Expect.equal(store.read { try $0.alias(of: two) }, one, "the alias of where it was")
            },
            check("an object that comes to stand at a former URI goes before the alias of it") { store in
                for way in ["put", "move", "page"] {
                    let (first, former) = (Sample.task("first-\(way)"), Sample.task("former-\(way)"))
                    let (present, spare) = (Sample.task("present-\(way)"), Sample.task("spare-\(way)"))
                    try await store.change { transaction in
                        try transaction.put([Sample.created(first)])
                        for (from, to) in [(first, former), (former, present)] {
                            try transaction.changeMetaIdentifier(from: from, to: to, id: ObjectID(to.id))
                        }
                        try place(at: former, by: way, from: spare, in: transaction)
                    }
                    try await store.read { snapshot in
                        try Expect.equal(snapshot.alias(of: former), nil, "the alias of the object by a \(way)")
                        try Expect.equal(snapshot.alias(of: first), present, "what it was before that")
                        try Expect.equal(snapshot.formerURIs(of: present), [first], "the former URIs that are left")
                    }
                    try await store.change { try $0.removeMeta([former]) }
                    try await Expect.equal(store.read { try $0.alias(of: former) }, nil, "the alias once that is gone")
                }
            },
            check("an alias of an object that is gone leads to no other") { store in
                for way in ["put", "move", "page"] {
                    let (first, former) = (Sample.task("first-\(way)"), Sample.task("former-\(way)"))
                    let (present, spare) = (Sample.task("present-\(way)"), Sample.task("spare-\(way)"))
                    try await store.change { transaction in
                        try transaction.put([Sample.created(first)])
                        for (from, to) in [(first, former), (former, present)] {
                            try transaction.changeMetaIdentifier(from: from, to: to, id: ObjectID(to.id))
                        }
                        try transaction.removeMeta([present])
                        try place(at: present, by: way, from: spare, in: transaction)
                    }
                    try await store.read { snapshot in
                        for uri in [first, former] {
                            try Expect.equal(snapshot.alias(of: uri), nil, "the alias of \(uri) after a \(way)")
                        }
                        let left = way == "move" ? [spare] : []
                        try Expect.equal(snapshot.formerURIs(of: present), left, "the former URIs of the new object")
                    }
                }
            },
            check("an alias can be left to an object, and none from one") { store in
                let (one, two, former) = (Sample.task("1"), Sample.task("2"), Sample.task("former"))
                try await store.change { transaction in
                    try transaction.put([Sample.created(one), Sample.created(two)])
                    try transaction.putAlias(of: former, to: one)
                    try transaction.putAlias(of: two, to: one)
                }
                try await Expect.equal(store.read { try $0.alias(of: former) }, one, "the alias")
                try await Expect.equal(store.read { try $0.alias(of: two) }, nil, "the alias of the other object")
            },
            check("record and meta object move together in either order") { store in
                for (index, recordFirst) in [true, false].enumerated() {
                    let old = Sample.task("old\(index)")
                    let new = Sample.task("\(index)")
                    let base = Sample.titled("base")
                    try await store.change { transaction in
                        try transaction.upsert([(old, base)])
                        try transaction.put([Sample.synchronized(old, base)])
                        if recordFirst { try transaction.changeIdentifier(from: old, to: new) }
                        try transaction.changeMetaIdentifier(from: old, to: new, id: ObjectID(new.id))
                        if !recordFirst { try transaction.changeIdentifier(from: old, to: new) }
                    }
                    try await Expect.equal(
                        store.read { try $0.object(at: new) },
                        LocalObject(record: base, meta: Sample.synchronized(new, base)), "the object that moved")
                    try await Expect.equal(store.record(at: old), nil, "the record where it was")
                }
            },
            check("dependents are those whose meta object waits for the URI") { store in
                let parent = Sample.uri("lists", "p")
                let other = Sample.uri("lists", "7")
                let children = Sample.tasks(["9", "10", "c"])
                try await store.change { transaction in
                    for child in children { try transaction.put([Sample.created(child, waitsFor: [parent, other])]) }
                }
                try await Expect.equal(
                    store.read { Set(try $0.dependents(of: parent)) }, Set(children), "the dependents")
                try await store.change { transaction in
                    try transaction.put([Sample.created(children[0], waitsFor: [other])])
                    try transaction.removeMeta([children[1]])
                    try transaction.changeMetaIdentifier(from: children[2], to: Sample.task("d"), id: ObjectID("d"))
                }
                try await store.read { snapshot in
                    try Expect.equal(
                        snapshot.dependents(of: parent), [Sample.task("d")], "the dependents after the changes")
                    try Expect.equal(
                        Set(try snapshot.dependents(of: other)), [children[0], Sample.task("d")], "the other's")
                    try Expect.equal(snapshot.dependents(of: children[0]), [], "the dependents of a child")
                }
            },
            check("counts say how many objects there are in which state") { store in
                let uris = Sample.changes(Sample.task("x")).indices.map { Sample.task("\($0)") }
                let metas = zip(uris, Sample.changes(Sample.task("x"))).map { uri, meta in
                    var meta = meta
                    meta.uri = uri
                    return meta
                }
                var expected = StateCounts()
                for meta in metas { expected.count(meta) }
                expected.objects = 3
                try await store.absorb(Sample.numbered(1_000...1_001))
                try await store.change { [metas] transaction in
                    try transaction.put(metas)
                    try transaction.upsert([(uris[0], Sample.titled("a")), (uris[0], Sample.titled("b"))])
                    try transaction.upsert([(Sample.uri("lists", "1"), Sample.titled("a"))])
                    try transaction.upsert([(Sample.uri("lists", "2"), Sample.titled("a"))])
                    try transaction.delete([Sample.uri("lists", "2"), Sample.uri("lists", "3")])
                }
                var list = StateCounts()
                list.objects = 1
                let counts = try await store.read { try $0.counts() }
                try Expect.equal(counts, ["tasks": expected, "lists": list], "the counts")
            }
        ]
    }

    var cursorChecks: [ConformanceCheck] {
        [
            check("cursors are kept by entity and parent") { store in
                let scopes = [
                    PullScope(entity: "tasks"), PullScope(entity: "tasks", parent: ""),
                    PullScope(entity: "tasks", parent: "a/b"), PullScope(entity: "lists")
                ]
                let full = PullCursor(
                    checkpoint: "2024-01-01T00:00:00Z",
                    complete: .init(
                        ended: Timestamp(milliseconds: 1_700_000_000_123),
                        fullEnded: Timestamp(milliseconds: 1_600_000_000_123), identity: "me",
                        tag: .init(text: "W/\"7\"", target: "/tasks?x=1")),
                    underway: .init(
                        number: 5, isFull: false, tentative: "\"ü\"",
                        position: .init(
                            target: "/tasks?page=2", total: 7, last: .init(id: "a/ü", change: "\u{1F600}"))),
                    begunAs: "you", server: "example.org/api", request: "GET tasks", members: ["2", "1", "ü"],
                    refused: Timestamp(milliseconds: 1_650_000_000_000))
                try await store.change { transaction in
                    try transaction.put(full, for: scopes[0])
                    try transaction.put(PullCursor(checkpoint: ""), for: scopes[1])
                    try transaction.put(PullCursor(), for: scopes[2])
                    try transaction.put(PullCursor(checkpoint: "lost"), for: scopes[3])
                    try transaction.put(PullCursor(checkpoint: "last"), for: scopes[3])
                }
                try await store.read { snapshot in
                    try Expect.equal(snapshot.cursor(for: scopes[0]), full, "a cursor with everything")
                    try Expect.equal(snapshot.cursor(for: scopes[1]), PullCursor(checkpoint: ""), "an empty cursor")
                    try Expect.equal(snapshot.cursor(for: scopes[2]), PullCursor(), "a cursor with nothing")
                    try Expect.equal(
                        snapshot.cursor(for: scopes[3]), PullCursor(checkpoint: "last"), "a replaced cursor")
                    try Expect.equal(
                        snapshot.cursor(for: PullScope(entity: "lists", parent: "a/b")), nil, "an unknown scope")
                    let tasks = try snapshot.cursors(entity: "tasks")
                    try Expect.equal(Set(tasks.map(\.scope)), Set(scopes[..<3]), "the scopes of tasks")
                    try Expect.equal(tasks.first { $0.scope == scopes[0] }?.cursor, full, "the listed cursor")
                }
                try await store.change { transaction in
                    try transaction.removeCursor(for: scopes[0])
                    try transaction.removeCursor(for: scopes[0])
                }
                try await store.read { snapshot in
                    try Expect.equal(snapshot.cursor(for: scopes[0]), nil, "a removed cursor")
                    try Expect.equal(snapshot.cursors(entity: "tasks").count, 2, "the cursors that are left")
                }
            },
            check("the highest sequence only rises") { store in
                try await Expect.equal(store.read { try $0.highestSequence() }, 0, "the sequence of a new store")
                for (raised, expected) in [(5, 5), (3, 5), (5, 5), (Int64.max, Int64.max)] as [(Int64, Int64)] {
                    try await store.change { try $0.raiseSequence(to: raised) }
                    try await Expect.equal(
                        store.read { try $0.highestSequence() }, expected, "the sequence raised to \(raised)")
                }
            }
        ]
    }

    /// An object comes to stand where none is: put there, moved there from `spare`, or with a page.
    private func place(
        at uri: ObjectURI, by way: String, from spare: ObjectURI, in transaction: any StoreTransaction
    ) throws {
        switch way {
        case "put": try transaction.put([Sample.created(uri)])
        case "move":
            try transaction.put([Sample.created(spare)])
            try transaction.changeMetaIdentifier(from: spare, to: uri, id: ObjectID(uri.id))
        default:
            let page = Sample.page([(.text(ObjectID(uri.id)), #"{"title":"new"}"#, nil)])
            _ = try transaction.absorb(page, items: 0..<1)
        }
    }
}
