internal import Atmosphere

/// The rows of the application's table as objects.
struct TodoContext: AppContext {
    static let entity = "tasks"

    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func record(at uri: ObjectURI) throws -> ObjectRecord? {
        guard uri.entity == Self.entity else { return nil }
        let rows = try connection.rows(
            "SELECT name, is_done, note, due_at FROM todo WHERE server_id = ?", [.text(uri.id)])
        return rows.first.map { Self.record($0[...]) }
    }

    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
        guard query.entity == Self.entity else { return }
        let rows = try connection.rows("SELECT server_id, name, is_done, note, due_at FROM todo", [])
        let all = rows.compactMap { row -> (ObjectURI, ObjectRecord)? in
            guard case .text(let id) = row[0] else { return nil }
            return (ObjectURI(entity: Self.entity, id: id), Self.record(row[1...]))
        }
        // Conditions and order as every store has them; an application with many rows would compile them into SQL.
        for (uri, record) in query.select(from: all) where try !each(uri, record) { return }
    }

    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
        for (uri, record) in batch {
            try connection.rows(
                """
                INSERT INTO todo (server_id, name, is_done, note, due_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (server_id) DO UPDATE SET
                    name = excluded.name, is_done = excluded.is_done, note = excluded.note, due_at = excluded.due_at
                """,
                [
                    .text(uri.id), record["title"]?.string.map(SQLiteValue.text) ?? .null,
                    record["done"]?.bool.map { .integer($0 ? 1 : 0) } ?? .null,
                    record["notes"]?.string.map(SQLiteValue.text) ?? .null,
                    record["due"]?.string.flatMap { Instant($0) }.map { .integer($0.seconds) } ?? .null
                ])
        }
    }

    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
        guard from != to, try record(at: from) != nil else { return }
        guard try record(at: to) == nil else {
            throw StoreError(
                code: .identifierTaken, message: "\(from) cannot become \(to): another todo has that identifier")
        }
        try connection.rows("UPDATE todo SET server_id = ? WHERE server_id = ?", [.text(to.id), .text(from.id)])
    }

    func delete(_ batch: [ObjectURI]) throws {
        for uri in batch where uri.entity == Self.entity {
            try connection.rows("DELETE FROM todo WHERE server_id = ?", [.text(uri.id)])
        }
    }

    /// The members that the application knows. A time comes back in UTC and whole seconds, because that is what the table
    /// holds of it; PairedStore remembers that this is no edit.
    private static func record(_ row: ArraySlice<SQLiteValue>) -> ObjectRecord {
        let values = Array(row)
        var members: Value.Members = [:]
        if case .text(let name) = values[0] { members["title"] = .string(name) }
        if case .integer(let flag) = values[1] { members["done"] = .bool(flag != 0) }
        if case .text(let note) = values[2] { members["notes"] = .string(note) }
        if case .integer(let seconds) = values[3] { members["due"] = .string(Instant(seconds: seconds).description) }
        return ObjectRecord(members)
    }
}
