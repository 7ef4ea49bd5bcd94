internal import Atmosphere
internal import Synchronization

/// In which order writes ran.
private final class Order: Sendable {
    private let durabilities = Mutex<[Durability]>([])

    var all: [Durability] { durabilities.withLock { $0 } }
    func append(_ durability: Durability) { durabilities.withLock { $0.append(durability) } }
}

extension StoreSuite {
    var concurrencyChecks: [ConformanceCheck] {
        [
            check("a snapshot stays as it was while a write commits, and delays none") { store in
                let uri = Sample.task("1")
                try await store.change { try $0.upsert([(uri, Sample.titled("before"))]) }
                let hasBegun = Latch()
                let hasCommitted = Latch()
                let reader = Task(executorPreference: BlockingThread()) {
                    try await store.read { snapshot in
                        let first = try snapshot.record(at: uri)
                        hasBegun.open()
                        let isInTime = hasCommitted.block()
                        return (first, try snapshot.record(at: uri), try snapshot.meta(at: uri), isInTime)
                    }
                }
                try await hasBegun.wait(for: reader, "a read")
                try await store.change { transaction in
                    try transaction.upsert([(uri, Sample.titled("after"))])
                    try transaction.put([Sample.created(uri)])
                }
                hasCommitted.open()
                let (first, second, meta, isInTime) = try await reader.value
                try Expect.that(isInTime, "a write must not wait for a read that goes on")
                try Expect.equal(first, Sample.titled("before"), "the record before the write")
                try Expect.equal(second, Sample.titled("before"), "the record in the same snapshot after the write")
                try Expect.equal(meta, nil, "the meta object in the same snapshot after the write")
                try await Expect.equal(store.record(at: uri), Sample.titled("after"), "a new snapshot")
            },
            check("a read does not wait for a running write, and sees the last commit") { store in
                let uri = Sample.task("1")
                try await store.change { try $0.upsert([(uri, Sample.titled("before"))]) }
                let hasBegun = Latch()
                let hasRead = Latch()
                let writer = Task(executorPreference: BlockingThread()) {
                    try await store.change { transaction in
                        try transaction.upsert([(uri, Sample.titled("after"))])
                        hasBegun.open()
                        return hasRead.block()
                    }
                }
                try await hasBegun.wait(for: writer, "a write")
                try await Expect.equal(store.record(at: uri), Sample.titled("before"), "a read during a write")
                hasRead.open()
                let isInTime = try await writer.value
                try Expect.that(isInTime, "a read must not wait for a running write")
                try await Expect.equal(store.record(at: uri), Sample.titled("after"), "a read after the write")
            },
            check("concurrent writes run one at a time and lose nothing") { store in
                try await withThrowingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask {
                            try await Expect.noting {
                                try await store.write(number % 2 == 0 ? .power : .process, origin: .application) {
                                    let next = try $0.highestSequence() + 1
                                    try $0.raiseSequence(to: next)
                                    try $0.upsert([(Sample.task("\(number)"), Sample.titled("\(next)"))])
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await store.read { snapshot in
                    try Expect.equal(snapshot.highestSequence(), 100, "a counter that 100 writes have raised")
                    try Expect.equal(snapshot.counts()["tasks"]?.objects, 100, "the records of 100 writes")
                }
            },
            check("a power write of a cancelled task is done, whether it begins at once or has to wait") { store in
                let cancelled = Gate()
                let free = Task {
                    // Cancelled by the time it writes, whatever the machine is busy with.
                    try? await cancelled.pass()
                    try await store.write(.power, origin: .application) {
                        try $0.upsert([(Sample.task("free"), Sample.titled("a"))])
                    }
                }
                free.cancel()
                try await Self.expectDone(free, "a power write of a task that is cancelled already")
                let (hasBegun, mayEnd) = (Latch(), Latch())
                let first = Task(executorPreference: BlockingThread()) {
                    try await store.change { _ in
                        hasBegun.open()
                        return mayEnd.block()
                    }
                }
                try await hasBegun.wait(for: first, "a write")
                // One thread: once a marker has run, the write has got as far as it can.
                let thread = BlockingThread()
                let waiting = Task(executorPreference: thread) {
                    try await store.write(.power, origin: .application) {
                        try $0.upsert([(Sample.task("waiting"), Sample.titled("b"))])
                    }
                }
                for _ in 0..<3 { await Task(executorPreference: thread) {}.value }
                waiting.cancel()
                for _ in 0..<3 { await Task(executorPreference: thread) {}.value }
                mayEnd.open()
                _ = try await first.value
                try await Self.expectDone(waiting, "a power write that was cancelled while it waited")
                for (id, title) in [("free", "a"), ("waiting", "b")] {
                    let record = try await store.record(at: Sample.task(id))
                    try Expect.equal(record, Sample.titled(title), "what “\(id)” wrote")
                }
            },
            check("a power write goes ahead of the process writes that wait") { store in
                let order = Order()
                let hasBegun = Latch()
                let mayEnd = Latch()
                let first = Task(executorPreference: BlockingThread()) {
                    try await store.change { _ in
                        hasBegun.open()
                        return mayEnd.block()
                    }
                }
                try await hasBegun.wait(for: first, "a write")
                // One thread: once a marker has run, every task started before it has got as far as it can.
                let thread = BlockingThread()
                func start(_ durability: Durability) -> Task<Void, any Error> {
                    Task(executorPreference: thread) {
                        try await store.write(durability, origin: .application) { _ in
                            order.append(durability)
                        }
                    }
                }
                var writers = (0..<40).map { _ in start(.process) }
                for _ in 0..<3 { await Task(executorPreference: thread) {}.value }
                writers.append(start(.power))
                for _ in 0..<3 { await Task(executorPreference: thread) {}.value }
                mayEnd.open()
                for writer in writers { try await writer.value }
                _ = try await first.value
                // A store may let in some writers before the marker, but not most of them.
                let place = order.all.firstIndex(of: .power) ?? .max
                try Expect.that(
                    place < 20, "a power write that waited with 40 process writes must go first, but \(place) did")
            }
        ]
    }

    private static func expectDone(_ write: Task<Void, any Error>, _ what: String) async throws {
        do {
            try await write.value
        } catch {
            throw ConformanceFailure("\(what) must be done, for what it saves is known nowhere else; it threw \(error)")
        }
    }
}
