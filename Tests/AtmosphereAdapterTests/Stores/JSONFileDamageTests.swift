import Atmosphere
import Foundation
import Testing

@testable import AtmosphereJSONFile

@Suite("damage to a JSON file store is found, kept and said")
struct JSONFileDamageTests {
    private static let files = ["store.jsonl", "entities/tasks.jsonl", "journal.jsonl"]
    private static let total = 40

    /// Thirty objects in the entity's file, ten more in the journal; a cursor and an alias.
    private func makeStore(in folder: TemporaryFolder) async throws {
        let store = try JSONFileStore(path: folder.file("data"))
        for number in 0..<30 { try await store.save("\(number)", #"{"n":\#(number)}"#) }
        try await store.save("1", "{}", of: "lists")
        try await store.write(.power, origin: .pull) { transaction in
            try transaction.put(PullCursor(checkpoint: "c"), for: PullScope(entity: "tasks"))
            try transaction.put(PullCursor(checkpoint: "d"), for: PullScope(entity: "lists"))
            try transaction.raiseSequence(to: 77)
        }
        try await store.close()
        let second = try JSONFileStore(path: folder.file("data"), limits: JournalLimits(least: 1 << 20, smallBase: 0))
        for number in 30..<40 { try await second.save("\(number)", #"{"n":\#(number)}"#) }
        try await second.close()
    }

    /// Opens, and checks that nothing is there that was never written.
    ///
    /// - Returns: how many tasks there are.
    private func count(_ store: JSONFileStore) async throws -> Int {
        let records = try await store.read { snapshot in
            var records: [(ObjectURI, ObjectRecord)] = []
            try snapshot.records(matching: Query("tasks")) { uri, record in
                records.append((uri, record))
                return true
            }
            return records
        }
        for (uri, record) in records { #expect(record.description == #"{"n":\#(uri.id)}"#) }
        return records.count
    }

    private func cursor(_ store: JSONFileStore, _ entity: String = "tasks") async throws -> String? {
        try await store.read { try $0.cursor(for: PullScope(entity: entity))?.checkpoint }
    }

    @Test("any byte that is changed anywhere is noticed, and only what it touched is missing", arguments: files)
    func flippedBytes(_ name: String) async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let whole = try folder.contents("data/\(name)")
        for place in stride(from: 0, to: whole.count, by: 97) {
            let copy = try TemporaryFolder(copyOf: folder)
            var bytes = whole
            bytes[place] ^= 0x11
            try copy.write(bytes, to: "data/\(name)")
            let store = try JSONFileStore(path: copy.file("data"))
            let warnings = store.notes.filter(\.isWarning)
            #expect(warnings.count == 1, "byte \(place) of \(name)")
            let kept = "\(copy.file("data"))/\(name).damaged-1"
            #expect(warnings.first?.message.contains("the damaged file is kept as \(kept)") == true)
            #expect(try copy.contents("data/\(name).damaged-1") == bytes)
            #expect(try await count(store) >= Self.total - 2)
            #expect(try await cursor(store) == nil, "the next pull must ask for everything")
            #expect(try await store.read { try $0.highestSequence() } >= 77)
            try await store.save("new", #"{"n":new}"#.replacing("new}", with: "\"new\"}"))
            try await store.close()
            let again = try JSONFileStore(path: copy.file("data"))
            #expect(again.notes == [], "damage is said once")
            #expect(try await again.text("new") != nil)
            try await again.close()
        }
    }

    @Test("contents get a second name beside the folder, for the changes that name them may be lost")
    func contents() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let digest = String(repeating: "ab", count: 32)
        try FileManager.default.createDirectory(
            atPath: folder.file("data.contents"), withIntermediateDirectories: false)
        try folder.write(Array("meow".utf8), to: "data.contents/\(digest)")
        var bytes = try folder.contents("data/entities/tasks.jsonl")
        bytes[bytes.count / 2] ^= 0x11
        try folder.write(bytes, to: "data/entities/tasks.jsonl")
        let store = try JSONFileStore(path: folder.file("data"))
        #expect(store.notes.first?.message.contains("is kept in \(folder.file("data")).damaged.contents") == true)
        try await store.close()
        try FileManager.default.removeItem(atPath: folder.file("data.contents/\(digest)"))
        #expect(try folder.contents("data.damaged.contents/\(digest)") == Array("meow".utf8))
    }

    @Test("a save whose line has another end is there")
    func unendedLine() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let store = try JSONFileStore(path: folder.file("data"))
        try await store.save("last", #"{"n":"last"}"#)
        try await store.close()
        let whole = try folder.contents("data/journal.jsonl")
        try folder.write(whole.dropLast() + [0x20], to: "data/journal.jsonl")
        let opened = try JSONFileStore(path: folder.file("data"))
        #expect(opened.notes.filter(\.isWarning).count == 1)
        #expect(try await opened.text("last") == #"{"n":"last"}"#)
        try await opened.save("new", #"{"n":"new"}"#)
        try await opened.close()
        let again = try JSONFileStore(path: folder.file("data"))
        #expect(again.notes == [])
        #expect(try await again.text("last") != nil)
        #expect(try await again.text("new") != nil)
        try await again.close()
    }

    @Test("damage to one entity leaves the cursors of the others")
    func otherCursors() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        var bytes = try folder.contents("data/entities/tasks.jsonl")
        bytes[200] ^= 1
        try folder.write(bytes, to: "data/entities/tasks.jsonl")
        let store = try JSONFileStore(path: folder.file("data"))
        #expect(try await cursor(store, "lists") == "d")
        #expect(try await cursor(store) == nil)
        #expect(store.notes.first?.message.contains("29 objects of about 30 could be saved") == true)
        try await store.close()
    }

    @Test("a file that is cut is noticed, at any place", arguments: ["store.jsonl", "entities/tasks.jsonl"])
    func cut(_ name: String) async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let whole = try folder.contents("data/\(name)")
        for length in stride(from: 0, to: whole.count, by: 131) {
            let copy = try TemporaryFolder(copyOf: folder)
            try copy.write(Array(whole.prefix(length)), to: "data/\(name)")
            let store = try JSONFileStore(path: copy.file("data"))
            let warnings = store.notes.filter(\.isWarning)
            #expect(warnings.count == 1, "\(length) bytes of \(name)")
            let problem = length == 0 ? "it is empty" : "its end is missing, with an unknown number of lines;"
            #expect(warnings.first?.message.contains("is damaged: \(problem)") == true, "\(warnings)")
            #expect(try await count(store) >= (name == "store.jsonl" ? 40 : 10))
            try await store.close()
        }
    }

    @Test("a journal that ends in the middle of a commit is an ordinary end of a process, and no warning")
    func tornTail() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let whole = try folder.contents("data/journal.jsonl")
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        for length in stride(from: ends[0] + 1, through: whole.count, by: 7) {
            let copy = try TemporaryFolder(copyOf: folder)
            try copy.write(Array(whole.prefix(length)), to: "data/journal.jsonl")
            // The process ended before it said that anything was kept.
            try copy.write([], to: "data/lock")
            let store = try JSONFileStore(path: copy.file("data"))
            let commits = ends.count { $0 < length } - 1
            let isTorn = !ends.contains(length - 1)
            #expect(store.notes.map(\.isWarning) == (isTorn ? [false] : []))
            #expect(try await count(store) == 30 + commits)
            #expect(try await cursor(store) == "c")
            try await store.save("39", #"{"n":39}"#)
            let other = try JSONFileStore(path: copy.file("data"))
            #expect(other.notes == [])
            #expect(try await other.text("39") == #"{"n":39}"#)
            try await store.close()
            try await other.close()
        }
    }

    @Test("a journal that lost commits which were flushed is noticed, and all of it kept")
    func cutJournal() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let whole = try folder.contents("data/journal.jsonl")
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        for length in stride(from: ends[0] + 1, to: whole.count, by: 37) {
            let copy = try TemporaryFolder(copyOf: folder)
            let cut = Array(whole.prefix(length))
            try copy.write(cut, to: "data/journal.jsonl")
            let store = try JSONFileStore(path: copy.file("data"))
            let commits = ends.count { $0 < length } - 1
            let missing = Self.total - 30 - commits
            #expect(store.notes.map(\.isWarning) == [true])
            let expected = "it was cut: it lacks \(missing) commit\(missing == 1 ? "" : "s") that it had"
            #expect(store.notes.first?.message.contains(expected) == true, "\(store.notes)")
            #expect(try copy.contents("data/journal.jsonl.damaged-1") == cut)
            #expect(try await count(store) == 30 + commits)
            #expect(try await cursor(store) == nil)
            try await store.save("39", #"{"n":39}"#)
            try await store.close()
            let again = try JSONFileStore(path: copy.file("data"))
            #expect(again.notes == [], "damage is said once")
            #expect(try await again.text("39") == #"{"n":39}"#)
            try await again.close()
        }
    }

    @Test(
        "a new object that the lost commits may have sent is in doubt, and is not sent again by itself",
        arguments: 0...3)
    func doubtfulCreates(_ damage: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try JSONFileStore(path: folder.file("data"), limits: JournalLimits(least: 1 << 20, smallBase: 0))
        let (task, child) = (ObjectURI(entity: "tasks", id: "1"), ObjectURI(entity: "tasks", id: "2"))
        let record = ObjectRecord(["title": "Milk"])
        try await store.write(.power, origin: .application) { transaction in
            try transaction.upsert([(task, record), (child, record)])
            try transaction.put([
                MetaObject(
                    uri: task, id: ObjectID("1"), state: .created(.init(idempotencyKey: "k"), deleting: false),
                    revision: 3),
                MetaObject(
                    uri: child, id: ObjectID("2"), state: .created(.init(idempotencyKey: "l"), deleting: false),
                    waitsFor: [task])
            ])
        }
        for number in 3...6 { try await store.save("\(number)", "{}") }
        try await store.close()
        var lines = try folder.lines("data/journal.jsonl")
        switch damage {
        case 0: lines.removeLast()
        case 1: lines.remove(at: lines.count - 2)
        case 2: lines[lines.count - 2] = "x"
        // Nothing is lost.
        default: lines.append(lines[lines.count - 1])
        }
        try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "data/journal.jsonl")
        let opened = try JSONFileStore(path: folder.file("data"))
        #expect(!opened.notes.isEmpty)
        let found = try await opened.read { (try $0.meta(at: task), try $0.meta(at: child)) }
        guard case .created(let outgoing, deleting: false)? = found.0?.state else {
            Issue.record("\(found)")
            return
        }
        let isInDoubt = damage < 3
        #expect(outgoing.evidence.mayHaveArrived == isInDoubt && outgoing.idempotencyKey == "k")
        if isInDoubt, case .unknown(let snapshot) = outgoing.phase {
            #expect(snapshot.record == record && snapshot.revision == 3)
        } else {
            #expect(!isInDoubt && outgoing.phase == .waiting)
        }
        // Its parent's identifier was not known, so it was not sent.
        #expect(found.1?.outgoing?.phase == .waiting)
        let said = opened.notes.filter(\.isWarning).contains {
            $0.message.hasPrefix("1 new object may have been sent already")
        }
        #expect(said == isInDoubt, "\(opened.notes)")
        try await opened.close()
        let again = try JSONFileStore(path: folder.file("data"))
        #expect(again.notes == [])
        #expect(try await again.read { try $0.meta(at: task) } == found.0)
        try await again.close()
    }

    @Test("a damaged file is copied where the file system gives a file no second name", arguments: [EPERM, EOPNOTSUPP])
    func withoutSecondNames(_ code: Int32) throws {
        let folder = try TemporaryFolder()
        let (path, bytes) = (folder.file("file"), Array("damaged".utf8))
        try folder.write(bytes, to: "file")
        for number in 1...2 {
            #expect(try FileAccess.keepCopy(of: path) { _, _ in code } == "\(path).damaged-\(number)")
            #expect(try folder.contents("file.damaged-\(number)") == bytes)
            #expect(try folder.mode("file.damaged-\(number)") == 0o600)
        }
        #expect(try FileAccess.keepCopy(of: path) == "\(path).damaged-3")
        #expect(try FileAccess.keepCopy(of: folder.file("other")) { _, _ in ENOENT } == nil)
        // A copy that cannot be made is told, and leaves nothing.
        let error = #expect(throws: StoreError.self) {
            try FileAccess.keepCopy(of: folder.file("none")) { _, _ in code }
        }
        #expect(error?.message.contains("keep a copy of") == true)
        #expect(folder.names == ["file", "file.damaged-1", "file.damaged-2", "file.damaged-3"])
    }

    @Test("a commit that stands twice in the journal is said, and does nothing", arguments: [[5], [5, 7]])
    func doubledCommits(_ doubled: [Int]) async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let lines = try folder.lines("data/journal.jsonl") + doubled.map { try folder.lines("data/journal.jsonl")[$0] }
        try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "data/journal.jsonl")
        let store = try JSONFileStore(path: folder.file("data"))
        let expected = doubled.count == 1 ? "a commit stands twice" : "2 commits stand twice"
        #expect(store.notes.first?.message.contains("\(expected); 10 commits could be read") == true, "\(store.notes)")
        #expect(try await count(store) == Self.total)
        try await store.close()
    }

    @Test("a file that is missing or empty is noticed", arguments: files, [true, false])
    func missing(_ name: String, isEmpty: Bool) async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        if isEmpty {
            try folder.write([], to: "data/\(name)")
        } else {
            try FileManager.default.removeItem(atPath: folder.file("data/\(name)"))
        }
        let store = try JSONFileStore(path: folder.file("data"))
        let message = try #require(store.notes.first { $0.isWarning }).message
        #expect(message.contains("\(folder.file("data"))/\(name) is damaged: it is \(isEmpty ? "empty" : "missing")"))
        let expected = ["store.jsonl": 40, "entities/tasks.jsonl": 10, "journal.jsonl": 30][name]
        #expect(try await count(store) == expected)
        #expect(try await cursor(store) == nil)
        try await store.close()
    }

    @Test("an entity's file that was put back from an older copy is noticed")
    func olderFile() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let old = try folder.contents("data/entities/tasks.jsonl")
        let store = try JSONFileStore(path: folder.file("data"))
        try await store.save("0", #"{"n":0}"#)
        try await store.close()
        try folder.write(old, to: "data/entities/tasks.jsonl")
        let opened = try JSONFileStore(path: folder.file("data"))
        #expect(opened.notes.first?.message.contains("it is older than store.jsonl") == true)
        #expect(try await cursor(opened) == nil)
        try await opened.close()
    }

    @Test("lines that were swapped, doubled or taken out with their ends are noticed")
    func lines() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let lines = try folder.lines("data/entities/tasks.jsonl")
        var swapped = lines
        swapped.swapAt(3, 4)
        for changed in [swapped, lines + [lines[5]], lines.filter { $0 != lines[7] }] {
            let copy = try TemporaryFolder(copyOf: folder)
            try copy.write(Array((changed.joined(separator: "\n") + "\n").utf8), to: "data/entities/tasks.jsonl")
            let store = try JSONFileStore(path: copy.file("data"))
            #expect(store.notes.filter(\.isWarning).count == 1)
            try await store.close()
        }
    }

    @Test("a folder with files that may not be read is an error, and nothing is taken for damage")
    func permissions() async throws {
        // Root may read everything, so a directory in the file's place stands for what cannot be read.
        let folder = try TemporaryFolder()
        try await makeStore(in: folder)
        let name = "data/entities/tasks.jsonl"
        if getuid() == 0 {
            try FileManager.default.removeItem(atPath: folder.file(name))
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        } else {
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.file(name))
        }
        let error = #expect(throws: StoreError.self) { try JSONFileStore(path: folder.file("data")) }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains(name) == true)
        #expect(folder.names(in: "data/entities") == ["lists.jsonl", "tasks.jsonl"])
    }

    @Test(
        "a full disk refuses the commit and keeps what was there",
        .enabled(if: SmallDisk.isAvailable, "no small file system can be mounted here"))
    func fullDisk() async throws {
        let disk = try SmallDisk(kilobytes: 256)
        defer { disk.unmount() }
        let store = try JSONFileStore(path: disk.path + "/data")
        var saved = 0
        var refused: StoreError?
        let filler = String(repeating: "x", count: 9_000)
        do {
            for number in 0..<100 {
                try await store.save("\(number)", #"{"n":"\#(filler)"}"#)
                saved += 1
            }
        } catch { refused = error as? StoreError }
        #expect(refused?.code == .full)
        #expect(saved > 10 && saved < 40)
        #expect(try await store.read { try $0.counts() }["tasks"]?.objects == saved)
        try await store.close()
        let opened = try JSONFileStore(path: disk.path + "/data")
        #expect(opened.notes == [])
        #expect(try await opened.read { try $0.counts() }["tasks"]?.objects == saved)
        try await opened.close()
    }
}
