import Atmosphere
import AtmosphereJSONFile
import AtmospherePlain
import AtmosphereSQLite
import AtmosphereTesting
import Synchronization
import Testing

@Suite("an application's model layer beside a store")
struct PairedStoreTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    private static func suite(in folder: TemporaryFolder?) -> StoreSuite {
        let disk = MemoryModels.Disk()
        let path = folder?.file("store") ?? ""
        return StoreSuite {
            try await PairedStore(MemoryModels(on: disk), beside: JSONFileStore(path: path))
        } reopen: { _ in
            try await PairedStore(MemoryModels(on: disk), beside: JSONFileStore(path: path))
        }
    }

    @Test("keeps every promise of a store", arguments: suite(in: nil).checks.map(\.name))
    func conforms(_ name: String) async throws {
        let folder = try TemporaryFolder()
        try await #require(Self.suite(in: folder).checks.first { $0.name == name }).run()
    }

    private func page(_ json: String, sequence: Int64, id: Int64 = 1) -> Page {
        var page = Page(bytes: Array(json.utf8), items: [PageItem(id: .integer(id), record: 0..<json.utf8.count)])
        page.entity = "tasks"
        page.sequence = sequence
        return page
    }

    @discardableResult
    private func pull(_ store: any Store, _ json: String, sequence: Int64) async throws -> Absorbed {
        let page = page(json, sequence: sequence)
        return try await store.write(.process, origin: .pull) { try $0.absorb(page, items: 0..<1) }
    }

    @Test("what a pull brings, an edit changes and a delete removes is in the model layer, as far as it knows it")
    func writing() async throws {
        let models = MemoryModels(entities: ["tasks"], known: ["title"])
        let store = try await PairedStore(models, beside: MemoryStore())
        try await pull(store, #"{"id":1,"title":"Milk","etag":"x"}"#, sequence: 1)
        #expect(models[task] == ObjectRecord(["title": "Milk"]))
        let whole = try await store.read { [task] in try $0.record(at: task) }
        #expect(whole?.description == #"{"id":1,"title":"Milk","etag":"x"}"#)
        let list = ObjectURI(entity: "lists", id: "1")
        try await store.write(.power, origin: .application) { [task] transaction in
            try transaction.upsert([(list, ObjectRecord(["title": "Home"]))])
            try transaction.upsert([(task, ObjectRecord(["id": 1, "title": "Bread"]))])
        }
        #expect(models[task] == ObjectRecord(["title": "Bread"]))
        #expect(models[list] == nil)
        try await store.write(.power, origin: .application) { [task] in try $0.delete([task]) }
        #expect(models[task] == nil)
        try await store.close()
    }

    @Test("an edit in the model layer that nobody told of survives a pull, member by member, and is to be sent")
    func foundByPull() async throws {
        let models = MemoryModels(known: ["title", "done"])
        let store = try await PairedStore(models, beside: MemoryStore()) { "key" }
        try await pull(store, #"{"id":1,"title":"Milk","done":false,"etag":"1"}"#, sequence: 1)
        models[task] = ObjectRecord(["title": "Oat milk", "done": false])
        let absorbed = try await pull(store, #"{"id":1,"title":"Milk","done":true,"etag":"2"}"#, sequence: 2)
        // The engine decides, for the object is not synchronized any more.
        #expect(absorbed.deferred == [0])
        let task = task
        let found = try await store.read { try $0.object(at: task) }
        let object = try #require(found)
        #expect(object.record?.description == #"{"id":1,"title":"Oat milk","done":false,"etag":"1"}"#)
        #expect(
            object.meta.state
                == .updated(
                    .init(
                        base: try ObjectRecord(bytes: Array(#"{"id":1,"title":"Milk","done":false,"etag":"1"}"#.utf8)),
                        sequence: 1),
                    .init(idempotencyKey: "key")))
        #expect(models[task] == ObjectRecord(["title": "Oat milk", "done": false]))
        try await store.close()
    }

    @Test("edits are collected when the application asks for it, each once")
    func collecting() async throws {
        let models = MemoryModels(known: ["title"])
        let store = try await PairedStore(models, beside: MemoryStore())
        try await pull(store, #"{"id":1,"title":"Milk"}"#, sequence: 1)
        #expect(try await store.collectEdits(of: [task]) == [])
        models[task] = ObjectRecord(["title": "Bread"])
        #expect(try await store.collectEdits(of: [task]) == [task])
        #expect(try await store.collectEdits(of: [task]) == [])
        #expect(try await store.read { try $0.changed(entity: nil, after: nil, limit: 9) }.map(\.uri) == [task])
        try await store.close()
    }

    /// A save, a move with a replacement, a delete and a pulled object in one write.
    private func work(_ store: PairedStore) async throws {
        let page = page(#"{"id":9,"title":"Pulled"}"#, sequence: 7, id: 9)
        try await store.write(.power, origin: .push) { transaction in
            let uris = (1...6).map { ObjectURI(entity: "tasks", id: "\($0)") }
            try transaction.upsert([(uris[0], ObjectRecord(["title": "edited"]))])
            try transaction.delete([uris[1]])
            try transaction.changeIdentifier(from: uris[2], to: uris[1])
            try transaction.changeIdentifier(from: uris[3], to: uris[5])
            try transaction.delete([uris[4]])
            _ = try transaction.absorb(page, items: 0..<1)
        }
    }

    private func start(_ models: MemoryModels, beside store: any Store) async throws -> PairedStore {
        let paired = try await PairedStore(models, beside: store)
        try await paired.write(.power, origin: .application) { transaction in
            for number in 1...5 {
                let uri = ObjectURI(entity: "tasks", id: "\(number)")
                try transaction.upsert([(uri, ObjectRecord(["title": .string("Task \(number)")]))])
            }
        }
        return paired
    }

    @Test("a model layer that cannot be written delays the change, says so, and gets it with the next open")
    func delayed() async throws {
        let folder = try TemporaryFolder()
        let models = MemoryModels()
        let store = try await start(models, beside: JSONFileStore(path: folder.file("data")))
        let before = models.disk.objects.withLock { $0 }
        models.disk.writesLeft.withLock { $0 = 0 }
        #expect(store.notes == [])
        try await work(store)
        #expect(store.notes.map(\.isWarning) == [true])
        #expect(store.notes.first?.message.contains("the models cannot be written; free some space") == true)
        #expect(models.disk.objects.withLock { $0 } == before)
        let error = await #expect(throws: StoreError.self) { try await work(store) }
        #expect(error?.code == .full)
        try await store.close()
        let json = try JSONFileStore(path: folder.file("data"))
        await #expect(throws: StoreError.self) { try await PairedStore(models, beside: json) }
        models.disk.writesLeft.withLock { $0 = nil }
        let opened = try await PairedStore(models, beside: json)
        try await expectDone(models, opened)
        try await opened.close()
    }

    @Test("a process that ends after the model layer was written and before that was noted does it again, to no effect")
    func doneTwice() async throws {
        let folder = try TemporaryFolder()
        let models = MemoryModels()
        let store = try await start(models, beside: JSONFileStore(path: folder.file("data")))
        // The intent is in the store, and no more.
        models.disk.writesLeft.withLock { $0 = 0 }
        try await work(store)
        try await store.close()
        let (after, third) = (try TemporaryFolder(copyOf: folder), try TemporaryFolder(copyOf: folder))
        models.disk.writesLeft.withLock { $0 = nil }
        try await PairedStore(models, beside: JSONFileStore(path: folder.file("data"))).close()
        // The store of before the note, beside the model layer of after it.
        let again = try await PairedStore(models, beside: JSONFileStore(path: after.file("data")))
        try await expectDone(models, again)
        // An edit of the application since is not undone by doing it a third time.
        try await again.close()
        models[task] = ObjectRecord(["title": "by the application"])
        let last = try await PairedStore(models, beside: JSONFileStore(path: third.file("data")))
        #expect(models[task] == ObjectRecord(["title": "by the application"]))
        try await last.close()
    }

    private func expectDone(_ models: MemoryModels, _ store: PairedStore) async throws {
        let expected = ["1": "edited", "2": "Task 3", "6": "Task 4", "9": "Pulled"]
        let found = models.disk.objects.withLock { $0.all }
        #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.key.id, $0.value["title"]?.string) }) == expected)
        let kept = try await store.read { snapshot in
            var all: [String: String?] = [:]
            try snapshot.records(matching: Query("tasks")) { uri, record in
                all[uri.id] = record["title"]?.string
                return true
            }
            return all
        }
        #expect(kept == expected)
        #expect(try await store.read { Set(try $0.counts().keys) } == ["tasks"])
    }

    @Test("a save that is kept returns, also where the model layer fails once, so that nobody saves it twice")
    func keptOnce() async throws {
        let models = MemoryModels()
        let store = try await PairedStore(models, beside: MemoryStore())
        models.disk.writesLeft.withLock { $0 = 0 }
        let text = #"{"atmosphere":1,"base":"https://api.example.com","resources":{"tasks":{}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "a.json", adapters: [.plain])
        let log = Mutex<[SyncLogEntry]>([])
        let api = try await Synchronizer(
            routeFile: file, store: store, transport: ScriptedTransport(), style: PlainStyle(),
            log: { entry in log.withLock { $0.append(entry) } })
        let uri = try await api.save(["title": "precious"], as: "tasks")
        #expect(models[uri] == nil && store.notes.count == 1)
        let told = try #require(log.withLock { $0.first { $0.subject == "store" } })
        #expect(!told.isRoutine && told.message == store.notes.first?.message)
        #expect(told.message.hasPrefix("what was saved last is not in the application's own model layer yet: "))
        // Nothing was kept of what throws.
        await #expect(throws: StoreError.self) { try await api.save(["title": "other"], as: "tasks") }
        models.disk.writesLeft.withLock { $0 = nil }
        try await api.save(["title": "more"], as: "tasks")
        #expect(models[uri]?["title"]?.string == "precious" && store.notes == [])
        let waiting = try await store.read { try $0.changed(entity: "tasks", after: nil, limit: 9) }
        #expect(waiting.count == 2)
        try await api.close()
    }

    @Test("whoever hears of a commit finds it in the model layer")
    func published() async throws {
        let models = MemoryModels()
        let store = try await PairedStore(models, beside: MemoryStore())
        var commits = store.commits().makeAsyncIterator()
        for number in 0..<50 {
            let record = ObjectRecord(["n": .number(JSONNumber(number))])
            try await store.write(.power, origin: .application) { [task] in try $0.upsert([(task, record)]) }
            #expect(await commits.next()?.objects == ["tasks": ["1"]])
            #expect(models[task] == record)
        }
        try await store.close()
        #expect(await commits.next() == nil)
    }
}
