import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("What queued actions set here")
struct ActionEffectTests {
    /// Tasks that move by an action; the server leaves their `position` and `status` as they are.
    private func world(_ sets: [ActionEffect], in store: any Store = MemoryStore()) async throws -> TinyWorld {
        let path = try PathTemplate("tasks/{id}/move")
        let world = try await TinyWorld(store: store) { tasks in
            tasks.fields.types["position"] = .string
            tasks.references.append(Reference(entity: "tasks", field: "parent"))
            tasks.references.append(Reference(entity: "tasks", field: "behind"))
            tasks.fields.absentEquals = [.null]
            tasks.version = .none
            tasks.actions = [
                Action(
                    name: "move", method: "POST", path: path, arguments: ["parent", "behind"],
                    query: ["parent", "behind"], mayRepeat: true)
            ]
            tasks.actions[0].sets = sets
        }
        for position in ["1", "2", "3"] {
            world.server.insert("tasks", ["title": .string(position), "position": .string(position), "old": true])
        }
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    private static let marks = [
        ActionEffect("status", .value("moved")), ActionEffect("moved", .now), ActionEffect("old", .absent),
        ActionEffect("below", .member("parent"))
    ]

    private func task(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: String(id)) }

    private func order(_ world: TinyWorld) async throws -> [String] {
        try await world.synchronizer.records(matching: Query("tasks", order: [.ascending("position")])).map(\.uri.id)
    }

    @Test("an object stands at its new place at once, and where the server says when that has answered")
    func place() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: ["parent"]))])
        try await world.synchronizer.edit(task(3), setting: [("behind", 1)])
        #expect(try await order(world) == ["1", "3", "2"])
        try await world.synchronizer.edit(task(2), setting: [("behind", .null)])
        #expect(try await order(world) == ["1", "3", "2"], "null says nothing new")
        try await world.synchronizer.edit(task(2), setting: [("behind", 1)])
        #expect(try await order(world) == ["1", "2", "3"])
        #expect(try await world.synchronizer.heldChanges().mapValues(\.uri) == [task(2): task(3)])
        try await world.synchronizer.push()
        // The other way round the server would have them in another order.
        #expect(world.server.log == ["POST tasks/3/move?behind=1", "POST tasks/2/move?behind=1"])
        #expect(try await world.synchronizer.record(at: task(3))?["position"] == "3")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("the row that an object is moved in is an index of the store, also where numbers tell the row")
    func indexed() async throws {
        let store = WalkedStore()
        let world = try await world(
            [ActionEffect("position", .place(behind: "behind", among: ["parent", "title"]))], in: store)
        try await world.synchronizer.edit(task(3), setting: [("parent", 1), ("behind", 2)])
        let tasks = try #require(world.synchronizer.routeFile.resource("tasks"))
        let index = try #require(QueryIndex.declared(by: tasks).last)
        #expect(index.fields.map(\.paths) == [[.member("parent")], [.member("title")], [.member("position")]])
        let query = try #require(store.asked.last { $0.order.map(\.field) == ["position"] })
        let conditions = query.filter.conditions
        #expect(conditions.compactMap(\.indexField) == index.fields && conditions.allSatisfy { $0.keyTest != nil })
        #expect(query.order.map(\.indexField) == [index.fields.last])
    }

    @Test("behind an object that has no place yet one stays where it is")
    func noPlaceYet() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        let new = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.edit(task(2), setting: [("behind", .string(new.id))])
        #expect(try await world.synchronizer.record(at: task(2))?["position"] == "2")
    }

    @Test("objects that were moved behind each other go in the order in which that ends as here")
    func eachOther() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        try await world.synchronizer.edit(task(2), setting: [("behind", 3)])
        try await world.synchronizer.edit(task(3), setting: [("behind", 2)])
        try await world.synchronizer.edit(task(1), setting: [("behind", 3)])
        #expect(try await order(world) == ["2", "3", "1"])
        let report = try await world.synchronizer.push()
        #expect(
            world.server.log == [
                "POST tasks/2/move?behind=3", "POST tasks/3/move?behind=2", "POST tasks/1/move?behind=3"
            ])
        #expect(report.held.isEmpty && report.failures.isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a move that says again what waits moves its object again, and goes behind those made meanwhile")
    func sameAgain() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        world.server.insert("tasks", ["title": "new", "position": "4", "old": true])
        try await world.synchronizer.pull()
        world.server.clearLog()
        for id in [2, 1, 2] { try await world.synchronizer.edit(task(id), setting: [("behind", 4)]) }
        #expect(try await order(world) == ["3", "4", "2", "1"])
        try await world.synchronizer.edit(task(1), setting: [("title", "other")])
        #expect(try await order(world) == ["3", "4", "2", "1"])
        try await world.synchronizer.push()
        let moves = world.server.log.filter { $0.hasPrefix("POST ") }
        #expect(moves == [1, 2].map { "POST tasks/\($0)/move?behind=4" }, "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("of moves behind one object each waits for the next one, and the last goes first")
    func row() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        for position in ["4", "5", "6"] {
            world.server.insert("tasks", ["title": "new", "position": .string(position), "old": true])
        }
        try await world.synchronizer.pull()
        world.server.clearLog()
        for id in [5, 2, 6, 3, 4] { try await world.synchronizer.edit(task(id), setting: [("behind", 1)]) }
        #expect(try await order(world) == ["1", "4", "3", "6", "2", "5"])
        let held = try await world.synchronizer.heldChanges().mapValues(\.uri)
        #expect(held == [task(4): task(3), task(3): task(6), task(6): task(2), task(2): task(5)])
        #expect(try await world.synchronizer.pushPreview().requests.count == 5)
        try await world.synchronizer.push()
        #expect(world.server.log == [5, 2, 6, 3, 4].map { "POST tasks/\($0)/move?behind=1" })
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a move that fails holds no other one")
    func failing() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        try await world.synchronizer.edit(task(3), setting: [("behind", 1)])
        try await world.synchronizer.edit(task(2), setting: [("behind", 1)])
        world.server.answer("POST", with: #"{"detail":"no"}"#, status: 422, processes: false)
        let report = try await world.synchronizer.push()
        #expect(world.server.log.last == "POST tasks/2/move?behind=1" && report.held.isEmpty)
        #expect(try await world.synchronizer.pending().map(\.uri) == [task(3)])
    }

    @Test("moves that are made while a push runs go in their order, too")
    func madeMeanwhile() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        for position in ["4", "5", "6", "7"] {
            world.server.insert("tasks", ["title": "new", "position": .string(position), "old": true])
        }
        try await world.synchronizer.pull()
        for (id, target) in [(2, 1), (3, 6), (4, 7)] {
            try await world.synchronizer.edit(task(id), setting: [("behind", .number(JSONNumber(target)))])
        }
        world.server.clearLog()
        var routeFile = world.synchronizer.routeFile
        routeFile.limits.concurrent = 1
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate, where: { $0.url.contains("tasks/2/") }, under: routeFile)
        async let push = slow.push()
        await gate.waitForArrivals()
        try await slow.edit(task(4), setting: [("behind", 5)])
        try await slow.edit(task(3), setting: [("behind", 5)])
        gate.open()
        _ = try await push
        try await slow.push()
        #expect(
            world.server.log == [
                "POST tasks/2/move?behind=1", "POST tasks/4/move?behind=5", "POST tasks/3/move?behind=5"
            ])
        #expect(try await slow.pending().isEmpty)
    }

    @Test("thousands of moves behind one object are previewed, and all but the last one wait")
    func longRow() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        let count = 3_000
        try await world.store.write(.process, origin: .pull) { transaction in
            var records: [(uri: ObjectURI, record: ObjectRecord)] = []
            var metas: [MetaObject] = []
            for number in 1...count {
                let uri = ObjectURI(entity: "tasks", id: String(number + 10))
                let id: Value = .number(JSONNumber(number + 10))
                func record(_ place: Int, behind: Value) -> ObjectRecord {
                    // Behind task 1, whose position is "1".
                    ObjectRecord(["id": id, "position": .string("1\(place + 100_000)"), "behind": behind])
                }
                let base = record(number + count, behind: .null)
                records.append((uri, record(number, behind: 1)))
                let change = Change(idempotencyKey: String(number))
                let state = MetaObject.State.updated(.init(base: base, sequence: 1), change)
                metas.append(MetaObject(uri: uri, id: ObjectID(uri.id, .number), state: state, revision: 1))
            }
            try transaction.upsert(records)
            try transaction.put(metas)
        }
        let preview = try await world.synchronizer.pushPreview()
        #expect(preview.problems.isEmpty && preview.requests.count == count)
        #expect(preview.requests.allSatisfy { $0.verb == "move" })
        let held = try await world.synchronizer.heldChanges().mapValues(\.uri)
        #expect(held.count == count - 1 && held[task(11)] == task(12))
    }

    @Test("values, the time, other members and nothing; an edit that calls no more takes them back")
    func values() async throws {
        let world = try await world(Self.marks)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2), ("title", "a")])
        let record = try #require(try await world.synchronizer.record(at: task(1)))
        #expect(record["status"] == "moved" && record["moved"]?.string?.hasPrefix("2023-11-14T22:13:20") == true)
        #expect(record["old"] == nil && record["below"] == 2)
        try await world.synchronizer.edit(task(1), setting: [("title", "1")])
        #expect(try await world.synchronizer.record(at: task(1))?["status"] == "moved")
        try await world.synchronizer.edit(task(1), setting: [("parent", nil)])
        #expect(try await world.synchronizer.record(at: task(1))?["status"] == nil)
        #expect(try await world.synchronizer.record(at: task(1))?["old"] == true)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a pull and the answer to an update leave them, a refusal and discarding take them back")
    func takenBack() async throws {
        let world = try await world(Self.marks)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2), ("title", "a")])
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.pull()
        let pulled = try await world.synchronizer.record(at: task(1))
        #expect(pulled?["note"] == "theirs" && pulled?["status"] == "moved" && pulled?["old"] == nil)
        world.server.answer("POST", with: #"{"detail":"no"}"#, status: 422, processes: false)
        try await world.synchronizer.push()
        #expect(world.server.log.contains(#"PATCH tasks/1/ {"title":"a"}"#), "\(world.server.log)")
        let refused = try await world.synchronizer.record(at: task(1))
        #expect(refused?["parent"] == 2 && refused?["status"] == nil && refused?["old"] == true)
        #expect(try await world.synchronizer.rejected().map(\.uri) == [task(1)])
        try await world.synchronizer.retry(task(1))
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)

        try await world.synchronizer.edit(task(3), setting: [("parent", 2)])
        try await world.synchronizer.discard(task(3))
        let discarded = try await world.synchronizer.record(at: task(3))
        #expect(discarded?["status"] == nil && discarded?["old"] == true)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("another try of a refused action sets its members again")
    func calledAgain() async throws {
        let world = try await world(Self.marks)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.answer("POST", with: #"{"detail":"no"}"#, status: 422, processes: false)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: task(1))?["status"] == nil)
        try await world.synchronizer.retry(task(1))
        let record = try #require(try await world.synchronizer.record(at: task(1)))
        #expect(record["status"] == "moved" && record["old"] == nil && record["parent"] == 2)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refusal leaves what another action that waits sets, too")
    func setByTwo() async throws {
        let plain = try await world(Self.marks)
        var mark = Action(
            name: "mark", method: "POST", path: try PathTemplate("tasks/{id}/mark"), arguments: ["flag"],
            mayRepeat: true)
        mark.sets = [ActionEffect("status", .value("marked"))]
        let synchronizer = try await plain.under { $0.resources[1].actions.append(mark) }
        try await synchronizer.edit(task(1), setting: [("parent", 2), ("flag", true)])
        plain.server.answer("POST", with: #"{"detail":"no"}"#, status: 422, processes: false)
        try await synchronizer.push()
        #expect(try await synchronizer.rejected().map(\.uri) == [task(1)])
        let record = try #require(try await synchronizer.record(at: task(1)))
        #expect(record["status"] == "marked" && record["old"] == true)
    }

    @Test("a new object has them, its create does not carry them, and no edit sets them")
    func new() async throws {
        let world = try await world(Self.marks)
        let uri = try await world.synchronizer.save(["title": "new", "parent": 1], as: "tasks")
        #expect(try await world.synchronizer.record(at: uri)?["status"] == "moved")
        let plain = try await world.synchronizer.save(["title": "plain", "parent": .null], as: "tasks")
        #expect(try await world.synchronizer.record(at: plain)?["status"] == nil)
        try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.contains("moved") }, "\(world.server.log)")
        #expect(world.server.log.contains { $0.hasSuffix("/move?parent=1") })
        #expect(try await world.synchronizer.record(at: uri)?["status"] == nil)
        #expect(try await world.synchronizer.pending().isEmpty)
        let refused = await #expect(throws: SyncError.self) {
            try await world.synchronizer.edit(task(1), setting: [("status", "done")])
        }
        #expect(refused?.code == .invalidRecord)
        #expect(refused?.message.hasSuffix("the action “move” sets it (actions.move.sets)") == true)
        let unsaved = await #expect(throws: SyncError.self) {
            try await world.synchronizer.save(["title": "new", "status": "done"], as: "tasks")
        }
        #expect(unsaved?.message.contains("that the action “move” sets it (actions.move.sets); leave it out") == true)
    }

    @Test(
        "a place lies between its neighbours",
        arguments: [
            ("1", "2"), ("00000000000000000001", "00000000000000000002"), ("a", nil), (nil, "0"), (nil, "!"),
            (nil, "00"), ("1O", "2"), ("~", nil), ("a", "ab"), ("é", "ê"), ("a", "a!"),
            ("\u{D7FE}", "\u{E000}"), ("\u{D7FF}", "\u{E000}"), ("\u{D700}", "\u{E0FF}")
        ] as [(String?, String?)])
    func between(lower: String?, upper: String?) throws {
        let value = PlaceValue.between(lower.map { .string($0) }, upper.map { .string($0) }, as: .string)
        let text = try #require(value?.string)
        func isBefore(_ left: String, _ right: String) -> Bool {
            left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        }
        if let lower { #expect(isBefore(lower, text)) }
        if let upper { #expect(isBefore(text, upper)) }
    }

    @Test("numbers have a middle", arguments: [FieldType.decimal, .float])
    func numbers(type: FieldType) {
        func between(_ lower: Value?, _ upper: Value?) -> Value? { PlaceValue.between(lower, upper, as: type) }
        #expect(between(1, 2)?.number?.double == 1.5)
        #expect(between(nil, 1)?.number?.double == 0)
        #expect(between(7, nil)?.number?.double == 8)
        #expect(between(1, .number(JSONNumber(Int64.max))) != nil)
        let large: Value = 9_007_199_254_740_992
        #expect(between(large, 9_007_199_254_740_993) == nil && between(large, nil) == nil)
        #expect(between(1, .number(JSONNumber(unchecked: "1.0000000000000002"))) == nil)
        #expect(between(nil, nil) == nil && between(true, nil) == nil && between("a", nil) == nil)
    }

    @Test("numbers that are written as texts have one, too, also where texts sort otherwise")
    func numbersAsTexts() {
        #expect(PlaceValue.between("1.00", "2.00", as: .decimal) == "1.5")
        #expect(PlaceValue.between("9.00", "10.00", as: .decimal) == "9.5")
        #expect(PlaceValue.between("9.00", nil, as: .decimal) == "10.0")
        #expect(PlaceValue.between(nil, "-1.00", as: .decimal) == "-2.0")
        #expect(PlaceValue.between("1.00", "a", as: .decimal) == nil)
    }

    @Test("equal texts have no middle, and numbers have one where they are sorted as texts")
    func texts() {
        func between(_ lower: Value?, _ upper: Value?) -> Value? { PlaceValue.between(lower, upper, as: .string) }
        #expect(between("a", "a") == nil && between("b", "a") == nil && between(nil, nil) == nil)
        #expect(between(1, 2).map { FieldType.string.compare($0, 2) == .less } == true)
    }

    @Test("an object stands at its new place also where numbers are written as texts")
    func decimals() async throws {
        let world = try await world([ActionEffect("position", .place(behind: "behind", among: []))])
        let synchronizer = try await world.under { $0.resources[1].fields.types["position"] = .decimal }
        for (id, position) in [(1, "8.00"), (2, "9.00"), (3, "10.00")] {
            world.server.edit("tasks", id, ["position": .string(position)])
        }
        try await synchronizer.pull()
        try await synchronizer.edit(task(1), setting: [("behind", 2)])
        #expect(try await synchronizer.record(at: task(1))?["position"] == "9.5")
    }
}
