import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Creates in doubt below a parent that is gone, or is called otherwise")
struct GoneParentTests {
    /// From 2026 on sequences tell how much time has gone by.
    private static let start: Int64 = 1_800_000_000_000

    /// A task of list 1 whose process ended while its create was on the wire.
    private func world(arrives: Bool) async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld(start: Self.start) { tasks in
            tasks.list.path = (try? PathTemplate("lists/{lists.id}/tasks/")) ?? tasks.list.path
            tasks.create.path = (try? PathTemplate("lists/{lists.id}/tasks/")) ?? tasks.create.path
            tasks.read.path = (try? PathTemplate("lists/{lists.id}/tasks/{id}/")) ?? tasks.read.path
            tasks.delete.path = (try? PathTemplate("lists/{lists.id}/tasks/{id}/")) ?? tasks.delete.path
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.since = nil
        }
        world.server.insert("lists", ["title": "l"])
        try await world.synchronizer.pull()
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1", "list": 1], as: "tasks")
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: arrives, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.clearLog()
        return (world, uri)
    }

    @Test("one whose parent is gone is sent once more, and refused with what the server says", arguments: [true, false])
    func gone(arrives: Bool) async throws {
        let (world, uri) = try await world(arrives: arrives)
        world.server.remove("lists", 1)
        world.server.remove("tasks", 2)
        try await world.synchronizer.push()
        let outgoing = try #require(try await world.synchronizer.object(at: uri)?.meta.outgoing)
        guard case .rejected(_, let failure) = outgoing.phase else {
            Issue.record("not refused: \(outgoing.phase), \(world.server.log)")
            return
        }
        #expect(failure.status == 404)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1, "\(world.server.log)")
        // A person decides, and nothing goes by itself.
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log.isEmpty)
        try await world.synchronizer.discard(uri)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a 404 of the list says nothing of it while the parent is there")
    func there() async throws {
        let (world, uri) = try await world(arrives: true)
        world.server.answer("GET", with: "{}", status: 404, processes: false)
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").count == 1)
        #expect(!world.server.log.contains { $0.hasPrefix("POST") }, "\(world.server.log)")
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one whose parent has got another identifier is looked for below that, and sent there")
    func renamed() async throws {
        let (world, _) = try await world(arrives: false)
        world.server.put("lists", 7, ["title": "l"])
        world.server.remove("lists", 1)
        try await world.synchronizer.changeIdentifier(
            of: ObjectURI(entity: "lists", id: "1"), to: ObjectID("7", .number))
        try await world.synchronizer.push()
        #expect(world.server.log.first == "GET lists/7/tasks/?uuid=u1", "\(world.server.log)")
        #expect(world.server.rows("tasks").map { $0["list"] } == [7])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an object that is gone is looked for below the parent that was made anew, and made anew there")
    func madeAnew() async throws {
        let world = try await TinyWorld(start: Self.start) { tasks in
            let (list, one) = ("lists/{lists.id}/tasks/", "lists/{lists.id}/tasks/{id}/")
            tasks.list.path = (try? PathTemplate(list)) ?? tasks.list.path
            tasks.create.path = (try? PathTemplate(list)) ?? tasks.create.path
            tasks.read.path = (try? PathTemplate(one)) ?? tasks.read.path
            tasks.update.path = (try? PathTemplate(one)) ?? tasks.update.path
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.since = nil
            tasks.conflict.deletedThere = .recreate
        }
        let task = ObjectURI(entity: "tasks", id: "2")
        world.server.insert("lists", ["title": "l"])
        world.server.insert("tasks", ["title": "a", "uuid": "u1", "list": 1])
        try await world.synchronizer.pull()
        try await world.synchronizer.refresh(task)
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        world.server.fail(
            .init(applies: { $0.method == "PATCH" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.remove("tasks", 2)
        world.server.put("lists", 7, ["title": "l"])
        world.server.remove("lists", 1)
        try await world.synchronizer.changeIdentifier(
            of: ObjectURI(entity: "lists", id: "1"), to: ObjectID("7", .number))
        try await world.synchronizer.push()
        #expect(world.server.log.contains("GET lists/7/tasks/?uuid=u1"), "\(world.server.log)")
        #expect(world.server.rows("tasks").map { [$0["title"], $0["list"]] } == [["b", 7]], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    // MARK: While it waits

    @Test("a create that had to wait is not sent to a parent that waits to be created anew since")
    func whilePaused() async throws {
        let world = try await TinyWorld { tasks in
            tasks.references = [Reference(entity: "tasks", field: "parent")]
            tasks.conflict.deletedThere = .recreate
        }
        let parent = ObjectURI(entity: "tasks", id: "1")
        world.server.insert("tasks", ["title": "there"])
        world.server.insert("tasks", ["title": "other"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(parent, setting: [("title", "mine")])
        let inner = TinyWorld.environment()
        let isOver = Mutex(false)
        let environment = SyncEnvironment(
            now: { inner.now() },
            sleep: { until in
                let isFirst = isOver.withLock { isOver in
                    defer { isOver = true }
                    return !isOver
                }
                if isFirst {
                    world.server.remove("tasks", 1)
                    try await world.synchronizer.refresh(parent)
                }
                try await inner.sleep(until)
            }, makeUUID: { "1" + inner.makeUUID().dropFirst() }, random: { 0.5 })
        let paused = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: world.server.transport,
            style: TinyWorld.TinyStyle(), environment: environment)
        try await paused.save(["title": "below", "parent": 1], as: "tasks")
        world.server.answer("POST", with: "{}", status: 429, processes: false)
        world.server.clearLog()
        // The parent came to wait while the push was under way.
        for _ in 0..<2 { try await paused.push() }
        let rows = world.server.rows("tasks")
        #expect(rows.map { $0["title"] } == ["other", "mine", "below"], "\(world.server.log)")
        #expect(rows.last?["parent"] == rows.first(where: { $0["title"] == "mine" })?["id"])
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 3, "\(world.server.log)")
        #expect(try await paused.pending().isEmpty)
    }

    // MARK: Under a key

    private static let list = ObjectURI(entity: "lists", id: "1")

    /// A task that is unique below list 1, with an idempotency key; the server has created it and nobody knows. Since then the
    /// list was edited here, and deleted there with all that was in it.
    private func keyed() async throws -> (TinyServer, Synchronizer) {
        let all = try PathTemplate("lists/{lists.id}/tasks/")
        let one = try PathTemplate("lists/{lists.id}/tasks/{id}/")
        var routeFile = try TinyWorld.routeFile {
            $0.isUniquePerParent = true
            $0.parents = [Reference(entity: "lists", field: "list")]
            ($0.list.path, $0.create.path) = (all, all)
            ($0.read.path, $0.update.path, $0.delete.path) = (one, one, one)
            ($0.lookup, $0.duplicate) = (nil, nil)
            $0.create.idempotencyHeader = "Idempotency-Key"
        }
        routeFile.resources[0].conflict.deletedThere = .recreate
        let server = TinyServer()
        server.knowKeys()
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment(start: Self.start))
        server.insert("lists", ["title": "Home", "uuid": "l-1"])
        try await synchronizer.pull()
        try await synchronizer.save(["title": "Milk", "list": 1], as: "tasks")
        server.fail(.init(applies: { $0.method == "POST" }, processes: true, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await synchronizer.push() }
        try await synchronizer.edit(Self.list, setting: [("title", "House")])
        server.remove("lists", 1)
        server.remove("tasks", 2)
        server.clearLog()
        return (server, synchronizer)
    }

    private func pushLater(_ synchronizer: Synchronizer) async throws {
        let environment = synchronizer.environment
        try await environment.sleep(environment.now().advanced(by: .seconds(3600)))
        try await synchronizer.push()
    }

    @Test("one below a parent that was created once more goes there under a key of its own")
    func anew() async throws {
        let (server, synchronizer) = try await keyed()
        try await synchronizer.push()
        try await pushLater(synchronizer)
        let rows = server.rows("tasks")
        #expect(rows.map { $0["title"] } == ["Milk"] && rows.map { $0["list"] } == [3], "\(server.log)")
        let ids = try await synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        #expect(ids == rows.map { "3/\($0["id"]?.text ?? "")" } && ids != ["3/2"])
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("one is not repeated under its key while its parent waits to be created once more")
    func waits() async throws {
        let (server, synchronizer) = try await keyed()
        for _ in 0..<40 {
            server.fail(
                .init(
                    applies: { $0.method == "POST" && $0.url.hasSuffix("/lists/") }, processes: false,
                    outcome: { throw TransportError(code: .timeout, message: "no answer", mayHaveArrived: true) }))
        }
        try await synchronizer.push()
        server.clearLog()
        try await pushLater(synchronizer)
        #expect(server.log.contains { $0.hasPrefix("POST lists/ ") }, "\(server.log)")
        #expect(!server.log.contains { $0.hasPrefix("POST lists/1/tasks/") }, "\(server.log)")
        server.forgetFaults()
        try await pushLater(synchronizer)
        try await pushLater(synchronizer)
        #expect(server.rows("tasks").map { $0["title"] } == ["Milk"], "\(server.log)")
        #expect(try await synchronizer.pending().isEmpty)
    }
}
