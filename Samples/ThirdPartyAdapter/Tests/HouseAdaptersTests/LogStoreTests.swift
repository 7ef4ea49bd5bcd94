import Atmosphere
import AtmosphereSwiftTesting
import AtmosphereTesting
import Foundation
import HouseStore
import Testing

@Suite("one growing file as a store")
struct LogStoreTests {
    private static let suite = StoreSuite(inFolder: { try LogStore(path: $0 + "/tasks.log") })

    @Test("keeps every promise of a store", arguments: suite.checks)
    func conforms(_ check: ConformanceCheck) async throws { try await check.test() }

    private static func task(_ number: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: "\(number)") }

    private static func save(_ number: Int, in store: LogStore) async throws {
        try await store.write(.power, origin: .application) {
            try $0.upsert([(task(number), ObjectRecord(["title": .string("Täsk \(number)")]))])
        }
    }

    private static func count(in store: LogStore) async throws -> Int {
        try await store.read { try $0.counts()["tasks"]?.objects ?? 0 }
    }

    @Test("wherever the last commit is cut off, those before it are there, and work goes on")
    func cut() async throws {
        let folder = try Folder()
        let store = try LogStore(path: folder.file("whole.log"))
        for number in 1...2 { try await Self.save(number, in: store) }
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole.log"))).count
        try await Self.save(3, in: store)
        try await store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole.log")))
        for end in before..<whole.count {
            let path = folder.file("\(end).log")
            try whole.prefix(end).write(to: URL(fileURLWithPath: path))
            let cut = try LogStore(path: path)
            #expect(try await Self.count(in: cut) == 2)
            #expect(cut.notes.count == (end == before ? 0 : 1))
            try await Self.save(4, in: cut)
            try await cut.close()
            let again = try LogStore(path: path)
            #expect(try await Self.count(in: again) == 3)
            #expect(again.notes.isEmpty)
            try await again.close()
        }
    }

    @Test("damage in the middle is told with its line, and nothing is dropped for it")
    func damage() async throws {
        let folder = try Folder()
        let path = folder.file("tasks.log")
        let store = try LogStore(path: path)
        for number in 1...3 { try await Self.save(number, in: store) }
        try await store.close()
        var text = try String(contentsOfFile: path, encoding: .utf8)
        text = text.replacingOccurrences(of: #"Täsk 2""#, with: "Täsk 2")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: StoreError.self) { try LogStore(path: path) }
        #expect(error?.code == .damaged && error?.message.contains("tasks.log:3") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("a second store on the file is refused while the first one is open")
    func inUse() async throws {
        let folder = try Folder()
        let path = folder.file("tasks.log")
        let store = try LogStore(path: path)
        let error = #expect(throws: StoreError.self) { try LogStore(path: path) }
        #expect(error?.code == .inUse)
        try await store.close()
        try await LogStore(path: path).close()
    }

    @Test("opening writes the file anew where most of it is out of date, and keeps everything")
    func compaction() async throws {
        let folder = try Folder()
        let path = folder.file("tasks.log")
        let store = try LogStore(path: path)
        for number in 1...1_100 {
            try await store.write(.process, origin: .application) {
                try $0.upsert([(Self.task(1), ObjectRecord(["title": .string("\(number)")]))])
            }
        }
        try await store.close()
        let long = try Data(contentsOf: URL(fileURLWithPath: path)).count
        let opened = try LogStore(path: path)
        #expect(try await opened.read { try $0.record(at: Self.task(1)) } == ObjectRecord(["title": "1100"]))
        try await Self.save(2, in: opened)
        try await opened.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < long / 100)
        let again = try LogStore(path: path)
        #expect(try await Self.count(in: again) == 2)
        try await again.close()
    }

    @Test(
        "a file of another kind, or of a newer version, is refused and left as it is",
        arguments: ["{}\n", "{\"log\":2}\n"])
    func foreign(_ text: String) throws {
        let folder = try Folder()
        let path = folder.file("tasks.log")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: StoreError.self) { try LogStore(path: path) }
        #expect(error?.code == (text == "{}\n" ? .damaged : .newerFormat))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
}
