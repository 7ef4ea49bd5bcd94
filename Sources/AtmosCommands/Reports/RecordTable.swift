#if Command
    internal import Atmosphere

    /// Records as rows: the address, what waits to be sent, and the members.
    enum RecordTable {
        /// Longer cells are cut; `get` and `--json` show everything.
        private static let cellWidth = 40

        /// - Parameter members: only these columns, as far as a record has them; nil for all.
        static func table(
            of records: [(uri: ObjectURI, record: ObjectRecord)], pending: [LocalObject], members: [String]? = nil
        ) -> Table {
            let states = Dictionary(
                pending.compactMap { object in object.meta.outgoing.map { (object.uri, $0.mark(of: object.meta)) } },
                uniquingKeysWith: { first, _ in first })
            let rows = records.map { (uri: $0.uri, members: $0.record.members) }
            let all = columns(of: rows)
            let names = members?.filter(all.contains) ?? all
            let hasStates = rows.contains { states[$0.uri] != nil }
            var table = Table(["OBJECT"] + (hasStates ? ["STATE"] : []) + names.map { $0.uppercased() })
            for row in rows {
                let cells = names.map { TextWidth.cut(row.members[$0]?.text ?? "", to: cellWidth) }
                table.add([row.uri.description] + (hasStates ? [states[row.uri] ?? ""] : []) + cells)
            }
            return table
        }

        /// The members in the order in which they first occur, without the one that only repeats the identifier.
        private static func columns(of rows: [(uri: ObjectURI, members: Value.Members)]) -> [String] {
            var names: [String] = []
            var seen: Set<String> = []
            for row in rows {
                for member in row.members where seen.insert(member.name).inserted { names.append(member.name) }
            }
            return names.filter { name in
                rows.contains { $0.members[name]?.text != $0.uri.segments.last }
            }
        }
    }
#endif
