import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Queued actions of a list")
struct ListActionTests {
    private let list = ObjectURI(entity: "lists", id: "1")
    private let task = ObjectURI(entity: "tasks", id: "3")

    /// Two lists and a task of the first; `clear` hides what is done in a list.
    private func world(
        store: any Store = MemoryStore(), _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (world: TinyWorld, synchronizer: Synchronizer) {
        let path = try PathTemplate("lists/{lists.id}/tasks/")
        let world = try await TinyWorld(store: store) { tasks in
            tasks.list.path = path
            tasks.parents = [Reference(entity: "lists", field: "list")]
            change(&tasks)
        }
        world.server.insert("lists", ["title": "Home"])
        world.server.insert("lists", ["title": "Work"])
        world.server.insert("tasks", ["title": "Milk", "list": 1])
        var clear = Action(
            name: "clear", method: "POST", path: try PathTemplate("lists/{id}/clear"), arguments: ["cleared"],
            mayRepeat: true)
        clear.body = []
        clear.changes = ["tasks"]
        let synchronizer = try await world.under { $0.resources[0].actions = [clear] }
        try await synchronizer.pull()
        world.server.clearLog()
        return (world, synchronizer)
    }

    private func writes(_ world: TinyWorld) -> [String] { world.server.log.filter { !$0.hasPrefix("GET") } }

    @Test("it goes behind the edits that wait below it, without a body, and what it has changed is pulled")
    func behindEdits() async throws {
        let (world, synchronizer) = try await world()
        try await synchronizer.edit(task, setting: [("done", true)])
        try await synchronizer.edit(list, setting: [("cleared", true)])
        let report = try await synchronizer.push()
        #expect(writes(world) == [#"PATCH tasks/3/ {"done":true}"#, "POST lists/1/clear"])
        #expect(report.held.isEmpty && report.failures.isEmpty)
        #expect(try await synchronizer.record(at: task)?["hidden"] == true)
        #expect(try await synchronizer.record(at: list)?["cleared"] == nil)
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("new tasks and deletes go before it, and edits of another list hold nothing")
    func behindOthers() async throws {
        let (world, synchronizer) = try await world()
        try await synchronizer.save(["title": "Bread", "list": 1, "done": true], as: "tasks")
        try await synchronizer.delete(task)
        try await synchronizer.edit(list, setting: [("cleared", true)])
        try await synchronizer.edit(ObjectURI(entity: "lists", id: "2"), setting: [("cleared", true)])
        try await synchronizer.push()
        let writes = writes(world)
        #expect(writes.count == 4 && writes.last == "POST lists/1/clear", "\(writes)")
        #expect(writes.contains("POST lists/2/clear") && writes.contains("DELETE tasks/3/"), "\(writes)")
        #expect(world.server.rows("tasks").map { $0["hidden"] } == [true])
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("it is held while an edit below it is refused, and the preview and the status say so")
    func held() async throws {
        let (world, synchronizer) = try await world()
        try await synchronizer.edit(task, setting: [("title", "bad")])
        try await synchronizer.edit(list, setting: [("cleared", true), ("title", "House")])
        let report = try await synchronizer.push()
        #expect(report.held == [list] && report.updated == 1)
        #expect(try await synchronizer.heldChanges().mapValues(\.uri) == [list: task])
        #expect(try await synchronizer.pushPreview().requests.isEmpty)
        #expect(!writes(world).contains { $0.contains("clear") })
        try await synchronizer.discard(task)
        try await synchronizer.push()
        #expect(writes(world).last == "POST lists/1/clear")
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("an edit that is made while the push waits for another one goes before it, too")
    func madeMeanwhile() async throws {
        let (world, synchronizer) = try await world()
        world.server.insert("tasks", ["title": "Bread", "list": 1])
        world.server.insert("tasks", ["title": "Salt", "list": 1])
        try await synchronizer.pull()
        world.server.clearLog()
        try await synchronizer.edit(task, setting: [("done", true)])
        try await synchronizer.edit(ObjectURI(entity: "tasks", id: "4"), setting: [("done", true)])
        try await synchronizer.edit(list, setting: [("cleared", true)])
        var routeFile = synchronizer.routeFile
        routeFile.limits.concurrent = 1
        let gate = Gate()
        let slow = try await world.holding(
            "PATCH", at: gate, where: { $0.url.contains("tasks/4") }, under: routeFile)
        async let push = slow.push()
        await gate.waitForArrivals()
        try await slow.edit(ObjectURI(entity: "tasks", id: "5"), setting: [("done", true)])
        gate.open()
        _ = try await push
        try await slow.push()
        #expect(
            writes(world) == [3, 4, 5].map { "PATCH tasks/\($0)/ {\"done\":true}" } + ["POST lists/1/clear"])
        #expect(try await slow.pending().isEmpty)
    }

    @Test("the preview shows the update of a list without the action that waits")
    func previewedUpdate() async throws {
        let (_, synchronizer) = try await world()
        try await synchronizer.edit(task, setting: [("title", "bad")])
        try await synchronizer.push()
        try await synchronizer.edit(list, setting: [("cleared", true), ("title", "House")])
        #expect(try await synchronizer.pushPreview().requests.map(\.verb) == ["update"])
    }

    @Test("an action goes before one that is declared first, and waits for it by another object")
    func ofOneObject() async throws {
        let (world, plain) = try await world()
        world.server.insert("tasks", ["title": "Bread", "list": 1])
        world.server.edit("lists", 1, ["cover": 3])
        let cover = Action(
            name: "cover", method: "POST", path: try PathTemplate("lists/{id}/cover"), arguments: ["cover"],
            mayRepeat: true)
        var routeFile = plain.routeFile
        routeFile.resources[0].actions.append(cover)
        routeFile.resources[0].references.append(Reference(entity: "tasks", field: "cover"))
        let changed = routeFile
        let synchronizer = try await world.under { $0 = changed }
        try await synchronizer.pull()
        world.server.clearLog()
        try await synchronizer.edit(list, setting: [("cover", 4), ("cleared", true)])
        try await synchronizer.delete(task)
        #expect(
            try await Set(synchronizer.pushPreview().requests.map(\.verb)) == ["cover", "delete", "clear"])
        let report = try await synchronizer.push()
        #expect(writes(world) == [#"POST lists/1/cover {"cover":4}"#, "DELETE tasks/3/", "POST lists/1/clear"])
        #expect(report.held.isEmpty)
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("each of many lists costs no walk through the changes that wait")
    func manyLists() async throws {
        let store = WalkedStore()
        let (world, synchronizer) = try await world(store: store)
        let lists = (0..<50).map { _ in world.server.insert("lists", ["title": "a"]) }
        let tasks = (0..<50).map { _ in world.server.insert("tasks", ["title": "b", "list": 2]) }
        try await synchronizer.pull()
        for id in tasks {
            try await synchronizer.edit(ObjectURI(entity: "tasks", id: String(id)), setting: [("title", "bad")])
        }
        try await synchronizer.push()
        for id in lists {
            try await synchronizer.edit(ObjectURI(entity: "lists", id: String(id)), setting: [("cleared", true)])
        }
        let before = store.walked
        try await synchronizer.push()
        #expect(store.walked - before < 2_000)
        #expect(writes(world).count { $0.hasSuffix("clear") } == 50)
    }

    @Test("called at once it pulls what it has changed, too")
    func atOnce() async throws {
        let (world, synchronizer) = try await world()
        world.server.edit("tasks", 3, ["done": true])
        _ = try await synchronizer.request("clear", on: list)
        #expect(writes(world) == ["POST lists/1/clear"])
        #expect(try await synchronizer.record(at: task)?["hidden"] == true)
    }

    @Test(
        "of what it changes the list of its object is pulled and no other, and what is absent from that goes",
        arguments: [true, false])
    func oneListAlone(isQueued: Bool) async throws {
        let (world, synchronizer) = try await world { tasks in
            tasks.deletes.byAbsence = true
            tasks.since = nil
        }
        let other = world.server.insert("tasks", ["title": "Report", "list": 2])
        try await synchronizer.pull()
        for id in [3, other] { world.server.remove("tasks", id) }
        let kept = world.server.insert("tasks", ["title": "Bread", "list": 1, "done": true])
        world.server.clearLog()
        if isQueued {
            try await synchronizer.edit(list, setting: [("cleared", true)])
            try await synchronizer.push()
        } else {
            _ = try await synchronizer.request("clear", on: list)
        }
        let reads = world.server.log.filter { $0.contains("tasks") }
        #expect(reads == ["GET lists/1/tasks/", "GET tasks/3/"], "\(world.server.log)")
        let here = try await synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        #expect(here == [String(other), String(kept)].sorted())
        // The list that was not asked for is, in the next pull.
        try await synchronizer.pull()
        #expect(try await synchronizer.records(matching: Query("tasks")).map(\.uri.id) == [String(kept)])
    }
}
