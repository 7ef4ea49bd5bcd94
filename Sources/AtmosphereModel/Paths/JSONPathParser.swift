/// Reads the written form of a ``JSONPath``.
struct JSONPathParser {
    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
        guard let first = text.first else { throw error("the path is empty; write $ for the whole value") }
        var steps: [JSONPath.Step] = []
        if first == "$" {
            position = 1
        } else if first != "[" {
            steps.append(.member(try plainName()))
        }
        while position < text.count {
            switch text[position] {
            case ".":
                position += 1
                steps.append(.member(try plainName()))
            case "[": steps.append(try bracket())
            default: throw error("a dot or a bracket must stand here")
            }
        }
        return steps
    }

    /// Whether a name can be written without quotes.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy(isPlain) && !name.hasPrefix("$")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "[", "]", "'", "\"", "*", "\\", "(", ")", "?", ",": false
        default: scalar.value > 0x20 && scalar.value != 0x7F && !scalar.properties.isWhitespace
        }
    }

    private mutating func plainName() throws(JSONPathError) -> String {
        var name = String.UnicodeScalarView()
        let start = position
        while position < text.count, Self.isPlain(text[position]) {
            name.append(text[position])
            position += 1
        }
        guard !name.isEmpty else {
            if position < text.count, text[position] == "*" { throw error("write [*] for every element") }
            if position < text.count, text[position] == "." {
                throw error("a name must stand between dots; searching with .. is not supported")
            }
            throw error("a name must stand here; write odd names in quotes, as in ['odd name']")
        }
        if name.first == "$" {
            position = start
            throw error("write a name that begins with $ in quotes, as in ['$name']")
        }
        return String(name)
    }

    private mutating func bracket() throws(JSONPathError) -> JSONPath.Step {
        position += 1
        guard position < text.count else { throw error("the path ends inside a bracket") }
        let step: JSONPath.Step
        switch text[position] {
        case "'", "\"": step = .member(try quotedName())
        case "*":
            position += 1
            step = .all
        case "0"..."9": step = .index(try index())
        case "-":
            position += 1
            let start = position - 1
            let behind = try index()
            guard (1...100).contains(behind) else {
                position = start
                throw error("an index from behind is a number from -1, the last, to -100")
            }
            step = .index(-behind)
        default: throw error("a quoted name, an index from 0, or from -1 for the last, or * must stand in a bracket")
        }
        guard position < text.count, text[position] == "]" else { throw error("the bracket must end with ] here") }
        position += 1
        return step
    }

    private mutating func index() throws(JSONPathError) -> Int {
        let start = position
        var index = 0
        while position < text.count, case "0"..."9" = text[position] {
            index = index * 10 + Int(text[position].value - 48)
            position += 1
            guard index < 1_000_000_000 else {
                position = start
                throw error("the index is too large")
            }
        }
        return index
    }

    private mutating func quotedName() throws(JSONPathError) -> String {
        let quote = text[position]
        position += 1
        var name = String.UnicodeScalarView()
        while position < text.count, text[position] != quote {
            if text[position] == "\\" {
                position += 1
                guard position < text.count, ["'", "\"", "\\"].contains(text[position]) else {
                    throw error("only a quote or a backslash can follow a backslash")
                }
            }
            name.append(text[position])
            position += 1
        }
        guard position < text.count else { throw error("the quoted name has no end") }
        position += 1
        return String(name)
    }

    private func error(_ reason: String) -> JSONPathError {
        JSONPathError(message: "\(reason) (column \(position + 1))", column: position + 1)
    }
}
