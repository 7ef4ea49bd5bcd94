#if SQLite
    internal import AtmosphereStore
    internal import GRDB

    /// The tables of a store.
    ///
    /// Each entity has a table of its own, made when its first object arrives: an integer is then enough as a key, and
    /// record and meta object share a row. Measured against text keys in one table for all entities with meta objects
    /// aside, a pull takes half as long; each further index costs as much again as it saves elsewhere.
    enum SQLiteSchema {
        /// "AtMo", in the file's header.
        static let applicationID: Int32 = 0x4174_4D6F

        /// What makes the tables, each step under the name by which a file notes that it was done.
        private static let steps: [(name: String, sql: String)] = [
            (
                "1",
                """
                PRAGMA application_id = \(applicationID);
                CREATE TABLE entity(
                    number INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    -- How many rows have a record.
                    records INTEGER NOT NULL DEFAULT 0,
                    -- The listing whose objects listed_N notes.
                    listing INTEGER
                );
                CREATE TABLE alias(
                    entity TEXT NOT NULL, id TEXT NOT NULL, new_entity TEXT NOT NULL, new_id TEXT NOT NULL,
                    PRIMARY KEY(entity, id)
                ) WITHOUT ROWID;
                CREATE TABLE dependency(
                    parent_entity TEXT NOT NULL, parent_id TEXT NOT NULL, entity TEXT NOT NULL, id TEXT NOT NULL,
                    PRIMARY KEY(parent_entity, parent_id, entity, id)
                ) WITHOUT ROWID;
                CREATE TABLE cursor(entity TEXT NOT NULL, parent TEXT, value TEXT NOT NULL);
                CREATE INDEX cursor_scope ON cursor(entity, parent);
                CREATE TABLE counter(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
                """
            ), ("2", "CREATE INDEX alias_target ON alias(new_entity, new_id);")
        ]

        /// How much of its making a file has had.
        enum Standing {
            case incomplete, complete
            /// A version that knows more steps has done more.
            case newer
        }

        /// - Throws: `DatabaseError`; of `SQLITE_CORRUPT` where the notes of the steps cannot be read.
        static func standing(_ database: Database) throws -> Standing {
            let done = try stepsDone(database)
            if !done.isSubset(of: steps.map { $0.name }) { return .newer }
            return done.count == steps.count ? .complete : .incomplete
        }

        /// Does the steps that are missing in one transaction, which has the lock of the writer before it looks what was
        /// done: of several processes that open a new file at once one makes the tables, and the others find all of them.
        ///
        /// - Throws: `DatabaseError`; of `SQLITE_CORRUPT` where the notes of the steps cannot be read.
        static func complete(_ database: Database) throws {
            try database.inTransaction(.immediate) {
                let done = try stepsDone(database)
                try database.execute(
                    sql: "CREATE TABLE IF NOT EXISTS \(stepTable) (identifier TEXT NOT NULL PRIMARY KEY)")
                for step in steps where !done.contains(step.name) {
                    try database.execute(sql: step.sql)
                    try database.execute(
                        sql: "INSERT INTO \(stepTable) (identifier) VALUES (?)", arguments: [step.name])
                }
                return .commit
            }
        }

        /// Files of earlier versions have the table of GRDB's migrator, so all have it.
        private static let stepTable = "grdb_migrations"

        private static func stepsDone(_ database: Database) throws -> Set<String> {
            let tables = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '\(stepTable)'")
            guard let tables, tables > 0 else { return [] }
            var done: Set<String> = []
            for row in try GRDB.Row.fetchAll(database, sql: "SELECT identifier FROM \(stepTable)") {
                guard let name = row.text(at: 0) else {
                    throw DatabaseError(
                        resultCode: .SQLITE_CORRUPT, message: "the table \(stepTable) has a row without an identifier")
                }
                done.insert(name)
            }
            return done
        }

        /// The tables of one entity; see ``RowState`` for `state`.
        ///
        /// `key` is the identifier where that is a canonical integer; every other object has a negative key and its
        /// identifier in `id`. Small columns stand first, so that reading them never follows the overflow pages of a
        /// long record. `changed` holds only what is to be sent: finding it costs the same in a store of any size.
        static func tables(entity number: Int64) -> String {
            """
            CREATE TABLE object_\(number)(
                key INTEGER PRIMARY KEY,
                id TEXT,
                state INTEGER NOT NULL,
                sequence INTEGER NOT NULL,
                version TEXT,
                record TEXT,
                meta TEXT
            );
            CREATE UNIQUE INDEX identifier_\(number) ON object_\(number)(id) WHERE id IS NOT NULL;
            CREATE INDEX changed_\(number) ON object_\(number)(id, key) WHERE state > 0;
            CREATE TABLE listed_\(number)(key INTEGER PRIMARY KEY);
            """
        }

        /// Refuses a file that belongs to another program; an empty one is fine, and so is one whose making was cut off
        /// between the migrator's own table and ours, as that of an earlier version could be.
        static func checkOwner(_ database: Database, path: String) throws {
            if try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID { return }
            // Both in one statement, and so of one moment: another process may make the tables just now.
            let row = try GRDB.Row.fetchOne(
                database,
                sql: """
                    SELECT application_id, (SELECT count(*) FROM sqlite_master WHERE tbl_name <> '\(stepTable)')
                    FROM pragma_application_id
                    """)
            let (owner, others) = (row?.integer(at: 0) ?? 0, row?.integer(at: 1) ?? 0)
            if owner == Int64(applicationID) || owner == 0 && others == 0 { return }
            throw StoreError(
                code: .damaged,
                message: "\(path) is a database of another program; set store.path in the route file to another file")
        }
    }

    /// What a row's `state` says. Zero, the most frequent, takes no space in the file.
    enum RowState {
        /// Not synchronized; `meta` holds the meta object. The bits of ``changed(_:)`` are beside it, but for rows that an
        /// earlier version wrote.
        static let changed: Int64 = 1
        /// Synchronized: `record` is the base; `version` and `sequence` are the rest of the meta object. The wire type
        /// is a number for an object with an integer for a key, else a string.
        static let synchronized: Int64 = 0
        /// The same, with another wire type: string, number, temporary.
        static let synchronizedAsString: Int64 = -1
        static let synchronizedAsNumber: Int64 = -2
        static let synchronizedAsTemporary: Int64 = -3
        /// There is no meta object.
        static let recordOnly: Int64 = -4
        /// Synchronized, with a meta object in `meta` that says more: a revision for instance.
        static let synchronizedWithMore: Int64 = -5
        /// `meta` says synchronized, but the record is not its base.
        static let divergent: Int64 = -6

        /// Not synchronized, and in which way, so that counting reads no meta object.
        static func changed(_ meta: MetaObject) -> Int64 {
            var counts = StateCounts()
            counts.count(meta)
            var state = changed | saysHow
            if counts.localOnly > 0 { state |= 2 }
            if counts.deleted > 0 { state |= 4 }
            if counts.conflicted > 0 { state |= 8 }
            if counts.rejected > 0 { state |= 16 }
            if counts.unknown > 0 { state |= 32 }
            return state
        }

        /// Counts a number of objects with such a state.
        ///
        /// - Returns: false for a state that does not say in which way.
        static func count(_ number: Int, in state: Int64, _ counts: inout StateCounts) -> Bool {
            guard state & saysHow != 0 else { return false }
            counts.changed += number
            if state & 2 != 0 { counts.localOnly += number }
            if state & 4 != 0 { counts.deleted += number }
            if state & 8 != 0 { counts.conflicted += number }
            if state & 16 != 0 { counts.rejected += number }
            if state & 32 != 0 { counts.unknown += number }
            return true
        }

        private static let saysHow: Int64 = 64

        static let plain: ClosedRange<Int64> = synchronizedAsTemporary...synchronized

        static func plain(_ wireType: ObjectID.WireType, isIntegerKey: Bool) -> Int64 {
            switch wireType {
            case .string: isIntegerKey ? synchronizedAsString : synchronized
            case .number: isIntegerKey ? synchronized : synchronizedAsNumber
            case .temporary: synchronizedAsTemporary
            }
        }

        /// The wire type of a plain state.
        static func wireType(_ state: Int64, isIntegerKey: Bool) -> ObjectID.WireType {
            switch state {
            case synchronizedAsString: .string
            case synchronizedAsNumber: .number
            case synchronizedAsTemporary: .temporary
            default: isIntegerKey ? .number : .string
            }
        }
    }
#endif
