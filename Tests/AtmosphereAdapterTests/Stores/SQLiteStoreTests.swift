#if SQLite
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Testing

    @testable import AtmosphereSQLite

    @Suite("what is particular to the SQLite store")
    struct SQLiteStoreTests {
        private let task = ObjectURI(entity: "tasks", id: "1")

        private func record(_ title: String) -> ObjectRecord { ObjectRecord(["title": .string(title)]) }

        private func save(_ title: String, to store: any Store, _ durability: Durability = .power) async throws {
            let (task, record) = (task, record(title))
            try await store.write(durability, origin: .application) { try $0.upsert([(task, record)]) }
        }

        private func title(in store: any Store) async throws -> String? {
            let task = task
            return try await store.read { try $0.record(at: task)?["title"]?.string }
        }

        @Test("a path that is a symbolic link is the file that it leads to: log, contents and lock stand there")
        func link() async throws {
            let folder = try TemporaryFolder()
            let files = FileManager.default
            try files.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: false)
            // The file is there only with the first store.
            try files.createSymbolicLink(atPath: folder.file("store.db"), withDestinationPath: "disk/tasks.db")
            for text in ["a", "b"] {
                let store = try SQLiteStore(path: folder.file("store.db"))
                try await save(text, to: store)
                #expect(try await title(in: store) == text)
                let other = try SQLiteStore(path: folder.file("disk/tasks.db"))
                let lock = try await store.lockForPush()
                #expect(lock != nil)
                let second = try await other.lockForPush()
                #expect(second == nil)
                #expect(store.contentFolder?.path == other.contentFolder?.path)
                lock?.release()
                try await other.close()
                try await store.close()
            }
            #expect(folder.names == ["disk", "store.db"])
            try files.removeItem(atPath: folder.file("store.db"))
            try files.createSymbolicLink(atPath: folder.file("store.db"), withDestinationPath: "store.db")
            #expect(throws: StoreError.self) { try SQLiteStore(path: folder.file("store.db")) }
        }

        @Test(
            "a journal that names another file is refused before SQLite would remove that file",
            arguments: ["store.db", "store.db.salvaged"])
        func superJournal(of name: String) async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let store = try SQLiteStore(path: path)
            try await save("a", to: store)
            try await store.close()
            let victim = folder.file("victim")
            try Data("precious".utf8).write(to: URL(filePath: victim))
            // The file says that it has a rollback journal, and the journal holds no page and a name.
            var file = try Data(contentsOf: URL(filePath: path))
            file[18] = 1
            file[19] = 1
            try file.write(to: URL(filePath: folder.file(name)))
            let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
            func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            let pages = [0, 0, file.count / 4096, 512, 4096].flatMap(bytes)
            let head = magic + pages + [UInt8](repeating: 0, count: 512 - magic.count - pages.count)
            let sum = victim.utf8.reduce(0) { $0 + Int($1) }
            let end = bytes(victim.utf8.count) + bytes(sum) + magic
            let named = bytes(0x4000_0000 / 4096 + 1) + Array(victim.utf8) + end
            try Data(head + named).write(to: URL(filePath: folder.file(name + "-journal")))
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error?.message.contains("\(name)-journal names another file") == true, "\(error?.message ?? "")")
            #expect(folder.names.contains("victim"))
        }

        @Test("a journal that is a named pipe is refused, and nobody waits for its writer", .timeLimit(.minutes(1)))
        func pipedJournal() async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let store = try SQLiteStore(path: path)
            try await save("a", to: store)
            try await store.close()
            #expect(mkfifo(path + "-journal", 0o600) == 0)
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            let message = error?.message ?? ""
            #expect(message.contains("store.db-journal is not a regular file"), "\(message)")
        }

        @Test("identifiers up to the largest number stand beside texts", arguments: [.max, 1 << 62] as [Int64])
        func largeIdentifiers(_ number: Int64) async throws {
            let folder = try TemporaryFolder()
            for reopens in [false, true] {
                let path = folder.file("store-\(reopens).db")
                var store = try SQLiteStore(path: path)
                let numbered = ObjectURI(entity: "tasks", id: String(number))
                let named = ObjectURI(entity: "tasks", id: "x")
                let record = record("a")
                try await store.write(.process, origin: .pull) { try $0.upsert([(numbered, record)]) }
                if reopens {
                    try await store.close()
                    store = try SQLiteStore(path: path)
                }
                try await store.write(.process, origin: .application) { try $0.upsert([(named, record)]) }
                let found = try await store.read { snapshot in
                    try [numbered, named].map { try snapshot.record(at: $0) }
                }
                #expect(found.allSatisfy { $0 != nil })
                try await store.close()
            }
        }

        @Test("every file of a store is for its owner only, whatever the umask says")
        func modes() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await save("a", to: store)
            let lock = try #require(try await store.lockForPush())
            defer { lock.release() }
            #expect(folder.names == ["store.db", "store.db-shm", "store.db-wal", "store.db.lock"])
            for name in folder.names { #expect(try folder.mode(name) == 0o600, "\(name)") }
            try await store.close()
            #expect(folder.names == ["store.db", "store.db.lock"])
        }

        @Test(
            "a file that may only be read is named, leaves nothing behind, and can be used when its rights are mended",
            .enabled(if: geteuid() != 0, "root may write every file"), arguments: ["store.db", "store.db-shm"])
        func readOnly(_ name: String) async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let store = try SQLiteStore(path: path)
            try await save("a", to: store)
            try await store.close()
            try StoreFile.create(folder.file(name))
            #expect(chmod(folder.file(name), 0o400) == 0)
            let names = folder.names
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .inputOutput && error?.message.contains("cannot write \(folder.file(name))") == true)
            #expect(folder.names == names)
            #expect(chmod(folder.file(name), 0o600) == 0)
            let again = try SQLiteStore(path: path)
            #expect(try await title(in: again) == "a")
            try await again.close()
        }

        @Test("counting what waits reads no meta object, but for those of a store that does not say more")
        func counting() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            let failure = MetaObject.Failure(message: "no")
            let snapshot = Attempt(record: ObjectRecord(["title": "a"]), revision: 0, sequence: 1)
            let phases: [Change.Phase] = [
                .waiting, .waiting, .unknown(snapshot), .rejected(.refused(snapshot), failure)
            ]
            try await store.write(.power, origin: .application) { transaction in
                for (number, phase) in phases.enumerated() {
                    let uri = ObjectURI(entity: "tasks", id: number % 2 == 0 ? "\(number)" : "t\(number)")
                    var outgoing = Change(idempotencyKey: "k")
                    outgoing.phase = phase
                    try transaction.upsert([(uri, ObjectRecord(["title": "a"]))])
                    try transaction.put([
                        MetaObject(uri: uri, id: ObjectID(uri.id), state: .created(outgoing, deleting: number == 1))
                    ])
                }
            }
            var expected = StateCounts()
            (expected.objects, expected.changed, expected.localOnly) = (4, 4, 4)
            (expected.deleted, expected.unknown, expected.rejected) = (1, 1, 1)
            #expect(try await store.read { try $0.counts() } == ["tasks": expected])
            try await execute("UPDATE object_1 SET state = 1 WHERE id IS NULL", on: store)
            #expect(try await store.read { try $0.counts() } == ["tasks": expected])
            try await execute("UPDATE object_1 SET state = 1 | 64 | 2, meta = '?'", on: store)
            expected.deleted = 0
            (expected.unknown, expected.rejected) = (0, 0)
            #expect(try await store.read { try $0.counts() } == ["tasks": expected])
            try await store.close()
        }

        @Test("a file that is no database is refused as damaged, with a remedy, and left alone")
        func noDatabase() throws {
            let folder = try TemporaryFolder()
            let garbage = Array(String(repeating: "not a database ", count: 1_000).utf8)
            try folder.write(garbage, to: "store.db")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.file("store.db")) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains(folder.file("store.db")) == true)
            #expect(error?.message.contains("restore the file from a copy") == true)
            #expect(try folder.contents("store.db") == garbage)
        }

        @Test("a database of another program is refused, and nothing is added to it")
        func otherProgram() async throws {
            let folder = try TemporaryFolder()
            let theirs = try SQLiteStore(path: folder.file("store.db"))
            try await execute("PRAGMA application_id = 7", on: theirs)
            try await theirs.close()
            let before = try folder.contents("store.db")
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.file("store.db")) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("another program") == true)
            #expect(try folder.contents("store.db") == before)
        }

        @Test("damage inside the file is an error where it is met, never a crash", arguments: [1, 20, 40, 60, 80])
        func damagedPages(_ page: Int) async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            let task = task
            try await store.write(.power, origin: .pull) { transaction in
                for number in 0..<500 {
                    let uri = ObjectURI(entity: "tasks", id: number % 2 == 0 ? "\(number)" : "t\(number)")
                    let text = String(repeating: "x", count: 300)
                    try transaction.upsert([(uri, ObjectRecord(["title": .string(text)]))])
                    let outgoing = Change(idempotencyKey: "k")
                    try transaction.put([
                        MetaObject(uri: uri, id: ObjectID(uri.id), state: .created(outgoing, deleting: false))
                    ])
                }
            }
            try await store.close()
            var bytes = try folder.contents("store.db")
            try #require(bytes.count > (page + 1) * 4096)
            for offset in (page * 4096 + 8)..<((page + 1) * 4096) { bytes[offset] ^= 0x5A }
            try folder.write(bytes, to: "store.db")

            var codes: [StoreError.Code] = []
            var isSaved = false
            func attempt(_ body: () async throws -> Void) async {
                do {
                    try await body()
                } catch let error as StoreError {
                    codes.append(error.code)
                } catch {
                    Issue.record("an error of another kind: \(error)")
                }
            }
            await attempt {
                let store = try SQLiteStore(path: folder.file("store.db"))
                isSaved = !store.notes.isEmpty
                await attempt { _ = try await store.read { try $0.changed(entity: nil, after: nil, limit: 1_000) } }
                await attempt { try await store.read { try $0.records(matching: Query("tasks")) { _, _ in true } } }
                await attempt {
                    try await store.write(.power, origin: .pull) { transaction in
                        for number in 0..<500 {
                            _ = try transaction.object(at: ObjectURI(entity: "tasks", id: "t\(number)"))
                            try transaction.delete([ObjectURI(entity: "tasks", id: "\(number)"), task])
                        }
                    }
                }
                await attempt { try await store.close() }
            }
            #expect(codes.contains(.damaged) || isSaved)
            #expect(Set(codes).isSubset(of: [.damaged, .closed]))
        }

        @Test(
            "a row that no store wrote is an error that names the object",
            arguments: [
                "UPDATE object_1 SET record = '{\"a\":' WHERE key = 1", "UPDATE object_1 SET record = '[1]'",
                "UPDATE object_1 SET record = x'ff'", "UPDATE object_1 SET record = NULL",
                "UPDATE object_1 SET state = 1", "UPDATE object_1 SET state = 1, meta = '{}'",
                "UPDATE object_1 SET state = 1, meta = '{\"v\":1,\"id\":\"1\",\"wire\":\"number\",\"state\":\"odd\"}'",
                "UPDATE object_1 SET state = -5, meta = 'x'", "UPDATE object_1 SET state = 99, meta = NULL",
                "UPDATE object_1 SET state = 'odd'"
            ])
        func damagedRows(_ sql: String) async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            var page = Page(bytes: Array("{}".utf8), items: [PageItem(id: .integer(1), record: 0..<2)])
            page.entity = "tasks"
            _ = try await store.write(.power, origin: .pull) { [page] in try $0.absorb(page, items: 0..<1) }
            try await execute(sql, on: store)
            let task = task
            let error = await #expect(throws: StoreError.self) { _ = try await store.read { try $0.object(at: task) } }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("tasks/1") == true)
            try await store.close()
        }

        @Test("a file of a newer version is refused as such")
        func newerFormat() async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let future = try SQLiteStore(path: path)
            try await execute("INSERT INTO grdb_migrations VALUES('from the future')", on: future)
            try await future.close()
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .newerFormat)
        }

        @Test("a folder that does not exist is named")
        func missingFolder() throws {
            let folder = try TemporaryFolder()
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.file("missing/store.db")) }
            #expect(error?.code == .inputOutput)
            #expect(error?.message.contains("does the folder \(folder.file("missing")) exist?") == true)
            #expect(throws: StoreError.self) { try SQLiteStore(path: "") }
        }

        @Test("a device without space is said to be full, and the store goes on when there is space again")
        func full() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await save("before", to: store)
            // A limit on the file's size, because a test cannot fill a device.
            let task = task
            let long = record(String(repeating: "x", count: 1 << 20))
            let error = await #expect(throws: StoreError.self) {
                try await store.write(.power, origin: .application) { transaction in
                    try SQLiteStoreTests.execute("PRAGMA max_page_count = 20", transaction)
                    try transaction.upsert([(task, long)])
                }
            }
            #expect(error?.code == .full)
            #expect(try await title(in: store) == "before")
            try await execute("PRAGMA max_page_count = 1000000", on: store)
            try await save("after", to: store)
            #expect(try await title(in: store) == "after")
            try await store.close()
        }

        @Test(
            "a full disk refuses the commit and says that it is full, also who only reads, and keeps what was there",
            .enabled(if: SmallDisk.isAvailable, "no small file system can be mounted here"))
        func fullDisk() async throws {
            let disk = try SmallDisk(kilobytes: 1024)
            defer { disk.unmount() }
            let path = disk.path + "/store.db"
            let store = try SQLiteStore(path: path)
            try await save("before", to: store)
            try await store.close()
            try disk.fill()
            let error = await #expect(throws: StoreError.self) { _ = try await title(in: SQLiteStore(path: path)) }
            #expect(error?.code == .full, "\(error?.message ?? "")")
            #expect(error?.message.contains("free some space") == true, "\(error?.message ?? "")")
            try disk.makeRoom()
            let opened = try SQLiteStore(path: path)
            #expect(try await title(in: opened) == "before")
            try await save("open", to: opened)
            try disk.fill()
            let long = String(repeating: "x", count: 100_000)
            let refused = await #expect(throws: StoreError.self) { try await save(long, to: opened) }
            #expect(refused?.code == .full, "\(refused?.message ?? "")")
            #expect(try await title(in: opened) == "open")
            try disk.makeRoom()
            try await save("after", to: opened)
            try await opened.close()
            let last = try SQLiteStore(path: path)
            #expect(try await title(in: last) == "after")
            try await last.close()
        }

        @Test("a closure that goes on after the device was full commits all of the rest or nothing")
        func fullAndOn() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            let (first, second) = (task, ObjectURI(entity: "tasks", id: "2"))
            let (small, long) = (record("small"), record(String(repeating: "x", count: 1 << 20)))
            var isCommitted = true
            do {
                try await store.write(.power, origin: .application) { transaction in
                    try transaction.upsert([(first, small)])
                    try SQLiteStoreTests.execute("PRAGMA max_page_count = 30", transaction)
                    #expect(throws: StoreError.self) { try transaction.upsert([(second, long)]) }
                    try transaction.upsert([(second, small)])
                }
            } catch is StoreError {
                isCommitted = false
            }
            let found = try await store.read { try [$0.record(at: first), $0.record(at: second)] }
            #expect(found == (isCommitted ? [small, small] : [nil, nil]))
            try await store.close()
        }

        @Test("another process's writes are noticed once, and the store's own never")
        func otherWriters() async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let store = try SQLiteStore(path: path)
            let other = try SQLiteStore(path: path)
            try await save("mine", to: store)
            var commits = store.commits().makeAsyncIterator()
            try await store.checkForOtherWriters()
            try await save("theirs", to: other)
            #expect(try await title(in: store) == "theirs")
            try await store.checkForOtherWriters()
            #expect(await commits.next() == CommitSet(origin: .otherProcess, objects: ["tasks": []]))
            try await store.checkForOtherWriters()
            try await save("mine again", to: store)
            #expect(await commits.next() == CommitSet(origin: .application, objects: ["tasks": ["1"]]))
            #expect(try await title(in: other) == "mine again")
            try await other.close()
            try await store.close()
        }

        @Test("a file that is moved away or replaced while it is open is not used any more", arguments: [false, true])
        func movedAway(isReplaced: Bool) async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            let store = try SQLiteStore(path: path)
            try await save("a", to: store)
            for name in folder.names {
                try FileManager.default.moveItem(atPath: folder.file(name), toPath: folder.file("old-\(name)"))
            }
            let other = try isReplaced ? SQLiteStore(path: path) : nil
            if let other { try await save("b", to: other) }
            let uses: [@Sendable () async throws -> Void] = [
                { try await store.checkForOtherWriters() }, { try await save("c", to: store) },
                { try await save("c", to: store, .process) }, { _ = try await title(in: store) },
                { _ = try await store.lockForPush() }
            ]
            for use in uses {
                let error = await #expect(throws: StoreError.self) { try await use() }
                let message = error?.message ?? ""
                #expect(error?.code == .inputOutput && message.contains("\(path): it was moved away"), "\(message)")
            }
            try await store.close()
            if let other {
                #expect(try await title(in: other) == "b")
                try await save("d", to: other)
                #expect(try await title(in: other) == "d")
                try await other.close()
            }
            #expect(folder.names.contains("store.db") == isReplaced)
            let old = try SQLiteStore(path: folder.file("old-store.db"))
            #expect(try await title(in: old) == "a")
            try await old.close()
        }

        @Test("a file that is moved away and back is used as before")
        func movedBack() async throws {
            let folder = try TemporaryFolder()
            let (path, away) = (folder.file("store.db"), folder.file("away.db"))
            let store = try SQLiteStore(path: path)
            try await save("a", to: store)
            try FileManager.default.moveItem(atPath: path, toPath: away)
            await #expect(throws: StoreError.self) { try await store.checkForOtherWriters() }
            try FileManager.default.moveItem(atPath: away, toPath: path)
            try await save("b", to: store)
            #expect(try await title(in: store) == "b")
            try await store.close()
        }

        @Test("two stores on one file give new identifiers without a clash")
        func sharedFile() async throws {
            let folder = try TemporaryFolder()
            let stores = try (0..<2).map { _ in try SQLiteStore(path: folder.file("store.db")) }
            for number in 0..<40 {
                let uri = ObjectURI(entity: "tasks", id: "new \(number)")
                let record = record("\(number)")
                try await stores[number % 2].write(.process, origin: .application) { try $0.upsert([(uri, record)]) }
            }
            for store in stores { #expect(try await store.read { try $0.counts()["tasks"]?.objects } == 40) }
            for store in stores { try await store.close() }
        }

        @Test("the push lock excludes another store on the same file, and its end gives it back")
        func pushLock() async throws {
            let folder = try TemporaryFolder()
            let stores = try (0..<2).map { _ in try SQLiteStore(path: folder.file("store.db")) }
            let lock = try #require(try await stores[0].lockForPush())
            #expect(try await stores[1].lockForPush() == nil)
            lock.release()
            let other = try #require(try await stores[1].lockForPush())
            #expect(try await stores[0].lockForPush() == nil)
            other.release()
            for store in stores { try await store.close() }
        }

        @Test("the log is copied back while writes go on, and does not grow without bound")
        func log() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            let task = task
            // 1,200 commits of some 20 pages are three times what the log may hold.
            let long = (0..<2).map { record(String(repeating: "\($0)", count: 80_000)) }
            for number in 0..<1_200 {
                try await store.write(.process, origin: .pull) { try $0.upsert([(task, long[number % 2])]) }
            }
            let size = try folder.contents("store.db-wal").count
            #expect(size > 0)
            #expect(size <= 34 << 20)
            try await store.checkForOtherWriters()
            var commits = store.commits().makeAsyncIterator()
            try await save("last", to: store)
            #expect(await commits.next()?.origin == .application)
            try await store.close()
        }

        @Test("SQLite leaves the flush of a commit to the store, and no durability changes that")
        func durability() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            for durability in [Durability.process, .power, .process] {
                let found = try await store.write(durability, origin: .application) {
                    try SQLiteStoreTests.execute("PRAGMA synchronous", $0)
                }
                #expect(found == ["1"])
            }
            try await store.close()
        }

        @Test("finding changes and objects reads no more than it must")
        func plans() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file("store.db"))
            try await save("a", to: store)
            let integers = try await execute(
                """
                EXPLAIN QUERY PLAN SELECT key, meta FROM object_1 INDEXED BY changed_1
                WHERE state > 0 AND id IS NULL AND key > 5 ORDER BY key LIMIT 10
                """, on: store)
            #expect(integers == ["SEARCH object_1 USING INDEX changed_1 (id=? AND key>?)"])
            let texts = try await execute(
                """
                EXPLAIN QUERY PLAN SELECT id, meta FROM object_1 INDEXED BY changed_1
                WHERE state > 0 AND id > 'a' ORDER BY id LIMIT 10
                """, on: store)
            #expect(texts == ["SEARCH object_1 USING INDEX changed_1 (id>?)"])
            let lookup = try await execute("EXPLAIN QUERY PLAN SELECT key FROM object_1 WHERE id = 'a'", on: store)
            #expect(lookup == ["SEARCH object_1 USING COVERING INDEX identifier_1 (id=?)"])
            try await store.close()
        }

        /// Runs a statement behind the store's back; the last column of its rows.
        @discardableResult
        private func execute(_ sql: String, on store: SQLiteStore) async throws -> [String] {
            try await store.write(.power, origin: .application) { try Self.execute(sql, $0) }
        }

        @discardableResult
        private static func execute(_ sql: String, _ transaction: any StoreTransaction) throws -> [String] {
            let statement = try #require(transaction as? SQLiteTransaction).prepare(sql)
            defer { statement.reset() }
            var rows: [String] = []
            let last = sql.hasPrefix("EXPLAIN") ? Int32(3) : 0
            while try statement.step() { rows.append(statement.text(last) ?? "") }
            return rows
        }
    }
#endif
