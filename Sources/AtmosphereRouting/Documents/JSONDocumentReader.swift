/// Reads route files and style documents in JSON (RFC 8259), with the line and column of everything.
///
/// Strict: one value, no comments, no trailing commas. Members that occur twice are kept, for the check to name both.
package struct JSONDocumentReader: RouteDocumentReader {
    /// A reader; it has nothing to set.
    package init() {}

    /// `json`
    package var extensions: [String] { ["json"] }

    /// Reads one JSON text with the places of everything in it.
    ///
    /// - Throws: ``RouteFileError`` with the first mistake of the notation.
    package func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> RouteNode {
        var parser = JSONDocumentParser(bytes: bytes, source: source)
        return try parser.document()
    }
}

private struct JSONDocumentParser {
    let bytes: [UInt8]
    let source: String
    var index = 0
    /// Where `column` and `line` were last counted; only ever moves forward, so that all places cost one pass.
    var counted = 0
    var line = 1
    var column = 1
    var nodes = 0

    init(bytes: [UInt8], source: String) {
        self.bytes = bytes
        self.source = source
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            index = 3
            counted = 3
        }
    }

    mutating func document() throws(RouteFileError) -> RouteNode {
        skipSpace()
        guard index < bytes.count else { throw failure("the document is empty; a route file is a map of settings") }
        let root = try value(depth: 1)
        skipSpace()
        guard index == bytes.count else { throw failure("there is more text behind the end of the document") }
        return root
    }

    private mutating func value(depth: Int) throws(RouteFileError) -> RouteNode {
        let start = place()
        nodes += 1
        guard depth <= RouteFileLimits.depth else {
            throw failure("more than \(RouteFileLimits.depth) maps and lists inside each other")
        }
        guard nodes <= RouteFileLimits.nodes else {
            throw failure("more than \(RouteFileLimits.nodes) values; a route file cannot be that large")
        }
        switch peek {
        case UInt8(ascii: "{"): return RouteNode(.map(try members(depth: depth)), at: start)
        case UInt8(ascii: "["): return RouteNode(.list(try elements(depth: depth)), at: start)
        case UInt8(ascii: "\""): return RouteNode(.scalar(try string(), isPlain: false), at: start)
        default: return RouteNode(.scalar(try word(), isPlain: true), at: start)
        }
    }

    private mutating func members(depth: Int) throws(RouteFileError) -> [RouteNode.Entry] {
        var entries: [RouteNode.Entry] = []
        index += 1
        skipSpace()
        if take("}") { return entries }
        while true {
            let start = place()
            guard peek == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
            let key = try string()
            skipSpace()
            guard take(":") else { throw failure("expected “:” behind the key") }
            skipSpace()
            entries.append(RouteNode.Entry(key: key, place: start, node: try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return entries }
            guard take(",") else { throw failure("expected “,” or “}”") }
            skipSpace()
        }
    }

    private mutating func elements(depth: Int) throws(RouteFileError) -> [RouteNode] {
        var elements: [RouteNode] = []
        index += 1
        skipSpace()
        if take("]") { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw failure("expected “,” or “]”") }
            skipSpace()
        }
    }

    /// `true`, `false`, `null` or a number.
    private mutating func word() throws(RouteFileError) -> String {
        let start = index
        while let byte = peek, !Self.ends(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard ["true", "false", "null"].contains(text) || JSONNumber(text) != nil else {
            index = start
            throw failure("expected a value: text stands in double quotes in JSON")
        }
        return text
    }

    private static func ends(_ byte: UInt8) -> Bool { byte <= 0x20 || ",:]}[{\"".utf8.contains(byte) }

    private mutating func string() throws(RouteFileError) -> String {
        var text: [UInt8] = []
        index += 1
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += Array(String(try escape()).utf8)
            case ..<0x20:
                throw failure("a line break, tab or control character inside a text; write it as an escape")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw failure("the text has no closing quote")
    }

    private mutating func escape() throws(RouteFileError) -> Unicode.Scalar {
        let plain: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t"
        ]
        if index + 1 < bytes.count, let scalar = plain[bytes[index + 1]] {
            index += 2
            return scalar
        }
        guard let unit = hexUnit(at: index) else { throw failure("an unknown escape in a text") }
        if let scalar = Unicode.Scalar(UInt32(unit)) {
            index += 6
            return scalar
        }
        guard unit < 0xDC00, let low = hexUnit(at: index + 6), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw failure("half a surrogate pair in a text") }
        index += 12
        return scalar
    }

    /// The code unit of `\uXXXX`.
    private func hexUnit(at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = bytes[(start + 2)..<(start + 6)]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard let byte = peek, byte == character.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func place() -> RoutePlace {
        while counted < index {
            let byte = bytes[counted]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            counted += 1
        }
        return RoutePlace(source: source, line: line, column: column)
    }

    private mutating func failure(_ message: String) -> RouteFileError {
        RouteFileError([RouteFileError.Problem(place: place(), message: message)])
    }
}
