internal import Atmosphere
internal import Synchronization

/// What the checks' closures throw.
private struct Refusal: Error, Equatable {
    var number: Int
}

extension StoreSuite {
    var transactionChecks: [ConformanceCheck] {
        [
            check("what the closure returns or throws comes back unchanged") { store in
                let result = try await store.change { _ in 42 }
                try Expect.equal(result, 42, "the result of a write")
                let read = try await store.read { _ in "text" }
                try Expect.equal(read, "text", "the result of a read")
                for number in 1...2 {
                    do {
                        if number == 1 {
                            try await store.change { _ in throw Refusal(number: 1) }
                        } else {
                            try await store.read { _ in throw Refusal(number: 2) }
                        }
                        throw ConformanceFailure("an error of the closure must come out of read and write")
                    } catch let refusal as Refusal {
                        try Expect.equal(refusal, Refusal(number: number), "the closure's own error")
                    }
                }
            },
            check("a write that throws leaves nothing behind") { store in
                let uri = Sample.task("1")
                try await store.rollBack { transaction in
                    try transaction.upsert([(uri, Sample.titled("lost"))])
                    try transaction.put([Sample.created(uri, waitsFor: [Sample.task("2")])])
                    try transaction.changeMetaIdentifier(from: uri, to: Sample.task("3"), id: ObjectID("3"))
                    try transaction.put(PullCursor(checkpoint: "c"), for: PullScope(entity: "tasks"))
                    try transaction.raiseSequence(to: 9)
                    _ = try transaction.absorb(Sample.numbered(10...12), items: 0..<3)
                }
                try await store.read { snapshot in
                    try Expect.equal(snapshot.record(at: uri), nil, "the record after a rollback")
                    try Expect.equal(snapshot.record(at: Sample.task("11")), nil, "an absorbed record after it")
                    try Expect.equal(snapshot.meta(at: Sample.task("3")), nil, "the meta object after it")
                    try Expect.equal(snapshot.alias(of: uri), nil, "the alias after it")
                    try Expect.equal(snapshot.dependents(of: Sample.task("2")), [], "the dependents after it")
                    try Expect.equal(snapshot.cursor(for: PullScope(entity: "tasks")), nil, "the cursor after it")
                    try Expect.equal(snapshot.highestSequence(), 0, "the sequence after it")
                    try Expect.equal(snapshot.counts(), [:], "the counts after it")
                }
                // The same again must work: nothing of the first try may be in the way.
                try await store.change { try $0.upsert([(uri, Sample.titled("kept"))]) }
                try await Expect.equal(store.record(at: uri), Sample.titled("kept"), "the record of the next write")
            },
            check("a write that throws leaves what was there before") { store in
                let uri = Sample.task("1")
                let meta = Sample.synchronized(uri, Sample.titled("before"), revision: 1)
                try await store.change { transaction in
                    try transaction.upsert([(uri, Sample.titled("before"))])
                    try transaction.put([meta])
                }
                try await store.rollBack { transaction in
                    try transaction.upsert([(uri, Sample.titled("after"))])
                    try transaction.removeMeta([uri])
                    try transaction.delete([uri])
                }
                try await Expect.equal(store.record(at: uri), Sample.titled("before"), "the record after a rollback")
                try await Expect.equal(store.meta(at: uri), meta, "the meta object after a rollback")
            },
            check("a transaction sees its own writes") { store in
                try await store.change { transaction in
                    let uri = Sample.task("1")
                    try transaction.upsert([(uri, Sample.titled("a"))])
                    try Expect.equal(transaction.record(at: uri), Sample.titled("a"), "a record just written")
                    try transaction.put([Sample.created(uri)])
                    try Expect.equal(
                        transaction.changed(entity: nil, after: nil, limit: 10).map(\.uri), [uri],
                        "what changed in the same transaction")
                    try Expect.equal(transaction.counts()["tasks"]?.objects, 1, "the count in the same transaction")
                    var found: [ObjectURI] = []
                    try transaction.records(matching: Query("tasks")) { uri, _ in
                        found.append(uri)
                        return true
                    }
                    try Expect.equal(found, [uri], "a query in the same transaction")
                }
            },
            check("a snapshot refuses every write as read-only") { store in
                try await store.read { snapshot in
                    let uri = Sample.task("1")
                    let writes: [(String, () throws -> Void)] = [
                        ("upsert", { try snapshot.upsert([(uri, Sample.titled("a"))]) }),
                        ("delete", { try snapshot.delete([uri]) }),
                        ("changeIdentifier", { try snapshot.changeIdentifier(from: uri, to: Sample.task("2")) }),
                        ("put", { try snapshot.put([Sample.created(uri)]) }),
                        ("removeMeta", { try snapshot.removeMeta([uri]) }),
                        (
                            "changeMetaIdentifier",
                            {
                                try snapshot.changeMetaIdentifier(
                                    from: uri, to: Sample.task("2"), id: ObjectID("2"))
                            }
                        ),
                        ("putAlias", { try snapshot.putAlias(of: Sample.task("2"), to: uri) }),
                        ("put(cursor)", { try snapshot.put(PullCursor(), for: PullScope(entity: "tasks")) }),
                        ("removeCursor", { try snapshot.removeCursor(for: PullScope(entity: "tasks")) }),
                        ("raiseSequence", { try snapshot.raiseSequence(to: 1) })
                    ]
                    for (name, write) in writes {
                        try Expect.equal(code(of: write), .readOnly, "\(name) on a snapshot")
                    }
                }
            },
            check("a transaction and a snapshot are closed once their closure has ended") { store in
                // A closure cannot give its transaction away but by force, which is what this does.
                nonisolated(unsafe) var kept: (any StoreTransaction)?
                nonisolated(unsafe) var keptSnapshot: (any StoreSnapshot)?
                let keep: @Sendable (any StoreTransaction) throws -> Void = { kept = $0 }
                let keepSnapshot: @Sendable (any StoreSnapshot) throws -> Void = { keptSnapshot = $0 }
                try await store.change(keep)
                try await store.read(keepSnapshot)
                let uri = Sample.task("1")
                guard let transaction = kept, let snapshot = keptSnapshot else { return }
                try Expect.equal(
                    code(of: { try transaction.upsert([(uri, Sample.titled("a"))]) }), .closed, "a late write")
                try Expect.equal(code(of: { _ = try transaction.record(at: uri) }), .closed, "a late read")
                try Expect.equal(code(of: { _ = try transaction.meta(at: uri) }), .closed, "a late read of meta")
                try Expect.equal(
                    code(of: { _ = try transaction.absorb(Sample.numbered(1...2), items: 0..<2) }), .closed,
                    "a late absorb")
                try Expect.equal(code(of: { _ = try snapshot.counts() }), .closed, "a late count")
                try Expect.equal(
                    code(of: { _ = try snapshot.changed(entity: nil, after: nil, limit: 1) }), .closed,
                    "a late look for changes")
                try await Expect.equal(store.record(at: uri), nil, "what a late write left")
            },
            check("a closed store refuses everything, and closing again is harmless") { store in
                var commits = store.commits().makeAsyncIterator()
                try await store.close()
                try await store.close()
                try await Expect.equal(code(of: { try await store.read { _ in } }), .closed, "a read after close")
                try await Expect.equal(code(of: { try await store.change { _ in } }), .closed, "a write after close")
                try await Expect.equal(
                    code(of: { _ = try await store.lockForPush() }), .closed, "taking the push lock after close")
                let commit = await commits.next()
                try Expect.equal(commit, nil, "the stream of commits after close")
                var late = store.commits().makeAsyncIterator()
                let none = await late.next()
                try Expect.equal(none, nil, "a stream of commits asked for after close")
            }
        ]
    }
}
