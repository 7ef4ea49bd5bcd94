internal import Atmosphere
internal import CSQLite

enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case text(String)
}

/// As much of SQLite as the adapter needs. Used by one thread at a time.
final class SQLiteConnection {
    private var handle: OpaquePointer?
    private let path: String

    init(path: String) throws {
        self.path = path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
            defer { close() }
            throw failure("open")
        }
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit { close() }

    /// A second call does nothing.
    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    func run(_ sql: String) throws {
        guard handle != nil else { throw StoreError(code: .closed, message: "\(path) was closed; open it again") }
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure("use") }
    }

    @discardableResult
    func rows(_ sql: String, _ arguments: [SQLiteValue]) throws -> [[SQLiteValue]] {
        guard handle != nil else { throw StoreError(code: .closed, message: "\(path) was closed; open it again") }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure("use") }
        defer { sqlite3_finalize(statement) }
        for (index, argument) in arguments.enumerated() {
            bind(argument, to: Int32(index + 1), of: statement)
        }
        var rows: [[SQLiteValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { column($0, of: statement) })
            case SQLITE_DONE: return rows
            default: throw failure("use")
            }
        }
    }

    private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer?) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            // SQLITE_TRANSIENT: SQLite takes a copy.
            let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copies)
        }
    }

    private func column(_ index: Int32, of statement: OpaquePointer?) -> SQLiteValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_TEXT:
            let count = Int(sqlite3_column_bytes(statement, index))
            let bytes = UnsafeBufferPointer(start: sqlite3_column_text(statement, index), count: count)
            return .text(String(decoding: bytes, as: UTF8.self))
        default: return .null
        }
    }

    private func failure(_ action: String) -> StoreError {
        let isFull = sqlite3_errcode(handle) == SQLITE_FULL
        let reason = String(cString: sqlite3_errmsg(handle))
        return StoreError(
            code: isFull ? .full : .inputOutput,
            message: "cannot \(action) \(path): \(reason); "
                + (isFull ? "free some space and try again" : "check the file and its folder"))
    }
}
