import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Route files that make other addresses than before")
struct ReaddressingTests {
    private func ids(_ synchronizer: Synchronizer) async throws -> [String] {
        try await synchronizer.records(matching: Query("tasks")).map(\.uri.id).sorted()
    }

    private func task(_ id: String) -> ObjectURI { ObjectURI(entity: "tasks", id: id) }

    @Test("objects move to the identifier that “id” names now, with what was edited", arguments: [true, false])
    func otherMember(isAbsenceTold: Bool) async throws {
        let world = try await TinyWorld { $0.deletes.byAbsence = isAbsenceTold }
        for number in 1...3 {
            world.server.insert("tasks", ["title": .string("t\(number)"), "uuid": .string("u\(number)")])
        }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task("2"), setting: [("title", "mine")])
        try await world.synchronizer.delete(task("3"))
        let other = try await world.under { $0.resources[1].id = .member("uuid") }
        let report = try await other.pull().entities["tasks"]
        #expect(report?.inserted == 0 && report?.deleted == 0, "\(String(describing: report))")
        let told =
            "tasks: moved to another address than before: 3, as from tasks/1 to tasks/u1"
        #expect(report?.warnings.contains(told) == true, "\(String(describing: report?.warnings))")
        #expect(try await ids(other) == ["u1", "u2"])
        #expect(try await other.record(at: task("u2"))?["title"] == "mine")
        #expect(try await other.object(at: task("u3"))?.meta.isDeleted == true)
        #expect(try await other.pull().entities["tasks"]?.warnings == [])
        #expect(try await ids(other) == ["u1", "u2"])
    }

    @Test("what is pushed before the next pull goes to the new address")
    func push() async throws {
        let world = try await TinyWorld {
            $0.deletes = Deletes()
            $0.version = .none
        }
        world.server.insert("tasks", ["title": "a", "uuid": "u1"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task("1"), setting: [("title", "mine")])
        world.server.clearLog()
        let other = try await world.under { $0.resources[1].id = .member("uuid") }
        _ = try await other.push()
        let patches = world.server.log.filter { $0.hasPrefix("PATCH") }
        #expect(!patches.isEmpty && patches.allSatisfy { $0.hasPrefix("PATCH tasks/u1/") }, "\(world.server.log)")
        #expect(try await other.record(at: task("u1"))?["title"] == "mine")
        #expect(try await ids(other) == ["u1"])
    }

    @Test("links that were identifiers become what they end with")
    func links() async throws {
        let world = try await TinyWorld { $0.id = .member("url") }
        world.server.insert("tasks", ["title": "a", "url": "https://tiny.example/api/tasks/1/"])
        try await world.synchronizer.pull()
        #expect(try await ids(world.synchronizer) == ["https://tiny.example/api/tasks/1/"])
        let other = try await world.under { $0.resources[1].isIDLink = true }
        try await other.pull()
        #expect(try await ids(other) == ["1"])
    }

    @Test("objects go below the parent that they were shown under last, and back")
    func perParent() async throws {
        let server = TinyServer()
        for number in 1...2 { server.insert("lists", ["name": .string("l\(number)")]) }
        for number in 1...2 { server.insert("tasks", ["title": "a", "list": .number(JSONNumber(number))]) }
        let store = MemoryStore()
        let world = try await NestedWorld(server: server, store: store)
        _ = try await world.pull()
        #expect(try await world.ids() == ["3", "4"])
        let other = try await NestedWorld(server: server, store: store) { $0.isUniquePerParent = true }
        #expect(try await other.pull().deleted == 0)
        #expect(try await other.ids() == ["1/3", "2/4"])
        #expect(try await world.pull().deleted == 0)
        #expect(try await world.ids() == ["3", "4"])
    }

    @Test("addresses may be handed on, and change places")
    func handedOn() async throws {
        let world = try await TinyWorld { $0.deletes = Deletes() }
        for (number, next) in [(1, 2), (2, 3), (3, 7), (4, 5), (5, 4)] {
            world.server.insert(
                "tasks", ["title": .string("t\(number)"), "number": .number(JSONNumber(next))])
        }
        try await world.synchronizer.pull()
        let other = try await world.under { $0.resources[1].id = .member("number") }
        try await other.pull()
        #expect(try await ids(other) == ["2", "3", "4", "5", "7"])
        for (id, title) in [("2", "t1"), ("3", "t2"), ("7", "t3"), ("5", "t4"), ("4", "t5")] {
            #expect(try await other.record(at: task(id))?["title"] == .string(title))
        }
    }

    @Test("a change of an object whose address becomes that of another holds the pull up")
    func changedRing() async throws {
        let world = try await TinyWorld { $0.deletes = Deletes() }
        for next in [2, 1] { world.server.insert("tasks", ["title": "a", "number": .number(JSONNumber(next))]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task("2"), setting: [("title", "mine")])
        let other = try await world.under { $0.resources[1].id = .member("number") }
        let report = try await other.pull().entities["tasks"]
        #expect(report?.problem?.hasPrefix("tasks/2 is changed here") == true, "\(String(describing: report))")
        #expect(try await world.synchronizer.record(at: task("2"))?["title"] == "mine")
    }

    @Test("objects that do not show what their address is made of now are named")
    func untold() async throws {
        let world = try await TinyWorld { $0.deletes = Deletes() }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["uuid": "u1"])
        let other = try await world.under { $0.resources[1].id = .member("uuid") }
        let warnings = try await other.pull().entities["tasks"]?.warnings ?? []
        #expect(warnings.contains { $0.contains("tasks/1 for one") }, "\(warnings)")
    }
}
