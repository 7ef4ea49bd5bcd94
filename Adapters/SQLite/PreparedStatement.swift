#if SQLite
    internal import AtmosphereStore
    internal import GRDB
    internal import GRDBSQLite

    /// A statement of GRDB's cache, bound and stepped by hand: GRDB's arguments and rows cost several times as much.
    ///
    /// One SQL text gives one statement, so nothing may use the same text while a statement is being stepped; whoever
    /// steps resets before it calls anything else.
    struct PreparedStatement {
        /// SQLite copies what is bound.
        private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

        /// Keeps ``handle`` alive; nil where whoever made it has to finalize it.
        private let statement: Statement?
        let handle: OpaquePointer
        private let path: String

        init(_ sql: String, in database: Database, path: String) throws {
            let statement: Statement
            do {
                statement = try database.cachedStatement(sql: sql)
            } catch {
                throw StoreError(error, path: path)
            }
            self.statement = statement
            handle = statement.sqliteStatement
            self.path = path
        }

        /// One of a connection that GRDB does not know, to be finalized by the caller.
        init(_ sql: String, on connection: OpaquePointer, path: String) throws {
            var handle: OpaquePointer?
            guard sqlite3_prepare_v2(connection, sql, -1, &handle, nil) == SQLITE_OK, let handle else {
                throw StoreError.ofConnection(connection, path: path)
            }
            statement = nil
            self.handle = handle
            self.path = path
        }

        func bind(_ index: Int32, _ number: Int64?) {
            if let number { sqlite3_bind_int64(handle, index, number) } else { sqlite3_bind_null(handle, index) }
        }

        func bind(_ index: Int32, _ text: String?) {
            guard var text else {
                sqlite3_bind_null(handle, index)
                return
            }
            text.withUTF8 { bind(index, $0) }
        }

        func bind(_ index: Int32, utf8 bytes: [UInt8]?) {
            guard let bytes else {
                sqlite3_bind_null(handle, index)
                return
            }
            bytes.withUnsafeBufferPointer { bind(index, $0) }
        }

        func bind(_ index: Int32, blob bytes: [UInt8]) {
            bytes.withUnsafeBytes {
                if let start = $0.baseAddress, !$0.isEmpty {
                    _ = sqlite3_bind_blob(handle, index, start, Int32($0.count), Self.transient)
                } else {
                    _ = sqlite3_bind_zeroblob(handle, index, 0)
                }
            }
        }

        private func bind(_ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
            bytes.withMemoryRebound(to: CChar.self) { text in
                if let start = text.baseAddress {
                    _ = sqlite3_bind_text(handle, index, start, Int32(text.count), Self.transient)
                } else {
                    // Without an address SQLite would bind NULL.
                    _ = sqlite3_bind_text(handle, index, "", 0, Self.transient)
                }
            }
        }

        /// - Returns: whether there is a row.
        func step() throws -> Bool {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: return true
            case SQLITE_DONE: return false
            case SQLITE_INTERRUPT:
                // GRDB interrupts the reads of a cancelled task.
                sqlite3_reset(handle)
                throw CancellationError()
            default:
                let error = StoreError.ofConnection(sqlite3_db_handle(handle), path: path)
                sqlite3_reset(handle)
                throw error
            }
        }

        /// Steps to the end and resets.
        func run() throws {
            while try step() {}
            sqlite3_reset(handle)
        }

        func reset() { sqlite3_reset(handle) }

        func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        /// How many there are; a file may say any number, and this one is counted on from.
        func count(_ column: Int32) -> Int {
            Int(clamping: min(max(0, integer(column)), StoredFields.countable.upperBound))
        }

        func text(_ column: Int32) -> String? { isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self) }

        func utf8(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : Array(bytes(column)) }

        /// Valid until the next step or reset.
        func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            // The order matters: the length is that of what the pointer was asked for.
            let start = sqlite3_column_blob(handle, column)
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        }
    }
#endif
