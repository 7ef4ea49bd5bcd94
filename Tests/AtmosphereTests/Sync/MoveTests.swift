import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Moves of objects that are addressed below their parents")
struct MoveTests {
    /// Two lists on the server, and tasks below them.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let create = try PathTemplate("lists/{lists.id}/tasks/")
        let one = try PathTemplate("lists/{lists.id}/tasks/{id}/")
        let world = try await TinyWorld {
            $0.isUniquePerParent = true
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.create.path = create
            ($0.read.path, $0.update.path, $0.delete.path) = (one, one, one)
            change(&$0)
        }
        world.server.insert("lists", ["title": "Home"])
        world.server.insert("lists", ["title": "Work"])
        try await world.synchronizer.pull(entities: ["lists"])
        return world
    }

    private func refusesMove(_ synchronizer: Synchronizer, _ uri: ObjectURI) async -> SyncError? {
        await #expect(throws: SyncError.self) { try await synchronizer.edit(uri, setting: [("list", 2)]) }
    }

    @Test("a new object cannot be moved while its create is on the wire, and stays")
    func onTheWire() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        let task = try await slow.save(["title": "Milk", "list": 1], as: "tasks")
        async let report = slow.push(entities: ["tasks"])
        await gate.waitForArrivals()
        let error = await refusesMove(slow, task)
        #expect(error?.code == .wrongState)
        #expect(error?.message.contains("its create was sent but not answered") == true)
        try await slow.edit(task, setting: [("title", "Oat milk")])
        gate.open()
        _ = try await report
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { [$0["title"], $0["list"]] } == [["Oat milk", 1]])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1/3"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "a parent's new identifier becomes one segment of its children's, whatever characters it has",
        arguments: [("K", "New name"), ("a b", "é"), ("a%b", "plain"), ("K", "L")])
    func renamedParent(old: String, new: String) async throws {
        let world = try await world()
        let list = ObjectURI(entity: "lists", id: old)
        let task = ObjectURI(entity: "tasks", segments: [old, "7"])
        let routeFile = world.synchronizer.routeFile
        try await world.store.write(.process, origin: .pull) { transaction in
            let records = [
                (list, ObjectRecord(["id": .string(old)])), (task, ObjectRecord(["id": 7, "list": .string(old)]))
            ]
            try transaction.upsert(records)
            for (uri, record) in records {
                let state = MetaObject.State.synchronized(.init(base: record, sequence: 1))
                try transaction.put([MetaObject(uri: uri, id: ObjectID(uri.id), state: state)])
            }
            var renamed = try #require(try transaction.object(at: list))
            renamed.meta.id = ObjectID(new)
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(renamed, over: list)
        }
        let tasks = try await world.synchronizer.records(matching: Query("tasks")).map(\.uri)
        #expect(tasks == [ObjectURI(entity: "tasks", segments: [new, "7"])])
    }

    @Test("nor while nobody knows what became of its create")
    func unknown() async throws {
        let world = try await world { $0.lookup = nil }
        world.server.loseAnswer(to: "POST")
        let task = try await world.synchronizer.save(["title": "Milk", "list": 1], as: "tasks")
        try await world.synchronizer.push()
        #expect(await refusesMove(world.synchronizer, task)?.code == .wrongState)
        #expect(try await world.synchronizer.record(at: task)?["list"] == 1)
    }

    @Test("nor once the server has it")
    func confirmed() async throws {
        let world = try await world()
        try await world.synchronizer.save(["title": "Milk", "list": 1], as: "tasks")
        try await world.synchronizer.push()
        let error = await refusesMove(world.synchronizer, ObjectURI(entity: "tasks", id: "1/3"))
        #expect(error?.code == .invalidRecord)
        #expect(error?.message.contains("declare an action") == true)
    }

    @Test("it can be moved as long as nothing has arrived, and is created in its new place")
    func notSent() async throws {
        let world = try await world()
        let task = try await world.synchronizer.save(["title": "Milk", "list": 1], as: "tasks")
        world.server.goOffline(true)
        try await world.synchronizer.push()
        try await world.synchronizer.edit(task, setting: [("list", 2)])
        world.server.goOffline(false)
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["list"] } == [2])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["2/3"])
    }

    @Test("one that the server refused can be moved, and is tried there")
    func refused() async throws {
        let world = try await world()
        let task = try await world.synchronizer.save(["title": "bad", "list": 1], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        try await world.synchronizer.edit(task, setting: [("list", 2), ("title", "good")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["list"] } == [2])
    }

    // MARK: By an action

    /// A task below list 1, and an action below the list that moves it.
    private func movable(query: [String]) async throws -> TinyWorld {
        let path = try PathTemplate("lists/{lists.id}/tasks/{id}/move")
        let world = try await world {
            $0.isUniquePerParent = false
            $0.version = .none
            $0.actions = [
                Action(name: "move", method: "POST", path: path, arguments: ["list", "behind"], query: query)
            ]
        }
        world.server.insert("tasks", ["title": "Milk", "list": 1])
        try await world.synchronizer.pull()
        world.server.clearLog()
        world.server.answer("POST", with: #"{"id":3,"title":"Milk","list":2,"rev":9}"#, processes: false)
        return world
    }

    private let milk = ObjectURI(entity: "tasks", id: "3")

    @Test(
        "an action moves it: below its list as the server has it, and with the list that it goes to",
        arguments: [[], ["list"]], [true, false])
    func byAction(_ query: [String], _ isQueued: Bool) async throws {
        let world = try await movable(query: query)
        if isQueued {
            try await world.synchronizer.edit(milk, setting: [("list", 2)])
            #expect(try await world.synchronizer.push().updated == 1)
        } else {
            _ = try await world.synchronizer.request("move", on: milk, arguments: ["list": 2])
        }
        let path = "POST lists/1/tasks/3/move"
        #expect(world.server.log.first == (query.isEmpty ? "\(path) {\"list\":2}" : "\(path)?list=2"))
        #expect(try await world.synchronizer.record(at: milk)?["list"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an answer that does not show the list says that it is where it was moved to", arguments: [true, false])
    func listNotShown(_ isQueued: Bool) async throws {
        let world = try await movable(query: [])
        world.server.forgetFaults()
        world.server.answer("POST", with: #"{"id":3,"title":"Milk","rev":9}"#, processes: false)
        if isQueued {
            try await world.synchronizer.edit(milk, setting: [("list", 2)])
            #expect(try await world.synchronizer.push().ignored.isEmpty)
        } else {
            _ = try await world.synchronizer.request("move", on: milk, arguments: ["list": 2])
        }
        #expect(try await world.synchronizer.record(at: milk)?["list"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    // MARK: By an action, with identifiers that are unique per list

    private let first = ObjectURI(entity: "tasks", segments: ["1", "3"])

    /// A task of list 1 that was moved to list 2, which is answered with this; nil for nothing.
    private func renumbered(_ isQueued: Bool, answer: String?) async throws -> TinyWorld {
        let all = try PathTemplate("lists/{lists.id}/tasks/")
        let path = try PathTemplate("lists/{lists.id}/tasks/{id}/move")
        let world = try await world {
            $0.version = .none
            $0.list.path = all
            $0.actions = [Action(name: "move", method: "POST", path: path, arguments: ["list"], query: [])]
        }
        world.server.insert("tasks", ["title": "Milk", "list": 1])
        try await world.synchronizer.pull()
        world.server.answer("POST", with: answer, status: answer == nil ? 204 : 200, processes: false)
        if isQueued {
            try await world.synchronizer.edit(first, setting: [("list", 2)])
            #expect(try await world.synchronizer.push().updated == 1)
        } else {
            _ = try await world.synchronizer.request("move", on: first, arguments: ["list": 2])
        }
        #expect(try await world.synchronizer.pending().isEmpty)
        return world
    }

    @Test("it gets the identifier that the answer says", arguments: [3, 9], [true, false])
    func newIdentifier(_ number: Int, _ isQueued: Bool) async throws {
        let world = try await renumbered(isQueued, answer: #"{"id":\#(number),"title":"Milk","list":2,"rev":9}"#)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["2/\(number)"])
        #expect(try await world.synchronizer.record(at: first)?["list"] == 2)
    }

    @Test("also where the answer does not show its list", arguments: [true, false])
    func newIdentifierAlone(_ isQueued: Bool) async throws {
        let world = try await renumbered(isQueued, answer: #"{"id":9,"title":"Milk","rev":9}"#)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["2/9"])
    }

    /// A task of each list; that of list 1 was moved to where that of list 2 stands here, which was changed by `change`.
    private func met(
        answer: String, _ isQueued: Bool, _ change: (TinyWorld, ObjectURI) async throws -> Void
    ) async throws -> (TinyWorld, ObjectURI) {
        let all = try PathTemplate("lists/{lists.id}/tasks/")
        let path = try PathTemplate("lists/{lists.id}/tasks/{id}/move")
        let world = try await world {
            $0.version = .none
            $0.list.path = all
            $0.conflict.deletedThere = .recreate
            $0.actions = [Action(name: "move", method: "POST", path: path, arguments: ["list"], query: [])]
        }
        world.server.insert("tasks", ["title": "Milk", "list": 1])
        world.server.insert("tasks", ["title": "Report", "list": 2])
        try await world.synchronizer.pull()
        let other = ObjectURI(entity: "tasks", segments: ["2", "4"])
        try await change(world, other)
        world.server.answer("POST", with: answer, processes: false)
        if isQueued {
            try await world.synchronizer.edit(first, setting: [("list", 2)])
            let resource = try #require(world.synchronizer.routeFile.resource("tasks"))
            _ = try await LaneRunner(world.synchronizer, [first], of: resource).run(onDemand: true)
        } else {
            _ = try await world.synchronizer.request("move", on: first, arguments: ["list": 2])
        }
        return (world, other)
    }

    @Test("what stands here at the address that the answer gives it keeps its own changes", arguments: [true, false])
    func standsThere(_ isQueued: Bool) async throws {
        let answer = #"{"id":4,"title":"Milk","list":2,"rev":9}"#
        let (world, other) = try await met(answer: answer, isQueued) { world, other in
            try await world.synchronizer.edit(other, setting: [("note", "of the report")])
        }
        let kept = try #require(try await world.synchronizer.object(at: other))
        #expect(kept.record?["title"] == "Report" && kept.record?["note"] == "of the report")
        #expect(try await world.synchronizer.object(at: first) == nil)
        let (next, deleted) = try await met(answer: answer, isQueued) { world, other in
            try await world.synchronizer.delete(other)
        }
        let waiting = try #require(try await next.synchronizer.object(at: deleted))
        #expect(waiting.meta.isDeleted && waiting.meta.confirmed?.base["title"] == "Report")
        #expect(!next.server.log.contains { $0.hasPrefix("DELETE") })
    }

    @Test("it stays where the answer shows it in the list that it was to leave", arguments: [true, false])
    func notMoved(_ isQueued: Bool) async throws {
        let (world, other) = try await met(answer: #"{"id":3,"title":"Milk","list":1,"rev":9}"#, isQueued) { _, _ in }
        #expect(try await world.synchronizer.object(at: first)?.record?["title"] == "Milk")
        #expect(try await world.synchronizer.record(at: other)?["title"] == "Report")
    }

    @Test("it leads to no other object where the answer says no identifier", arguments: [true, false])
    func noIdentifier(_ isQueued: Bool) async throws {
        let world = try await renumbered(isQueued, answer: nil)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        #expect(try await world.synchronizer.object(at: first) == nil)
    }

    @Test("where it stays in its list the path alone says which one that is")
    func byActionWithin() async throws {
        let world = try await movable(query: [])
        world.server.forgetFaults()
        world.server.answer("POST", with: #"{"id":3,"title":"Milk","list":1,"rev":9}"#, processes: false)
        try await world.synchronizer.edit(milk, setting: [("behind", 7)])
        try await world.synchronizer.push()
        #expect(world.server.log.first == #"POST lists/1/tasks/3/move {"behind":7}"#)
    }
}
