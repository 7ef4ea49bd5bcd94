#if SQLite
    internal import AtmosphereStore
    internal import GRDB
    internal import GRDBSQLite

    extension StoreError {
        /// What SQLite, GRDB or the caller's closure threw, in a store's words.
        init(_ error: any Error, path: String) {
            switch error {
            case let error as StoreError: self = error
            case let error as DatabaseError:
                self = .sqlite(error.extendedResultCode.rawValue, error.message ?? "unknown error", path: path)
            case is RowDecodingError:
                // What GRDB says of it names the statement, and the values of the row.
                self = .sqlite(SQLITE_CORRUPT, "a row has no value where one has to stand", path: path)
            default:
                self.init(code: .inputOutput, message: "cannot use \(path): \(error)", cause: error)
            }
        }

        /// The error that the connection's last call ended with.
        static func ofConnection(_ connection: OpaquePointer?, path: String) -> StoreError {
            sqlite(
                sqlite3_extended_errcode(connection), String(cString: sqlite3_errmsg(connection)),
                system: sqlite3_system_errno(connection), path: path)
        }

        /// - Parameters:
        ///   - code: https://www.sqlite.org/rescode.html
        ///   - system: what the system said last; 0 where that is not known.
        static func sqlite(_ code: Int32, _ reason: String, system: Int32 = 0, path: String) -> StoreError {
            let (kind, remedy): (Code, String) =
                switch code & 0xFF {
                case SQLITE_CORRUPT:
                    (
                        .damaged,
                        "it may hold changes that were not sent: open it again, or run the command again, while nothing "
                            + "else uses it; what can still be read is saved then, and the damaged file is kept"
                    )
                case SQLITE_NOTADB:
                    (.damaged, "keep a copy of it, then restore the file from a copy, or remove it and pull again")
                case SQLITE_FULL: (.full, "free some space and try again")
                // The files beside the database grow too, and SQLite calls it an I/O error when they cannot.
                case SQLITE_IOERR where StoreFile.isFull(system, deviceOf: path):
                    (.full, "there is no space left on the device: free some space and try again")
                case SQLITE_BUSY, SQLITE_LOCKED:
                    (.inputOutput, "another process is writing to it for long; try again when that has ended")
                case SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_AUTH:
                    (.inputOutput, "check who owns the file and its folder, and who may write them (ls -l)")
                case SQLITE_MISUSE: (.closed, "open the store again")
                default: (.inputOutput, "check the file and the device it is on")
                }
            return StoreError(
                code: kind, message: "cannot use \(path): \(reason) (SQLite error \(code)); \(remedy)")
        }
    }
#endif
