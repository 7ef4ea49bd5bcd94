/// Links in a header (RFC 8288 §3).
package enum LinkHeader {
    /// A value that is no list of links, so that nobody knows whether one of them would lead on.
    package struct Unreadable: Error, Sendable {
        package var value: String
    }

    /// The target of the first link whose relation is `next`, or the value itself where it is a bare URL. A relation may stand in
    /// single quotes, too, which none can begin with.
    ///
    /// - Parameter values: the header's fields, each perhaps with several links.
    /// - Throws: ``Unreadable`` where no such link is found and a value cannot be read to its end.
    package static func next(in values: [String]) throws(Unreadable) -> String? {
        var unreadable: Unreadable?
        for value in values {
            let trimmed = trimmed(value)
            if !trimmed.isEmpty, trimmed.first != "<" { return String(trimmed) }
            var parser = Parser(trimmed)
            while let link = parser.link() {
                if link.relations.contains("next"), !link.target.isEmpty { return link.target }
            }
            if !parser.isDone { unreadable = unreadable ?? Unreadable(value: String(trimmed)) }
        }
        if let unreadable { throw unreadable }
        return nil
    }

    /// Whether one of the links, not a bare URL, has the relation `next`.
    package static func namesNext(_ values: [String]) -> Bool {
        (try? next(in: values.filter { trimmed($0).first == "<" })) != nil
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// Without spaces at either end.
    private static func trimmed(_ text: String) -> Substring {
        let start = text.drop(while: isSpace)
        return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? ""
    }

    private struct Link {
        var target: String
        /// In lower case.
        var relations: [String]
    }

    private struct Parser {
        private var rest: Substring
        /// A quoted string has no end.
        private var isCut = false

        init(_ text: Substring) { rest = text }

        /// All of the text was read.
        var isDone: Bool { rest.isEmpty && !isCut }

        /// The next link; nil at the end, and where the text is no list of links.
        mutating func link() -> Link? {
            rest = rest.drop { LinkHeader.isSpace($0) || $0 == "," }
            // A `<` in a URL is the beginning of another link, where the end of the first is missing.
            guard rest.first == "<", let end = rest.dropFirst().firstIndex(where: { "<>".contains($0) }),
                rest[end] == ">"
            else { return nil }
            var link = Link(target: String(rest[rest.index(after: rest.startIndex)..<end]), relations: [])
            rest = rest[rest.index(after: end)...]
            while let (name, value) = parameter() {
                // The first `rel` counts, the others are ignored (RFC 8288 §3.3).
                if name == "rel", link.relations.isEmpty {
                    link.relations = value.lowercased().split(separator: " ").map(String.init)
                }
            }
            return link
        }

        private mutating func parameter() -> (name: String, value: String)? {
            rest = rest.drop(while: LinkHeader.isSpace)
            guard rest.first == ";" else { return nil }
            rest = rest.dropFirst().drop(while: LinkHeader.isSpace)
            let name = rest.prefix { !"=;,".contains($0) && !LinkHeader.isSpace($0) }
            rest = rest[name.endIndex...].drop(while: LinkHeader.isSpace)
            guard rest.first == "=" else { return (name.lowercased(), "") }
            rest = rest.dropFirst().drop(while: LinkHeader.isSpace)
            guard let mark = rest.first, mark == "\"" || mark == "'" && name.lowercased() == "rel" else {
                let value = rest.prefix { !";,".contains($0) && !LinkHeader.isSpace($0) }
                rest = rest[value.endIndex...]
                return (name.lowercased(), String(value))
            }
            return (name.lowercased(), quoted(by: mark))
        }

        /// A quoted string (RFC 9110 §5.6.4).
        private mutating func quoted(by mark: Character) -> String {
            var value = ""
            var isEscaped = false
            var isOpen = true
            var index = rest.index(after: rest.startIndex)
            while index < rest.endIndex {
                let character = rest[index]
                index = rest.index(after: index)
                if isEscaped || (character != "\\" && character != mark) {
                    value.append(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    isOpen = false
                    break
                }
            }
            if isOpen { isCut = true }
            rest = rest[index...]
            return value
        }
    }
}
