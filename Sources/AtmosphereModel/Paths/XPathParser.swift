/// Reads the small part of XPath 1.0 that ``JSONPath`` stands for.
struct XPathParser {
    private let text: [Character]
    private var position = 0

    init(_ text: String) { self.text = Array(text) }

    mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
        if text.starts(with: "./") {
            position = 2
        } else if text.first == "/" {
            position = 1
            // The root element is the body.
            let root = try steps()
            guard case .member? = root.first, root.count == 1 else {
                throw error("the root element must be named behind the first /")
            }
            if position == text.count { return [] }
            position += 1
        }
        var found = try steps()
        while position < text.count {
            position += 1
            found += try steps()
        }
        return found
    }

    /// One element with its index, an attribute or the text; ends before a `/`.
    private mutating func steps() throws(JSONPathError) -> [JSONPath.Step] {
        let start = position
        while position < text.count, text[position] != "/", text[position] != "[" { position += 1 }
        let name = String(text[start..<position])
        if name == "*" { return [.all] }
        if name == "text()" { return [.member("#text")] }
        let bare = name.hasPrefix("@") ? String(name.dropFirst()) : name
        guard !bare.isEmpty,
            bare.allSatisfy({ $0.isLetter || $0.isNumber || "_-.:".contains($0) })
        else {
            position = start
            throw error(
                bare.isEmpty
                    ? "a name must stand here; searching with // is not supported"
                    : "names, * and text() are all that is read between slashes")
        }
        // Name space prefixes are dropped, and dashes read as underscores.
        let local = bare.split(separator: ":").last.map(String.init) ?? bare
        let read = String(local.map { $0 == "-" ? "_" : $0 })
        var steps: [JSONPath.Step] = [.member(name.hasPrefix("@") ? "@" + read : read)]
        if position < text.count, text[position] == "[" { steps.append(.index(try index())) }
        return steps
    }

    /// XPath counts from 1.
    private mutating func index() throws(JSONPathError) -> Int {
        let start = position
        position += 1
        var digits = ""
        while position < text.count, text[position].isASCII, text[position].isNumber {
            digits.append(text[position])
            position += 1
        }
        guard let number = Int(digits), number > 0, position < text.count, text[position] == "]" else {
            position = start
            throw error("only a number from 1 can stand in brackets")
        }
        position += 1
        guard position == text.count || text[position] == "/" else { throw error("a / must stand here") }
        return number - 1
    }

    private func error(_ reason: String) -> JSONPathError {
        JSONPathError(message: "\(reason) (column \(position + 1))", column: position + 1)
    }
}
