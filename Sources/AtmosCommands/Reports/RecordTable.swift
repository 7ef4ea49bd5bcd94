#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    /// Records as rows: the address, what waits to be sent, and the members.
    ///
    /// The columns follow from all records, so these are looked at twice: measured first, then shown. Nothing of a
    /// record is kept in between, so that an entity of any size can be listed.
    struct RecordTable {
        /// Longer cells are cut; `get` and `--json` show everything.
        private static let cellWidth = 40

        /// No more members are shown: where each of many records has names of its own, a row for each of them with a
        /// column for all of them would be as large as the square of their number.
        static let mostColumns = 100

        private struct Column {
            var name: String
            var width = 0
            /// Records in which it only repeats the address.
            var repeats = 0
        }

        private let marks: [ObjectURI: String]
        /// The member that holds the identifier.
        private let id: String?
        private var columns: [Column] = []
        private var places: [ScalarText: Int] = [:]
        private var records = 0
        private var addressWidth = 0
        private var markWidth: Int?

        /// - Parameter marks: one word for each object that is not synchronized.
        init(marks: [ObjectURI: String], id: String?) {
            self.marks = marks
            self.id = id
        }

        /// The first pass.
        mutating func measure(_ uri: ObjectURI, _ record: ObjectRecord) {
            records += 1
            addressWidth = max(addressWidth, TextWidth.columns(TextWidth.oneLine(uri.description)))
            if let mark = marks[uri] { markWidth = max(markWidth ?? 0, TextWidth.columns(mark)) }
            for member in record.members {
                let name = ScalarText(member.name)
                let place = places[name] ?? columns.count
                if place == columns.count {
                    places[name] = place
                    columns.append(Column(name: member.name))
                }
                let text = member.value.text
                columns[place].width = max(columns[place].width, TextWidth.columns(Self.cell(text)))
                if member.name == id, text == uri.id { columns[place].repeats += 1 }
            }
        }

        /// The names of the columns: the members in the order in which they first occur, without the identifier
        /// where it only repeats the address; ``mostColumns`` of them at the most.
        ///
        /// - Parameter members: only these, as far as a record has them; nil for all.
        func names(_ members: [String]? = nil) -> [String] {
            let all = columns.filter { $0.repeats < records }.map(\.name)
            let known = Set(all.map { ScalarText($0) })
            let names = members?.filter { known.contains(ScalarText($0)) } ?? all.filter { $0 != ObjectRecord.unread }
            return Array(names.prefix(Self.mostColumns))
        }

        /// How many members are not shown because they are too many.
        var left: Int { max(0, columns.count { $0.repeats < records } - Self.mostColumns) }

        func layout(_ names: [String]) -> TableLayout {
            let heads = names.map { TextWidth.cut($0.uppercased(), to: Self.cellWidth) }
            // A member may have a name like these.
            let address = heads.contains("OBJECT") ? "ADDRESS" : "OBJECT"
            let mark = heads.contains("STATE") ? "STATE HERE" : "STATE"
            let header = [address] + (markWidth == nil ? [] : [mark]) + heads
            let widths = names.map { name in places[ScalarText(name)].map { columns[$0].width } ?? 0 }
            return TableLayout(header, widths: [addressWidth] + (markWidth.map { [$0] } ?? []) + widths)
        }

        /// The second pass: one row.
        func cells(_ uri: ObjectURI, _ record: ObjectRecord, _ names: [String]) -> [String] {
            let members = Dictionary(
                record.members.map { (ScalarText($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
            let values = names.map { Self.cell(members[ScalarText($0)]?.text ?? "") }
            return [TextWidth.oneLine(uri.description)] + (markWidth == nil ? [] : [marks[uri] ?? ""]) + values
        }

        private static func cell(_ text: String) -> String { TextWidth.oneLine(TextWidth.cut(text, to: cellWidth)) }

        /// The lines for a few records.
        static func lines(
            of records: [(uri: ObjectURI, record: ObjectRecord)], pending: [LocalObject], resource: Resource,
            members: [String]? = nil, width: Int?
        ) -> [String] {
            var table = RecordTable(marks: marks(of: pending.map(\.meta)), id: resource.idField)
            for (uri, record) in records { table.measure(uri, record) }
            let names = table.names(members)
            let layout = table.layout(names)
            let shown = layout.columns(in: width)
            return [layout.heading(shown)]
                + records.map { layout.line(table.cells($0.uri, $0.record, names), shown) }
        }

        static func marks(of metas: [MetaObject]) -> [ObjectURI: String] {
            Dictionary(
                metas.compactMap { meta in meta.outgoing.map { (meta.uri, $0.mark(of: meta)) } },
                uniquingKeysWith: { first, _ in first })
        }
    }

    extension StoreSnapshot {
        /// One word for each object of the entity that is not synchronized.
        func marks(entity: String) throws -> [ObjectURI: String] {
            var marks: [ObjectURI: String] = [:]
            var after: ObjectURI?
            while true {
                let batch = try changed(entity: entity, after: after, limit: 1000)
                marks.merge(RecordTable.marks(of: batch)) { first, _ in first }
                guard batch.count == 1000, let last = batch.last else { return marks }
                after = last.uri
            }
        }
    }
#endif
