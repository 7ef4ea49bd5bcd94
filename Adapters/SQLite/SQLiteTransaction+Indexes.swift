#if SQLite
    internal import AtmosphereStore

    extension QueryIndex {
        /// The index of an entity's table. The name holds all of the definition, so that one that is there is the right
        /// one (FNV-1a, which is the same in every process).
        func name(on table: EntityTable) -> String {
            let text = fields.map(SortKeyFunction.call).joined(separator: ",")
            let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return "query_\(table.number)_\(String(hash, radix: 16))"
        }

        /// Behind the keys stands the identifier, in the order of which equal ones follow each other.
        fileprivate func definition(on table: EntityTable) -> String {
            """
            CREATE INDEX \(name(on: table)) ON \(table.objects)(\(fields.map(SortKeyFunction.call).joined(separator: ", ")), id)
            WHERE record IS NOT NULL
            """
        }
    }

    extension SQLiteTransaction {
        /// Makes the indexes that are missing, and removes those that are not wanted any more. Tables that are made later
        /// get theirs at once.
        func keepIndexes() throws {
            for name in try entities() {
                guard let table = try table(name) else { continue }
                let wanted = Set((indexes[name] ?? []).map { $0.name(on: table) })
                for present in try indexNames(on: table) where !wanted.contains(present) {
                    try execute("DROP INDEX \(present)")
                }
                try createIndexes(on: table)
            }
        }

        /// What ``keepIndexes()`` would do is done already.
        func hasIndexes() throws -> Bool {
            for name in try entities() {
                guard let table = try table(name) else { continue }
                let wanted = Set((indexes[name] ?? []).map { $0.name(on: table) })
                if try Set(indexNames(on: table)) != wanted { return false }
            }
            return true
        }

        func createIndexes(on table: EntityTable) throws {
            let present = try Set(indexNames(on: table))
            for index in indexes[table.name] ?? [] where !present.contains(index.name(on: table)) {
                try execute(index.definition(on: table))
            }
        }

        /// Those of queries.
        func indexNames(on table: EntityTable) throws -> [String] {
            let select = try prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?1")
            defer { select.reset() }
            select.bind(1, table.objects)
            var names: [String] = []
            while try select.step() {
                if let name = select.text(0), name.hasPrefix("query_") { names.append(name) }
            }
            return names
        }
    }

    /// A query as one SQL statement over one index.
    struct IndexedQuery {
        private let index: QueryIndex
        private let table: EntityTable
        private var terms: [String] = []
        private(set) var values: [[UInt8]] = []
        /// The statement's rows are the query's: nothing of the filter is left to look at.
        private(set) var isExact = true
        /// The statement's rows come in the query's order.
        let isSorted: Bool

        /// - Returns: nil where none of the indexes helps.
        init?(_ query: Query, indexes: [QueryIndex], table: EntityTable) {
            let parts = query.filter.conjuncts
            let ranked = indexes.map { (index: $0, use: Use($0, parts, query.order)) }
            guard let best = ranked.max(by: { $0.use.worth < $1.use.worth }), best.use.worth > 0 else { return nil }
            // Reading all of an index costs more than reading the table; it pays where a limit ends it early.
            if !best.use.isNarrowed, query.limit == nil { return nil }
            index = best.index
            self.table = table
            isSorted = best.use.isSorted
            for part in parts {
                if let term = term(part) { terms.append(term) } else { isExact = false }
            }
        }

        /// What an index can do for a query.
        private struct Use {
            var equals = 0
            var hasRange = false
            var isSorted = false

            var isNarrowed: Bool { equals > 0 || hasRange }
            var worth: Int { equals * 4 + (hasRange ? 2 : 0) + (isSorted ? 3 : 0) }

            init(_ index: QueryIndex, _ parts: [Query.Filter], _ order: [Query.Order]) {
                var fixed: Set<QueryIndex.Field> = []
                for field in index.fields {
                    let tests = parts.filter { $0.conditions.allSatisfy { $0.indexField == field } }.map(\.shape)
                    if tests.contains(.equal) {
                        equals += 1
                        fixed.insert(field)
                    } else {
                        hasRange = tests.contains(.range)
                        break
                    }
                }
                let rest = index.fields.dropFirst(equals)
                let sought = order.filter { part in part.indexField.map { !fixed.contains($0) } ?? true }
                let isPrefix =
                    sought.count <= rest.count && zip(sought, rest).allSatisfy { $0.indexField == $1 }
                isSorted = !order.isEmpty && isPrefix
            }
        }

        private mutating func term(_ filter: Query.Filter) -> String? {
            switch filter {
            case .condition(let condition):
                guard let field = condition.indexField, index.fields.contains(field), let test = condition.keyTest
                else {
                    return nil
                }
                let key = SortKeyFunction.call(field)
                switch test {
                case .equal(let value): return "\(key) = \(bind(value))"
                case .notEqual(let value): return "\(key) <> \(bind(value))"
                case .range(let from, let below): return "(\(key) >= \(bind(from)) AND \(key) < \(bind(below)))"
                case .never: return never()
                }
            case .and(let parts): return joined(parts, " AND ", none: "1")
            case .or(let parts): return parts.isEmpty ? never() : joined(parts, " OR ", none: "")
            case .not(let part): return term(part).map { "NOT (\($0))" }
            }
        }

        /// False, but not as a constant: SQLite refuses to read nothing through an index.
        private mutating func never() -> String { "0 = \(bind([]))" }

        private mutating func joined(_ parts: [Query.Filter], _ word: String, none: String) -> String? {
            let known = values.count
            var terms: [String] = []
            for part in parts {
                guard let term = term(part) else {
                    values.removeSubrange(known...)
                    return nil
                }
                terms.append(term)
            }
            return terms.isEmpty ? none : "(\(terms.joined(separator: word)))"
        }

        private mutating func bind(_ value: [UInt8]) -> String {
            values.append(value)
            return "?\(values.count)"
        }

        private var from: String {
            let conditions = (["record IS NOT NULL"] + terms).joined(separator: " AND ")
            return "FROM \(table.objects) INDEXED BY \(index.name(on: table)) WHERE \(conditions)"
        }

        /// Columns: the key, the identifier, the record. Parameters behind ``values``: the limit and the offset.
        func select(_ query: Query) -> String {
            var order: [String] = []
            if isSorted {
                order = query.order.compactMap { part in
                    part.indexField.map { SortKeyFunction.call($0) + (part.ascending ? "" : " DESC") }
                }
            }
            return """
                SELECT key, id, record \(from)
                ORDER BY \((order + ["id", "key"]).joined(separator: ", ")) LIMIT ?\(values.count + 1) OFFSET ?\(values.count + 2)
                """
        }

        var count: String { "SELECT count(*) \(from)" }
    }

    extension Query.Filter {
        /// The parts that must all hold.
        fileprivate var conjuncts: [Query.Filter] {
            if case .and(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
        }

        fileprivate enum Shape { case equal, range, other }

        /// What it does to the one field that it is about.
        fileprivate var shape: Shape {
            switch self {
            case .condition(let condition):
                switch condition.keyTest {
                case .equal?: .equal
                case .range?, .never?: .range
                case .notEqual?, nil: .other
                }
            case .or(let parts) where !parts.isEmpty && parts.allSatisfy { $0.shape == .equal }: .range
            default: .other
            }
        }
    }
#endif
