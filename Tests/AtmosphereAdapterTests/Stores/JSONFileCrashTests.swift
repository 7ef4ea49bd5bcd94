import Atmosphere
import Foundation
import Testing

@testable import AtmosphereJSONFile

@Suite("a JSON file store whose process ended between any two steps")
struct JSONFileCrashTests {
    private static let entities = ["lists", "tasks"]

    /// Objects that come, change, move and go; cursors, aliases and a listing under way; some in the files, some only in
    /// the journal.
    private func fill(_ folder: TemporaryFolder) async throws {
        for round in 0..<2 {
            let limits = JournalLimits(least: 1 << 20, smallBase: round == 0 ? 1 << 20 : 0)
            let store = try JSONFileStore(path: folder.file("data"), limits: limits)
            for entity in Self.entities {
                for number in 0..<20 where (number + round) % 3 != 0 {
                    try await store.save("\(number)", #"{"round":\#(round),"n":\#(number)}"#, of: entity)
                }
                try await store.write(.process, origin: .pull) { transaction in
                    let old = ObjectURI(entity: entity, id: "\(round + 1)")
                    let new = ObjectURI(entity: entity, id: "moved-\(round)")
                    try transaction.put([
                        MetaObject(
                            uri: old, id: ObjectID(old.id, .string),
                            state: .synchronized(.init(base: ObjectRecord(["a": 1]), sequence: 5)))
                    ])
                    try transaction.changeMetaIdentifier(from: old, to: new, id: ObjectID(new.id, .string))
                    try transaction.changeIdentifier(from: old, to: new)
                    try transaction.delete([ObjectURI(entity: entity, id: "5")])
                    try transaction.put(PullCursor(checkpoint: "\(round)"), for: PullScope(entity: entity))
                    try transaction.beginListing(entity: entity, listing: Int64(10 + round))
                    try transaction.raiseSequence(to: Int64(100 + round))
                }
            }
            try await store.close()
        }
    }

    private func state(of folder: TemporaryFolder) async throws -> String {
        let store = try JSONFileStore(
            path: folder.file("data"), limits: JournalLimits(least: 1 << 20, smallBase: 0))
        #expect(store.notes == [])
        let text = try await store.read { snapshot in
            let sequence = try snapshot.highestSequence()
            var text = "\(sequence)\n"
            for entity in Self.entities {
                try snapshot.records(matching: Query(entity)) { uri, record in
                    let meta = try snapshot.meta(at: uri)
                    text += "\(uri) \(record) \(meta.map { "\($0)" } ?? "-")\n"
                    return true
                }
                for round in 1...2 {
                    let alias = try snapshot.alias(of: ObjectURI(entity: entity, id: "\(round)"))
                    text += "\(round) → \(alias.map { "\($0)" } ?? "-")\n"
                }
                let cursor = try snapshot.cursor(for: PullScope(entity: entity))?.checkpoint
                text += "\(cursor ?? "-")\n"
            }
            return text
        }
        try await store.close()
        return text
    }

    @Test("opens with everything, and without a word, while the files are written anew")
    func compaction() async throws {
        let before = try TemporaryFolder()
        try await fill(before)
        let expected = try await state(of: before)
        #expect(expected.contains("tasks/moved-1"))
        let after = try TemporaryFolder(copyOf: before)
        // Closing a small store writes all files.
        try await JSONFileStore(path: after.file("data")).close()
        #expect(try after.contents("data/journal.jsonl") != before.contents("data/journal.jsonl"))
        #expect(try await state(of: after) == expected)
        let steps = ["entities/lists.jsonl", "entities/tasks.jsonl", "store.jsonl", "journal.jsonl"]
        for done in 0...steps.count {
            let folder = try TemporaryFolder(copyOf: before)
            for name in steps.prefix(done) {
                try folder.write(after.contents("data/\(name)"), to: "data/\(name)")
            }
            if done < steps.count {
                // What was being written when it ended.
                let half = try after.contents("data/\(steps[done])")
                try folder.write(Array(half.prefix(half.count / 2)), to: "data/\(steps[done]).new")
            }
            #expect(try await state(of: folder) == expected, "after \(done) steps")
            // And it goes on from there.
            let store = try JSONFileStore(path: folder.file("data"))
            try await store.save("more", "{}")
            try await store.close()
            #expect(try await state(of: folder).contains("tasks/more"))
        }
    }

    @Test("what is in the files stays as it is where a loss of power leaves a journal that ends before them")
    func journalBehindFiles() async throws {
        let before = try TemporaryFolder()
        try await fill(before)
        let expected = try await state(of: before)
        let after = try TemporaryFolder(copyOf: before)
        try await JSONFileStore(path: after.file("data")).close()
        let lines = try before.lines("data/journal.jsonl")
        #expect(lines.count > 20)
        // The entities' files and store.jsonl are new.
        for kept in 1...lines.count {
            let folder = try TemporaryFolder(copyOf: after)
            let journal = lines.prefix(kept).map { $0 + "\n" }.joined()
            try folder.write(Array(journal.utf8), to: "data/journal.jsonl")
            #expect(try await state(of: folder) == expected, "\(kept) lines")
            let store = try JSONFileStore(path: folder.file("data"), limits: JournalLimits(smallBase: 0))
            try await store.save("more", "{}")
            try await store.close()
            #expect(try await state(of: folder).contains("tasks/more"), "\(kept) lines")
        }
    }

    @Test("opens as new while it was made", arguments: 0...3)
    func creation(_ step: Int) async throws {
        let whole = try TemporaryFolder()
        try await JSONFileStore(path: whole.file("data")).close()
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.file("data/entities"), withIntermediateDirectories: true)
        if step >= 1 { try folder.write(Array("{".utf8), to: "data/journal.jsonl.new") }
        if step >= 2 { try folder.write(whole.contents("data/journal.jsonl"), to: "data/journal.jsonl") }
        if step >= 3 { try folder.write(Array("{".utf8), to: "data/store.jsonl.new") }
        let store = try JSONFileStore(path: folder.file("data"))
        #expect(store.notes == [])
        try await store.save("1", "{}")
        try await store.close()
        #expect(folder.names(in: "data") == ["entities", "journal.jsonl", "lock", "store.jsonl"])
    }
}
