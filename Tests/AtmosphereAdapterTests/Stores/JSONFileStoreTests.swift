import Atmosphere
import Foundation
import Testing

@testable import AtmosphereJSONFile

@Suite("what is particular to the JSON file store")
struct JSONFileStoreTests {
    @Test("everything is for its owner only, readable, and has an object to a line and a file to an entity")
    func form() async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", #"{"title":"Käse"}"#)
        let journal = try folder.lines("data/journal.jsonl")
        #expect(journal.count == 2)
        #expect(
            journal[1].hasSuffix(#"","commit":1,"objects":[{"entity":"tasks","id":"1","record":{"title":"Käse"}}]}"#))
        try await store.close()
        #expect(try folder.lines("data/journal.jsonl").count == 1)
        let lines = try folder.lines("data/entities/tasks.jsonl")
        #expect(lines.count == 3)
        #expect(lines[1].hasSuffix(#"","id":"1","record":{"title":"Käse"}}"#))
        for name in ["journal.jsonl", "store.jsonl", "entities/tasks.jsonl", "lock"] {
            #expect(try folder.mode("data/\(name)") == 0o600, "\(name)")
        }
        for name in ["data", "data/entities"] { #expect(try folder.mode(name) == 0o700, "\(name)") }
        #expect(folder.names(in: "data") == ["entities", "journal.jsonl", "lock", "store.jsonl"])
    }

    @Test(
        "no file of the store is read or written through a symbolic link",
        arguments: ["journal.jsonl", "store.jsonl", "entities/tasks.jsonl", "lock"])
    func links(name: String) async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", "{}")
        try await store.close()
        let bytes = try folder.contents("data/\(name)")
        try folder.write(bytes, to: "elsewhere")
        try FileManager.default.removeItem(atPath: folder.file("data/\(name)"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("data/\(name)"), withDestinationPath: "\(name.contains("/") ? "../" : "")../elsewhere")
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("data")) }
        #expect(
            error?.message.hasPrefix("cannot open \(folder.file("data/\(name)")): ") == true
                && error?.message.hasSuffix(
                    "it is a symbolic link, which nothing is read or written through; remove the link") == true,
            "\(error?.message ?? "")")
        #expect(try folder.contents("elsewhere") == bytes)
    }

    @Test("a record that would change when written again is kept as text")
    func exactBytes() async throws {
        let folder = try TemporaryFolder()
        let text = #" { "a" : "\u0041", "a":1 } "#
        let store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", text)
        try await store.close()
        let opened = try JSONFileStore(path: folder.file("data"))
        #expect(try await opened.text("1") == text)
        try await opened.close()
    }

    @Test("a record as deep as any reader takes is kept, in the journal and in its file")
    func deep() async throws {
        let folder = try TemporaryFolder()
        let text = "{\"a\":" + String(repeating: "[", count: 511) + String(repeating: "]", count: 511) + "}"
        var store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", text)
        store = try JSONFileStore(path: folder.file("data"))
        #expect(try await store.text("1") == text)
        try await store.close()
        store = try JSONFileStore(path: folder.file("data"))
        #expect(try await store.text("1") == text)
        #expect(store.notes == [])
        try await store.close()
    }

    @Test(
        "no entity's name leads out of the folder or into another's file",
        arguments: [
            ["../../escape", "..%2f..%2fescape", "a/b", "."], ["Tasks", "tasks", "TASKS", "%54asks"],
            ["", "%", "%00", "\u{0}"], ["é", "e\u{301}x", "CON", "con"],
            (0..<3).map { String(repeating: "long", count: 100) + "\($0)" }
        ])
    func entityNames(_ entities: [String]) async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("data"))
        for entity in entities {
            let record = try ObjectRecord(bytes: Array(#"{"of":"\#(entity.utf8.count)"}"#.utf8))
            try await store.write(.power, origin: .application) {
                try $0.upsert([(ObjectURI(entity: entity, id: "../x/1"), record)])
            }
        }
        try await store.close()
        #expect(folder.names(in: "") == ["data"])
        let files = folder.names(in: "data/entities")
        #expect(files.count == entities.count)
        #expect(Set(files.map { $0.lowercased() }).count == entities.count)
        let opened = try JSONFileStore(path: folder.file("data"))
        #expect(opened.notes == [])
        for entity in entities {
            let uri = ObjectURI(entity: entity, id: "../x/1")
            let record = try await opened.read { try $0.record(at: uri) }
            #expect(record?.description == #"{"of":"\#(entity.utf8.count)"}"#)
        }
        try await opened.close()
    }

    @Test("the one file of an earlier development version is refused with what to do, and left alone")
    func earlierLayout() throws {
        let folder = try TemporaryFolder()
        let text = Array(#"{"atmosphere-store":1,"sequence":0}"#.utf8)
        try folder.write(text, to: "store.json")
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("store.json")) }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("store.json is a file, and a json-file store is a folder") == true)
        #expect(try folder.contents("store.json") == text)
    }

    @Test("a folder of a newer version is refused as such", arguments: ["store", "journal", "entities/tasks"])
    func newerFormat(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", "{}")
        try await store.close()
        let kind = name.hasSuffix("tasks") ? "entity" : name
        var values = try folder.lines("data/\(name).jsonl").map { line in
            var members = try #require(try Value(json: Array(line.utf8)).members)
            members["sum"] = nil
            if members["atmosphere-\(kind)"] != nil { members["atmosphere-\(kind)"] = 3 }
            return Value.object(members)
        }
        values.removeAll { $0.members?["end"] != nil }
        var text: [UInt8] = []
        if name == "journal" {
            for value in values { CheckedLine.append(value, to: &text) }
        } else {
            text = CheckedFile.text(values)
        }
        try folder.write(text, to: "data/\(name).jsonl")
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("data")) }
        #expect(error?.code == .newerFormat)
        #expect(try folder.contents("data/\(name).jsonl") == text)
    }

    @Test("a folder that does not exist is named")
    func missingFolder() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("missing/data")) }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("does the folder \(folder.file("missing")) exist?") == true)
    }

    @Test("stores on one folder see each other's commits, lose none, and publish them")
    func twoStores() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in
            try JSONFileStore(path: folder.file("data"), limits: JournalLimits(least: 2_000, smallBase: 0))
        }
        var commits = stores[0].commits().makeAsyncIterator()
        try await stores[1].save("other", "{}")
        try await stores[0].checkForOtherWriters()
        let seen = await commits.next()
        #expect(seen == CommitSet(origin: .otherProcess, objects: ["tasks": ["other"]]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<120 {
                group.addTask { try await stores[number % 2].save("\(number)", #"{"n":\#(number)}"#) }
            }
            try await group.waitForAll()
        }
        for store in stores {
            #expect(try await store.read { try $0.counts() }["tasks"]?.objects == 121)
            #expect(store.notes == [])
            try await store.close()
        }
        let opened = try JSONFileStore(path: folder.file("data"))
        #expect(try await opened.read { try $0.counts() }["tasks"]?.objects == 121)
        try await opened.close()
    }

    @Test("a journal that has become as long as the other files is begun anew, and everything is still there")
    func compaction() async throws {
        let folder = try TemporaryFolder()
        let limits = JournalLimits(least: 4_000, smallBase: 0)
        let store = try JSONFileStore(path: folder.file("data"), limits: limits)
        var longest = 0
        for number in 0..<400 {
            try await store.save("\(number % 50)", #"{"n":\#(number)}"#, number % 3 == 0 ? .power : .process)
            longest = max(longest, try folder.contents("data/journal.jsonl").count)
        }
        // Fifty objects take less than the least, which a save may exceed twice.
        #expect(longest > 3_000 && longest < 8_400, "\(longest)")
        let opened = try JSONFileStore(path: folder.file("data"), limits: limits)
        for store in [store, opened] {
            for number in 0..<50 { #expect(try await store.text("\(number)") == #"{"n":\#(350 + number)}"#) }
            #expect(store.notes == [])
            try await store.close()
        }
    }

    @Test("only the files of entities that changed are written anew")
    func untouchedFiles() async throws {
        let folder = try TemporaryFolder()
        var store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", "{}", of: "lists")
        try await store.save("1", "{}")
        try await store.close()
        let before = FileAccess.extent(of: folder.file("data/entities/lists.jsonl"))
        let tasks = FileAccess.extent(of: folder.file("data/entities/tasks.jsonl"))
        store = try JSONFileStore(path: folder.file("data"))
        try await store.save("1", #"{"a":1}"#)
        try await store.close()
        #expect(FileAccess.extent(of: folder.file("data/entities/lists.jsonl")) == before)
        #expect(FileAccess.extent(of: folder.file("data/entities/tasks.jsonl")) != tasks)
        store = try JSONFileStore(path: folder.file("data"))
        #expect(store.notes == [])
        try await store.close()
    }

    @Test("the push lock excludes another store on the same folder")
    func pushLock() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try JSONFileStore(path: folder.file("data")) }
        let lock = try #require(try await stores[0].lockForPush())
        #expect(try await stores[1].lockForPush() == nil)
        lock.release()
        let other = try #require(try await stores[1].lockForPush())
        other.release()
        for store in stores { try await store.close() }
    }

    @Test("a checksum is CRC-32C")
    func checksum() {
        // RFC 3720, appendix B.4, and the usual check value.
        #expect(String(decoding: Checksum(Array("123456789".utf8)[...]).digits, as: UTF8.self) == "e3069283")
        #expect(String(decoding: Checksum([UInt8](repeating: 0, count: 32)[...]).digits, as: UTF8.self) == "8a9136aa")
    }
}

extension Store {
    func save(
        _ id: String, _ json: String, _ durability: Durability = .power, of entity: String = "tasks"
    ) async throws {
        let record = try ObjectRecord(bytes: Array(json.utf8))
        let uri = ObjectURI(entity: entity, id: id)
        try await write(durability, origin: .application) { try $0.upsert([(uri, record)]) }
    }

    func text(_ id: String, of entity: String = "tasks") async throws -> String? {
        let uri = ObjectURI(entity: entity, id: id)
        return try await read { try $0.record(at: uri)?.description }
    }
}
