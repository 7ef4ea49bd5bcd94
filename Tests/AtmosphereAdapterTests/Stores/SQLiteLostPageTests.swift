#if SQLite
    import Atmosphere
    import Foundation
    import Testing

    @testable import AtmosphereSQLite

    @Suite("pages of an SQLite store that reached the device in part, or not at all, are found or told")
    struct SQLiteLostPageTests {
        private static let pageSize = 4096

        private struct Found: Equatable {
            var tasks = 0
            var changed: [String] = []
        }

        private static func record(_ id: Int) -> ObjectRecord {
            ObjectRecord(["title": .string("title \(id)" + String(repeating: " x", count: 40))])
        }

        /// Tasks as a pull brings them; then the third is edited.
        private func fill(_ store: SQLiteStore, _ numbers: ClosedRange<Int>) async throws {
            var bytes: [UInt8] = []
            var items: [PageItem] = []
            for number in numbers {
                let record = Self.record(number).bytes
                items.append(PageItem(id: .integer(Int64(number)), record: bytes.count..<(bytes.count + record.count)))
                bytes += record
            }
            var page = Page(bytes: bytes, items: items)
            page.entity = "tasks"
            try await store.write(.power, origin: .pull) { [page] transaction in
                _ = try transaction.absorb(page, items: 0..<page.items.count)
                if numbers.contains(3) {
                    let uri = ObjectURI(entity: "tasks", id: "3")
                    let confirmed = MetaObject.Confirmed(base: Self.record(3), version: nil, sequence: 0)
                    let state = MetaObject.State.updated(confirmed, Change(idempotencyKey: "k"))
                    try transaction.upsert([(uri, ObjectRecord(["title": "mine"]))])
                    try transaction.put([MetaObject(uri: uri, id: ObjectID("3", .number), state: state)])
                }
                let pulled = PullCursor.Complete(ended: Timestamp(milliseconds: 5), identity: "ann")
                try transaction.put(PullCursor(checkpoint: "c", complete: pulled), for: PullScope(entity: "tasks"))
            }
        }

        private func makeStore(in folder: TemporaryFolder, _ numbers: ClosedRange<Int>) async throws {
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await fill(store, numbers)
            try await store.close()
        }

        private func read(_ store: SQLiteStore) async throws -> Found {
            try await store.read { snapshot in
                var found = Found()
                _ = try snapshot.cursor(for: PullScope(entity: "tasks"))
                try snapshot.records(matching: Query("tasks")) { _, _ in
                    found.tasks += 1
                    return true
                }
                found.changed = try snapshot.changed(entity: nil, after: nil, limit: .max).map(\.uri.id)
                return found
            }
        }

        /// Does what a person does: runs the command, and where it says that the store is damaged, runs it again.
        private func use(_ folder: TemporaryFolder) async throws -> (found: Found, notes: [StoreNote]) {
            var notes: [StoreNote] = []
            var attempts = 0
            while true {
                attempts += 1
                let store = try SQLiteStore(path: folder.file("store.db"))
                notes += store.notes
                do {
                    let found = try await read(store)
                    try await store.close()
                    return (found, notes)
                } catch let error as StoreError where error.code == .damaged && attempts == 1 {
                    try await store.close()
                }
            }
        }

        /// The first column of a statement's rows, behind the store's back.
        @discardableResult
        private func execute(_ sql: String, on store: SQLiteStore) async throws -> [Int] {
            try await store.write(.power, origin: .application) { transaction in
                let statement = try #require(transaction as? SQLiteTransaction).prepare(sql)
                defer { statement.reset() }
                var rows: [Int] = []
                while try statement.step() { rows.append(Int(statement.integer(0))) }
                return rows
            }
        }

        @Test(
            "a page of which the half is zeros ends no process, and costs only what stood there",
            arguments: [
                "entity", "grdb_migrations", "counter", "cursor", "alias", "dependency", "object_1", "listed_1"
            ])
        func halfPage(of table: String) async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await fill(store, 1...20)
            let root = try #require(
                try await execute("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'", on: store).first)
            try await store.close()
            var bytes = try folder.contents("store.db")
            let end = root * Self.pageSize
            for offset in (end - Self.pageSize / 2)..<end { bytes[offset] = 0 }
            try folder.write(bytes, to: "store.db")

            let (found, notes) = try await use(folder)
            if table == "object_1" {
                #expect(found.tasks < 20)
                let isNamed = notes.first?.message.contains("could not be read: tasks/3") == true
                #expect(isNamed || found.changed == ["3"], "\(notes)")
            } else {
                #expect(found == Found(tasks: 20, changed: ["3"]), "\(notes)")
            }
            if ["entity", "grdb_migrations", "object_1"].contains(table) {
                #expect(notes.map(\.isWarning) == [true])
                #expect(try folder.contents("store.db.damaged-1") == bytes)
            }
            let again = try await use(folder)
            #expect(again.found == found && again.notes.isEmpty, "damage is said once")
        }

        @Test(
            "what the schema's own tables say and cannot be so is damage, and all objects are saved",
            arguments: ["DELETE FROM grdb_migrations", "INSERT INTO entity(number, name) VALUES(9, 'ghosts')"])
        func odd(_ sql: String) async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await fill(store, 1...20)
            try await execute(sql, on: store)
            try await store.close()
            let (found, notes) = try await use(folder)
            #expect(found == Found(tasks: 20, changed: ["3"]))
            #expect(notes.map(\.isWarning) == [true], "\(notes)")
        }

        /// A store of 300 tasks of which one page of the table is as it was when there were 250.
        private func makeOutdated(in folder: TemporaryFolder) async throws {
            try await makeStore(in: folder, 1...250)
            let old = try folder.contents("store.db")
            try await makeStore(in: folder, 251...300)
            var bytes = try folder.contents("store.db")
            func contents(_ page: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
                bytes[(page * Self.pageSize)..<((page + 1) * Self.pageSize)]
            }
            func cells(_ page: ArraySlice<UInt8>) -> Int {
                Int(page[page.startIndex + 3]) << 8 | Int(page[page.startIndex + 4])
            }
            // A leaf of a table begins with 13, and its number of cells follows (https://www.sqlite.org/fileformat.html).
            let outdated = (1..<(old.count / Self.pageSize)).first { [bytes] page in
                let (before, now) = (contents(page, old), contents(page, bytes))
                return before.first == 13 && now.first == 13 && cells(now) > cells(before)
                    && String(decoding: before, as: UTF8.self).contains("title 2")
            }
            let page = try #require(outdated)
            bytes.replaceSubrange(
                (page * Self.pageSize)..<((page + 1) * Self.pageSize), with: contents(page, old))
            try folder.write(bytes, to: "store.db")
        }

        @Test("rows that are missing with a page whose last write was lost are noticed by who reads all of them")
        func outdatedPage() async throws {
            let folder = try TemporaryFolder()
            try await makeOutdated(in: folder)
            let store = try SQLiteStore(path: folder.file("store.db"))
            #expect(store.notes.isEmpty)
            #expect(try await store.read { try $0.counts()["tasks"]?.objects } == 300)
            let error = await #expect(throws: StoreError.self) { _ = try await read(store) }
            #expect(error?.code == .damaged)
            let message = error?.message ?? ""
            #expect(message.contains(": 300 records of tasks were counted, and 2"), "\(message)")
            try await store.close()

            let saved = try SQLiteStore(path: folder.file("store.db"))
            #expect(saved.notes.first?.message.contains(" of about 300 could be saved") == true, "\(saved.notes)")
            let found = try await read(saved)
            #expect(found.tasks > 200 && found.tasks < 300 && found.changed == ["3"])
            let (counted, cursor) = try await saved.read { snapshot in
                (try snapshot.counts()["tasks"]?.objects, try snapshot.cursor(for: PullScope(entity: "tasks")))
            }
            #expect(counted == found.tasks)
            #expect(cursor?.checkpoint == nil, "the next pull asks for everything")
            try await saved.close()
        }

        @Test("a listing of everything notices them, too, and single objects do not")
        func outdatedPageInAListing() async throws {
            let folder = try TemporaryFolder()
            try await makeOutdated(in: folder)
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await store.write(.process, origin: .pull) { try $0.beginListing(entity: "tasks", listing: 10) }
            let first = ObjectURI(entity: "tasks", id: "1")
            #expect(try await store.read { try $0.record(at: first) } == Self.record(1))
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.write(.process, origin: .pull) {
                    try $0.unlisted(entity: "tasks", listing: 10, after: nil, limit: .max)
                }
            }
            #expect(error?.code == .damaged)
            try await store.close()
            let saved = try SQLiteStore(path: folder.file("store.db"))
            #expect(saved.notes.map(\.isWarning) == [true])
            try await saved.close()
        }
    }
#endif
