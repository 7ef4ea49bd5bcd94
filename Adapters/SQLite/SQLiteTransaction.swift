#if SQLite
    internal import AtmosphereStore
    internal import GRDB
    internal import GRDBSQLite

    /// A transaction, or a snapshot, on one connection; used on that connection's queue only.
    final class SQLiteTransaction: StoreTransaction {
        private let database: Database
        let path: String
        let isWritable: Bool
        /// What the store keeps sorted, by entity.
        let indexes: [String: [QueryIndex]]
        private var isOpen = true
        /// nil for an entity that has no table.
        private var tables: [String: EntityTable?] = [:]

        init(_ database: Database, path: String, isWritable: Bool, indexes: [String: [QueryIndex]] = [:]) {
            self.indexes = indexes
            self.database = database
            self.path = path
            self.isWritable = isWritable
        }

        /// Every later call throws ``StoreError`` `closed`.
        func end() { isOpen = false }

        func startReading() throws {
            guard isOpen else { throw StoreError.transactionEnded }
        }

        func startWriting() throws {
            try startReading()
            guard isWritable else { throw StoreError.snapshotIsReadOnly }
            // Some errors, a full disk for one, make SQLite roll back on its own. Where the closure goes on all the same,
            // each of its further statements would be committed alone.
            guard sqlite3_get_autocommit(database.sqliteConnection) == 0 else {
                throw StoreError(
                    code: .closed,
                    message:
                        "the transaction on \(path) was undone by an earlier error; let that error out of the closure")
            }
        }

        func prepare(_ sql: String) throws -> PreparedStatement {
            try PreparedStatement(sql, in: database, path: path)
        }

        /// Rows that the last statement changed.
        var changes: Int32 { sqlite3_changes(database.sqliteConnection) }

        // MARK: Entities

        /// nil where no object of the entity was ever stored.
        func table(_ entity: String) throws -> EntityTable? {
            if let known = tables[entity] { return known }
            let select = try prepare("SELECT number, listing FROM entity WHERE name = ?1")
            defer { select.reset() }
            select.bind(1, entity)
            var found: EntityTable?
            if try select.step() {
                found = EntityTable(
                    name: entity, number: select.integer(0), listing: select.isNull(1) ? nil : select.integer(1))
            }
            tables[entity] = .some(found)
            return found
        }

        func tableForWriting(_ entity: String) throws -> EntityTable {
            if let known = try table(entity) { return known }
            let insert = try prepare("INSERT INTO entity(name) VALUES(?1)")
            insert.bind(1, entity)
            try insert.run()
            let table = EntityTable(
                name: entity, number: sqlite3_last_insert_rowid(database.sqliteConnection), listing: nil)
            try execute(SQLiteSchema.tables(entity: table.number))
            let count = try prepare("INSERT OR REPLACE INTO counter(name, value) VALUES(?1, 0)")
            count.bind(1, table.changed)
            try count.run()
            tables[entity] = .some(table)
            try createIndexes(on: table)
            return table
        }

        /// Runs statements that are used once.
        func execute(_ sql: String) throws {
            do {
                try database.execute(sql: sql)
            } catch {
                throw StoreError(error, path: path)
            }
        }

        /// Has SQLite look at all of the file, where something that was read cannot be so.
        ///
        /// - Throws: ``StoreError`` `damaged`, with the first damage that it finds.
        func checkFile() throws {
            let check = try prepare("PRAGMA integrity_check(1)")
            defer { check.reset() }
            guard try check.step(), let finding = check.text(0), finding != "ok" else { return }
            throw StoreError.sqlite(SQLITE_CORRUPT, finding.replacing("\n", with: " "), path: path)
        }

        /// Compares how many records of an entity were read, where those were all, with how many the file says there are.
        /// SQLite does not tell a page whose last write never reached the device from one that is as it should be.
        ///
        /// - Throws: ``StoreError`` `damaged`.
        func checkCount(_ found: Int, of table: EntityTable) throws {
            let counted = try count(matching: Query(table.name))
            if found == counted { return }
            try checkFile()
            throw StoreError.sqlite(
                SQLITE_CORRUPT, "\(counted) records of \(table.name) were counted, and \(found) are there", path: path)
        }

        /// Names in the order of their bytes.
        func entities() throws -> [String] {
            let select = try prepare("SELECT name FROM entity ORDER BY name")
            defer { select.reset() }
            var names: [String] = []
            while try select.step() { names.append(try select.text(0, of: "the list of entities in \(path)")) }
            return names
        }

        /// What the transaction changed so far.
        var touched: [String: Set<String>] {
            tables.compactMapValues { $0.flatMap { $0.isTouched ? $0.touched : nil } }
        }

        /// Writes the counts of records and of what is not synchronized, which are summed up until here.
        func finish() throws {
            for case let table? in tables.values where table.changedChange != 0 {
                // Where a version that did not count has made the table, the next open counts.
                let update = try prepare("UPDATE counter SET value = value + ?2 WHERE name = ?1")
                update.bind(1, table.changed)
                update.bind(2, table.changedChange)
                try update.run()
                table.changedChange = 0
            }
            for case let table? in tables.values where table.recordChange != 0 {
                let update = try prepare("UPDATE entity SET records = records + ?2 WHERE number = ?1")
                update.bind(1, table.number)
                update.bind(2, table.recordChange)
                try update.run()
                table.recordChange = 0
            }
        }

        // MARK: Objects

        /// The row of one object.
        func load(_ uri: ObjectURI) throws -> (key: Int64, object: StoredObject)? {
            guard let table = try table(uri.entity) else { return nil }
            let select: PreparedStatement
            switch IdentifierKey(uri.id) {
            case .integer(let number):
                select = try prepare("SELECT \(Row.columns) FROM \(table.objects) WHERE key = ?1")
                select.bind(1, number)
            case .text(let text):
                // The index led to the row; what the row itself says comes last.
                select = try prepare(
                    """
                    SELECT \(Row.columns), (SELECT own.id FROM \(table.objects) AS own NOT INDEXED WHERE own.key = led.key)
                    FROM \(table.objects) AS led WHERE id = ?1
                    """)
                select.bind(1, text)
            }
            defer { select.reset() }
            guard try select.step() else { return nil }
            if case .text(let text) = IdentifierKey(uri.id), select.text(6).map({ text.hasSameBytes(as: $0) }) != true {
                throw StoreError.damaged("an index of \(path)", "it leads from \(uri) to another object")
            }
            return (select.integer(0), try Row.object(select, uri: uri))
        }

        /// Replaces record, meta object or both, and writes only what is not there already.
        func replace(_ uri: ObjectURI, _ change: (StoredObject?) throws -> StoredObject?) throws {
            let known = try load(uri)
            let new = try change(known?.object)
            if new == known?.object { return }
            let table = try tableForWriting(uri.entity)
            if let new {
                try save(new, uri, key: known?.key, table)
            } else if let key = known?.key {
                try remove(key, table)
            }
            // At once: where what follows fails, and the closure goes on all the same, the row is committed.
            table.recordChange += (new?.record == nil ? 0 : 1) - (known?.object.record == nil ? 0 : 1)
            table.changedChange += (new.isUnsynchronized ? 1 : 0) - ((known?.object).isUnsynchronized ? 1 : 0)
            table.touch(IdentifierKey(uri.id))
            try replaceDependencies(of: uri, known?.object.meta?.waitsFor ?? [], by: new?.meta?.waitsFor ?? [])
        }

        private func save(_ object: StoredObject, _ uri: ObjectURI, key: Int64?, _ table: EntityTable) throws {
            let identifier = IdentifierKey(uri.id)
            let row = Row(object, key: identifier)
            let save = try prepare(
                """
                INSERT INTO \(table.objects)(key, id, state, sequence, version, record, meta)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(key) DO UPDATE SET
                state = excluded.state, sequence = excluded.sequence, version = excluded.version,
                record = excluded.record, meta = excluded.meta
                """)
            switch identifier {
            case .integer(let number):
                save.bind(1, number)
                save.bind(2, nil as String?)
            case .text(let text):
                save.bind(1, try key ?? newTextKey(table))
                save.bind(2, text)
            }
            save.bind(3, row.state)
            save.bind(4, row.sequence)
            save.bind(5, row.version)
            save.bind(6, utf8: row.record)
            save.bind(7, utf8: row.meta)
            try save.run()
        }

        private func remove(_ key: Int64, _ table: EntityTable) throws {
            let delete = try prepare("DELETE FROM \(table.objects) WHERE key = ?1")
            delete.bind(1, key)
            try delete.run()
            guard table.listing != nil else { return }
            // The key may be given to another object.
            let forget = try prepare("DELETE FROM \(table.listed) WHERE key = ?1")
            forget.bind(1, key)
            try forget.run()
        }

        /// A negative key that no object has.
        func newTextKey(_ table: EntityTable) throws -> Int64 {
            if table.nextTextKey == nil {
                let select = try prepare("SELECT min(key) FROM \(table.objects)")
                defer { select.reset() }
                _ = try select.step()
                // Identifiers that are numbers are keys themselves, up to the largest.
                let least = min(select.integer(0), 0)
                guard StoredFields.countable.contains(least) else {
                    throw StoreError.damaged("the table \(table.objects)", "it has a key below that of 62 bits")
                }
                table.nextTextKey = least - 1
            }
            defer { table.nextTextKey! -= 1 }
            return table.nextTextKey!
        }
    }

    extension StoredObject? {
        /// There is a row for the index of what is to be sent; see ``RowState``.
        fileprivate var isUnsynchronized: Bool {
            switch self?.meta?.state {
            case nil, .synchronized?: false
            default: true
            }
        }
    }
#endif
