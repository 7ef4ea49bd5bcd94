#if SQLite
    internal import Atmosphere

    extension SQLiteTransaction: AppContext {
        func record(at uri: ObjectURI) throws -> ObjectRecord? {
            try startReading()
            guard let table = try table(uri.entity) else { return nil }
            let select: PreparedStatement
            switch IdentifierKey(uri.id) {
            case .integer(let number):
                select = try prepare("SELECT record FROM \(table.objects) WHERE key = ?1")
                select.bind(1, number)
            case .text(let text):
                select = try prepare("SELECT record FROM \(table.objects) WHERE id = ?1")
                select.bind(1, text)
            }
            defer { select.reset() }
            guard try select.step() else { return nil }
            return try select.utf8(0).map { try ObjectRecord(stored: $0, of: uri) }
        }

        func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
            try startReading()
            guard let table = try table(query.entity) else { return }
            var run = QueryRun(query)
            var batch = RecordBatch(table, self)
            while run.isHungry, let objects = try batch.next(limit: run.appetite) {
                for (uri, record) in objects where run.takes(record, at: uri) {
                    if try !each(uri, record) { return }
                }
            }
            for uri in run.ordered() {
                guard let record = try record(at: uri) else { continue }
                if try !each(uri, record) { return }
            }
        }

        func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
            try startWriting()
            for (uri, record) in batch { try replace(uri) { StoredObject(record: record, meta: $0?.meta) } }
        }

        func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
            try startWriting()
            guard from != to, let record = try record(at: from) else { return }
            if try self.record(at: to) != nil { throw StoreError.identifierTaken(to, by: from) }
            try replace(from) { StoredObject(record: nil, meta: $0?.meta) }
            try replace(to) { StoredObject(record: record, meta: $0?.meta) }
        }

        func delete(_ batch: [ObjectURI]) throws {
            try startWriting()
            for uri in batch { try replace(uri) { StoredObject(record: nil, meta: $0?.meta) } }
        }
    }

    /// Steps through an entity's records in ascending order of identifier.
    ///
    /// A bounded number is read at a time, and no statement is open while the caller works with them: the caller may
    /// use the transaction for anything meanwhile.
    private struct RecordBatch {
        private static let size = 100

        private let table: EntityTable
        private let transaction: SQLiteTransaction
        private var last: IdentifierKey?
        private var isAtTexts = false

        init(_ table: EntityTable, _ transaction: SQLiteTransaction) {
            self.table = table
            self.transaction = transaction
        }

        /// - Returns: nil at the end.
        mutating func next(limit: Int) throws -> [(ObjectURI, ObjectRecord)]? {
            let limit = min(limit, Self.size)
            let select = try isAtTexts ? texts() : integers()
            select.bind(2, Int64(limit))
            defer { select.reset() }
            var objects: [(ObjectURI, ObjectRecord)] = []
            while try select.step() {
                let key = isAtTexts ? IdentifierKey.text(select.text(0) ?? "") : .integer(select.integer(0))
                last = key
                guard let record = select.utf8(1) else { continue }
                let uri = ObjectURI(entity: table.name, id: key.text)
                objects.append((uri, try ObjectRecord(stored: record, of: uri)))
            }
            if objects.count == limit || !objects.isEmpty && isAtTexts { return objects }
            if isAtTexts { return nil }
            isAtTexts = true
            last = nil
            return objects
        }

        private func integers() throws -> PreparedStatement {
            let select = try transaction.prepare(
                """
                SELECT key, record FROM \(table.objects) WHERE key > ?1 AND record IS NOT NULL ORDER BY key LIMIT ?2
                """)
            if case .integer(let number)? = last { select.bind(1, number) } else { select.bind(1, Int64(-1)) }
            return select
        }

        private func texts() throws -> PreparedStatement {
            let isFirst = last == nil
            let select = try transaction.prepare(
                """
                SELECT id, record FROM \(table.objects) WHERE id \(isFirst ? "IS NOT NULL" : "> ?1")
                AND record IS NOT NULL ORDER BY id LIMIT ?2
                """)
            if !isFirst { select.bind(1, last?.text) }
            return select
        }
    }
#endif
