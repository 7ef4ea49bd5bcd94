#if SQLite
    internal import AtmosphereStore
    internal import GRDBSQLite

    /// Reads a damaged file as far as it can be read, with a connection of its own that only reads.
    final class SalvageReading {
        /// A table whose pages are damaged in many places is asked this often.
        private static let mostProbes = 4_000

        private let path: String
        private let connection: OpaquePointer?
        private var report = SalvageReport()
        private var highest: Int64 = 0
        private var strangers = Strangers()

        init(_ path: String) {
            self.path = path
            var connection: OpaquePointer?
            let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil)
            self.connection = connection
            // A file that is shorter than it says can be read only so.
            if code == SQLITE_OK { sqlite3_exec(connection, "PRAGMA writable_schema = ON", nil, nil, nil) }
        }

        deinit { sqlite3_close_v2(connection) }

        /// - Throws: what the writer throws. What cannot be read is left out.
        func save(into writer: SalvageWriter) throws -> SalvageReport {
            let entities = try entities().sorted { $0.key < $1.key }
            try findStrangers(entities.map(\.key))
            for (number, entity) in entities {
                report.expected += entity.records
                try saveObjects(of: entity.name, number, into: writer)
            }
            try saveAliases(into: writer)
            try saveIdentities(into: writer)
            try each("SELECT value FROM counter WHERE name = 'sequence'") { highest = max(highest, $0.integer(0)) }
            try writer.write { try $0.raiseSequence(to: self.highest) }
            report.lost.sort()
            return report
        }

        private func entities() throws -> [Int64: (name: String, records: Int)] {
            var found: [Int64: (name: String, records: Int)] = [:]
            try each("SELECT number, name, records FROM entity NOT INDEXED") { row in
                guard let name = row.text(1) else { return }
                found[row.integer(0)] = (name, Int(clamping: row.integer(2)))
            }
            // The index has both, too.
            try each("SELECT number, name FROM entity INDEXED BY sqlite_autoindex_entity_1") { row in
                guard let name = row.text(1), found[row.integer(0)] == nil else { return }
                found[row.integer(0)] = (name, 0)
            }
            return found
        }

        // MARK: Objects

        private func saveObjects(of entity: String, _ number: Int64, into writer: SalvageWriter) throws {
            var saved: Set<Int64> = []
            var changed: Set<ScalarText> = []
            var unsure: Set<Int64> = []
            try scan(number, "\(Row.salvagedColumns), id") { row in
                guard !saved.contains(row.integer(0)) else { return }
                let name = RowName(id: row.text(6), key: row.integer(0))
                guard !strangers.isOne(name, in: number) else { return }
                if name.id == nil, row.integer(1) <= 0, strangers.tables.contains(number) {
                    unsure.insert(name.key)
                    return
                }
                let uri = ObjectURI(entity: entity, id: row.text(6) ?? String(row.integer(0)))
                guard let object = try? Row.object(row, uri: uri) else { return }
                saved.insert(row.integer(0))
                try writer.put(object, at: uri)
                if object.record != nil { report.objects += 1 }
                if object.isChanged {
                    report.changed += 1
                    changed.insert(ScalarText(uri.id))
                }
                highest = max(highest, object.meta?.confirmed?.sequence ?? 0)
            }
            report.unsure += unsure.count
            // The index names what was to be sent, also where the object itself cannot be read.
            var named: Set<Int64> = []
            for order in ["ASC", "DESC"] {
                try each(
                    """
                    SELECT id, key FROM object_\(number) INDEXED BY changed_\(number) WHERE state > 0
                    ORDER BY id \(order), key \(order)
                    """
                ) { row in
                    let key = row.integer(1)
                    let id = row.text(0) ?? String(key)
                    guard !saved.contains(key), !changed.contains(ScalarText(id)), named.insert(key).inserted else {
                        return
                    }
                    report.lost.append(ObjectURI(entity: entity, id: id))
                }
            }
        }

        /// Hands on the rows of a table from both ends, and where that meets damage twice, from the middle of what is left in
        /// between, until no gap hides a row that can be read.
        ///
        /// - Parameter columns: `key` is the first of them.
        private func scan(
            _ number: Int64, _ columns: String, _ take: (PreparedStatement) throws -> Void
        ) throws {
            func select(_ order: String) -> String {
                """
                SELECT \(columns) FROM object_\(number) NOT INDEXED
                WHERE key > ?1 AND key < ?2 ORDER BY key \(order)
                """
            }
            var gaps: [(low: Int64, high: Int64)] = [(.min, .max)]
            var probes = 0
            while probes < min(gaps.count, Self.mostProbes) {
                var (low, high) = gaps[probes]
                probes += 1
                let isUp = try each(select("ASC"), [low, high]) { row in
                    low = row.integer(0)
                    try take(row)
                }
                if isUp { continue }
                let isDown = try each(select("DESC"), [low, high]) { row in
                    high = row.integer(0)
                    try take(row)
                }
                // Of one row both have told that it cannot be read.
                let distance = UInt64(bitPattern: high &- low)
                guard !isDown, distance > 2 else { continue }
                let middle = low &+ Int64(bitPattern: distance / 2)
                gaps += [(low, middle &+ 1), (middle, high)]
            }
        }

        // MARK: Rows of other entities

        /// Looks for rows in the table of an entity that the indexes of another one name and its own do not: a page of one
        /// table was written in the place of another's. In the table nothing tells whose a row is.
        private func findStrangers(_ numbers: [Int64]) throws {
            guard numbers.count > 1 else { return }
            var changed: [Int64: Set<RowName>] = [:]
            for number in numbers {
                var listed: Set<RowName> = []
                try each(
                    """
                    SELECT id, key FROM object_\(number) INDEXED BY changed_\(number) WHERE state > 0
                    ORDER BY id ASC, key ASC
                    """
                ) { row in
                    listed.insert(RowName(id: row.text(0), key: row.integer(1)))
                }
                changed[number] = listed
            }
            let indexes = numbers.map { (number: $0, lookUp: identifierLookUp($0)) }
            defer { for index in indexes { sqlite3_finalize(index.lookUp?.handle) } }
            func names(_ name: RowName, _ index: (number: Int64, lookUp: PreparedStatement?)) -> Bool {
                guard let id = name.id else { return changed[index.number]?.contains(name) == true }
                guard let lookUp = index.lookUp else { return false }
                lookUp.bind(1, id.text)
                defer { lookUp.reset() }
                guard let isThere = try? lookUp.step(), isThere else { return false }
                return lookUp.integer(0) == name.key
            }
            for own in indexes {
                try scan(own.number, "key, state, id") { row in
                    let name = RowName(id: row.text(2), key: row.integer(0))
                    // No index has an object with a number that is synchronized.
                    guard name.id != nil || row.integer(1) > 0, !names(name, own) else { return }
                    guard let home = indexes.first(where: { $0.number != own.number && names(name, $0) }) else {
                        return
                    }
                    strangers.rows[own.number, default: []].insert(name)
                    strangers.tables.formUnion([own.number, home.number])
                }
            }
            report.strangers = strangers.rows.values.reduce(0) { $0 + $1.count }
        }

        private func identifierLookUp(_ number: Int64) -> PreparedStatement? {
            guard let connection else { return nil }
            return try? PreparedStatement(
                "SELECT key FROM object_\(number) INDEXED BY identifier_\(number) WHERE id = ?1", on: connection,
                path: path)
        }

        // MARK: The rest

        private func saveAliases(into writer: SalvageWriter) throws {
            var found: [ObjectURI: ObjectURI] = [:]
            for order in ["ASC", "DESC"] {
                try each("SELECT entity, id, new_entity, new_id FROM alias ORDER BY entity \(order), id \(order)") {
                    row in
                    guard let entity = row.text(0), let id = row.text(1), let new = row.text(2), let newID = row.text(3)
                    else { return }
                    found[ObjectURI(entity: entity, id: id)] = ObjectURI(entity: new, id: newID)
                }
            }
            let aliases = found.sorted { $0.key < $1.key }
            try writer.write { transaction in
                for (old, new) in aliases { try transaction.putAlias(of: old, to: new) }
            }
        }

        /// Everything is to be listed anew; only who it was listed as, and where, is still of use.
        private func saveIdentities(into writer: SalvageWriter) throws {
            var found: [PullScope: PullCursor] = [:]
            for order in ["ASC", "DESC"] {
                try each("SELECT entity, parent, value FROM cursor NOT INDEXED ORDER BY rowid \(order)") { row in
                    guard let entity = row.text(0), let bytes = row.utf8(2) else { return }
                    let scope = PullScope(entity: entity, parent: row.text(1))
                    guard let value = try? Value(json: bytes, limits: .unlimited),
                        let cursor = try? PullCursor(stored: value, scope: scope)
                    else { return }
                    var kept = PullCursor()
                    kept.begunAs = cursor.identity ?? cursor.begunAs
                    kept.server = cursor.server
                    if kept != PullCursor() { found[scope] = kept }
                }
            }
            let cursors = found
            try writer.write { transaction in
                for (scope, cursor) in cursors { try transaction.put(cursor, for: scope) }
            }
        }

        /// Steps through a statement as far as it goes.
        ///
        /// - Returns: whether it came to its end.
        /// - Throws: what `body` throws.
        @discardableResult
        private func each(
            _ sql: String, _ values: [Int64] = [], _ body: (PreparedStatement) throws -> Void
        ) throws -> Bool {
            guard let connection, let row = try? PreparedStatement(sql, on: connection, path: path) else {
                return false
            }
            defer { sqlite3_finalize(row.handle) }
            for (index, value) in values.enumerated() { row.bind(Int32(index + 1), value) }
            while true {
                do {
                    guard try row.step() else { return true }
                } catch {
                    return false
                }
                try body(row)
            }
        }
    }

    /// What the indexes name a row by.
    private struct RowName: Hashable {
        /// nil for one whose key is its identifier.
        var id: ScalarText?
        var key: Int64

        init(id: String?, key: Int64) {
            self.id = id.map { ScalarText($0) }
            self.key = key
        }
    }

    /// Rows that stand in the table of another entity.
    private struct Strangers {
        /// By the table that they stand in.
        var rows: [Int64: Set<RowName>] = [:]
        /// The tables that they stand in, and those that they belong in: pages may have been interchanged.
        var tables: Set<Int64> = []

        func isOne(_ name: RowName, in table: Int64) -> Bool { rows[table]?.contains(name) == true }
    }
#endif
