#if Command || Demo
    /// Rows of cells in columns as wide as their widest cell.
    struct Table {
        private var layout: TableLayout
        private var rows: [[String]] = []

        /// - Parameter header: column names; one that begins with `>` is aligned to the right.
        init(_ header: [String]) { layout = TableLayout(header) }

        var isEmpty: Bool { rows.isEmpty }

        mutating func add(_ cells: [String]) {
            let cells = cells.map(TextWidth.oneLine)
            layout.measure(cells)
            rows.append(cells)
        }

        /// The lines, without spaces at their ends.
        ///
        /// - Parameter width: longer lines lose columns at their end, but never the first one.
        func lines(width: Int? = nil, style: (String) -> String = { $0 }) -> [String] {
            let shown = layout.columns(in: width)
            return [style(layout.heading(shown))] + rows.map { layout.line($0, shown) }
        }
    }

    /// Where a table's columns stand. By itself for tables whose rows are too many to be held: measured in a first
    /// pass, written in a second one.
    struct TableLayout {
        enum Alignment {
            case left, right
        }

        private let header: [String]
        private let alignments: [Alignment]
        private var widths: [Int]

        /// - Parameter header: as ``Table/init(_:)``.
        init(_ header: [String]) {
            alignments = header.map { $0.hasPrefix(">") ? .right : .left }
            self.header = header.map { TextWidth.oneLine($0.hasPrefix(">") ? String($0.dropFirst()) : $0) }
            widths = self.header.map(TextWidth.columns)
        }

        /// With known widths, each of which grows to its header's.
        init(_ header: [String], widths: [Int]) {
            self.init(header)
            self.widths = zip(self.widths, widths).map { max($0, $1) }
        }

        mutating func measure(_ cells: [String]) {
            for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], TextWidth.columns(cell)) }
        }

        /// How many columns a terminal of this width can show, the first one always.
        func columns(in width: Int?) -> Int {
            var shown = header.count
            guard let width else { return shown }
            var needed = widths.reduce(0, +) + 2 * (shown - 1)
            while shown > 1, needed > width {
                shown -= 1
                needed -= widths[shown] + 2
            }
            return shown
        }

        func heading(_ shown: Int) -> String { line(header, shown) }

        func line(_ cells: [String], _ shown: Int) -> String {
            var text = ""
            for column in 0..<shown {
                if column > 0 { text += "  " }
                let missing = max(0, widths[column] - TextWidth.columns(cells[column]))
                let padding = String(repeating: " ", count: missing)
                text += alignments[column] == .right ? padding + cells[column] : cells[column] + padding
            }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
#endif
