import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("What a create in doubt was sent with")
struct CreateMarksTests {
    /// What a route file learns of creates after one was sent.
    enum Learned: CaseIterable, Sendable {
        case key, lookup, duplicate, identifier, address

        func change(_ resource: inout Resource) {
            (resource.lookup, resource.duplicate) = (nil, nil)
            switch self {
            case .key: resource.create.idempotencyHeader = "Idempotency-Key"
            case .lookup: resource.lookup = Lookup(field: "uuid", parameter: "uuid")
            case .duplicate:
                resource.lookup = Lookup(field: "uuid", parameter: nil)
                resource.duplicate = Duplicate(statuses: [400], field: "uuid")
            case .identifier: resource.assigned = .client
            case .address:
                resource.assigned = .client
                resource.create.method = "PUT"
                resource.create.path = resource.update.path
            }
        }
    }

    @Test("what the route file says since is of no use to it: a person decides", arguments: Learned.allCases)
    func learnedSince(_ learned: Learned) async throws {
        let world = try await TinyWorld { ($0.lookup, $0.duplicate) = (nil, nil) }
        world.server.knowKeys()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        world.server.clearLog()
        let later = try await TinyWorld(server: world.server, store: world.store, learned.change)
        try await later.synchronizer.push()
        #expect(world.server.log == [])
        #expect(world.server.rows("tasks").count == 1)
        let object = try #require(try await later.synchronizer.object(at: uri))
        guard case .unknown? = object.meta.outgoing?.phase else {
            Issue.record("\(object.meta.state)")
            return
        }
    }

    /// One create was sent and its answer lost: it was found by a value of its own.
    private func isFound(_ title: Value, in world: TinyWorld) async throws {
        let rows = world.server.rows("tasks").filter { $0["title"] == title }
        let value = try #require(rows.first?["uuid"]?.string)
        #expect(rows.count == 1 && !value.isEmpty)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(world.server.log.contains("GET tasks/?uuid=\(value)"))
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one whose value was emptied before the push has another", arguments: [.null, ""] as [Value])
    func emptied(_ empty: Value) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "another's"])
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.edit(uri, setting: [("uuid", empty)])
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        try await isFound("mine", in: world)
    }

    @Test("one that is made anew of an object without a value has one")
    func madeAnew() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "another's"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        world.server.remove("tasks", 1)
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        try await isFound("mine", in: world)
    }

    @Test("it is stored, also where that is nothing")
    func stored() throws {
        for marks in [[], .key, .identifier, [.key, .identifier]] as [Resource.Marks] {
            let uri = ObjectURI(entity: "tasks", id: "t")
            var sent = Attempt(record: ObjectRecord(["title": "a"]), revision: 1, sequence: 2)
            sent.marks = marks
            let outgoing = Change(phase: .unknown(sent), idempotencyKey: "k")
            let meta = MetaObject(uri: uri, id: ObjectID("t"), state: .created(outgoing, deleting: false))
            #expect(try MetaObject(stored: meta.stored(beside: nil), beside: nil, uri: uri) == meta)
        }
    }
}
