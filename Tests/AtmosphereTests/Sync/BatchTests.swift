import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Batches")
struct BatchTests {
    private func world(_ batch: Batch = .tiny(), _ change: (inout Resource) -> Void = { _ in }) async throws
        -> TinyWorld
    {
        try await TinyWorld {
            $0.batches = [batch]
            change(&$0)
        }
    }

    private func save(_ titles: [Value], in world: TinyWorld) async throws -> [ObjectURI] {
        var uris: [ObjectURI] = []
        for title in titles { uris.append(try await world.synchronizer.save(["title": title], as: "tasks")) }
        return uris
    }

    private func posts(_ world: TinyWorld) -> [String] { world.server.log.filter { $0.hasPrefix("POST") } }

    private func titles(_ world: TinyWorld) -> [String] {
        world.server.rows("tasks").map { $0["title"]?.text ?? "" }.sorted()
    }

    // MARK: What goes together

    @Test("several creates go in one request, and each gets its own identifier")
    func creates() async throws {
        let world = try await world()
        let uris = try await save(["a", "b", "c"], in: world)
        let report = try await world.synchronizer.push()
        #expect(report.created == 3)
        #expect(world.server.log.count == 1)
        for (uri, title) in zip(uris, ["a", "b", "c"]) {
            let object = try #require(try await world.synchronizer.object(at: uri))
            #expect(object.record?["title"] == .string(title))
            #expect(object.uri.id == world.server.rows("tasks").first { $0["title"]?.string == title }?["id"]?.text)
        }
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a version that goes into the operation does not stand in the body as well")
    func versionOnce() async throws {
        var batch = Batch.tiny()
        batch.update?.version = ["rev"]
        let world = try await world(batch) {
            $0.version = .body(.member("rev"), ordered: false)
            $0.readonly = []
        }
        let id = world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "\(id)"), setting: [("title", "b")])
        let requests = try await world.synchronizer.pushPreview().requests
        let item = try #require(requests.first?.batch?.item.members)
        #expect(requests.count == 1 && item["rev"] == 1)
        #expect(item["task"] == ["title": "b"])
    }

    @Test("all that go in one request are marked in one commit")
    func oneMark() async throws {
        let world = try await world()
        let uris = try await save(["a", "b", "c"], in: world)
        let commits = world.store.commits()
        try await world.synchronizer.push()
        try await world.store.close()
        var pushed: [CommitSet] = []
        for await commit in commits where commit.origin == .push { pushed.append(commit) }
        #expect(pushed.first?.objects == ["tasks": Set(uris.map(\.id))])
        // One outcome for each.
        #expect(pushed.count == 4)
    }

    @Test("no request carries more than the declared size", arguments: [(1, 5), (2, 3), (4, 2), (5, 1), (250, 1)])
    func size(size: Int, requests: Int) async throws {
        let world = try await world(.tiny(size: size))
        _ = try await save(["a", "b", "c", "d", "e"], in: world)
        try await world.synchronizer.push()
        #expect(world.server.log.count == requests)
        #expect(titles(world) == ["a", "b", "c", "d", "e"])
    }

    @Test("a full request waits for what has not been loaded yet")
    func severalLoads() async throws {
        let world = try await world(.tiny(size: 150))
        _ = try await save((1...420).map { .string("\($0)") }, in: world)
        let report = try await world.synchronizer.push()
        #expect(report.created == 420)
        #expect(world.server.log.count == 3)
        #expect(world.server.rows("tasks").count == 420)
    }

    @Test("one refused item is rejected with its messages, and the others are on the server")
    func partialFailure() async throws {
        let world = try await world()
        let uris = try await save(["a", "bad", "c"], in: world)
        let report = try await world.synchronizer.push()
        #expect(report.created == 2)
        #expect(world.server.log.count == 1)
        #expect(titles(world) == ["a", "c"])
        let pending = try await world.synchronizer.pending()
        #expect(pending.map(\.uri) == [uris[1]])
        guard case .rejected(_, let failure)? = pending[0].meta.outgoing?.phase else {
            Issue.record("not rejected: \(pending[0])")
            return
        }
        #expect(failure.status == 400)
        #expect(failure.fields.map(\.field) == ["title"])
        #expect(failure.message == "title: May not be bad.")
    }

    @Test("an object that waits for another goes with the next request, with the real identifier")
    func dependents() async throws {
        let world = try await world {
            $0.references.append(Reference(entity: "tasks", field: "parent"))
        }
        let parent = try await world.synchronizer.save(["title": "parent"], as: "tasks")
        try await world.synchronizer.save(["title": "child", "parent": .string(parent.id)], as: "tasks")
        try await world.synchronizer.save(["title": "other"], as: "tasks")
        try await world.synchronizer.push()
        let rows = world.server.rows("tasks")
        let child = rows.first { $0["title"] == "child" }
        #expect(child?["parent"] == rows.first { $0["title"] == "parent" }?["id"])
        #expect(posts(world).count == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("updates are compared one by one before they go together, and deletes too")
    func updatesAndDeletes() async throws {
        let world = try await world()
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        for number in 1...2 {
            try await world.synchronizer.edit(
                ObjectURI(entity: "tasks", id: "\(number)"), setting: [("title", .string("new \(number)"))])
        }
        for number in 3...4 { try await world.synchronizer.delete(ObjectURI(entity: "tasks", id: "\(number)")) }
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(report.updated == 2)
        #expect(report.deleted == 2)
        #expect(world.server.log.count { $0.hasPrefix("GET") } == 4)
        #expect(
            posts(world) == [
                #"POST tasks/batch {"items":[{"op":"update","task":{"title":"new 1"},"id":1},"#
                    + #"{"op":"update","task":{"title":"new 2"},"id":2}]}"#,
                #"POST tasks/batch {"items":[{"op":"delete","id":3},{"op":"delete","id":4}]}"#
            ])
        #expect(titles(world) == ["new 1", "new 2"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an item that meets a newer version is merged and sent again, alone")
    func conflict() async throws {
        let world = try await world(.tiny { $0.update?.version = ["rev"] }) {
            $0.version = .ifMatch(.field(.member("rev")), ordered: false)
        }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": ""]) }
        try await world.synchronizer.pull()
        for number in 1...3 {
            try await world.synchronizer.edit(
                ObjectURI(entity: "tasks", id: "\(number)"), setting: [("title", .string("new \(number)"))])
        }
        world.server.edit("tasks", 2, ["note": "another client's"])
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(report.updated == 3)
        #expect(
            world.server.log.map { $0.prefix { $0 != "{" } } == [
                "POST tasks/batch ", "GET tasks/2/", "POST tasks/batch "
            ])
        #expect(titles(world) == ["new 1", "new 2", "new 3"])
        #expect(world.server.rows("tasks")[1]["note"] == "another client's")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit made while the batch is on the wire stays a change of its own")
    func editedOnTheWire() async throws {
        let world = try await world()
        let uris = try await save(["a", "b"], in: world)
        let synchronizer = world.synchronizer
        let editor = ScriptedTransport { request in
            if request.method == "POST", world.server.log.isEmpty {
                try await synchronizer.edit(uris[0], setting: [("title", "later")])
            }
            return try await world.server.transport.send(request)
        }
        let other = try await Synchronizer(
            routeFile: synchronizer.routeFile, store: world.store, transport: editor, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        let report = try await other.push()
        #expect(report.created == 2)
        #expect(titles(world) == ["b", "later"])
        #expect(posts(world)[0].contains(#""title":"a""#))
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("every item's mark is durable before the request leaves")
    func marks() async throws {
        let world = try await world()
        _ = try await save(["a", "b", "c"], in: world)
        let seen = Mutex(0)
        let store = world.store
        let watching = ScriptedTransport { request in
            if request.method == "POST" {
                let sending = try await store.read { snapshot in
                    try snapshot.changed(entity: "tasks", after: nil, limit: 100).count { meta in
                        if case .sending = meta.outgoing?.phase { true } else { false }
                    }
                }
                seen.withLock { $0 = sending }
            }
            return try await world.server.transport.send(request)
        }
        let other = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: store, transport: watching, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        try await other.push()
        #expect(seen.withLock { $0 } == 3)
    }

    @Test("two pushes at once send each object once")
    func twoPushes() async throws {
        let world = try await world(.tiny(size: 3))
        _ = try await save((1...20).map { .string("\($0)") }, in: world)
        async let first = world.synchronizer.push()
        async let second = world.synchronizer.push()
        let created = try await first.created + second.created
        #expect(created == 20)
        #expect(world.server.rows("tasks").count == 20)
    }

    @Test("a synchronous save is a batch of one, and its refusal is thrown")
    func synchronousSave() async throws {
        let world = try await world()
        let uri = try await world.synchronizer.saveNow(["title": "a"], as: "tasks")
        #expect(uri.id == "1")
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "bad"], as: "tasks")
        }
        #expect(error?.code == .refused)
        #expect(error?.failure?.fields.map(\.field) == ["title"])
        world.server.answer("POST", with: #"{"results":[]}"#)
        #expect(try await world.synchronizer.saveNow(["title": "b"], as: "tasks").id == "2", "looked up")
        world.server.answer("POST", with: #"{"results":[]}"#, processes: false)
        let lost = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "c"], as: "tasks")
        }
        #expect(lost?.mayHaveHappened == true)
    }

    @Test("the preview shows the requests with each change's place in them")
    func preview() async throws {
        let world = try await world(.tiny(size: 2))
        _ = try await save(["a", "b", "c"], in: world)
        let pending = try await world.synchronizer.pushPreview().requests
        #expect(pending.map { $0.batch.map { "\($0.number) of \($0.count)" } } == ["1 of 2", "2 of 2", "1 of 1"])
        #expect(pending.map { $0.request.url }.allSatisfy { $0.hasSuffix("/tasks/batch") })
        #expect(pending[1].batch?.item.members?["task"]?.members?["title"] == "b")
    }
}
