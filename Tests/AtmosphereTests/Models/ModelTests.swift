import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("models")
struct ModelTests {
    struct Place: Codable, Equatable {
        var street: String
        var zipCode: Int?
    }

    struct Step: Codable, Equatable {
        var text: String
    }

    enum Priority: String, Codable {
        case low, high
    }

    struct Item: Codable {
        var id = ObjectID.unassigned
        var title: String
        var dueDate: Date?
        var price: Decimal?
        var weight: Double?
        var exact: JSONNumber?
        var priority: Priority?
        var place: Place?
        var steps: [Step]?
        var labels: [String: Int]?
        var list: ObjectID?
        var extra: Value?
    }

    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> (TinyWorld, Objects<Item>) {
        let world = try await TinyWorld(change)
        return (world, world.synchronizer.objects(Item.self, in: "tasks", coding: RecordCoding(keys: .snakeCase)))
    }

    /// Pulls one object that the server has.
    private func pulled(_ json: String, _ world: TinyWorld) async throws -> ObjectURI {
        let members = try #require(try Value(json: Array(json.utf8)).members)
        let id = world.server.insert("tasks", members)
        try await world.synchronizer.pull()
        return ObjectURI(entity: "tasks", id: "\(id)")
    }

    @Test("a new object is what the model says, under the record's names; what is nil is left out")
    func create() async throws {
        let (world, items) = try await world()
        let uri = try await items.create(
            Item(
                title: "Milk", dueDate: Date(timeIntervalSince1970: 1_767_323_045.25), price: Decimal(string: "1.10"),
                weight: 0.5, priority: .high, place: Place(street: "Hill", zipCode: 5), steps: [Step(text: "go")],
                labels: ["Big Box": 1]))
        let record = try #require(try await world.synchronizer.record(at: uri))
        #expect(record["id"]?.string == uri.id)
        #expect(record["due_date"] == "2026-01-02T03:04:05.250Z")
        #expect(record["price"]?.number?.lexeme == "1.1")
        #expect(record["place"] == ["street": "Hill", "zip_code": 5])
        #expect(record["labels"] == ["Big Box": 1])
        #expect(record["exact"] == nil && record["list"] == nil)
        let item = try #require(try await items.at(uri))
        #expect(item.title == "Milk" && item.priority == .high && item.place?.zipCode == 5)
        #expect(item.model.id == ObjectID(uri.id, .temporary))
        #expect(item.dueDate == Date(timeIntervalSince1970: 1_767_323_045.25))
        #expect(item.status == .waiting(.create, .push))
    }

    @Test("an edit writes what it changed and leaves every other byte as it was")
    func edit() async throws {
        let (world, items) = try await world()
        let uri = try await pulled(
            #"""
            {"title":"a","due_date":"2026-01-02T04:04:05+01:00","price":1.10,"weight":3.0,"unknown":[1.0],
            "place":{"street":"Hill","zip_code":5,"floor":2},"steps":[{"text":"x","by":"ann"},{"text":"y","by":"bob"}]}
            """#, world)
        let before = try #require(try await world.synchronizer.record(at: uri))
        try await items.edit(uri) { _ in }
        #expect(try await world.synchronizer.object(at: uri)?.status == .synchronized)
        #expect(try await world.synchronizer.record(at: uri) == before)
        try await items.edit(uri) { item in
            item.title = "b"
            item.dueDate? += 60
            item.place?.zipCode = 6
            item.steps = [Step(text: "y"), Step(text: "z")]
            item.weight = nil
        }
        let after = try #require(try await world.synchronizer.record(at: uri))
        #expect(after["title"] == "b")
        #expect(after["due_date"] == "2026-01-02T04:05:05+01:00")
        #expect(after["price"]?.number?.lexeme == "1.10")
        #expect(after["unknown"] == before["unknown"])
        #expect(after["place"] == ["street": "Hill", "zip_code": 6, "floor": 2])
        #expect(after["steps"] == [["text": "y", "by": "bob"], ["text": "z"]])
        #expect(after["weight"] == .null)
        world.server.clearLog()
        try await world.synchronizer.push()
        let sent = try #require(world.server.log.first { $0.hasPrefix("PATCH") })
        #expect(!sent.contains("price") && !sent.contains("unknown") && sent.contains(#""title":"b""#))
    }

    /// Lists of the model beside what the record must hold then: letters name elements, capitals edited ones.
    @Test(
        "what a model does not name of a list's elements stays with them, whatever comes and goes beside them",
        arguments: [
            (["a", "b"], ["a", "B", "new"], ["a1", "B2", "new"]),
            (["a", "b"], ["new", "A", "b"], ["new", "A1", "b2"]),
            (["a", "b", "c"], ["B", "c"], ["B2", "c3"]),
            (["a", "b", "c"], ["a", "B"], ["a1", "B2"]),
            (["a", "b", "c"], ["c", "B", "a"], ["c3", "B2", "a1"]),
            (["a", "b", "c"], ["c", "a"], ["c3", "a1"]),
            (["a", "b"], ["A", "B"], ["A1", "B2"]),
            (["a"], ["A", "b", "c"], ["A1", "b", "c"]),
            (["a", "b"], ["b", "new"], ["b2", "new"]),
            (["a", "b"], [], [])
        ])
    func elements(before: [String], after: [String], expected: [String]) {
        let named = { (text: String) -> Value in ["name": .string(text)] }
        let present = before.enumerated().map { index, text -> Value in
            ["sku": .number(JSONNumber(index + 1)), "name": .string(text)]
        }
        let changes = ModelChange.changes(
            from: Value.Members([.init(name: "items", value: .array(before.map(named)))]),
            to: Value.Members([.init(name: "items", value: .array(after.map(named)))]),
            in: Value.Members([.init(name: "items", value: .array(present))]))
        let found = changes.first?.value?.array?.map { element in
            (element.members?["name"]?.string ?? "") + (element.members?["sku"]?.number?.lexeme ?? "")
        }
        #expect(found == expected)
    }

    @Test("elements with an id are told by it, and those alike in most by that")
    func identifiedElements() throws {
        func list(_ json: String) throws -> Value.Members {
            try #require(Value(json: Array(#"{"items":\#(json)}"#.utf8)).members)
        }
        func change(_ before: String, _ after: String, _ present: String) throws -> String? {
            let changes = ModelChange.changes(from: try list(before), to: try list(after), in: try list(present))
            return changes.first?.value.map { String(decoding: $0.json(), as: UTF8.self) }
        }
        #expect(
            try change(
                #"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#, #"[{"n":"new"},{"id":2,"n":"B"}]"#,
                #"[{"id":1,"n":"a","x":1},{"id":2,"n":"b","x":2}]"#)
                == #"[{"n":"new"},{"id":2,"n":"B","x":2}]"#)
        #expect(
            try change(
                #"[{"id":1,"n":"a"}]"#, #"[{"id":3,"n":"a"}]"#, #"[{"id":1,"n":"a","x":1}]"#)
                == #"[{"id":3,"n":"a"}]"#)
        #expect(
            try change(
                #"[{"n":"a","p":1,"d":true},{"n":"b","p":2,"d":true}]"#, #"[{"n":"b","p":3,"d":true}]"#,
                #"[{"n":"a","p":1,"d":true,"x":1},{"n":"b","p":2,"d":true,"x":2}]"#)
                == #"[{"n":"b","p":3,"d":true,"x":2}]"#)
        // Where the count changes, nothing in common is another element; at the same place it is the same, edited.
        #expect(
            try change(
                #"[{"n":"a","p":1},{"n":"b","p":2}]"#, #"[{"n":"c","p":3}]"#,
                #"[{"n":"a","p":1,"x":1},{"n":"b","p":2,"x":2}]"#)
                == #"[{"n":"c","p":3}]"#)
        #expect(
            try change(
                #"[{"n":"a","p":1}]"#, #"[{"n":"c","p":3},{"n":"a","p":2}]"#, #"[{"n":"a","p":1,"x":1}]"#)
                == #"[{"n":"c","p":3},{"n":"a","p":2,"x":1}]"#)
        #expect(
            try change(
                #"[{"n":"a","p":1},{"n":"b","p":2}]"#, #"[{"n":"c","p":3},{"n":"b","p":2},{"n":"d","p":4}]"#,
                #"[{"n":"a","p":1,"x":1},{"n":"b","p":2,"x":2}]"#)
                == #"[{"n":"c","p":3,"x":1},{"n":"b","p":2,"x":2},{"n":"d","p":4}]"#)
    }

    private enum Repeats: Codable, Equatable { case never, everyDays(count: Int), atURL(String) }

    @Test(
        "an enumeration with values is read back under any names",
        arguments: [
            RecordCoding.Keys.same, .snakeCase, .named(["everyDays": "days", "count": "n"]),
            .named(["never": "no"], others: .snakeCase)
        ])
    func enumerations(keys: RecordCoding.Keys) async throws {
        struct Chore: Codable, Equatable { var title: String, repeats: [Repeats] }
        let world = try await TinyWorld()
        let chores = world.synchronizer.objects(Chore.self, in: "tasks", coding: RecordCoding(keys: keys))
        let chore = Chore(title: "a", repeats: [.never, .everyDays(count: 2), .atURL("b")])
        let uri = try await chores.create(chore)
        #expect(try await chores.at(uri)?.model == chore)
    }

    @Test("saving an object keeps what others have changed since it was read")
    func save() async throws {
        let (world, items) = try await world()
        let uri = try await pulled(#"{"title":"a","priority":"low","weight":1}"#, world)
        var item = try #require(try await items.at(uri))
        item.title = "b"
        try await world.synchronizer.edit(uri, setting: [("priority", "high"), ("weight", 2)])
        try await items.save(item)
        let now = try #require(try await items.at(uri))
        #expect(now.title == "b" && now.priority == .high && now.weight == 2)
        #expect(try await items.count(Query.Field("title") == "b") == 1)
    }

    @Test("numbers keep every digit, also those that are written as texts")
    func numbers() async throws {
        let (world, items) = try await world()
        let uri = try await pulled(
            #"{"title":"a","price":"0.30","exact":12345678901234567890123456789012345678901234567890.5}"#, world)
        var item = try #require(try await items.at(uri))
        #expect(item.price == Decimal(string: "0.3"))
        #expect(item.exact?.lexeme == "12345678901234567890123456789012345678901234567890.5")
        item.price = Decimal(string: "0.45")
        try await items.save(item)
        #expect(try await world.synchronizer.record(at: uri)?["price"] == "0.45")
        let many = try await pulled(#"{"title":"b","price":1234567890123456789012345678901234567890.5}"#, world)
        let error = await #expect(throws: ModelError.self) { try await items.at(many) }
        #expect(error?.code == .inexact && error?.path == ["price"])
    }

    @Test(
        "an error names the object, the field and what was found",
        arguments: [
            (#"{"due_date":5}"#, "“title” of tasks/1: the model needs it, and it is absent"),
            (#"{"title":null}"#, "“title” of tasks/1: expected a text, found null"),
            (#"{"title":"a","place":{"street":7}}"#, "“place.street” of tasks/1: expected a text, found 7"),
            (
                #"{"title":"a","steps":[{"text":"x"},{"text":[]}]}"#,
                "“steps.1.text” of tasks/1: expected a text, found a list of 0"
            ),
            (
                #"{"title":"a","due_date":"soon"}"#,
                "“due_date” of tasks/1: expected an instant (2026-01-02T03:04:05Z), found the text “soon”"
            ),
            (
                #"{"title":"a","due_date":5}"#,
                "“due_date” of tasks/1: expected an instant; for a number set RecordCoding.dates, found 5"
            ),
            (
                #"{"title":"a","place":{"street":"x","zip_code":1.5}}"#,
                "“place.zip_code” of tasks/1: 1.5 is no whole number that Int holds"
            )
        ])
    func errors(_ json: String, _ message: String) async throws {
        let (world, items) = try await world()
        let uri = try await pulled(json, world)
        let error = await #expect(throws: ModelError.self) { try await items.at(uri) }
        #expect(error?.message == message)
        #expect(error?.entity == "tasks" && error?.id == "1")
    }

    @Test("what a model's own reading refuses is told the same way")
    func refused() async throws {
        let (world, items) = try await world()
        let uri = try await pulled(#"{"title":"a","priority":"urgent"}"#, world)
        let error = await #expect(throws: ModelError.self) { try await items.at(uri) }
        #expect(error?.code == .invalid && error?.path == ["priority"])
        #expect(
            error?.message.hasPrefix("“priority” of tasks/1: found the text “urgent”, which the model refuses") == true)
    }

    @Test("one object that is no such model fails the list, or is left out, as the application says")
    func unreadable() async throws {
        let (world, items) = try await world()
        _ = try await pulled(#"{"title":"a"}"#, world)
        _ = try await pulled(#"{"title":7}"#, world)
        await #expect(throws: ModelError.self) { try await items.matching() }
        var tolerant = items
        tolerant.coding.unreadable = .isLeftOut
        #expect(try await tolerant.matching().map(\.title) == ["a"])
    }

    /// Counts how often it is read; used by one test alone, because the count is everybody's.
    private struct Counted: Codable {
        static let reads = Mutex(0)
        var title: String

        init(from decoder: any Decoder) throws {
            Self.reads.withLock { $0 += 1 }
            title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        }
    }

    @Test("a change reads the models that have changed, and no others")
    func cost() async throws {
        let (world, _) = try await world()
        let items = world.synchronizer.objects(Counted.self, in: "tasks")
        var uris: [ObjectURI] = []
        for number in 0..<50 {
            uris.append(try await world.synchronizer.save(["title": .string("\(100 + number)")], as: "tasks"))
        }
        func reads() -> Int {
            Counted.reads.withLock { count in
                defer { count = 0 }
                return count
            }
        }
        var list = items.changes(order: [.descending("title")]).makeAsyncIterator()
        var one = items.changes(at: uris[7]).makeAsyncIterator()
        _ = try await list.next()
        #expect(reads() == 50)
        _ = try await one.next()
        #expect(reads() == 1)
        try await world.synchronizer.edit(uris[7], setting: ["title": "999"])
        var shown = try #require(try await list.next())
        #expect(shown.count == 50 && shown.first?.title == "999")
        #expect(reads() == 1)
        #expect(try await one.next()??.title == "999")
        #expect(reads() == 1)
        // Its state changes, and its record does not.
        let object = try #require(try await world.synchronizer.object(at: uris[7]))
        try await world.synchronizer.store.write(.power, origin: .push) { transaction in
            var meta = object.meta
            meta.revision += 1
            try transaction.put([meta])
        }
        shown = try #require(try await list.next())
        #expect(shown.first?.object.meta.revision == object.meta.revision + 1)
        #expect(try await one.next()??.title == "999")
        #expect(reads() == 0)
    }

    @Test("one object that is no such model ends no sequence; the log says why, once for each of its versions")
    func unreadableInSequences() async throws {
        let said = Mutex<[String]>([])
        let world = try await TinyWorld()
        let api = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: world.server.transport,
            style: TinyWorld.TinyStyle(), environment: world.synchronizer.environment,
            log: { entry in said.withLock { $0.append(entry.message) } })
        let items = api.objects(Item.self, in: "tasks", coding: RecordCoding(keys: .snakeCase))
        let good = try await pulled(#"{"title":"a"}"#, world)
        let bad = try await pulled(#"{"title":7}"#, world)
        var list = items.changes().makeAsyncIterator()
        var other = items.changes(order: [.descending("title")]).makeAsyncIterator()
        #expect(try await list.next()?.map(\.title) == ["a"])
        #expect(try await other.next()?.map(\.title) == ["a"])
        for title in ["b", "c"] {
            try await api.edit(good, setting: ["title": .string(title)])
            #expect(try await list.next()?.map(\.title) == [title])
        }
        func reasons() -> [String] { said.withLock { $0.filter { $0.contains("expected a text") } } }
        #expect(reasons().count == 1)
        try await api.edit(bad, setting: ["title": 8])
        try await api.edit(good, setting: ["title": "d"])
        while try await list.next()?.first?.title != "d" {}
        #expect(reasons().count == 2)
        try await api.edit(bad, setting: ["title": "e"])
        #expect(try await list.next()?.map(\.title) == ["d", "e"])
        var strict = items
        strict.coding.unreadable = .fails
        try await api.edit(bad, setting: ["title": 9])
        var failing = strict.changes().makeAsyncIterator()
        await #expect(throws: ModelError.self) { _ = try await failing.next() }
    }

    @Test("objects are equal where object and model are, so that what was set since shows")
    func equality() async throws {
        struct Plain: Codable { var title: String }
        struct Compared: Codable, Equatable { var title: String }
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        let read = try #require(try await world.synchronizer.objects(Compared.self, in: "tasks").at(uri))
        var edited = read
        #expect(edited == read)
        edited.title = "b"
        #expect(edited != read)
        let plain = try #require(try await world.synchronizer.objects(Plain.self, in: "tasks").at(uri))
        var editedPlain = plain
        editedPlain.title = "b"
        #expect(editedPlain == plain)
    }

    @Test("a model refers to an object that has no identifier of the server yet")
    func references() async throws {
        let (world, items) = try await world()
        let list = try await world.synchronizer.save(["title": "list"], as: "lists")
        let uri = try await items.create(
            Item(title: "a", list: try await world.synchronizer.reference(to: list)))
        #expect(try await world.synchronizer.referenced(by: "list", of: uri)?.uri == list)
        try await world.synchronizer.push()
        let item = try #require(try await items.at(uri))
        #expect(item.list?.wireType == .number)
        #expect(try await world.synchronizer.referenced(by: "list", of: uri)?.record?["title"] == "list")
        await #expect(throws: SyncError.self) { try await world.synchronizer.referenced(by: "title", of: uri) }
    }

    @Test(
        "a date that no text can say is an error of the model, and ends nothing else",
        arguments: [1e300, -1e300, 1e18, .infinity, .nan])
    func farDates(seconds: Double) async throws {
        let (_, items) = try await world()
        await #expect(throws: ModelError.self) {
            try await items.create(Item(title: "a", dueDate: Date(timeIntervalSince1970: seconds)))
        }
    }

    @Test("declared types say how dates are written and which texts are numbers")
    func declaredTypes() async throws {
        let (world, items) = try await world { $0.fields.types = ["due_date": .date, "weight": .float] }
        let uri = try await items.create(Item(title: "a", dueDate: Date(timeIntervalSince1970: 1_767_323_045)))
        #expect(try await world.synchronizer.record(at: uri)?["due_date"] == "2026-01-02")
        let read = try await pulled(#"{"title":"b","weight":"2.5","due_date":"2026-03-04"}"#, world)
        var item = try #require(try await items.at(read))
        #expect(item.weight == 2.5)
        item.dueDate? += 86_400
        try await items.save(item)
        #expect(try await world.synchronizer.record(at: read)?["due_date"] == "2026-03-05")
    }

    @Test("a list of models follows changes")
    func changes() async throws {
        let (world, items) = try await world()
        let uri = try await items.create(Item(title: "b"))
        var list = items.changes(order: [.init("title")]).makeAsyncIterator()
        #expect(try await list.next()?.map(\.title) == ["b"])
        try await items.create(Item(title: "a"))
        #expect(try await list.next()?.map(\.title) == ["a", "b"])
        var one = items.changes(at: uri).makeAsyncIterator()
        #expect(try await one.next()??.title == "b")
        try await items.delete(uri)
        #expect(try await list.next()?.map(\.title) == ["a"])
        _ = world
    }

    @Test("a fetch shows what is here and then what the server has; one object is created, read and acted on at once")
    func server() async throws {
        let path = try PathTemplate("tasks/{id}/move")
        let (world, items) = try await world {
            $0.actions = [Action(name: "move", method: "POST", path: path, query: ["parent"])]
        }
        world.server.insert("tasks", ["title": "b"])
        var (titles, remote): ([[String]], [Bool]) = ([], [])
        for try await (list, isRemote) in items.fetch(order: [.init("title")]) {
            titles.append(list.map(\.title))
            remote.append(isRemote)
        }
        #expect(titles == [[], ["b"]] && remote == [false, true])
        let made = try await items.createNow(Item(title: "a"))
        #expect(made == ObjectURI(entity: "tasks", id: "2"))
        #expect(try await world.synchronizer.pending().isEmpty)
        world.server.edit("tasks", 2, ["title": "c"])
        #expect(try await items.refresh(made)?.title == "c")
        try await items.request("move", on: made, arguments: ["parent": 1])
        #expect(world.server.log.contains("POST tasks/2/move?parent=1"))
        let refused = await #expect(throws: SyncError.self) {
            try await items.attach(AttachmentContent([1], fileName: "cat.jpg"), as: "photo", to: made)
        }
        #expect(refused?.code == .unknownName)
        world.server.goOffline(true)
        let offline = await #expect(throws: SyncError.self) { try await items.createNow(Item(title: "d")) }
        #expect(offline?.code == .unreachable)
        #expect(try await items.count() == 2)
    }

    @Test(
        "coding keys become snake case",
        arguments: [
            ("title", "title"), ("dueDate", "due_date"), ("homeURL", "home_url"), ("URLName", "url_name"),
            ("a_b", "a_b")
        ])
    func snakeCase(_ key: String, _ name: String) { #expect(RecordCoding.Keys.snakeCase.field(key) == name) }
}
