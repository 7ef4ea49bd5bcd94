import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("How long copies are kept")
struct RetentionTests {
    /// The clock of a tiny world begins on 2023-11-14.
    private func world(_ change: @escaping (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld { tasks in
            tasks.fields.types["at"] = .instant
            tasks.retention = Retention(keep: .seconds(10 * 86_400), field: "at")
            change(&tasks)
        }
        for (title, at) in [
            ("old", "2023-11-01T00:00:00Z"), ("edge", "2023-11-04T22:13:20Z"), ("new", "2023-11-10T12:00:00+02:00")
        ] {
            world.server.insert("tasks", ["title": .string(title), "at": .string(at)])
        }
        world.server.insert("tasks", ["title": "timeless"])
        world.server.insert("tasks", ["title": "odd", "at": "yesterday"])
        return world
    }

    private func titles(_ world: TinyWorld) async throws -> [Value?] {
        try await world.synchronizer.records(matching: Query("tasks")).map { $0.record["title"] }
    }

    @Test("what is older is dropped here and stays on the server; what has no time is kept")
    func dropsOld() async throws {
        let world = try await world()
        let report = try await world.synchronizer.pull()
        #expect(report.entities["tasks"]?.expired == 1 && report.entities["tasks"]?.deleted == 0)
        #expect(try await titles(world) == ["edge", "new", "timeless", "odd"])
        #expect(!world.server.log.contains { $0.hasPrefix("DELETE") })
        #expect(world.server.rows("tasks").count == 5)
        #expect(try await world.store.read { try $0.counts()["tasks"]?.objects } == 4)
        try await world.pass(.seconds(7 * 86_400))
        #expect(try await world.synchronizer.pull().entities["tasks"]?.expired == 2)
        #expect(try await titles(world) == ["timeless", "odd"])
    }

    @Test("a pull of a view drops as that of a list does; its dry run does not", arguments: [true, false])
    func views(hasList: Bool) async throws {
        let world = try await world {
            $0.views = [View(name: "changed", query: [NamedText(name: "since", value: "{rev}")])]
            $0.list.isOffered = hasList
        }
        func pull(_ isDryRun: Bool = false) async throws -> PullReport.Entity? {
            var options = Synchronizer.PullOptions()
            options.dryRun = isDryRun
            return try await world.synchronizer
                .pull(view: "changed", of: "tasks", parameters: ["rev": "0"], options: options).entities["tasks"]
        }
        let first = try await pull()
        #expect(first?.inserted == 5 && first?.expired == 1 && first?.deleted == 0)
        #expect(try await titles(world) == ["edge", "new", "timeless", "odd"])
        try await world.pass(.seconds(7 * 86_400))
        #expect(try await pull(true)?.expired == 0)
        #expect(try await titles(world).count == 4)
        // The list brings “old” once more; where there is none, what is here is dropped all the same.
        #expect(try await world.synchronizer.pull().entities["tasks"]?.expired == (hasList ? 3 : 2))
        #expect(try await titles(world) == ["timeless", "odd"])
        let last = try await pull()
        #expect(last?.inserted == 3 && last?.expired == 3)
    }

    @Test("what waits to be sent stays until it is sent")
    func keepsChanges() async throws {
        let world = try await world()
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "2")
        try await world.synchronizer.edit(uri, setting: [("title", "edited")])
        try await world.pass(.seconds(86_400))
        #expect(try await world.synchronizer.pull().entities["tasks"]?.expired == 0)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "edited")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pull().entities["tasks"]?.expired == 1)
        #expect(world.server.rows("tasks").contains { $0["title"] == "edited" })
    }

    @Test("a day counts until it is over, and a mapped member is found where it stands")
    func daysAndMapping() async throws {
        let world = try await TinyWorld { tasks in
            tasks.mapping = FieldMapping([.init(name: "on", read: JSONPath([.member("meta"), .member("on")]))])
            tasks.fields.types["on"] = .date
            tasks.retention = Retention(keep: .seconds(86_400), field: "on")
        }
        world.server.insert("tasks", ["title": "a", "meta": ["on": "2023-11-12"]])
        world.server.insert("tasks", ["title": "b", "meta": ["on": "2023-11-13"]])
        try await world.synchronizer.pull()
        #expect(try await titles(world) == ["b"])
    }

    /// So many days after the clock of a tiny world begins.
    private func start(_ days: Int64) -> Int64 { 1_700_000_000_000 + days * 86_400_000 }

    @Test("what was dropped while the clock was ahead comes back when it is right, and is asked for once")
    func clockSetBack() async throws {
        let (server, store) = (TinyServer(), MemoryStore())
        for (title, at) in [("new", "2023-11-13T00:00:00Z"), ("old", "2023-11-01T00:00:00Z")] {
            server.insert("tasks", ["title": .string(title), "at": .string(at)])
        }
        /// A pull on a day: what it has asked for, what it says, and how many objects are here then.
        func pull(_ day: Int64) async throws -> (log: [String], report: PullReport.Entity?, count: Int) {
            let world = try await TinyWorld(server: server, store: store, start: start(day)) { tasks in
                tasks.fields.types["at"] = .instant
                tasks.retention = Retention(keep: .seconds(10 * 86_400), field: "at")
            }
            server.clearLog()
            let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
            return (server.log, report, try await titles(world).count)
        }
        let first = try await pull(0)
        #expect(first.log == ["GET tasks/"] && first.count == 1 && first.report?.expired == 1)
        let ahead = try await pull(100)
        #expect(ahead.log == ["GET tasks/?since=2"] && ahead.count == 0 && ahead.report?.warnings == [])
        let right = try await pull(1)
        #expect(right.log == ["GET tasks/"] && right.count == 1, "\(right)")
        #expect(right.report?.warnings.first?.contains("while the clock of this machine was ahead") == true)
        for (day, count) in [(1, 1), (2, 1), (20, 0), (21, 0)] as [(Int64, Int)] {
            let later = try await pull(day)
            #expect(later.log == ["GET tasks/?since=2"] && later.count == count && later.report?.warnings == [])
        }
    }

    @Test("all lists are asked for what was dropped too early, until all of them have shown it")
    func severalLists() async throws {
        let (server, store) = (TinyServer(), MemoryStore())
        for title in ["one", "two"] { server.insert("lists", ["title": .string(title)]) }
        for list in 1...2 {
            server.insert("tasks", ["list": .number(JSONNumber(list)), "at": "2023-11-13T00:00:00Z"])
        }
        func world(_ day: Int64) async throws -> NestedWorld {
            try await NestedWorld(server: server, store: store, start: start(day)) { tasks in
                tasks.fields.types["at"] = .instant
                tasks.retention = Retention(keep: .seconds(10 * 86_400), field: "at")
            }
        }
        #expect(try await world(0).pull().inserted == 2)
        #expect(try await world(5).pull().expired == 0)
        #expect(try await world(100).pull().expired == 2)
        let right = try await world(0)
        right.door.meet("lists/2/tasks/") { Response(status: 403) }
        #expect(try await right.pull().problem != nil)
        #expect(try await right.ids() == ["3"])
        right.door.meet("lists/2/tasks/", nil)
        #expect(try await right.pull().problem == nil)
        #expect(try await right.ids() == ["3", "4"])
        right.door.clear()
        #expect(try await right.pull().problem == nil)
        #expect(right.door.log.filter { $0.contains("/tasks/") }.allSatisfy { $0.contains("since=") })
    }

    @Test("a dry run drops nothing, and a complete list takes nothing dropped for deleted")
    func dryRunAndAbsence() async throws {
        let world = try await world { $0.deletes.byAbsence = true }
        var options = Synchronizer.PullOptions()
        options.full = true
        try await world.synchronizer.pull(options: options)
        let report = try await world.synchronizer.pull(options: options)
        #expect(report.entities["tasks"]?.deleted == 0 && report.entities["tasks"]?.expired == 1)
        try await world.pass(.seconds(7 * 86_400))
        options.dryRun = true
        try await world.synchronizer.pull(options: options)
        #expect(try await titles(world).count == 4)
    }
}
