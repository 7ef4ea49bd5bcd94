internal import AtmosphereStore

/// A line of every file here: a JSON object whose first member is the checksum of all that follows it in the line.
///
/// ```json
/// {"sum":"5d1f0a93","id":"1","record":{"title":"Käse"}}
/// ```
enum CheckedLine {
    private static let start = Array("{\"sum\":\"".utf8)
    private static let middle = Array("\",".utf8)
    /// Where the checked bytes begin.
    private static let length = start.count + 8 + middle.count

    static func append(_ fields: Value, to text: inout [UInt8]) {
        let checked = fields.json().dropFirst()
        text += start
        text += Checksum(checked).digits
        text += middle
        text += checked
        text.append(UInt8(ascii: "\n"))
    }

    /// - Parameter line: without its end.
    /// - Returns: nil where the line is not what was written.
    static func read(_ line: ArraySlice<UInt8>) -> Value? {
        guard line.count > length, line.starts(with: start) else { return nil }
        let checked = line.dropFirst(length)
        let sum = line.dropFirst(start.count).prefix(8)
        guard line.dropFirst(start.count + 8).starts(with: middle), sum.elementsEqual(Checksum(checked).digits) else {
            return nil
        }
        return try? Value(json: [UInt8(ascii: "{")] + checked, limits: .unlimited)
    }
}

/// The lines of a text, and where each ends.
struct CheckedLines: Sequence, IteratorProtocol {
    struct Line {
        /// nil where the line is damaged.
        var fields: Value?
        /// The index behind the line's end.
        var end: Int
        /// The text ends in the middle of this one.
        var isTorn: Bool
        /// It is whole but for its end, in whose place stands another byte.
        var isUnended = false
    }

    private let bytes: [UInt8]
    private var index: Int

    init(_ bytes: [UInt8], from index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    mutating func next() -> Line? {
        guard index < bytes.count else { return nil }
        let start = index
        guard let stop = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            index = bytes.count
            let rest = bytes[start...]
            let fields = CheckedLine.read(rest.dropLast())
            return Line(fields: fields, end: index, isTorn: fields == nil, isUnended: fields != nil)
        }
        index = stop + 1
        return Line(fields: CheckedLine.read(bytes[start..<stop]), end: index, isTorn: false)
    }
}
