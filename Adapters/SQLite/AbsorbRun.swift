#if SQLite
    internal import AtmosphereStore
    internal import GRDBSQLite

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// Absorbs items of one page: the hot path of a pull.
    ///
    /// Slices of the page are bound where they stand. An item costs one statement: while items turn out to be new, an
    /// insert that does nothing where the key exists; from the first known one on, a look-up whose row is compared in
    /// place, and a write only where it differs.
    struct AbsorbRun {
        private let transaction: SQLiteTransaction
        private let table: EntityTable
        private let page: Page
        private let bytes: UnsafeBufferPointer<UInt8>
        private let insert: PreparedStatement
        private let update: PreparedStatement
        private let selectByKey: PreparedStatement
        private let selectByID: PreparedStatement
        /// nil where nothing is noted.
        private let note: PreparedStatement?
        /// Objects of the entity have had, or have, other identifiers: what is inserted may end an alias.
        private let hasAliases: Bool
        /// The last item was new, so the next one probably is.
        private var expectsNew = true
        private(set) var absorbed = Absorbed()

        /// - Parameter bytes: those of the page, at a fixed address while the run lasts.
        init(
            _ page: Page, at bytes: UnsafeBufferPointer<UInt8>, into table: EntityTable,
            _ transaction: SQLiteTransaction
        ) throws {
            self.page = page
            self.bytes = bytes
            self.table = table
            self.transaction = transaction
            insert = try transaction.prepare(
                """
                INSERT INTO \(table.objects)(key, id, state, sequence, version, record)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(key) DO NOTHING
                """)
            update = try transaction.prepare(
                "UPDATE \(table.objects) SET state = ?2, sequence = ?3, version = ?4, record = ?5 WHERE key = ?1")
            let columns = "key, state, sequence, version, record"
            selectByKey = try transaction.prepare("SELECT \(columns) FROM \(table.objects) WHERE key = ?1")
            selectByID = try transaction.prepare("SELECT \(columns) FROM \(table.objects) WHERE id = ?1")
            hasAliases = try transaction.hasAliases(entity: page.entity)
            let isNoted = page.listing != nil && page.listing == table.listing
            note =
                isNoted
                ? try transaction.prepare("INSERT INTO \(table.listed)(key) VALUES(?1) ON CONFLICT DO NOTHING") : nil
        }

        /// Lets go of the page's bytes; call it before they move.
        func end() {
            for statement in [insert, update, selectByKey, selectByID] {
                statement.reset()
                sqlite3_clear_bindings(statement.handle)
            }
        }

        mutating func absorb(_ index: Int) throws {
            let item = page.items[index]
            precondition(
                item.record.lowerBound >= 0 && item.record.upperBound <= bytes.count, "an item inside its page")
            switch item.id {
            case .integer(let number) where number >= 0:
                try absorb(item, index, key: number, wireType: .number)
            default:
                let id = item.id.objectID
                switch IdentifierKey(id.text) {
                case .integer(let number): try absorb(item, index, key: number, wireType: id.wireType)
                case .text(let text): try absorb(item, index, text: text, wireType: id.wireType)
                }
            }
        }

        private mutating func absorb(
            _ item: PageItem, _ index: Int, key: Int64, wireType: ObjectID.WireType
        ) throws {
            let state = RowState.plain(wireType, isIntegerKey: true)
            if expectsNew, !item.isDeleted, try inserts(item, key: key, id: nil, state: state) {
                return try inserted(.integer(key), item)
            }
            sqlite3_bind_int64(selectByKey.handle, 1, key)
            guard try selectByKey.step() else {
                selectByKey.reset()
                if item.isDeleted { return absorbed.deferred.append(index) }
                _ = try inserts(item, key: key, id: nil, state: state)
                expectsNew = true
                return try inserted(.integer(key), item)
            }
            try compare(item, index, with: selectByKey, .integer(key), state)
        }

        private mutating func absorb(
            _ item: PageItem, _ index: Int, text: String, wireType: ObjectID.WireType
        ) throws {
            let state = RowState.plain(wireType, isIntegerKey: false)
            selectByID.bind(1, text)
            guard try selectByID.step() else {
                selectByID.reset()
                if item.isDeleted { return absorbed.deferred.append(index) }
                _ = try inserts(item, key: try transaction.newTextKey(table), id: text, state: state)
                return try inserted(.text(text), item)
            }
            try compare(item, index, with: selectByID, .text(text), state)
        }

        /// - Returns: false where the key exists.
        private func inserts(_ item: PageItem, key: Int64, id: String?, state: Int64) throws -> Bool {
            sqlite3_bind_int64(insert.handle, 1, key)
            insert.bind(2, id)
            sqlite3_bind_int64(insert.handle, 3, state)
            sqlite3_bind_int64(insert.handle, 4, page.sequence)
            bind(item.version, insert, 5)
            bind(item.record, insert, 6)
            try insert.run()
            return transaction.changes == 1
        }

        private mutating func inserted(_ key: IdentifierKey, _ item: PageItem) throws {
            if hasAliases { try transaction.endAliases(at: page.uri(item)) }
            absorbed.inserted += 1
            table.recordChange += 1
            table.touch(key)
        }

        /// Decides about an object that is known; `row` stands at it.
        private mutating func compare(
            _ item: PageItem, _ index: Int, with row: PreparedStatement, _ id: IdentifierKey, _ state: Int64
        ) throws {
            expectsNew = false
            let key = row.integer(0)
            let known = try row.integer(1, of: "the row of \(page.uri(item))")
            if known == RowState.synchronizedWithMore {
                row.reset()
                return try absorbWithMore(item, index, key)
            }
            let isVersion = isEqual(item.version, row, 3)
            guard !item.isDeleted, RowState.plain.contains(known), row.integer(2) <= page.sequence,
                isVersion || !page.ordersVersions
            else {
                row.reset()
                absorbed.deferred.append(index)
                return try noteShown(key)
            }
            guard !row.isNull(4) else {
                throw StoreError.damaged("the record of \(page.uri(item))", "it is missing")
            }
            let isSame = known == state && isVersion && isEqual(item.record, row, 4)
            row.reset()
            if isSame {
                absorbed.unchanged += 1
                return try noteShown(key)
            }
            sqlite3_bind_int64(update.handle, 1, key)
            sqlite3_bind_int64(update.handle, 2, state)
            sqlite3_bind_int64(update.handle, 3, page.sequence)
            bind(item.version, update, 4)
            bind(item.record, update, 5)
            try update.run()
            absorbed.updated += 1
            table.touch(id)
        }

        /// An object whose meta object says more than the columns: seldom, so by the rule that all stores share.
        private mutating func absorbWithMore(_ item: PageItem, _ index: Int, _ key: Int64) throws {
            let uri = page.uri(item)
            switch Absorption(item, of: page, known: try transaction.load(uri)?.object) {
            case .insert(let object), .update(let object):
                try transaction.replace(uri) { _ in object }
                absorbed.updated += 1
            case .unchanged:
                absorbed.unchanged += 1
                try noteShown(key)
            case .defer:
                absorbed.deferred.append(index)
                try noteShown(key)
            }
        }

        private func noteShown(_ key: Int64) throws {
            guard let note else { return }
            sqlite3_bind_int64(note.handle, 1, key)
            try note.run()
        }

        /// SQLite reads the slice where it stands; see ``end()``.
        private func bind(_ slice: Range<Int>?, _ statement: PreparedStatement, _ index: Int32) {
            guard let slice, let start = bytes.baseAddress else {
                sqlite3_bind_null(statement.handle, index)
                return
            }
            UnsafeRawPointer(start + slice.lowerBound).withMemoryRebound(to: CChar.self, capacity: slice.count) {
                _ = sqlite3_bind_text(statement.handle, index, $0, Int32(slice.count), nil)
            }
        }

        private func isEqual(_ slice: Range<Int>?, _ row: PreparedStatement, _ column: Int32) -> Bool {
            guard let slice else { return row.isNull(column) }
            if row.isNull(column) { return false }
            let known = row.bytes(column)
            guard known.count == slice.count else { return false }
            guard let left = known.baseAddress, let right = bytes.baseAddress else { return true }
            return memcmp(left, right + slice.lowerBound, slice.count) == 0
        }
    }

    extension SQLiteTransaction {
        func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed {
            try startWriting()
            let table = try tableForWriting(page.entity)
            return try page.bytes.withUnsafeBufferPointer { bytes in
                var run = try AbsorbRun(page, at: bytes, into: table, self)
                defer { run.end() }
                for index in items { try run.absorb(index) }
                return run.absorbed
            }
        }
    }
#endif
