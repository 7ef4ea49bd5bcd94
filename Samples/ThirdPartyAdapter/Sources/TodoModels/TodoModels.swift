public import Atmosphere
internal import AtmosphereJSONFile
internal import Foundation

/// The database of an application that knew nothing of Atmosphere, as a model layer: its table `todo` holds the objects of
/// the entity `tasks`.
///
/// | column | member |
/// |---|---|
/// | `server_id` | the identifier |
/// | `name` | `title` |
/// | `is_done` | `done` |
/// | `note` | `notes` |
/// | `due_at`, in seconds since 1970 | `due` |
///
/// The application goes on using the table by itself, in this process or in another one.
public final class TodoModels: ModelLayer, @unchecked Sendable {
    // The lock is held wherever the connection is used.
    private let lock = NSLock()
    private let connection: SQLiteConnection

    /// Opens the database; an empty one gets the application's table.
    ///
    /// - Throws: ``StoreError`` `inputOutput`.
    public init(path: String) throws {
        connection = try SQLiteConnection(path: path)
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS todo (
                pk INTEGER PRIMARY KEY, server_id TEXT NOT NULL UNIQUE, name TEXT, is_done INTEGER, note TEXT,
                due_at INTEGER)
            """)
    }

    public func holds(_ entity: String) -> Bool { entity == TodoContext.entity }

    public func read<Result>(_ body: (any AppContext) throws -> Result) throws -> Result {
        try transaction("BEGIN DEFERRED", .process, body)
    }

    public func write<Result>(
        _ durability: Durability, _ body: (any AppContext) throws -> Result
    ) throws -> Result {
        try transaction("BEGIN IMMEDIATE", durability, body)
    }

    private func transaction<Result>(
        _ begin: String, _ durability: Durability, _ body: (any AppContext) throws -> Result
    ) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        try connection.run("PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL")")
        try connection.run(begin)
        do {
            let result = try body(TodoContext(connection))
            try connection.run("COMMIT")
            return result
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
    }

    public func close() throws {
        lock.lock()
        defer { lock.unlock() }
        connection.close()
    }
}

extension Adapter {
    /// `store: { kind: todo-app, path: todo.db }`: the application's database, and beside it the folder `todo.db.atmosphere`
    /// with what synchronization must remember.
    public static var todoApp: Adapter {
        .store("todo-app") { location in
            try await PairedStore(
                TodoModels(path: location.path), beside: JSONFileStore(path: location.path + ".atmosphere"))
        }
    }
}
