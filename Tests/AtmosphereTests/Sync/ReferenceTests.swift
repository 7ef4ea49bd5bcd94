import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("References")
struct ReferenceTests {
    @Test("an identifier with a slash or a percent sign is sent as it is", arguments: ["acme/web", "50%25"])
    func oddIdentifier(id: String) async throws {
        let world = try await TinyWorld()
        world.server.state.withLock { $0.rows["lists"]?[9] = ["id": .string(id), "rev": 1, "title": "l"] }
        world.server.insert("tasks", ["title": "a", "list": .string(id)])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(world.server.log == ["GET tasks/1/", #"PATCH tasks/1/ {"title":"b"}"#])
        #expect(world.server.rows("tasks")[0]["list"] == .string(id))
    }

    @Test("temporary identifiers in a list wait for their objects and are replaced")
    func lists() async throws {
        let world = try await TinyWorld()
        let one = try await world.synchronizer.save(["title": "one"], as: "lists")
        let two = try await world.synchronizer.save(["title": "two"], as: "lists")
        try await world.synchronizer.save(
            ["title": "a", "list": .array([.string(one.id), .string(two.id)])], as: "tasks")
        try await world.synchronizer.push()
        #expect(Set(world.server.rows("tasks")[0]["list"]?.array ?? []) == [1, 2])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("children of a parent with an identifier of the client's choice are sent after it")
    func clientIdentifiers() async throws {
        let server = TinyServer()
        var routeFile = try TinyWorld.routeFile { $0.lookup = nil }
        for index in routeFile.resources.indices { routeFile.resources[index].assigned = .client }
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        let list = try await synchronizer.save(["id": "1", "title": "Home"], as: "lists")
        try await synchronizer.save(["id": "2", "title": "Milk", "list": .string(list.id)], as: "tasks")
        let report = try await synchronizer.push()
        #expect(report.created == 2)
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("a new object whose new parent is removed is listed as rejected, with the reason")
    func removedParent() async throws {
        let world = try await TinyWorld()
        let list = try await world.synchronizer.save(["title": "Home"], as: "lists")
        let task = try await world.synchronizer.save(["title": "Milk", "list": .string(list.id)], as: "tasks")
        try await world.synchronizer.delete(list)
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        let error = try await world.synchronizer.object(at: task)?.meta.outgoing?.lastError
        #expect(error?.message.contains("was removed here before the server knew it") == true)
        try await world.synchronizer.edit(task, setting: [("list", nil)])
        #expect(try await world.synchronizer.push().created == 1)
    }

    @Test("an edit that refers to a removed new object stays refused until the reference is edited")
    func removedReference() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let task = ObjectURI(entity: "tasks", id: "1")
        let list = try await world.synchronizer.save(["title": "Home"], as: "lists")
        try await world.synchronizer.edit(task, setting: [("list", .string(list.id))])
        try await world.synchronizer.delete(list)
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") }, "\(world.server.log)")
        #expect(try await world.synchronizer.rejected().map(\.uri) == [task])
        try await world.synchronizer.edit(task, setting: [("list", nil)])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create in doubt whose new parent is removed is looked up before it is rejected", arguments: [false, true])
    func removedParentOfDoubt(hasArrived: Bool) async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST", processes: hasArrived)
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        let task = try await world.synchronizer.save(["title": "Milk"], as: "tasks")
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        let list = try await world.synchronizer.save(["title": "Home"], as: "lists")
        try await world.synchronizer.edit(task, setting: [("list", .string(list.id))])
        try await world.synchronizer.delete(list)
        // The reference stays as it is, and so does what is waited for.
        try await world.synchronizer.edit(task, setting: [("note", "fat")])
        let before = try #require(try await world.synchronizer.object(at: task)?.meta)
        guard case .unknown? = before.outgoing?.phase else {
            Issue.record("\(before)")
            return
        }
        #expect(before.waitsFor == [list])
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log.allSatisfy { $0.hasPrefix("GET") })
        let after = try #require(try await world.synchronizer.object(at: task)?.meta)
        guard case .rejected(.dangling, _)? = after.outgoing?.phase else {
            Issue.record("\(after)")
            return
        }
        #expect(after.isLocalOnly == !hasArrived)
        try await world.synchronizer.edit(task, setting: [("list", nil)])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["fat"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what waits for a new object that damage took is rejected, with the reason", arguments: [false, true])
    func lostParent(isKnown: Bool) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "Milk"])
        try await world.synchronizer.pull()
        let list = try await world.synchronizer.save(["title": "Home"], as: "lists")
        let task: ObjectURI
        if isKnown {
            task = ObjectURI(entity: "tasks", id: "1")
            try await world.synchronizer.edit(task, setting: [("list", .string(list.id))])
        } else {
            task = try await world.synchronizer.save(["title": "Bread", "list": .string(list.id)], as: "tasks")
        }
        try await world.store.write(.power, origin: .application) { transaction in
            try transaction.delete([list])
            try transaction.removeMeta([list])
        }
        #expect(try await world.synchronizer.push().held.isEmpty)
        let meta = try #require(try await world.synchronizer.object(at: task)?.meta)
        guard case .rejected(.dangling, let failure)? = meta.outgoing?.phase else {
            Issue.record("\(meta)")
            return
        }
        #expect(failure.message.contains("it refers to \(list), which was removed here"))
        #expect(meta.waitsFor.isEmpty)
        try await world.synchronizer.edit(task, setting: [("list", nil)])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("two new objects cannot refer to each other")
    func circle() async throws {
        let world = try await TinyWorld { $0.references = [Reference(entity: "tasks", field: "after")] }
        let one = try await world.synchronizer.save(["title": "1"], as: "tasks")
        let two = try await world.synchronizer.save(["title": "2", "after": .string(one.id)], as: "tasks")
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.edit(one, setting: [("after", .string(two.id))])
        }
        #expect(error?.message.contains("would refer to each other") == true)
    }

    @Test("an edit that refers to a new object while its own push is on the wire waits for that object")
    func referenceMeanwhile() async throws {
        let world = try await TinyWorld()
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        let task = try await slow.save(["title": "Milk"], as: "tasks")
        async let report = slow.push(entities: ["tasks"])
        await gate.waitForArrivals()
        let list = try await slow.save(["title": "Home"], as: "lists")
        try await slow.edit(task, setting: [("list", .string(list.id))])
        gate.open()
        _ = try await report
        #expect(try await slow.object(at: task)?.meta.waitsFor == [list])
        try await world.synchronizer.push()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["list"] == 2)
    }

    @Test("what the API does not offer is refused at once")
    func notOffered() async throws {
        let world = try await TinyWorld {
            $0.update.isOffered = false
            $0.delete.isOffered = false
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        let edit = await #expect(throws: SyncError.self) {
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
        }
        #expect(edit?.message.contains("offers no update") == true)
        let delete = await #expect(throws: SyncError.self) { try await world.synchronizer.delete(uri) }
        #expect(delete?.message.contains("offers no delete") == true)
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
