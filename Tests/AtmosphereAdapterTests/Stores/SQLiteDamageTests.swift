#if SQLite
    import Atmosphere
    import Foundation
    import Testing

    @testable import AtmosphereSQLite

    @Suite("damage to an SQLite store is found, kept and said")
    struct SQLiteDamageTests {
        private static let synchronized = 400
        private static let created = 100

        private struct Found: Equatable {
            var tasks: Int
            var changed: Int
        }

        private static let all = Found(tasks: synchronized + created, changed: created)

        private static func record(_ id: String) -> ObjectRecord {
            ObjectRecord(["title": .string(id + String(repeating: " x", count: 150))])
        }

        private func fill(_ store: SQLiteStore) async throws {
            try await store.write(.power, origin: .pull) { transaction in
                for number in 0..<Self.synchronized {
                    let uri = ObjectURI(entity: "tasks", id: "\(number * 3)")
                    let confirmed = MetaObject.Confirmed(base: Self.record(uri.id), version: "v", sequence: 5)
                    try transaction.upsert([(uri, confirmed.base)])
                    try transaction.put([
                        MetaObject(uri: uri, id: ObjectID(uri.id, .number), state: .synchronized(confirmed))
                    ])
                }
                for number in 0..<Self.created {
                    let uri = ObjectURI(entity: "tasks", id: "new-\(number)")
                    try transaction.upsert([(uri, Self.record(uri.id))])
                    let outgoing = Change(idempotencyKey: "k")
                    try transaction.put([
                        MetaObject(uri: uri, id: ObjectID(uri.id), state: .created(outgoing, deleting: false))
                    ])
                }
                let list = ObjectURI(entity: "lists", id: "old")
                try transaction.upsert([(list, Self.record("1"))])
                let outgoing = Change(idempotencyKey: "k")
                try transaction.put([
                    MetaObject(uri: list, id: ObjectID("old"), state: .created(outgoing, deleting: false))
                ])
                let new = ObjectURI(entity: "lists", id: "1")
                try transaction.changeIdentifier(from: list, to: new)
                try transaction.changeMetaIdentifier(from: list, to: new, id: ObjectID("1"))
                let pulled = PullCursor.Complete(ended: Timestamp(milliseconds: 5), identity: "ann")
                try transaction.put(
                    PullCursor(checkpoint: "c", complete: pulled), for: PullScope(entity: "tasks"))
                try transaction.raiseSequence(to: 77)
            }
        }

        @Test("of the changes that were not sent and could not be read each is named")
        func lostChanges() throws {
            let lost = (0..<300).map { ObjectURI(entity: "tasks", id: "new-\($0)") }
            let report = SalvageReport(objects: 1, expected: 301, lost: lost)
            let text = report.description
            let names = try #require(text.split(separator: "could not be read: ").last)
            #expect(names.split(separator: ", ").map(String.init) == lost.map(\.description), "\(text)")
        }

        private func makeStore(in folder: TemporaryFolder) async throws {
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await fill(store)
            try await store.close()
        }

        /// What is there; each object has to be as it was written.
        private func read(_ store: SQLiteStore) async throws -> Found {
            let (records, changed) = try await store.read { snapshot in
                var records: [(ObjectURI, ObjectRecord)] = []
                try snapshot.records(matching: Query("tasks")) { uri, record in
                    records.append((uri, record))
                    return true
                }
                return (records, try snapshot.changed(entity: "tasks", after: nil, limit: .max))
            }
            for (uri, record) in records { #expect(record == Self.record(uri.id)) }
            for meta in changed { #expect(meta.isLocalOnly && meta.uri.id.hasPrefix("new-")) }
            return Found(tasks: records.count, changed: changed.count)
        }

        /// Opens, and where damage is met only then, opens once more.
        ///
        /// - Returns: the store, and what was in the file before that was opened.
        private func open(_ folder: TemporaryFolder) async throws -> (SQLiteStore, [UInt8]) {
            let bytes = try folder.contents("store.db")
            let store = try SQLiteStore(path: folder.file("store.db"))
            do {
                _ = try await read(store)
                return (store, bytes)
            } catch let error as StoreError where error.code == .damaged {
                #expect(error.message.contains("what can still be read is saved then"))
                try? await store.close()
                let bytes = try folder.contents("store.db")
                return (try SQLiteStore(path: folder.file("store.db")), bytes)
            }
        }

        @Test("contents get a second name beside the damaged file, for the changes that name them may be lost")
        func contents() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            let digest = String(repeating: "ab", count: 32)
            try FileManager.default.createDirectory(
                atPath: folder.file("store.db.contents"), withIntermediateDirectories: false)
            try folder.write(Array("meow".utf8), to: "store.db.contents/\(digest)")
            var bytes = try folder.contents("store.db")
            for place in 100..<200 { bytes[place] = 0xff }
            try folder.write(bytes, to: "store.db")
            let (store, _) = try await open(folder)
            let kept = folder.file("store.db.damaged-1.contents")
            #expect(store.notes.first?.message.contains("not uploaded is kept in \(kept)") == true)
            try await store.close()
            try FileManager.default.removeItem(atPath: folder.file("store.db.contents/\(digest)"))
            #expect(try folder.contents("store.db.damaged-1.contents/\(digest)") == Array("meow".utf8))
        }

        private func checkSaved(_ store: SQLiteStore, _ folder: TemporaryFolder, _ damaged: [UInt8]) async throws {
            #expect(store.notes.count == 1)
            let path = folder.file("store.db")
            let message = try #require(store.notes.first).message
            #expect(store.notes.first?.isWarning == true)
            #expect(message.hasPrefix("\(path) is damaged: "))
            #expect(
                message.contains(
                    "; the damaged file is kept as \(path).damaged-1; pull to get back what the server has"))
            #expect(try folder.contents("store.db.damaged-1") == damaged)
            #expect(try folder.mode("store.db.damaged-1") == 0o600)
            #expect(try folder.mode("store.db") == 0o600)
            // The next pull asks for everything, as the same as before.
            let cursor = try await store.read { try $0.cursor(for: PullScope(entity: "tasks")) }
            #expect(cursor?.checkpoint == nil && [nil, "ann"].contains(cursor?.begunAs))
            let list = try await store.read { try $0.alias(of: ObjectURI(entity: "lists", id: "old")) }
            #expect([nil, ObjectURI(entity: "lists", id: "1")].contains(list))
            try await store.write(.power, origin: .application) { transaction in
                try transaction.upsert([(ObjectURI(entity: "tasks", id: "after"), Self.record("after"))])
            }
            try await store.close()
            // The log is kept, too, where an open that failed has left one.
            #expect(folder.names.filter { !$0.hasSuffix("-wal") } == ["store.db", "store.db.damaged-1"])
            let again = try SQLiteStore(path: path)
            #expect(again.notes.isEmpty, "damage is said once")
            #expect(try await again.read { try $0.record(at: ObjectURI(entity: "tasks", id: "after")) } != nil)
            try await again.close()
        }

        @Test("pages that were overwritten cost the rows on them, and all others are saved")
        func overwrittenPages() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            let whole = try folder.contents("store.db")
            var found = 0
            for page in stride(from: 1, to: whole.count / 4096, by: 5) {
                let copy = try TemporaryFolder(copyOf: folder)
                var bytes = whole
                for offset in (page * 4096)..<((page + 1) * 4096) {
                    bytes[offset] = UInt8(truncatingIfNeeded: offset &* 31)
                }
                try copy.write(bytes, to: "store.db")
                let (store, damaged) = try await open(copy)
                let there = try await read(store)
                guard let note = store.notes.first else {
                    // Nothing that is read stands there.
                    #expect(there == Self.all, "page \(page)")
                    try await store.close()
                    continue
                }
                found += 1
                // Below the root there is nothing without it.
                #expect(there.tasks == 0 || there.tasks >= Self.all.tasks - 25, "page \(page): \(note)")
                if there.changed < Self.created {
                    #expect(note.message.contains("changes that were not sent and could not be read: tasks/new-"))
                }
                try await checkSaved(store, copy, damaged)
            }
            #expect(found > 5)
        }

        @Test("several places of damage in one table leave what stands between them")
        func manyPlaces() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            var bytes = try folder.contents("store.db")
            // Leaves of the table of tasks; the kind of page is its first byte.
            let leaves = (1..<(bytes.count / 4096)).filter { page in
                bytes[page * 4096] == 13 && Self.contains(bytes[(page * 4096)..<((page + 1) * 4096)], " x x x x x x")
            }
            try #require(leaves.count > 20)
            for page in [leaves[2], leaves[8], leaves[9], leaves[leaves.count - 4]] {
                for offset in (page * 4096)..<((page + 1) * 4096) { bytes[offset] = 0xEE }
            }
            try folder.write(bytes, to: "store.db")
            let (store, damaged) = try await open(folder)
            let tasks = try await read(store).tasks
            #expect(tasks < Self.all.tasks && tasks >= Self.all.tasks - 4 * 14)
            #expect(try await store.read { try $0.highestSequence() } >= 77)
            try await checkSaved(store, folder, damaged)
        }

        private static func contains(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
            String(decoding: bytes, as: UTF8.self).contains(text)
        }

        @Test(
            "a page of one entity in the place of another's brings no object to the wrong entity",
            arguments: [false, true])
        func strangers(areInterchanged: Bool) async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let filled = try SQLiteStore(path: path)
            try await fill(filled)
            let words = ObjectRecord(["text": "a note of mine"])
            let new = ObjectURI(entity: "notes", id: "new-note")
            try await filled.write(.power, origin: .pull) { transaction in
                for number in 9001...9003 {
                    let uri = ObjectURI(entity: "notes", id: "\(number)")
                    let confirmed = MetaObject.Confirmed(base: words, version: "v", sequence: 5)
                    try transaction.upsert([(uri, words)])
                    try transaction.put([
                        MetaObject(uri: uri, id: ObjectID(uri.id, .number), state: .synchronized(confirmed))
                    ])
                }
                try transaction.upsert([(new, words)])
                let outgoing = Change(idempotencyKey: "k")
                try transaction.put([
                    MetaObject(uri: new, id: ObjectID(new.id), state: .created(outgoing, deleting: false))
                ])
            }
            try await filled.close()
            var bytes = try folder.contents("store.db")
            func leaf(_ text: String) throws -> Range<Int> {
                let page = (1..<(bytes.count / 4096)).first {
                    bytes[$0 * 4096] == 13 && Self.contains(bytes[($0 * 4096)..<(($0 + 1) * 4096)], text)
                }
                let number = try #require(page)
                return (number * 4096)..<((number + 1) * 4096)
            }
            let (notes, tasks) = (try leaf("a note of mine"), try leaf("600 x x x"))
            let (note, task) = (Array(bytes[notes]), Array(bytes[tasks]))
            bytes.replaceSubrange(tasks, with: note)
            if areInterchanged { bytes.replaceSubrange(notes, with: task) }
            try folder.write(bytes, to: "store.db")
            try folder.write([], to: "store.db.damaged")

            let store = try SQLiteStore(path: path)
            let message = try #require(store.notes.first).message
            #expect(message.contains("because they stand in the table of another entity: 1 object, and"), "\(message)")
            // Each task that is there is one, and all that were made here are.
            #expect(try await read(store).changed == Self.created)
            let (wrong, there) = try await store.read { snapshot in
                var wrong = 0
                try snapshot.records(matching: Query("notes")) { _, record in
                    if record != words { wrong += 1 }
                    return true
                }
                return (wrong, try snapshot.record(at: new) != nil)
            }
            #expect(wrong == 0)
            #expect(there != areInterchanged)
            if areInterchanged { #expect(message.contains("could not be read: notes/new-note"), "\(message)") }
            try await store.close()
        }

        @Test("without its header the file is known by its schema, and all of it is saved")
        func header() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            var bytes = try folder.contents("store.db")
            for offset in 0..<100 { bytes[offset] = 0 }
            try folder.write(bytes, to: "store.db")
            let store = try SQLiteStore(path: folder.file("store.db"))
            #expect(try await read(store) == Self.all)
            #expect(store.notes.first?.message.contains("501 objects could be saved, 101 of them with changes") == true)
            #expect(try await store.read { try $0.alias(of: ObjectURI(entity: "lists", id: "old")) } != nil)
            #expect(try await store.read { try $0.highestSequence() } >= 77)
            try await checkSaved(store, folder, bytes)
        }

        @Test("of a file that was cut the rest is saved", arguments: [30, 60, 90])
        func cut(_ percent: Int) async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            var bytes = try folder.contents("store.db")
            bytes.removeLast(bytes.count * (100 - percent) / 100)
            try folder.write(bytes, to: "store.db")
            let store = try SQLiteStore(path: folder.file("store.db"))
            let tasks = try await read(store).tasks
            #expect(tasks < Self.all.tasks)
            if percent == 90 { #expect(tasks > 200) }
            #expect(store.notes.first?.message.contains(" of about 501 could be saved") == true)
            try await checkSaved(store, folder, bytes)
        }

        @Test("without its whole first page nobody knows whose the file was: it is refused and stays as it is")
        func firstPage() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            var bytes = try folder.contents("store.db")
            for offset in 0..<4096 { bytes[offset] = 0xEE }
            try folder.write(bytes, to: "store.db")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.file("store.db")) }
            #expect(error?.code == .damaged)
            #expect(try folder.contents("store.db") == bytes)
            #expect(folder.names == ["store.db"])
        }

        @Test("what stands in the log alone is saved with it, and the log is kept, too")
        func withLog() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            let store = try SQLiteStore(path: folder.file("store.db"))
            let late = ObjectURI(entity: "tasks", id: "late")
            try await store.write(.power, origin: .application) { try $0.upsert([(late, Self.record("late"))]) }
            // As a process leaves it that was killed after it had met damage.
            let killed = try TemporaryFolder(copyOf: folder)
            try await store.close()
            var bytes = try killed.contents("store.db")
            let damaged = try #require(
                (1..<(bytes.count / 4096)).first { Self.contains(bytes[($0 * 4096)..<(($0 + 1) * 4096)], "600 x x x") })
            for offset in (damaged * 4096)..<((damaged + 1) * 4096) { bytes[offset] = 0xEE }
            try killed.write(bytes, to: "store.db")
            try killed.write([], to: "store.db.damaged")
            let log = try killed.contents("store.db-wal")
            try #require(log.count > 4096)

            let saved = try SQLiteStore(path: killed.file("store.db"))
            #expect(saved.notes.count == 1)
            #expect(try await saved.read { try $0.record(at: late) } == Self.record("late"))
            #expect(try await read(saved).tasks >= Self.all.tasks - 14)
            #expect(try killed.contents("store.db.damaged-1") == bytes)
            #expect(try killed.contents("store.db.damaged-1-wal") == log)
            #expect(try killed.mode("store.db.damaged-1-wal") == 0o600)
            try await saved.close()
        }

        @Test("a file without a byte beside its log is no new store: what the log holds is saved, and both are kept")
        func emptied() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await fill(store)
            let killed = try TemporaryFolder(copyOf: folder)
            try await store.close()
            try killed.write([], to: "store.db")
            let log = try killed.contents("store.db-wal")
            try #require(log.count > 4096)
            let saved = try SQLiteStore(path: killed.file("store.db"))
            #expect(try await read(saved) == Self.all)
            let message = saved.notes.first?.message ?? ""
            let told = "the file was empty, and its log was not; 501 objects could be saved"
            #expect(message.contains(told), "\(message)")
            #expect(try killed.contents("store.db.damaged-1-wal") == log)
            try await checkSaved(saved, killed, [])
        }

        @Test(
            "a log that nothing can be read of is kept, and one without a frame says nothing", arguments: [5000, 32, 0])
        func emptiedWithoutLog(_ size: Int) async throws {
            let folder = try TemporaryFolder()
            let log = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try folder.write([], to: "store.db")
            try folder.write(log, to: "store.db-wal")
            let store = try SQLiteStore(path: folder.file("store.db"))
            #expect(try await read(store) == Found(tasks: 0, changed: 0))
            #expect(store.notes.map(\.isWarning) == (size > 32 ? [true] : []))
            if size > 32 {
                #expect(store.notes.first?.message.contains("nothing could be saved") == true)
                #expect(try folder.contents("store.db.damaged-1-wal") == log)
            }
            try await store.close()
        }

        @Test("garbage in the log ends it there, and what stands before is whole")
        func garbageInLog() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await fill(store)
            try await store.write(.power, origin: .application) { transaction in
                try transaction.upsert([(ObjectURI(entity: "tasks", id: "last"), Self.record("last"))])
            }
            let killed = try TemporaryFolder(copyOf: folder)
            try await store.close()
            var log = try killed.contents("store.db-wal")
            for offset in (log.count - 4096)..<log.count { log[offset] ^= 0x5A }
            try killed.write(log, to: "store.db-wal")
            let opened = try await open(killed).0
            #expect(try await read(opened) == Self.all)
            #expect(opened.notes.isEmpty)
            try await opened.close()
        }

        @Test("where nothing can be saved, as on a full disk, the damaged file is as it was and no copy is left")
        func failure() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            var bytes = try folder.contents("store.db")
            for offset in 0..<100 { bytes[offset] = 0 }
            try folder.write(bytes, to: "store.db")
            // The new file cannot be made.
            try FileManager.default.createDirectory(
                atPath: folder.file("store.db.salvaging"), withIntermediateDirectories: false)
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.file("store.db")) }
            #expect(error?.code == .inputOutput)
            #expect(try folder.contents("store.db") == bytes)
            #expect(folder.names == ["store.db", "store.db.salvaging"])
            try FileManager.default.removeItem(atPath: folder.file("store.db.salvaging"))
            let store = try SQLiteStore(path: folder.file("store.db"))
            #expect(try await read(store) == Self.all)
            try await checkSaved(store, folder, bytes)
        }

        @Test("what was saved when the process ended takes its place at the next open")
        func interrupted() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            let whole = try folder.contents("store.db")
            try folder.write(whole, to: "store.db.salvaged")
            try folder.write(Array(whole.prefix(10_000).reversed()), to: "store.db")
            try folder.write([1, 2, 3], to: "store.db-wal")
            let store = try SQLiteStore(path: folder.file("store.db"))
            #expect(try await read(store) == Self.all)
            #expect(store.notes.map(\.isWarning) == [true])
            try await store.close()
            #expect(folder.names == ["store.db"])
        }

        @Test("a file that somebody has open is left to them, and saved when they have closed it")
        func openElsewhere() async throws {
            let folder = try TemporaryFolder()
            try await makeStore(in: folder)
            let first = try SQLiteStore(path: folder.file("store.db"))
            // As it stands there where a read has met damage.
            try folder.write([], to: "store.db.damaged")
            let second = try SQLiteStore(path: folder.file("store.db"))
            #expect(second.notes.isEmpty)
            #expect(folder.names.contains("store.db.damaged") && !folder.names.contains("store.db.damaged-1"))
            try await second.close()
            try await first.close()
            let bytes = try folder.contents("store.db")
            let store = try SQLiteStore(path: folder.file("store.db"))
            #expect(try await read(store) == Self.all)
            #expect(store.notes.first?.message.contains("this was met when it was last used") == true)
            try await checkSaved(store, folder, bytes)
        }
    }
#endif
