#if SQLite
    internal import AtmosphereStore
    internal import GRDB
    internal import GRDBSQLite

    // A damaged page may show a column without its value, or with one of another type. GRDB's subscript of a row ends the
    // process then, and SQLite takes such a value for 0 or an empty text; what stands in a file is read with these.

    extension GRDB.Row {
        /// nil for NULL, and for a value that is no integer.
        func integer(at column: Int) -> Int64? {
            let value: DatabaseValue = self[column]
            return Int64.fromDatabaseValue(value)
        }

        /// nil for NULL, and for a number.
        func text(at column: Int) -> String? {
            let value: DatabaseValue = self[column]
            return String.fromDatabaseValue(value)
        }
    }

    extension PreparedStatement {
        /// The value of a column that is an integer in every row of a file that is whole.
        ///
        /// - Throws: ``StoreError`` `damaged`, which names `thing`.
        func integer(_ column: Int32, of thing: @autoclosure () -> String) throws -> Int64 {
            guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else {
                throw StoreError.damaged(thing(), "it has no number where one has to stand")
            }
            return integer(column)
        }

        /// The value of a column that is a text in every row of a file that is whole.
        ///
        /// - Throws: ``StoreError`` `damaged`, which names `thing`.
        func text(_ column: Int32, of thing: @autoclosure () -> String) throws -> String {
            guard sqlite3_column_type(handle, column) == SQLITE_TEXT else {
                throw StoreError.damaged(thing(), "it has no text where one has to stand")
            }
            return text(column) ?? ""
        }
    }
#endif
