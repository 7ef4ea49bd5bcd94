#if Command
    /// Rows of cells in columns as wide as their widest cell.
    struct Table {
        enum Alignment {
            case left, right
        }

        private let header: [String]
        private let alignments: [Alignment]
        private var rows: [[String]] = []

        /// - Parameter header: column names; one that begins with `>` is aligned to the right.
        init(_ header: [String]) {
            alignments = header.map { $0.hasPrefix(">") ? .right : .left }
            self.header = header.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
        }

        var isEmpty: Bool { rows.isEmpty }

        mutating func add(_ cells: [String]) { rows.append(cells.map(TextWidth.oneLine)) }

        /// The lines, without spaces at their ends.
        ///
        /// - Parameter width: longer lines lose columns at their end, but never the first one.
        func lines(width: Int? = nil, style: (String) -> String = { $0 }) -> [String] {
            let widths = header.indices.map { column in
                rows.reduce(TextWidth.columns(header[column])) { max($0, TextWidth.columns($1[column])) }
            }
            var shown = header.count
            if let width {
                while shown > 1, widths[..<shown].reduce(0, +) + 2 * (shown - 1) > width { shown -= 1 }
            }
            let heading = line(header, widths, shown)
            return [style(heading)] + rows.map { line($0, widths, shown) }
        }

        private func line(_ cells: [String], _ widths: [Int], _ shown: Int) -> String {
            var text = ""
            for column in 0..<shown {
                if column > 0 { text += "  " }
                let padding = String(repeating: " ", count: widths[column] - TextWidth.columns(cells[column]))
                text += alignments[column] == .right ? padding + cells[column] : cells[column] + padding
            }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
#endif
