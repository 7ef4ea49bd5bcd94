#if SQLite
    import Atmosphere
    import Foundation
    import Testing

    @testable import AtmosphereSQLite

    @Suite("a damaged index of an SQLite store hides nothing that is to be sent")
    struct SQLiteIndexDamageTests {
        private static let pageSize = 4096

        private struct Found: Equatable {
            /// What is to be sent, and its record; nil where it was deleted.
            var unsent: [ObjectURI: ObjectRecord?] = [:]
            var counted = 0
            var listed: Set<ObjectURI> = []
            var cursor: String?
        }

        private static func record(_ title: String) -> ObjectRecord { ObjectRecord(["title": .string(title)]) }

        /// - Parameter rows: of each kind; many rows make indexes of several levels.
        private func fill(_ path: String, rows: Int) async throws -> Found {
            let store = try SQLiteStore(path: path)
            let outgoing = Change(idempotencyKey: "k")
            let padding = rows > 10 ? String(repeating: "x", count: 200) : ""
            try await store.write(.power, origin: .pull) { transaction in
                for number in 0..<rows {
                    let end = "\(number)\(padding)"
                    for id in ["\(number * 4)", "\(number * 4 + 1)", "old-\(end)", "gone-\(end)"] {
                        let uri = ObjectURI(entity: "tasks", id: id)
                        let confirmed = MetaObject.Confirmed(base: Self.record("base"), version: "v", sequence: 5)
                        let isEdited = id == "\(number * 4 + 1)"
                        let isDeleted = id.hasPrefix("gone")
                        if !isDeleted { try transaction.upsert([(uri, Self.record(isEdited ? "edited" : "base"))]) }
                        let state: MetaObject.State =
                            isDeleted
                            ? .deleted(confirmed, outgoing)
                            : isEdited ? .updated(confirmed, outgoing) : .synchronized(confirmed)
                        try transaction.put([
                            MetaObject(uri: uri, id: ObjectID(id, Int(id) == nil ? .string : .number), state: state)
                        ])
                    }
                    for entity in ["lists", "tasks"] {
                        let uri = ObjectURI(entity: entity, id: "new-\(end)")
                        try transaction.upsert([(uri, Self.record("new \(number)"))])
                        try transaction.put([
                            MetaObject(uri: uri, id: ObjectID(uri.id), state: .created(outgoing, deleting: false))
                        ])
                    }
                }
                let pulled = PullCursor.Complete(ended: Timestamp(milliseconds: 5), identity: "ann")
                try transaction.put(
                    PullCursor(checkpoint: "c", complete: pulled), for: PullScope(entity: "tasks"))
                try transaction.raiseSequence(to: 77)
            }
            let found = try await read(store)
            try await store.close()
            #expect(found.unsent.count == rows * 4 && found.counted == rows * 4 && found.listed.count == rows * 5)
            return found
        }

        /// All that is there, as lists, `status` and a push come to it.
        private func read(_ store: SQLiteStore) async throws -> Found {
            try await store.read { snapshot in
                var found = Found()
                for meta in try snapshot.changed(entity: nil, after: nil, limit: .max) {
                    // A push reads each object again.
                    guard let object = try snapshot.object(at: meta.uri), object.meta == meta else { continue }
                    found.unsent[meta.uri] = .some(object.record)
                }
                found.counted = try snapshot.counts().values.reduce(0) { $0 + $1.changed }
                for entity in ["lists", "tasks"] {
                    try snapshot.records(matching: Query(entity)) { uri, _ in
                        found.listed.insert(uri)
                        return true
                    }
                }
                found.cursor = try snapshot.cursor(for: PullScope(entity: "tasks"))?.checkpoint
                return found
            }
        }

        /// Does what a person does: runs the command, and where it says that the store is damaged, runs it again.
        ///
        /// - Returns: what is there in the end, and what was told on the way.
        private func use(_ folder: TemporaryFolder) async throws -> (found: Found, told: [String]) {
            var told: [String] = []
            while true {
                let store = try SQLiteStore(path: folder.file("store.db"))
                told += store.notes.map(\.message)
                do {
                    let found = try await read(store)
                    try await store.close()
                    return (found, told)
                } catch let error as StoreError where error.code == .damaged && told.count < 2 {
                    told.append(error.message)
                    try await store.close()
                }
            }
        }

        /// Pages of indexes, by what they begin with (https://www.sqlite.org/fileformat.html#b_tree_pages).
        private func indexPages(_ bytes: [UInt8]) -> [Int] {
            (1..<(bytes.count / Self.pageSize)).filter { [2, 10].contains(bytes[$0 * Self.pageSize]) }
        }

        /// The header, the places of the cells, and the cells.
        private func usedBytes(_ page: Int, _ bytes: [UInt8]) -> [Int] {
            let start = page * Self.pageSize
            func number(_ offset: Int) -> Int { Int(bytes[start + offset]) << 8 | Int(bytes[start + offset + 1]) }
            let head = (bytes[start] == 2 ? 12 : 8) + 2 * number(3)
            return Array(start..<(start + head)) + Array((start + number(5))..<(start + Self.pageSize))
        }

        @Test(
            "after one damaged byte in any index all that was not sent is there, and all else is there or the damage is told",
            arguments: [(rows: 2, step: 5), (rows: 40, step: 907)])
        func oneByte(rows: Int, step: Int) async throws {
            let folder = try TemporaryFolder()
            let whole = try await fill(folder.file("store.db"), rows: rows)
            let bytes = try folder.contents("store.db")
            let pages = indexPages(bytes)
            // Names of entities, scopes of cursors, counts, and for each entity its identifiers and what is to be sent.
            try #require(pages.count >= 7)
            #expect(pages.contains { bytes[$0 * Self.pageSize] == 2 } == (rows > 10))
            var told = 0
            for page in pages {
                let places = usedBytes(page, bytes)
                for index in stride(from: 0, to: places.count, by: step) {
                    let copy = try TemporaryFolder(copyOf: folder)
                    var damaged = bytes
                    damaged[places[index]] ^= 1
                    try copy.write(damaged, to: "store.db")
                    let place = "page \(page + 1), byte \(places[index] - page * Self.pageSize)"
                    let (found, messages) = try await use(copy)
                    let isUnsentThere = found.unsent == whole.unsent
                    let isListed = found.listed.isSuperset(of: whole.listed)
                    #expect(isUnsentThere && isListed, "\(place): \(messages)")
                    #expect(found.counted == whole.counted, "\(place): \(messages)")
                    if messages.isEmpty {
                        #expect(found.listed.count == whole.listed.count, "\(place)")
                    } else {
                        told += 1
                        #expect(copy.names.contains("store.db.damaged-1"), "\(place)")
                    }
                }
            }
            #expect(told > 20)
        }

        @Test("a file of a version that did not count what is to be sent is no damaged one")
        func withoutCounts() async throws {
            let folder = try TemporaryFolder()
            let whole = try await fill(folder.file("store.db"), rows: 2)
            let path = folder.file("store.db")
            let store = try SQLiteStore(path: path)
            try await store.write(.power, origin: .application) { transaction in
                let transaction = try #require(transaction as? SQLiteTransaction)
                try transaction.execute("DELETE FROM counter WHERE name <> 'sequence'")
            }
            try await store.close()
            for _ in 1...2 {
                let (found, told) = try await use(folder)
                #expect(found == whole && told.isEmpty)
            }
            #expect(folder.names == ["store.db"])
        }
    }
#endif
