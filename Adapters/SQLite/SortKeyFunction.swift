#if SQLite
    internal import AtmosphereStore
    internal import GRDB
    internal import GRDBSQLite

    /// The SQL function `atmosphere_key(field, record)` that indexes are made of: the sort key of a field of a record.
    ///
    /// Its name says which form of keys it gives: another form needs another name, or indexes in files would lie.
    enum SortKeyFunction {
        static let name = "atmosphere_key"

        static func register(in database: Database, path: String) throws {
            let code = sqlite3_create_function_v2(
                database.sqliteConnection, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
                { context, _, arguments in SortKeyFunction.call(context, arguments![0], arguments![1]) }, nil, nil, nil)
            if code != SQLITE_OK { throw StoreError.ofConnection(database.sqliteConnection, path: path) }
        }

        /// The call as it stands in SQL, the same text in an index and in a query.
        static func call(_ field: QueryIndex.Field) -> String { "\(name)(\(literal(field.description)), record)" }

        /// No value of a query comes here, only what the route file or the program declares.
        private static func literal(_ text: String) -> String {
            // By scalars: with a mark behind it a quote is another character to Swift, and the same byte to SQLite.
            "'" + text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
        }

        private final class Parsed {
            let field: QueryIndex.Field
            init(_ field: QueryIndex.Field) { self.field = field }
        }

        private static func call(_ context: OpaquePointer?, _ first: OpaquePointer?, _ second: OpaquePointer?) {
            guard sqlite3_value_type(second) != SQLITE_NULL else { return sqlite3_result_null(context) }
            guard let field = parsed(context, first) else {
                return sqlite3_result_error(context, "\(name): not a field", -1)
            }
            guard let record = try? ObjectRecord(bytes: bytes(second), limits: .unlimited) else {
                return sqlite3_result_error(context, "\(name): a record is damaged", -1)
            }
            let key = field.sortKey(of: record)
            key.withUnsafeBytes {
                sqlite3_result_blob(
                    context, $0.baseAddress, Int32($0.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        }

        /// SQLite keeps what was made of a constant argument while a statement runs.
        private static func parsed(_ context: OpaquePointer?, _ argument: OpaquePointer?) -> QueryIndex.Field? {
            if let known = sqlite3_get_auxdata(context, 0) {
                return Unmanaged<Parsed>.fromOpaque(known).takeUnretainedValue().field
            }
            guard let field = QueryIndex.Field(String(decoding: bytes(argument), as: UTF8.self)) else { return nil }
            sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(Parsed(field)).toOpaque()) {
                if let known = $0 { Unmanaged<Parsed>.fromOpaque(known).release() }
            }
            return field
        }

        private static func bytes(_ value: OpaquePointer?) -> [UInt8] {
            let start = sqlite3_value_blob(value)
            return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        }
    }
#endif
