#if SQLite
    internal import AtmosphereStore

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
            if let indexed = try indexed(query, table) { return try records(matching: query, indexed, table, each) }
            var run = QueryRun(query)
            var batch = RecordBatch(table, self)
            var isWhole = false
            while run.isHungry {
                guard let objects = try batch.next(limit: run.appetite) else {
                    isWhole = true
                    break
                }
                for (uri, record) in objects where run.takes(record, at: uri) {
                    if try !each(uri, record) { return }
                }
            }
            // In a transaction that writes, the closure may have changed what is counted.
            if isWhole, !isWritable { try checkCount(batch.seen, of: table) }
            for uri in run.ordered() {
                guard let record = try record(at: uri) else { continue }
                if try !each(uri, record) { return }
            }
        }

        /// nil where no index helps.
        private func indexed(_ query: Query, _ table: EntityTable) throws -> IndexedQuery? {
            guard let declared = indexes[table.name], !declared.isEmpty else { return nil }
            // Another process may have opened the file with other indexes.
            let present = try Set(indexNames(on: table))
            return IndexedQuery(
                query, indexes: declared.filter { present.contains($0.name(on: table)) }, table: table)
        }

        /// Objects are looked up before the first is handed on, so that the closure may use the transaction: records up to a
        /// number, keys beyond.
        private func records(
            matching query: Query, _ indexed: IndexedQuery, _ table: EntityTable,
            _ each: (ObjectURI, ObjectRecord) throws -> Bool
        ) throws {
            let select = try prepare(indexed.select(query))
            let isWhole = indexed.isExact && (indexed.isSorted || query.order.isEmpty)
            var rest = query
            if isWhole { rest.offset = 0 }
            if indexed.isExact { rest.filter = .everything }
            let limit = isWhole ? query.limit.map { Int64(max(0, $0)) } ?? -1 : -1
            bind(indexed, limit: limit, offset: isWhole ? Int64(max(0, query.offset)) : 0, select)
            var run = QueryRun(rest, isSorted: indexed.isSorted)
            var found: [(uri: ObjectURI, record: ObjectRecord?)] = []
            do {
                defer { select.reset() }
                while run.isHungry, try select.step() {
                    let uri = ObjectURI(entity: table.name, id: select.text(1) ?? String(select.integer(0)))
                    let record = try ObjectRecord(stored: select.utf8(2) ?? [], of: uri)
                    if run.takes(record, at: uri) { found.append((uri, found.count < 1_000 ? record : nil)) }
                }
            }
            for uri in run.ordered() { found.append((uri, nil)) }
            for (uri, known) in found {
                guard let record = try known ?? record(at: uri) else { continue }
                if try !each(uri, record) { return }
            }
        }

        private func bind(_ indexed: IndexedQuery, limit: Int64, offset: Int64, _ select: PreparedStatement) {
            for (index, value) in indexed.values.enumerated() { select.bind(Int32(index + 1), blob: value) }
            select.bind(Int32(indexed.values.count + 1), limit)
            select.bind(Int32(indexed.values.count + 2), offset)
        }

        func count(matching query: Query) throws -> Int {
            try startReading()
            guard let table = try table(query.entity) else { return 0 }
            if query.filter.isEverything {
                let select = try prepare("SELECT records FROM entity WHERE number = ?1")
                defer { select.reset() }
                select.bind(1, table.number)
                return try select.step() ? select.count(0) + Int(table.recordChange) : 0
            }
            let plain = Query(query.entity, where: query.filter)
            if let indexed = try indexed(plain, table), indexed.isExact {
                let select = try prepare(indexed.count)
                defer { select.reset() }
                for (index, value) in indexed.values.enumerated() { select.bind(Int32(index + 1), blob: value) }
                return try select.step() ? Int(select.integer(0)) : 0
            }
            var count = 0
            try records(matching: plain) { _, _ in
                count += 1
                return true
            }
            return count
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
        private(set) var seen = 0

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
                let key = try isAtTexts ? IdentifierKey.text(identifier(select)) : .integer(select.integer(0))
                last = key
                if isAtTexts, select.integer(2) != 1 { try transaction.checkFile() }
                guard let record = select.utf8(1) else { continue }
                let uri = ObjectURI(entity: table.name, id: key.text)
                objects.append((uri, try ObjectRecord(stored: record, of: uri)))
            }
            seen += objects.count
            if objects.count == limit || !objects.isEmpty && isAtTexts { return objects }
            if isAtTexts { return nil }
            isAtTexts = true
            last = nil
            return objects
        }

        private func identifier(_ select: PreparedStatement) throws -> String {
            try select.text(0, of: "a row of \(table.name) in \(transaction.path)")
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
                SELECT id, record, (SELECT own.id FROM \(table.objects) AS own NOT INDEXED WHERE own.key = led.key) = id
                FROM \(table.objects) AS led WHERE id \(isFirst ? "IS NOT NULL" : "> ?1")
                AND record IS NOT NULL ORDER BY id LIMIT ?2
                """)
            if !isFirst { select.bind(1, last?.text) }
            return select
        }
    }
#endif
