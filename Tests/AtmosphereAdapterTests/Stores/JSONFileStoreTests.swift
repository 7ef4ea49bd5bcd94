import Atmosphere
import AtmosphereJSONFile
import Testing

@Suite("what is particular to the JSON file store")
struct JSONFileStoreTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    private func save(_ json: String, to store: any Store, _ durability: Durability = .power) async throws {
        let task = task
        let record = try ObjectRecord(bytes: Array(json.utf8))
        try await store.write(durability, origin: .application) { try $0.upsert([(task, record)]) }
    }

    @Test("the file is for its owner only, readable, and has an object to a line")
    func form() async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("store.json"))
        try await save(#"{"title":"Käse"}"#, to: store)
        #expect(try folder.mode("store.json") == 0o600)
        let lines = String(decoding: try folder.contents("store.json"), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == #"{"atmosphere-store":1,"sequence":0,"#)
        #expect(lines.contains(#"{"entity":"tasks","id":"1","record":{"title":"Käse"}}"#))
        #expect(folder.names == ["store.json"])
        try await store.close()
    }

    @Test("a record that would change when written again is kept as text")
    func exactBytes() async throws {
        let folder = try TemporaryFolder()
        let text = #" { "a" : "\u0041", "a":1 } "#
        let store = try JSONFileStore(path: folder.file("store.json"))
        try await save(text, to: store)
        try await store.close()
        let opened = try JSONFileStore(path: folder.file("store.json"))
        let task = task
        #expect(try await opened.read { try $0.record(at: task)?.bytes } == Array(text.utf8))
        try await opened.close()
    }

    @Test(
        "a damaged file is refused with its name and left as it is",
        arguments: [
            "", "{", "[]", "{}", #"{"atmosphere-store":1}"#, #"{"atmosphere-store":"1","sequence":0}"#,
            #"{"atmosphere-store":1,"sequence":0,"objects":[{}]}"#,
            #"{"atmosphere-store":1,"sequence":0,"objects":[{"entity":"tasks","id":"1","record":5}]}"#,
            #"{"atmosphere-store":1,"sequence":0,"objects":[{"entity":"tasks","id":"1","record":"{"}]}"#,
            #"{"atmosphere-store":1,"sequence":0,"objects":[{"entity":"tasks","id":"1","meta":{"v":1}}]}"#,
            #"{"atmosphere-store":1,"sequence":0,"aliases":[["a","b"]]}"#,
            #"{"atmosphere-store":1,"sequence":0,"cursors":[{"entity":"tasks"}]}"#,
            #"{"atmosphere-store":1,"sequence":0,"listings":[{"entity":"tasks","listing":1,"shown":[1]}]}"#
        ])
    func damaged(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "store.json")
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("store.json")) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("is damaged") == true)
        #expect(try folder.contents("store.json") == Array(text.utf8))
    }

    @Test("a file of a newer version is refused as such")
    func newerFormat() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(#"{"atmosphere-store":2,"sequence":0}"#.utf8), to: "store.json")
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("store.json")) }
        #expect(error?.code == .newerFormat)
    }

    @Test("a folder that does not exist is named")
    func missingFolder() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("missing/store.json")) }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("does the folder \(folder.file("missing")) exist?") == true)
    }

    @Test("another process's changes are never overwritten", arguments: [Durability.power, .process])
    func otherProcess(_ durability: Durability) async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("store.json"))
        let other = try JSONFileStore(path: folder.file("store.json"))
        try await save(#"{"by":"other"}"#, to: other)
        let before = try folder.contents("store.json")
        let error = await #expect(throws: StoreError.self) {
            try await save(#"{"by":"store"}"#, to: store, durability)
        }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("was changed by another process") == true)
        #expect(try folder.contents("store.json") == before)
        let task = task
        #expect(try await store.read { try $0.record(at: task) } == nil)
        try await save(#"{"by":"other again"}"#, to: other)
        try await store.close()
        try await other.close()
    }

    @Test("the push lock excludes another store on the same file")
    func pushLock() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try JSONFileStore(path: folder.file("store.json")) }
        let lock = try #require(try await stores[0].lockForPush())
        #expect(try await stores[1].lockForPush() == nil)
        lock.release()
        let other = try #require(try await stores[1].lockForPush())
        other.release()
        for store in stores { try await store.close() }
    }
}
