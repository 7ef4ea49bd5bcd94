/// Links in a header (RFC 8288 §3).
package enum LinkHeader {
    /// The target of the first link whose relation is `next`, or the value itself where it is a bare URL.
    ///
    /// - Parameter values: the header's fields, each perhaps with several links.
    package static func next(in values: [String]) -> String? {
        for value in values {
            let trimmed = trimmed(value)
            if !trimmed.isEmpty, trimmed.first != "<" { return String(trimmed) }
            var parser = Parser(trimmed)
            while let link = parser.link() {
                if link.relations.contains("next"), !link.target.isEmpty { return link.target }
            }
        }
        return nil
    }

    /// Whether one of the links, not a bare URL, has the relation `next`.
    package static func namesNext(_ values: [String]) -> Bool {
        next(in: values.filter { trimmed($0).first == "<" }) != nil
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
        var rest: Substring

        init(_ text: Substring) { rest = text }

        /// The next link; nil at the end, and where the text is no list of links.
        mutating func link() -> Link? {
            rest = rest.drop { LinkHeader.isSpace($0) || $0 == "," }
            guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
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
            guard rest.first == "\"" else {
                let value = rest.prefix { !";,".contains($0) && !LinkHeader.isSpace($0) }
                rest = rest[value.endIndex...]
                return (name.lowercased(), String(value))
            }
            return (name.lowercased(), quoted())
        }

        /// A quoted string (RFC 9110 §5.6.4).
        private mutating func quoted() -> String {
            var value = ""
            var isEscaped = false
            var index = rest.index(after: rest.startIndex)
            while index < rest.endIndex {
                let character = rest[index]
                index = rest.index(after: index)
                if isEscaped || (character != "\\" && character != "\"") {
                    value.append(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    break
                }
            }
            rest = rest[index...]
            return value
        }
    }
}
