#if SQLite
    internal import AtmosphereStore

    extension SQLiteTransaction: StoreSnapshot {
        func object(at uri: ObjectURI) throws -> LocalObject? {
            try startReading()
            guard let object = try load(uri)?.object, let meta = object.meta else { return nil }
            return LocalObject(record: object.record, meta: meta)
        }

        func counts() throws -> [String: StateCounts] {
            try startReading()
            if isWritable { try finish() }
            var found: [String: StateCounts] = [:]
            for name in try entities() {
                var counts = StateCounts()
                let select = try prepare("SELECT records FROM entity WHERE name = ?1")
                defer { select.reset() }
                select.bind(1, name)
                if try select.step() { counts.objects = select.count(0) }
                if let table = try table(name) { try countChanged(table, in: &counts) }
                if counts != StateCounts() { found[name] = counts }
            }
            return found
        }

        /// Costs a look at the state of each object that is not synchronized.
        private func countChanged(_ table: EntityTable, in counts: inout StateCounts) throws {
            var sum = counts
            let select = try prepare(
                """
                SELECT state, count(*) FROM \(table.objects) INDEXED BY \(table.changed)
                WHERE state > 0 GROUP BY state
                """)
            var isWhole = true
            do {
                defer { select.reset() }
                while try select.step() {
                    isWhole = RowState.count(Int(select.integer(1)), in: select.integer(0), &sum) && isWhole
                }
            }
            if isWhole {
                counts = sum
            } else {
                // Some were written by an earlier version, which did not say.
                for meta in try changed(entity: table.name, after: nil, limit: .max) { counts.count(meta) }
            }
        }
    }

    // Which objects a listing shows is noted only for those that keep an older sequence: what it inserted or updated
    // was confirmed after it began and cannot be missing from it. A first pull therefore notes nothing.
    extension SQLiteTransaction {
        func beginListing(entity: String, listing: Int64) throws {
            try startWriting()
            try setListing(listing, try tableForWriting(entity))
        }

        func endListing(entity: String) throws {
            try startWriting()
            if let table = try table(entity) { try setListing(nil, table) }
        }

        private func setListing(_ listing: Int64?, _ table: EntityTable) throws {
            let update = try prepare("UPDATE entity SET listing = ?2 WHERE number = ?1")
            update.bind(1, table.number)
            update.bind(2, listing)
            try update.run()
            try prepare("DELETE FROM \(table.listed)").run()
            table.listing = listing
        }

        func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI] {
            try startReading()
            // Without this listing's notes nothing is known to be missing.
            guard let table = try table(entity), table.listing == listing else { return [] }
            // All rows are looked at here as well.
            if after == nil, limit == .max { try checkCount(recordsThere(table), of: table) }
            var found: [ObjectURI] = []
            var start = after.map { IdentifierKey($0.id) } ?? .integer(-1)
            let isMissing =
                """
                (state = \(RowState.synchronizedWithMore) OR state BETWEEN \(RowState.plain.lowerBound) AND 0)
                AND sequence < ?2 AND key NOT IN \(table.listed)
                """
            if case .integer(let number) = start {
                let select = try prepare(
                    "SELECT key FROM \(table.objects) WHERE key > ?1 AND \(isMissing) ORDER BY key LIMIT ?3")
                select.bind(1, number)
                try append(select) { String($0.integer(0)) }
                start = .text("")
            }
            let select = try prepare(
                "SELECT id FROM \(table.objects) WHERE id > ?1 AND \(isMissing) ORDER BY id LIMIT ?3")
            select.bind(1, start.text)
            try append(select) { try $0.text(0, of: "a row of \(entity) in \(path)") }
            return found

            func append(_ select: PreparedStatement, id: (PreparedStatement) throws -> String) throws {
                guard found.count < limit else { return }
                select.bind(2, listing)
                select.bind(3, Int64(limit - found.count))
                defer { select.reset() }
                while try select.step() { found.append(ObjectURI(entity: entity, id: try id(select))) }
            }
        }

        private func recordsThere(_ table: EntityTable) throws -> Int {
            let select = try prepare("SELECT count(*) FROM \(table.objects) NOT INDEXED WHERE record IS NOT NULL")
            defer { select.reset() }
            return try select.step() ? Int(select.integer(0)) : 0
        }
    }
#endif
