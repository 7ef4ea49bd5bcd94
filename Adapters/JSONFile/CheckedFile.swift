internal import AtmosphereStore

/// A file that is written as a whole: lines, and one last line that counts them and holds the checksum of all before.
struct CheckedFile {
    /// What could be read, in order; the last line is not among them.
    private(set) var lines: [Value] = []
    /// Nil for a file as it was written, else what is wrong with it.
    private(set) var damage: String?
    /// Lines that the file should have; nil where that is not known.
    private(set) var expected: Int?

    static func text(_ lines: some Sequence<Value>) -> [UInt8] {
        var text: [UInt8] = []
        var count: Int64 = 0
        for line in lines {
            CheckedLine.append(line, to: &text)
            count += 1
        }
        var end = StoredFieldsWriter()
        end.set("end", count)
        end.set("file", String(decoding: Checksum(text[...]).digits, as: UTF8.self))
        CheckedLine.append(end.value, to: &text)
        return text
    }

    init(_ text: [UInt8]) {
        var unreadable = 0
        var start = 0
        var hasEnd = false
        var isLastReadable = true
        for line in CheckedLines(text) {
            defer { start = line.end }
            isLastReadable = line.fields != nil
            guard let fields = line.fields else {
                unreadable += 1
                continue
            }
            guard let end = fields.members?["end"]?.number?.int64 else {
                lines.append(fields)
                continue
            }
            expected = Int(exactly: end)
            let digits = String(decoding: Checksum(text[..<start]).digits, as: UTF8.self)
            hasEnd = fields.members?["file"]?.string == digits && line.end == text.count
        }
        if text.isEmpty {
            damage = "it is empty"
        } else if expected == nil {
            // What is left of a line at the end stands for everything behind it.
            let others = isLastReadable ? unreadable : unreadable - 1
            damage = "its end is missing, with an unknown number of lines"
            if others > 0 { damage? += ", and \(Self.unreadable(others)) before it" }
        } else if unreadable > 0 {
            damage = Self.unreadable(unreadable)
        } else if !hasEnd || expected != lines.count {
            damage = "it is not as it was written"
        }
    }

    private static func unreadable(_ lines: Int) -> String {
        lines == 1 ? "one line cannot be read" : "\(lines) lines cannot be read"
    }
}
