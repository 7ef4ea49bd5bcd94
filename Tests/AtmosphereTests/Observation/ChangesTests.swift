import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("changes of the local copy")
struct ChangesTests {
    private func titles(_ objects: [LocalObject]) -> [String] { objects.compactMap { $0.record?["title"]?.string } }

    private func save(_ title: String, _ world: TinyWorld) async throws -> ObjectURI {
        try await world.synchronizer.save(["title": .string(title)], as: "tasks")
    }

    @Test("a query gives what is there now, then each change that shows in it")
    func query() async throws {
        let world = try await TinyWorld()
        _ = try await save("b", world)
        let query = Query("tasks", where: Query.Field("title") != "hidden", order: [.init("title")])
        var changes = world.synchronizer.changes(of: query).makeAsyncIterator()
        #expect(titles(try #require(try await changes.next())) == ["b"])
        let uri = try await save("a", world)
        #expect(titles(try #require(try await changes.next())) == ["a", "b"])
        _ = try await save("hidden", world)
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        #expect(titles(try #require(try await changes.next())) == ["b", "c"])
        try await world.synchronizer.delete(uri)
        #expect(titles(try #require(try await changes.next())) == ["b"])
    }

    @Test("who looks seldom sees the present state and not each step to it, and never misses the last")
    func coalescing() async throws {
        let world = try await TinyWorld()
        let uri = try await save("0", world)
        var query = world.synchronizer.changes(of: Query("tasks")).makeAsyncIterator()
        var object = world.synchronizer.changes(at: uri).makeAsyncIterator()
        var status = world.synchronizer.statusChanges().makeAsyncIterator()
        _ = try await (query.next(), object.next(), status.next())
        for number in 1...200 { try await world.synchronizer.edit(uri, setting: [("title", .string("\(number)"))]) }
        _ = try await save("last", world)
        var steps = 0
        while let objects = try await query.next(), Set(titles(objects)) != ["200", "last"] { steps += 1 }
        while let one = try await object.next(), one?.record?["title"] != "200" { steps += 1 }
        while let now = try await status.next(), now.counts.objects != 2 { steps += 1 }
        #expect(steps < 200)
    }

    @Test("a change costs one look at the changed object, however many queries are open, and wakes those it concerns")
    func cost() async throws {
        let store = CountingStore()
        let world = try await TinyWorld(store: store)
        var uris: [ObjectURI] = []
        for number in 0..<100 { uris.append(try await save("task \(number)", world)) }
        let woken = Woken()
        let ready = Gate()
        ready.open()
        var readers: [Task<Void, any Error>] = []
        for number in 0..<100 {
            let query = Query("tasks", where: [.init("title", .prefix, .string("task \(number)."))])
            let changes = world.synchronizer.changes(of: query)
            readers.append(
                Task {
                    var isFirst = true
                    for try await objects in changes {
                        if isFirst { try await ready.pass() }
                        isFirst = false
                        if !objects.isEmpty { return woken.numbers.withLock { $0.append(number) } }
                    }
                })
        }
        await ready.waitForArrivals(100)
        let before = store.reads
        try await world.synchronizer.edit(uris[5], setting: [("title", "task 42.")])
        try await readers[42].value
        #expect(woken.numbers.withLock { $0 } == [42])
        // One by who tells the readers; the save itself is a write.
        #expect(store.reads - before == 1)
        for reader in readers { reader.cancel() }
        for reader in readers { try await reader.value }
    }

    @Test("an object is followed when the server gives it another identifier, and when it goes")
    func object() async throws {
        let world = try await TinyWorld()
        let uri = try await save("a", world)
        var changes = world.synchronizer.changes(at: uri).makeAsyncIterator()
        #expect(try await changes.next()??.status == .waiting(.create, .push))
        try await world.synchronizer.push()
        var last: LocalObject??
        repeat { last = try await changes.next() } while last??.status != .synchronized
        let present = try #require(last ?? nil).uri
        #expect(present != uri)
        try await world.synchronizer.edit(present, setting: [("title", "b")])
        #expect(try await changes.next()??.record?["title"] == "b")
        try await world.synchronizer.delete(present)
        let deleted = try #require(try await changes.next() ?? nil)
        #expect(deleted.record == nil && deleted.status == .waiting(.delete, .push))
        try await world.synchronizer.push()
        while let one = try await changes.next(), one != nil {}
        #expect(try await world.synchronizer.object(at: present) == nil)
    }

    @Test("an entity first says that anything may have changed, then what has, with its numbers")
    func entity() async throws {
        let world = try await TinyWorld()
        var changes = world.synchronizer.changes(in: "tasks").makeAsyncIterator()
        let first = try #require(try await changes.next())
        #expect(first.changed == nil && first.counts.objects == 0)
        let uri = try await save("a", world)
        let second = try #require(try await changes.next())
        #expect(second.changed == [uri] && second.counts.localOnly == 1)
        var wrong = world.synchronizer.changes(in: "nothing").makeAsyncIterator()
        await #expect(throws: SyncError.self) { _ = try await wrong.next() }
    }

    @Test("cancelling and closing end every stream; several readers each have their own")
    func ending() async throws {
        let world = try await TinyWorld()
        let changes = world.synchronizer.changes(of: Query("tasks"))
        let seen = Gate()
        seen.open()
        let readers = (0..<3).map { _ in
            Task {
                var count = 0
                for try await _ in changes {
                    count += 1
                    try await seen.pass()
                }
                return count
            }
        }
        await seen.waitForArrivals(3)
        readers[0].cancel()
        #expect(try await readers[0].value == 1)
        try await world.synchronizer.close()
        #expect(try await readers[1].value == 1)
        #expect(try await readers[2].value == 1)
    }

    @Test("changes by another process on the same store are loaded anew")
    func otherProcess() async throws {
        let store = CountingStore()
        let world = try await TinyWorld(store: store)
        var changes = world.synchronizer.changes(of: Query("tasks")).makeAsyncIterator()
        #expect(try await changes.next()?.isEmpty == true)
        // Behind the back of the publisher.
        store.isSilent.withLock { $0 = true }
        _ = try await save("elsewhere", world)
        store.otherWriters.withLock { $0 = true }
        let watch = Task { try await world.synchronizer.watchOtherProcesses() }
        #expect(titles(try #require(try await changes.next())) == ["elsewhere"])
        watch.cancel()
        _ = await watch.result
    }

    @Test("the status shows what is fetched and sent, and what the server was like")
    func status() async throws {
        let world = try await TinyWorld {
            $0.paging = .number(parameter: "page", first: 1, size: nil, total: .member("count"))
        }
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let seen = Mutex<[SyncActivity]>([])
        var options = Synchronizer.PullOptions()
        let api = world.synchronizer
        options.progress = { _ in seen.withLock { $0 += api.activity.status([], live: .off).activities } }
        try await api.pull(options: options)
        #expect(seen.withLock { $0.last?.entity } == "tasks" && seen.withLock { $0.last?.total } == 5)
        #expect(seen.withLock { $0.last?.fraction } == 1)
        #expect(try await api.syncStatus().activities.isEmpty)
        world.server.goOffline(true)
        _ = try await save("a", world)
        try await api.push()
        #expect(try await api.syncStatus().unreachable != nil)
        world.server.goOffline(false)
        try await api.push()
        let status = try await api.syncStatus()
        #expect(status.unreachable == nil && status.counts.objects == 6 && status.counts.changed == 0)
    }

    @Test("what waits, and for what: each list, and the decisions that empty it")
    func decisions() async throws {
        let world = try await TinyWorld()
        let api = world.synchronizer
        let list = try await api.save(["title": "list"], as: "lists")
        let child = try await api.save(["title": "child", "list": .string(list.id)], as: "tasks")
        #expect(try await api.object(at: child)?.status == .waiting(.create, .parents([list])))
        let bad = try await save("bad", world)
        try await api.push()
        let rejected = try await api.rejected()
        #expect(rejected.map(\.uri) == [bad] && rejected[0].status.needsDecision)
        guard case .rejected(.create, let failure) = rejected[0].status else {
            Issue.record("not rejected: \(rejected[0].status)")
            return
        }
        #expect(failure.fields.map(\.field) == ["title"])
        try await api.discard(bad)
        #expect(try await api.rejected().isEmpty)
        let uri = try await save("mine", world)
        try await api.push()
        let present = try #require(try await api.object(at: uri)).uri
        world.server.edit("tasks", try #require(Int(present.id)), ["title": "theirs"])
        try await api.edit(present, setting: [("title", "mine too")])
        try await api.push()
        #expect(try await api.conflicts(entity: "tasks").map(\.uri) == [present])
        try await api.resolve(present, .theirs)
        #expect(try await api.conflicts().isEmpty)
        #expect(try await api.object(at: present)?.status == .synchronized)
        #expect(try await api.unknown().isEmpty)
    }
}

private final class Woken: Sendable {
    let numbers = Mutex<[Int]>([])
}

/// A store in memory that counts reads, and can hide its commits as another process's would be.
final class CountingStore: Store {
    private let store = MemoryStore()
    private let count = Mutex(0)
    private let publisher = CommitPublisher()
    let isSilent = Mutex(false)
    let otherWriters = Mutex(false)

    var reads: Int { count.withLock { $0 } }

    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
        count.withLock { $0 += 1 }
        return try await store.read(body)
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        var commits = store.commits().makeAsyncIterator()
        let mark = ObjectURI(entity: "mark", id: "1")
        let result = try await store.write(durability, origin: origin, body)
        try await store.write(.process, origin: .live) { transaction in
            try transaction.upsert([(mark, ObjectRecord([:]))])
            try transaction.delete([mark])
        }
        while let commit = await commits.next() {
            if commit.objects["mark"] != nil { break }
            if !isSilent.withLock({ $0 }) { publisher.publish(commit) }
        }
        return result
    }

    func checkForOtherWriters() async throws {
        let isNew = otherWriters.withLock { flag in
            defer { flag = false }
            return flag
        }
        if isNew { publisher.publish(CommitSet(origin: .otherProcess, objects: ["tasks": []])) }
    }

    func commits() -> AsyncStream<CommitSet> { publisher.subscribe() }
    func lockForPush() async throws -> HeldLock? { try await store.lockForPush() }
    func close() async throws {
        try await store.close()
        publisher.finish()
    }
}
