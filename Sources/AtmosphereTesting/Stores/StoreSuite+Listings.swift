internal import Atmosphere

extension StoreSuite {
    var listingChecks: [ConformanceCheck] {
        [
            check("unlisted gives what a listing did not show, ascending, in pages") { store in
                let texts = Sample.page((1...20).map { (.text(ObjectID("t\($0)")), "{}", nil) }, sequence: 5)
                try await store.absorb(Sample.numbered(1...300, sequence: 5))
                try await store.absorb(texts)
                try await store.change { try $0.beginListing(entity: "tasks", listing: 10) }
                try await store.absorb(Sample.numbered(1...200, sequence: 10, listing: 10))
                let shown = Sample.page(
                    (5...20).map { (.text(ObjectID("t\($0)")), "{}", nil) }, sequence: 11, listing: 10)
                try await store.absorb(shown)
                try await store.absorb(Sample.numbered(301...310, sequence: 12, listing: 10))
                let expected = (201...300).map { Sample.task("\($0)") } + Sample.tasks(["t1", "t2", "t3", "t4"])
                try await store.change { transaction in
                    for limit in [1, 7, 100, 104, 1_000] {
                        try Expect.equal(
                            Self.allUnlisted(transaction, listing: 10, pagesOf: limit), expected,
                            "what was not shown, in pages of \(limit)")
                    }
                }
            },
            check("what is not synchronized, or was confirmed since, is not missing from a listing") { store in
                try await store.absorb(Sample.numbered(1...8, sequence: 5))
                try await store.change { transaction in
                    try transaction.beginListing(entity: "tasks", listing: 10)
                    try transaction.put([Sample.updated(Sample.task("1"))])
                    try transaction.delete([Sample.task("2")])
                    try transaction.removeMeta([Sample.task("3")])
                    let record = Sample.record(#"{"id":4,"title":"old"}"#)
                    try transaction.put([Sample.synchronized(Sample.task("4"), record, sequence: 10)])
                    let five = Sample.record(#"{"id":5,"title":"old"}"#)
                    try transaction.put([Sample.synchronized(Sample.task("5"), five, sequence: 9, revision: 3)])
                }
                try await store.absorb(Sample.numbered([6], title: "new", sequence: 10))
                try await Expect.equal(
                    store.change { try Self.allUnlisted($0, listing: 10, pagesOf: 10) },
                    Sample.tasks(["5", "7", "8"]), "what may be missing")
            },
            check("an item that the engine must decide was shown all the same") { store in
                try await store.absorb(Sample.numbered(1...4, sequence: 5))
                try await store.change { transaction in
                    try transaction.beginListing(entity: "tasks", listing: 10)
                    try transaction.put([Sample.updated(Sample.task("1"))])
                    let two = Sample.record(#"{"id":2,"title":"old"}"#)
                    try transaction.put([Sample.synchronized(Sample.task("2"), two, sequence: 99, revision: 2)])
                }
                var page = Sample.numbered(1...3, sequence: 10, listing: 10)
                page.items[2].isDeleted = true
                let absorbed = try await store.absorb(page)
                try Expect.equal(absorbed.deferred, [0, 1, 2], "what was deferred")
                try await store.change { transaction in
                    for id in ["1", "2"] {
                        let record = Sample.record("{\"id\":\(id),\"title\":\"old\"}")
                        try transaction.put([Sample.synchronized(Sample.task(id), record, sequence: 6)])
                    }
                }
                try await Expect.equal(
                    store.change { try Self.allUnlisted($0, listing: 10, pagesOf: 10) },
                    Sample.tasks(["4"]), "what was not shown")
            },
            check("a new listing forgets the notes of the one before") { store in
                try await store.absorb(Sample.numbered(1...3, sequence: 5))
                try await store.change { try $0.beginListing(entity: "tasks", listing: 10) }
                try await store.absorb(Sample.numbered(1...2, sequence: 10, listing: 10))
                try await store.change { try $0.beginListing(entity: "tasks", listing: 20) }
                try await store.absorb(Sample.numbered(2...2, sequence: 20, listing: 20))
                // A late page of the earlier listing says nothing about this one.
                try await store.absorb(Sample.numbered(3...3, sequence: 11, listing: 10))
                try await store.change { transaction in
                    try Expect.equal(
                        Self.allUnlisted(transaction, listing: 20, pagesOf: 10),
                        Sample.tasks(["1", "3"]), "what the new listing did not show")
                    try Expect.equal(
                        Self.allUnlisted(transaction, listing: 10, pagesOf: 10), [],
                        "what a listing without notes did not show")
                }
                try await store.change { try $0.endListing(entity: "tasks") }
                try await Expect.equal(
                    store.change { try Self.allUnlisted($0, listing: 20, pagesOf: 10) }, [],
                    "what an ended listing did not show")
            },
            check("pages of no listing, and other entities, leave no notes") { store in
                try await store.absorb(Sample.numbered(1...2, sequence: 5))
                try await store.change { transaction in
                    try transaction.beginListing(entity: "tasks", listing: 10)
                    try transaction.beginListing(entity: "lists", listing: 10)
                }
                try await store.absorb(Sample.numbered(1...1, sequence: 10))
                var other = Sample.numbered(2...2, sequence: 10, listing: 10)
                other.entity = "lists"
                try await store.absorb(other)
                try await Expect.equal(
                    store.change { try Self.allUnlisted($0, listing: 10, pagesOf: 10) },
                    Sample.tasks(["1", "2"]), "what was not shown")
                try await store.change { try $0.endListing(entity: "never begun") }
            },
            check("an identifier that is given away during a listing takes no notes along") { store in
                let x = Sample.task("x")
                try await store.absorb(Sample.page([(.text(ObjectID("x")), "{}", nil)], sequence: 5))
                try await store.change { try $0.beginListing(entity: "tasks", listing: 10) }
                try await store.absorb(Sample.page([(.text(ObjectID("x")), "{}", nil)], sequence: 10, listing: 10))
                try await store.change { transaction in
                    try transaction.delete([x])
                    try transaction.removeMeta([x])
                    try transaction.upsert([(Sample.task("y"), Sample.titled("y"))])
                    try transaction.put([Sample.synchronized(Sample.task("y"), Sample.titled("y"), sequence: 6)])
                }
                try await Expect.equal(
                    store.change { try Self.allUnlisted($0, listing: 10, pagesOf: 10) },
                    Sample.tasks(["y"]), "what was not shown")
            }
        ]
    }

    static func allUnlisted(
        _ transaction: any StoreTransaction, listing: Int64, pagesOf limit: Int
    ) throws -> [ObjectURI] {
        var found: [ObjectURI] = []
        while true {
            let page = try transaction.unlisted(entity: "tasks", listing: listing, after: found.last, limit: limit)
            try Expect.that(page.count <= limit, "more than the limit of \(limit)")
            found += page
            if page.count < limit { return found }
        }
    }
}
