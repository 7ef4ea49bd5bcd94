#if SQLite
    internal import AtmosphereStore
    internal import GRDB

    /// Looks at a file that is being opened for damage that SQLite would not tell: an index that has lost an entry, or whose
    /// entry leads elsewhere, hides rows that stand whole in their table.
    ///
    /// What is looked at each time are the names of the entities and the objects that are not synchronized: as much work as
    /// there is to send, in a store of any size. Where something is odd there, SQLite checks the whole file, and that
    /// decides.
    enum IndexCheck {
        private struct Oddities {
            var isSuspected = false
            /// How many rows are not synchronized, by the number of the entity, where that is not what was counted.
            var changed: [Int64: Int64] = [:]

            var isEmpty: Bool { !isSuspected && changed.isEmpty }
        }

        /// - Throws: `DatabaseError` of `SQLITE_CORRUPT` where an index is damaged.
        static func run(_ pool: DatabasePool) throws {
            guard try !pool.read(oddities).isEmpty else { return }
            try pool.read(checkAll)
            // The file is whole: a version that did not count wrote it, or the count itself is not what was written.
            try pool.write { database in
                for (number, count) in try oddities(database).changed {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO counter(name, value) VALUES(?, ?)",
                        arguments: [EntityTable.changed(number), count])
                }
            }
        }

        /// Costs a look at every page of the file.
        ///
        /// - Throws: `DatabaseError` of `SQLITE_CORRUPT`, with the first damage as its message.
        static func checkAll(_ database: Database) throws {
            let finding = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
            guard let finding, finding != "ok" else { return }
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding.replacing("\n", with: " "))
        }

        private static func oddities(_ database: Database) throws -> Oddities {
            var found = Oddities()
            let names = try GRDB.Row.fetchAll(database, sql: "SELECT number, name FROM entity NOT INDEXED")
            var known: Set<String> = []
            for row in names {
                guard let number = row.integer(at: 0), let name = row.text(at: 1) else {
                    throw DatabaseError(
                        resultCode: .SQLITE_CORRUPT, message: "the table entity has a row without a number or a name")
                }
                let led = try Int64.fetchOne(
                    database, sql: "SELECT number FROM entity INDEXED BY sqlite_autoindex_entity_1 WHERE name = ?",
                    arguments: [name])
                if led != number || !known.insert(name).inserted { found.isSuspected = true }
                do {
                    try look(at: number, database, &found)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                    // One transaction has made the row and the tables.
                    throw DatabaseError(
                        resultCode: .SQLITE_CORRUPT,
                        message: "the tables of an entity are missing: \(error.message ?? "unknown error")")
                }
            }
            return found
        }

        /// Follows each entry of the index of what is to be sent into the table, and from there the index of identifiers.
        private static func look(at number: Int64, _ database: Database, _ found: inout Oddities) throws {
            let row = try GRDB.Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), coalesce(sum(own.key IS NULL OR own.id IS NOT led.id
                    OR typeof(own.state) <> 'integer' OR own.state <= 0 OR (
                        led.id IS NOT NULL AND (
                            SELECT i.key FROM object_\(number) AS i INDEXED BY identifier_\(number) WHERE i.id = led.id
                        ) IS NOT led.key
                    )), 0)
                    FROM object_\(number) AS led INDEXED BY \(EntityTable.changed(number))
                    LEFT JOIN object_\(number) AS own NOT INDEXED ON own.key = led.key WHERE led.state > 0
                    """)
            let (count, wrong) = (row?.integer(at: 0) ?? 0, row?.integer(at: 1) ?? 0)
            if wrong > 0 { found.isSuspected = true }
            let counted = try Int64.fetchOne(
                database, sql: "SELECT value FROM counter WHERE name = ?", arguments: [EntityTable.changed(number)])
            if counted != count { found.changed[number] = count }
        }
    }
#endif
