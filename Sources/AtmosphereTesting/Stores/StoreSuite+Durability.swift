internal import Atmosphere

extension StoreSuite {
    var durabilityChecks: [ConformanceCheck] {
        let locks = [
            check("one at a time holds the push lock, and a second release gives nothing back") { store in
                guard let first = try await store.lockForPush() else {
                    throw ConformanceFailure("the push lock of a new store must be free")
                }
                try await Expect.that(store.lockForPush() == nil, "a held push lock must not be given out")
                first.release()
                guard let second = try await store.lockForPush() else {
                    throw ConformanceFailure("a released push lock must be free")
                }
                first.release()
                try await Expect.that(
                    store.lockForPush() == nil, "a second release must not give back what another holds")
                second.release()
            }
        ]
        guard let reopen else { return locks }
        return locks + [
            check("everything survives closing and opening again") { store in
                try await Self.fill(store)
                let before = try await Self.contents(store)
                try await store.close()
                let opened = try await reopen(store)
                let after = try await Self.contents(opened)
                try await opened.close()
                for (name, value) in before { try Expect.equal(after[name], value, "\(name) after opening again") }
            },
            check("work goes on after opening again as if nothing had been") { store in
                try await Self.fill(store)
                try await store.close()
                let opened = try await reopen(store)
                let page = Sample.page([
                    (.integer(1), #"{"id":1,"title":"old"}"#, nil), (.text(ObjectID("new")), "{}", nil),
                    (.text(ObjectID("text")), "{}", nil), (.integer(4), "{}", nil)
                ])
                let absorbed = try await opened.absorb(page)
                let counts = try await opened.read { try $0.counts() }
                try await opened.close()
                var expected = Absorbed()
                expected.inserted = 2
                expected.unchanged = 1
                expected.deferred = [2]
                try Expect.equal(absorbed, expected, "what the next pull did")
                try Expect.equal(counts["tasks"]?.objects, 7, "objects in all")
            },
            check("of two stores on the same data, as two processes have them, one holds the push lock") { store in
                guard let lock = try await store.lockForPush() else {
                    throw ConformanceFailure("the push lock of a new store must be free")
                }
                let other: any Store
                do {
                    other = try await reopen(store)
                } catch let refusal as StoreError {
                    // One at a time may have the data open, so that there is no other pusher either.
                    lock.release()
                    try await store.close()
                    do {
                        return try await reopen(store).close()
                    } catch {
                        throw ConformanceFailure(
                            "the data cannot be opened beside the first store (\(refusal)), nor after that was closed: "
                                + "\(error)")
                    }
                }
                do {
                    try await Self.checkLocks(store, lock, other)
                } catch {
                    try? await other.close()
                    throw error
                }
                try await other.close()
            },
            check("of two stores on the same data, as two processes have them, each keeps what the other has written") {
                store in
                let uris = Sample.tasks(["1", "2", "3"])
                try await store.change { try $0.upsert([(uris[0], Sample.titled("first"))]) }
                let other: any Store
                do {
                    other = try await reopen(store)
                } catch is StoreError {
                    return  // One at a time.
                }
                do {
                    try await Expect.noting {
                        try await other.change { try $0.upsert([(uris[1], Sample.titled("second"))]) }
                        try await store.change { try $0.upsert([(uris[2], Sample.titled("third"))]) }
                        for (one, name) in [(store, "the first store"), (other, "the second store")] {
                            try await one.checkForOtherWriters()
                            try await Expect.equal(
                                one.read { try Self.ids(Query("tasks"), $0) }, uris.map(\.id), "what \(name) holds")
                        }
                    }
                } catch {
                    try? await other.close()
                    throw error
                }
                try await other.close()
            }
        ]
    }

    /// - Parameter lock: held by the first one.
    private static func checkLocks(_ first: any Store, _ lock: HeldLock, _ second: any Store) async throws {
        try await Expect.noting {
            try await Expect.that(
                second.lockForPush() == nil,
                "a push lock that another store on the same data holds must not be given out")
            lock.release()
            guard let other = try await second.lockForPush() else {
                throw ConformanceFailure("a push lock that another store on the same data has released must be free")
            }
            try await Expect.that(
                first.lockForPush() == nil, "a push lock that the second store holds must not be given out by the first"
            )
            other.release()
        }
    }

    private static func fill(_ store: any Store) async throws {
        try await store.absorb(Sample.numbered(1...3))
        let texts = Sample.task("text")
        try await store.write(.power, origin: .application) { transaction in
            try transaction.upsert([
                (texts, Sample.record(#" { "spaced" : "\u0041" } "#)), (Sample.task("x"), Sample.titled("é"))
            ])
            for (index, meta) in (Sample.changes(texts) + Sample.attached(texts)).enumerated() {
                var meta = meta
                meta.uri = Sample.uri("changes", "\(index)")
                try transaction.put([meta])
            }
            try transaction.put([Sample.updated(texts), Sample.created(Sample.task("y"), waitsFor: [texts])])
            try transaction.changeMetaIdentifier(from: Sample.task("y"), to: Sample.task("z"), id: ObjectID("z"))
            try transaction.put(
                PullCursor(checkpoint: "c", underway: .init(number: 20, isFull: false)),
                for: PullScope(entity: "tasks", parent: "p"))
            try transaction.raiseSequence(to: 77)
            try transaction.beginListing(entity: "tasks", listing: 20)
        }
        let page = Sample.numbered([2], sequence: 20, listing: 20)
        _ = try await store.write(.process, origin: .pull) { try $0.absorb(page, items: 0..<1) }
        try await store.write(.power, origin: .application) { transaction in
            try transaction.delete([Sample.task("3")])
            try transaction.upsert([(Sample.task("deleted"), Sample.titled("a"))])
            try transaction.delete([Sample.task("deleted")])
            try transaction.upsert([(Sample.task("z"), Sample.titled("z"))])
        }
    }

    /// Everything that can be read, as texts to compare.
    private static func contents(_ store: any Store) async throws -> [String: String] {
        try await store.change { transaction in
            var all: [String: String] = [:]
            for entity in ["tasks", "changes"] {
                var records: [String] = []
                try transaction.records(matching: Query(entity)) { uri, record in
                    records.append("\(uri) \(record) \(String(describing: try transaction.meta(at: uri)))")
                    return true
                }
                all["the records of \(entity)"] = records.joined(separator: "\n")
            }
            all["what is changed"] = "\(try transaction.changed(entity: nil, after: nil, limit: 1_000))"
            all["the aliases"] = "\(String(describing: try transaction.alias(of: Sample.task("y"))))"
            all["the dependents"] = "\(try transaction.dependents(of: Sample.task("text")))"
            all["the cursors"] = "\(try transaction.cursors(entity: "tasks"))"
            all["the sequence"] = "\(try transaction.highestSequence())"
            all["the listing's notes"] = "\(try allUnlisted(transaction, listing: 20, pagesOf: 10))"
            all["the counts"] = "\(try transaction.counts().sorted { $0.key < $1.key })"
            return all
        }
    }
}
