import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Views")
struct ViewTests {
    private func world() async throws -> TinyWorld {
        try await TinyWorld { tasks in
            tasks.views = [
                View(name: "mine", query: [NamedText(name: "uuid", value: "{owner}")]),
                View(name: "changed", query: [NamedText(name: "since", value: "{rev}")])
            ]
        }
    }

    private func titles(_ world: TinyWorld, _ view: String, _ parameters: [String: String]) async throws -> [Value?] {
        try await world.synchronizer.records(in: view, of: "tasks", parameters: parameters).map { $0.record["title"] }
    }

    @Test("a pull of a view stores its objects and remembers which they are, for each set of parameters")
    func membership() async throws {
        let world = try await world()
        for (title, owner) in [("a", "7"), ("b", "8"), ("c", "9")] {
            world.server.insert("tasks", ["title": .string(title), "uuid": .string(owner)])
        }
        let report = try await world.synchronizer.pull(view: "mine", of: "tasks", parameters: ["owner": "7"])
        #expect(world.server.log == ["GET tasks/?uuid=7"])
        #expect(report.entities["tasks"]?.inserted == 1)
        #expect(try await titles(world, "mine", ["owner": "7"]) == ["a"])
        #expect(try await titles(world, "mine", ["owner": "8"]).isEmpty)
        // The view is no pull of the entity: its cursor is untouched.
        #expect(try await world.synchronizer.status()[1].cursor == nil)
        #expect(try await world.synchronizer.status()[1].lastPull == nil)
    }

    @Test("what leaves a view stays in the entity; what was deleted here is not shown")
    func leaves() async throws {
        let world = try await world()
        for title in ["a", "b", "c", "d", "e"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull(view: "changed", of: "tasks", parameters: ["rev": "0"])
        #expect(try await titles(world, "changed", ["rev": "0"]) == ["a", "b", "c", "d", "e"])
        world.server.remove("tasks", 2)
        try await world.synchronizer.delete(ObjectURI(entity: "tasks", id: "3"))
        try await world.synchronizer.pull(view: "changed", of: "tasks", parameters: ["rev": "0"])
        #expect(try await titles(world, "changed", ["rev": "0"]) == ["a", "d", "e"])
        #expect(try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: "2"))?["title"] == "b")
    }

    @Test("a view has each of two objects whose identifiers are canonically equivalent, once")
    func equivalentIdentifiers() {
        let tally = PullTally()
        var page = Page(bytes: Array("{}".utf8))
        let ids = ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"]
        page.items = ids.map { PageItem(id: .text(ObjectID($0)), record: 0..<2) }
        tally.show(page, 0..<3)
        #expect(tally.shown.map { Array($0.utf8) } == ids.prefix(2).map { Array($0.utf8) })
    }

    @Test("fetch gives what is here, then what the server has")
    func fetch() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        var rounds: [[Value?]] = []
        for try await each in world.synchronizer.fetch(view: "changed", of: "tasks", parameters: ["rev": "0"]) {
            rounds.append(each.records.map { $0.record["title"] })
        }
        #expect(rounds == [[], ["a"]])
    }

    @Test("a view or a parameter that is not there is told with what is")
    func unknown() async throws {
        let world = try await world()
        func message(_ view: String, _ parameters: [String: String]) async throws -> String? {
            do {
                try await world.synchronizer.pull(view: view, of: "tasks", parameters: parameters)
                return nil
            } catch let error as SyncError {
                return error.message
            }
        }
        #expect(try await message("yours", [:]) == "tasks has no view “yours”; it has mine, changed")
        #expect(try await message("mine", [:]) == "the view “mine” of tasks needs owner=VALUE")
        #expect(
            try await message("mine", ["owner": "1", "ower": "2"])
                == "the view “mine” of tasks has no parameter “ower”; it takes owner")
        #expect(world.server.log.isEmpty)
    }

    @Test("an edit that waits here is merged and not overwritten by a view")
    func edited() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a", "done": false])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.edit("tasks", 1, ["done": true])
        let report = try await world.synchronizer.pull(view: "changed", of: "tasks", parameters: ["rev": "0"])
        #expect(report.entities["tasks"]?.merged == 1)
        let record = try await world.synchronizer.record(at: uri)
        #expect(record?["title"] == "mine" && record?["done"] == true)
    }
}
