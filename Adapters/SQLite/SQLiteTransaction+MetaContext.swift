#if SQLite
    internal import AtmosphereStore

    extension SQLiteTransaction: MetaContext {
        func meta(at uri: ObjectURI) throws -> MetaObject? {
            try startReading()
            return try load(uri)?.object.meta
        }

        func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject] {
            try startReading()
            var found: [MetaObject] = []
            for name in try entities() where entity ?? name == name {
                if let after, name.precedesInBytes(after.entity) { continue }
                guard let table = try table(name), found.count < limit else { continue }
                let start = after.flatMap { $0.entity == name ? IdentifierKey($0.id) : nil }
                try appendChanged(&found, table, after: start, limit: limit)
            }
            return found
        }

        private func appendChanged(
            _ found: inout [MetaObject], _ table: EntityTable, after start: IdentifierKey?, limit: Int
        ) throws {
            var integer: Int64? = -1
            var text: String?
            switch start {
            case nil: break
            case .integer(let number)?: integer = number
            case .text(let id)?:
                integer = nil
                text = id
            }
            // The planner could take the table's own order for cheaper, which would read the whole of it.
            if let integer {
                let select = try prepare(
                    """
                    SELECT key, meta, record FROM \(table.objects) INDEXED BY \(table.changed)
                    WHERE state > 0 AND id IS NULL AND key > ?1 ORDER BY key LIMIT ?2
                    """)
                select.bind(1, integer)
                try append(select, limit: limit - found.count) { String($0.integer(0)) }
            }
            let select = try prepare(
                """
                SELECT id, meta, record FROM \(table.objects) INDEXED BY \(table.changed)
                WHERE state > 0 AND id \(text == nil ? "IS NOT NULL" : "> ?1") ORDER BY id LIMIT ?2
                """)
            if text != nil { select.bind(1, text) }
            try append(select, limit: limit - found.count) {
                try $0.text(0, of: "a row of \(table.name) in \(path)")
            }

            func append(_ select: PreparedStatement, limit: Int, id: (PreparedStatement) throws -> String) throws {
                guard limit > 0 else { return }
                select.bind(2, Int64(limit))
                defer { select.reset() }
                while try select.step() {
                    let uri = ObjectURI(entity: table.name, id: try id(select))
                    let record = try select.utf8(2).map { try ObjectRecord(stored: $0, of: uri) }
                    found.append(try Row.meta(select.utf8(1), beside: record, uri: uri))
                }
            }
        }

        func put(_ batch: [MetaObject]) throws {
            try startWriting()
            for meta in batch {
                var isNew = false
                try replace(meta.uri) { known in
                    isNew = known?.meta == nil
                    return StoredObject(record: known?.record, meta: meta)
                }
                if isNew { try endAliases(at: meta.uri) }
            }
        }

        func removeMeta(_ batch: [ObjectURI]) throws {
            try startWriting()
            for uri in batch { try replace(uri) { StoredObject(record: $0?.record, meta: nil) } }
        }

        func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
            try startWriting()
            guard var meta = try meta(at: from) else { return }
            meta.uri = to
            meta.id = id
            if from == to { return try put([meta]) }
            if try self.meta(at: to) != nil { throw StoreError.identifierTaken(to, by: from) }
            // Where it moves back, what else led there leads to it still.
            if try alias(of: to) == from { try removeAlias(of: to) } else { try endAliases(at: to) }
            try removeMeta([from])
            try replace(to) { StoredObject(record: $0?.record, meta: meta) }
            try setAlias(of: from, to: to)
        }

        func putAlias(of former: ObjectURI, to uri: ObjectURI) throws {
            try startWriting()
            guard former != uri, try meta(at: former) == nil else { return }
            try setAlias(of: former, to: uri)
        }

        /// An object comes to stand where none is: what had this URI before keeps its other former ones, and those of an object
        /// that is gone lead nowhere any more.
        func endAliases(at uri: ObjectURI) throws {
            guard try isEndOfAlias(uri) else { return }
            let next = try directAlias(of: uri)
            var ending = [uri]
            while let each = ending.popLast() {
                try removeAlias(of: each)
                for former in try formerURIs(of: each) {
                    if let next, next != former { try setAlias(of: former, to: next) } else { ending.append(former) }
                }
            }
        }

        func hasAliases(entity: String) throws -> Bool {
            let select = try prepare("SELECT 1 FROM alias WHERE entity = ?1 LIMIT 1")
            defer { select.reset() }
            select.bind(1, entity)
            return try select.step()
        }

        /// Whether the URI is a former one, or there are former ones of it.
        private func isEndOfAlias(_ uri: ObjectURI) throws -> Bool {
            let select = try prepare(
                """
                SELECT EXISTS(SELECT 1 FROM alias WHERE entity = ?1 AND id = ?2)
                    OR EXISTS(SELECT 1 FROM alias WHERE new_entity = ?1 AND new_id = ?2)
                """)
            defer { select.reset() }
            select.bind(1, uri.entity)
            select.bind(2, uri.id)
            return try select.step() && select.integer(0) != 0
        }

        private func directAlias(of uri: ObjectURI) throws -> ObjectURI? {
            let select = try prepare("SELECT new_entity, new_id FROM alias WHERE entity = ?1 AND id = ?2")
            defer { select.reset() }
            select.bind(1, uri.entity)
            select.bind(2, uri.id)
            return try select.step() ? storedURI(select, "the alias of \(uri)") : nil
        }

        private func removeAlias(of uri: ObjectURI) throws {
            let forget = try prepare("DELETE FROM alias WHERE entity = ?1 AND id = ?2")
            forget.bind(1, uri.entity)
            forget.bind(2, uri.id)
            try forget.run()
        }

        private func setAlias(of old: ObjectURI, to new: ObjectURI) throws {
            let insert = try prepare(
                "INSERT OR REPLACE INTO alias(entity, id, new_entity, new_id) VALUES(?1, ?2, ?3, ?4)")
            insert.bind(1, old.entity)
            insert.bind(2, old.id)
            insert.bind(3, new.entity)
            insert.bind(4, new.id)
            try insert.run()
        }

        func alias(of uri: ObjectURI) throws -> ObjectURI? {
            try startReading()
            var seen: Set<ObjectURI> = [uri]
            var present: ObjectURI?
            while let next = try directAlias(of: present ?? uri) {
                // A store of an earlier version may hold both.
                if present == nil, try meta(at: uri) != nil { return nil }
                // No store writes a circle; a damaged file may hold one.
                guard seen.insert(next).inserted else {
                    throw StoreError.damaged("the alias of \(uri) in \(path)", "it leads back to itself")
                }
                present = next
            }
            return present
        }

        func formerURIs(of uri: ObjectURI) throws -> [ObjectURI] {
            try startReading()
            let select = try prepare("SELECT entity, id FROM alias WHERE new_entity = ?1 AND new_id = ?2")
            defer { select.reset() }
            select.bind(1, uri.entity)
            select.bind(2, uri.id)
            var found: [ObjectURI] = []
            while try select.step() {
                found.append(try storedURI(select, "an alias of \(uri)"))
            }
            return found.sorted()
        }

        /// What the first two columns say, the entity and the identifier.
        private func storedURI(_ select: PreparedStatement, _ thing: String) throws -> ObjectURI {
            let place = "\(thing) in \(path)"
            return ObjectURI(entity: try select.text(0, of: place), id: try select.text(1, of: place))
        }

        // MARK: Dependencies

        func dependents(of uri: ObjectURI) throws -> [ObjectURI] {
            try startReading()
            let select = try prepare("SELECT entity, id FROM dependency WHERE parent_entity = ?1 AND parent_id = ?2")
            defer { select.reset() }
            select.bind(1, uri.entity)
            select.bind(2, uri.id)
            var found: [ObjectURI] = []
            while try select.step() { found.append(try storedURI(select, "what waits for \(uri)")) }
            return found.sorted()
        }

        func replaceDependencies(of uri: ObjectURI, _ old: [ObjectURI], by new: [ObjectURI]) throws {
            if old == new { return }
            for parent in old {
                try dependency(
                    "DELETE FROM dependency WHERE parent_entity = ?1 AND parent_id = ?2 AND entity = ?3 AND id = ?4",
                    parent, uri)
            }
            for parent in new {
                try dependency(
                    "INSERT OR IGNORE INTO dependency(parent_entity, parent_id, entity, id) VALUES(?1, ?2, ?3, ?4)",
                    parent, uri)
            }
        }

        private func dependency(_ sql: String, _ parent: ObjectURI, _ child: ObjectURI) throws {
            let statement = try prepare(sql)
            statement.bind(1, parent.entity)
            statement.bind(2, parent.id)
            statement.bind(3, child.entity)
            statement.bind(4, child.id)
            try statement.run()
        }

        // MARK: Cursors and sequences

        func cursor(for scope: PullScope) throws -> PullCursor? {
            try startReading()
            let select = try prepare("SELECT value FROM cursor WHERE entity = ?1 AND parent IS ?2")
            defer { select.reset() }
            select.bind(1, scope.entity)
            select.bind(2, scope.parent)
            return try select.step() ? Self.cursor(select.utf8(0), scope) : nil
        }

        func put(_ cursor: PullCursor, for scope: PullScope) throws {
            try removeCursor(for: scope)
            let insert = try prepare("INSERT INTO cursor(entity, parent, value) VALUES(?1, ?2, ?3)")
            insert.bind(1, scope.entity)
            insert.bind(2, scope.parent)
            insert.bind(3, utf8: cursor.stored().json())
            try insert.run()
        }

        func removeCursor(for scope: PullScope) throws {
            try startWriting()
            let delete = try prepare("DELETE FROM cursor WHERE entity = ?1 AND parent IS ?2")
            delete.bind(1, scope.entity)
            delete.bind(2, scope.parent)
            try delete.run()
        }

        func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)] {
            try startReading()
            let select = try prepare("SELECT parent, value FROM cursor WHERE entity = ?1 ORDER BY parent")
            defer { select.reset() }
            select.bind(1, entity)
            var found: [(scope: PullScope, cursor: PullCursor)] = []
            while try select.step() {
                let scope = PullScope(entity: entity, parent: select.text(0))
                found.append((scope, try Self.cursor(select.utf8(1), scope)))
            }
            return found
        }

        private static func cursor(_ bytes: [UInt8]?, _ scope: PullScope) throws -> PullCursor {
            let value: Value
            do {
                value = try Value(json: bytes ?? [], limits: .unlimited)
            } catch {
                throw StoreError.damaged("the cursor of \(scope)", error.message)
            }
            return try PullCursor(stored: value, scope: scope)
        }

        func highestSequence() throws -> Int64 {
            try startReading()
            let select = try prepare("SELECT value FROM counter WHERE name = 'sequence'")
            defer { select.reset() }
            return try select.step() ? select.integer(0) : 0
        }

        func raiseSequence(to sequence: Int64) throws {
            try startWriting()
            // A new store is at 0 without saying so.
            guard try sequence > highestSequence() else { return }
            let raise = try prepare("INSERT OR REPLACE INTO counter(name, value) VALUES('sequence', ?1)")
            raise.bind(1, sequence)
            try raise.run()
        }
    }
#endif
