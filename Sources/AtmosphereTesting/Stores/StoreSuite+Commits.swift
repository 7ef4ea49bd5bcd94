internal import Atmosphere

extension StoreSuite {
    var commitChecks: [ConformanceCheck] {
        [
            check("each commit says what it changed and where it came from") { store in
                var commits = store.commits().makeAsyncIterator()
                let page = Sample.page([(.integer(1), "{}", nil), (.text(ObjectID("é")), "{}", nil)])
                _ = try await store.write(.process, origin: .pull) { try $0.absorb(page, items: 0..<2) }
                try await Expect.equal(
                    commits.next(), CommitSet(origin: .pull, objects: ["tasks": ["1", "é"]]), "a pull")
                try await store.write(.power, origin: .application) { transaction in
                    try transaction.upsert([(Sample.task("1"), Sample.titled("a"))])
                    try transaction.put([Sample.updated(Sample.task("1")), Sample.created(Sample.uri("lists", "x"))])
                    try transaction.delete([Sample.task("unknown")])
                }
                try await Expect.equal(
                    commits.next(), CommitSet(origin: .application, objects: ["tasks": ["1"], "lists": ["x"]]),
                    "a save")
                try await store.write(.power, origin: .push) { transaction in
                    try transaction.changeMetaIdentifier(
                        from: Sample.uri("lists", "x"), to: Sample.uri("lists", "7"), id: ObjectID("7"))
                }
                try await Expect.equal(
                    commits.next(), CommitSet(origin: .push, objects: ["lists": ["x", "7"]]), "a new identifier")
                try await store.write(.power, origin: .live) { transaction in
                    try transaction.changeIdentifier(from: Sample.task("é"), to: Sample.task("2"))
                }
                try await Expect.equal(
                    commits.next(), CommitSet(origin: .live, objects: ["tasks": ["é", "2"]]), "a moved record")
                try await store.write(.process, origin: .pull) { try $0.removeMeta([Sample.task("1")]) }
                try await Expect.equal(
                    commits.next(), CommitSet(origin: .pull, objects: ["tasks": ["1"]]), "a removed meta object")
            },
            check("what changes no object is not published") { store in
                let page = Sample.numbered(1...2)
                try await store.absorb(page)
                var commits = store.commits().makeAsyncIterator()
                try await store.absorb(page)
                try await store.change { transaction in
                    try transaction.put(PullCursor(checkpoint: "c"), for: PullScope(entity: "tasks"))
                    try transaction.raiseSequence(to: 5)
                    try transaction.beginListing(entity: "tasks", listing: 5)
                    try transaction.delete([Sample.task("unknown")])
                }
                _ = try await store.read { try $0.counts() }
                try await store.rollBack { transaction in
                    try transaction.upsert([(Sample.task("rolled back"), Sample.titled("a"))])
                }
                try await store.change { try $0.upsert([(Sample.task("3"), Sample.titled("a"))]) }
                try await Expect.equal(
                    commits.next(), CommitSet(origin: .application, objects: ["tasks": ["3"]]), "the first commit")
            },
            check("a commit can be read once it is published") { store in
                let uri = Sample.task("1")
                let stream = store.commits()
                let reader = Task {
                    for await commit in stream where commit.objects["tasks"] != nil {
                        return try await store.record(at: uri)
                    }
                    return nil
                }
                try await store.change { try $0.upsert([(uri, Sample.titled("a"))]) }
                try await Expect.equal(reader.value, Sample.titled("a"), "the record once its commit was published")
            },
            check("each stream has every commit from when it was asked for") { store in
                var first = store.commits().makeAsyncIterator()
                try await store.change { try $0.upsert([(Sample.task("1"), Sample.titled("a"))]) }
                var second = store.commits().makeAsyncIterator()
                try await store.change { try $0.upsert([(Sample.task("2"), Sample.titled("a"))]) }
                func commit(_ id: String) -> CommitSet { CommitSet(origin: .application, objects: ["tasks": [id]]) }
                try await Expect.equal(first.next(), commit("1"), "the first commit of the first stream")
                try await Expect.equal(first.next(), commit("2"), "the second commit of the first stream")
                try await Expect.equal(second.next(), commit("2"), "the first commit of the second stream")
            },
            check("a slow reader loses no change and is handed no endless backlog") { store in
                var commits = store.commits().makeAsyncIterator()
                for number in 0..<150 {
                    let origin: CommitSet.Origin = number % 2 == 0 ? .application : .pull
                    try await store.write(.process, origin: origin) {
                        try $0.upsert([(Sample.task("\(number)"), Sample.titled("a"))])
                    }
                }
                try await store.write(.process, origin: .live) {
                    try $0.upsert([(Sample.uri("lists", "last"), Sample.titled("a"))])
                }
                var missing = Set((0..<150).map { "\($0)" })
                var count = 0
                while let commit = await commits.next() {
                    count += 1
                    if let ids = commit.objects["tasks"] { missing = ids.isEmpty ? [] : missing.subtracting(ids) }
                    if commit.objects["lists"] != nil { break }
                }
                try Expect.equal(missing, [], "changes that no commit told")
                try Expect.that(count <= 75, "151 unread commits must be merged, but \(count) came")
            },
            check("a stream ends with the task that reads it, and the store goes on") { store in
                let stream = store.commits()
                let reader = Task {
                    for await _ in stream {}
                }
                reader.cancel()
                await reader.value
                try await store.change { try $0.upsert([(Sample.task("1"), Sample.titled("a"))]) }
                try await Expect.equal(store.record(at: Sample.task("1")), Sample.titled("a"), "the record")
            }
        ]
    }
}
