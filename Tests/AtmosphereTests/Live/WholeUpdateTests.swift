import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// What becomes of updates that have all members of their object; the log of the server shows which requests they cost.
@Suite("Live updates with the whole object")
struct WholeUpdateTests {
    /// A world, and its client under a route file with `live`.
    private func world(
        _ change: @escaping (inout Resource) -> Void = { _ in }
    ) async throws -> (world: TinyWorld, client: Synchronizer) {
        let world = try await TinyWorld.ordered(change)
        let client = try await world.under { $0.live = LiveSettings(url: "ws://x.example", key: SecretName("KEY")) }
        return (world, client)
    }

    private func whole(_ id: Int, _ members: Value.Members, version: String? = nil) -> MessageEvent {
        var all: Value.Members = ["id": .number(JSONNumber(id))]
        for member in members { all[member.name] = member.value }
        return .update(.task(id, .whole(all), version: version))
    }

    private func follow(_ client: Synchronizer, _ events: [MessageEvent]) async throws {
        try await client.follow(ScriptedMessages { receive in for event in events { receive(event) } })
    }

    @Test("a message to thirty people costs none of them a request, and is an object like any other")
    func arriving() async throws {
        let (world, client) = try await world()
        for id in 1...30 { world.server.put("tasks", id, ["title": "hello"]) }
        let rows = world.server.rows("tasks")
        try await follow(
            client,
            (1...30).map { id in .update(.task(id, .whole(rows[id - 1]), version: rows[id - 1]["rev"]?.text)) })
        #expect(world.server.log.isEmpty)
        for id in 1...30 { #expect(try await world.task(id) == rows[id - 1]) }
        // The version is the one that it was published with.
        try await follow(client, [whole(7, ["title": "older", "rev": 1], version: "1")])
        #expect(try await world.task(7)?["title"] == "hello")
        #expect(world.server.log.isEmpty)
        try await client.edit(ObjectURI(entity: "tasks", id: "7"), setting: [("title", "mine")])
        try await client.push()
        #expect(world.server.rows("tasks")[6]["title"] == "mine")
    }

    @Test("what was removed here, or is known to be gone, is asked for before a late update brings it back")
    func removed() async throws {
        let (world, client) = try await world { $0.deletes.byAbsence = true }
        for _ in 0..<5 { world.server.insert("tasks", ["title": "old"]) }
        try await client.pull()
        // Deleted here, deleted by a message, missing in a list, and told to be gone before it was ever here.
        try await client.delete(ObjectURI(entity: "tasks", id: "1"))
        try await client.push()
        for id in 2...3 { world.server.remove("tasks", id) }
        try await follow(client, [.update(.task(2, .deleted, version: "99"))])
        var options = Synchronizer.PullOptions()
        options.full = true
        try await client.pull(options: options)
        try await follow(client, [.update(.task(6, .deleted))])
        for id in [1, 2, 3, 6] { #expect(try await world.task(id) == nil) }
        world.server.clearLog()
        for id in [1, 2, 3, 6] {
            try await follow(client, [whole(id, ["title": "old", "rev": 1], version: "1")])
            #expect(try await world.task(id) == nil)
        }
        #expect(world.server.log == [1, 2, 3, 6].map { "GET tasks/\($0)/" })
    }

    @Test("a tombstone of what was never here is remembered, so that the create which is told late brings nothing here")
    func tombstone() async throws {
        let (world, client) = try await world { $0.deletes.field = .member("gone") }
        world.server.insert("tasks", ["title": "old"])
        try await client.pull()
        world.server.put("tasks", 7, ["title": "made and deleted", "gone": true])
        try await client.pull()
        world.server.clearLog()
        try await follow(client, [whole(7, ["title": "made and deleted", "rev": 2], version: "2")])
        #expect(world.server.log == ["GET tasks/7/"])
        #expect(try await world.task(7) == nil)
    }

    @Test("a tombstone that is shown again is not noted again")
    func tombstoneShownAgain() async throws {
        let (world, client) = try await world { $0.deletes.field = .member("gone") }
        world.server.insert("tasks", ["title": "old"])
        try await client.pull()
        func noted() async throws -> [PullCursor?] {
            try await world.store.read { snapshot in
                let marks: [PullCursor?] = try snapshot.cursors(entity: "#removed/tasks/second").map(\.cursor)
                return try marks + [snapshot.cursor(for: PullScope(entity: "#gone/tasks"))]
            }
        }
        world.server.put("tasks", 7, ["title": "made and deleted", "gone": true])
        try await client.pull()
        let first = try await noted()
        #expect(first.count == 2)
        world.server.put("tasks", 7, ["title": "told again", "gone": true])
        try await client.pull()
        #expect(try await noted() == first)
    }

    @Test("an update of what is here takes members away that it does not have, and an older one changes nothing")
    func here() async throws {
        let (world, client) = try await world()
        world.server.insert("tasks", ["title": "old", "note": "goes"])
        try await client.pull()
        world.server.clearLog()
        try await follow(client, [whole(1, ["title": "new", "rev": 12], version: "12")])
        #expect(try await world.task(1) == ["id": 1, "title": "new", "rev": 12])
        try await follow(client, [whole(1, ["title": "older", "note": "back", "rev": 9], version: "9")])
        #expect(try await world.task(1) == ["id": 1, "title": "new", "rev": 12])
        try await client.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("note", "mine")])
        try await follow(client, [whole(1, ["title": "newer", "rev": 13], version: "13")])
        let merged = try await world.task(1)
        #expect(merged?["title"] == "newer" && merged?["note"] == "mine")
        #expect(world.server.log.isEmpty)
    }

    @Test("what stands below something that is not here is asked for, and what stands below something here is taken")
    func parents() async throws {
        let (world, client) = try await world {
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
        }
        world.server.insert("lists", ["name": "here"])
        try await client.pull(entities: ["lists"])
        world.server.put("tasks", 11, ["list": 1, "title": "taken"])
        world.server.clearLog()
        try await follow(client, [whole(11, ["list": 1, "title": "taken", "rev": 2], version: "2")])
        #expect(try await world.task(11)?["title"] == "taken")
        #expect(world.server.log.isEmpty)
        try await follow(client, [whole(12, ["list": 9, "title": "orphan", "rev": 2], version: "2")])
        #expect(try await world.task(12) == nil)
        #expect(world.server.log == ["GET tasks/12/"])
    }

    @Test("the mark of a deleted object, another identifier, and a route file without “live” bring nothing here")
    func nothing() async throws {
        let (world, client) = try await world { $0.deletes.field = .member("gone") }
        try await follow(client, [whole(1, ["gone": true, "rev": 2], version: "2")])
        #expect(world.server.log.isEmpty)
        try await follow(client, [.update(.task(2, .whole(["id": 3, "rev": 2]), version: "2"))])
        try await follow(client, [.update(.task(4, .whole(["title": "nameless"]), version: "2"))])
        try await world.follow(.task(5, .whole(["id": 5, "rev": 2]), version: "2"))
        #expect(world.server.log == ["GET tasks/2/", "GET tasks/4/", "GET tasks/5/"])
        for id in 1...5 { #expect(try await world.task(id) == nil) }
    }

    @Test("“whole” belongs to attributes, and is true or false")
    func reading() throws {
        func content(_ said: String) throws -> LiveUpdate.Content {
            let text = #"{"uri":{"entity":"tasks","id":1},\#(said)}"#
            return try LiveUpdate(Value(json: Array(text.utf8))).content
        }
        #expect(try content(#""attributes":{"a":1},"whole":true"#) == .whole(["a": 1]))
        #expect(try content(#""attributes":{"a":1},"whole":false"#) == .attributes(["a": 1]))
        for said in [#""whole":true"#, #""deleted":true,"whole":true"#, #""attributes":{},"whole":1"#] {
            guard case .unusable = try content(said) else {
                Issue.record("\(said) can be used")
                return
            }
        }
    }
}
