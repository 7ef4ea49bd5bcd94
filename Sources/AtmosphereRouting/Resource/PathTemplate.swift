/// A path with places to fill: `lists/{lists.id}/tasks/{id}`.
///
/// `{field}` is a member of the object itself, `{id}` its identifier; `{entity.field}` is a member of a parent.
/// Filled-in values are percent-encoded as one path segment, so an identifier can never add a segment.
package struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
    /// A piece of a path: text, or the place of a value.
    package enum Part: Sendable, Hashable {
        /// Text that stands in the path as it is.
        case literal(String)
        /// `{field}`: a member of the object, or `{id}`.
        case field(String)
        /// `{entity.field}`: a member of a parent.
        case parent(entity: String, field: String)
    }

    /// In their order; together they are the template's text.
    package var parts: [Part]

    /// A path of these parts.
    package init(parts: [Part]) { self.parts = parts }

    /// Reads the written form.
    ///
    /// - Throws: ``PathTemplateError`` for an unclosed or empty place, or one with more than one dot or with a slash.
    package init(_ text: String) throws(PathTemplateError) {
        parts = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                let name = rest[rest.index(after: open)...].prefix { $0.isLetter || $0.isNumber || "._-".contains($0) }
                let remedy = name.isEmpty || name.utf8.count > 64 ? "" : "; write {\(name)}"
                throw PathTemplateError(message: "“{” without “}” in \(text.quoted)\(remedy)")
            }
            let name = rest[rest.index(after: open)..<close]
            let pieces = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let isOdd = pieces.contains("") || name.contains { "{/?#".contains($0) || $0.isWhitespace }
            switch (pieces.count, isOdd) {
            case (1, false): parts.append(.field(pieces[0]))
            case (2, false): parts.append(.parent(entity: pieces[0], field: pieces[1]))
            default:
                throw PathTemplateError(
                    message: "\("{\(name)}".quoted) in \(text.quoted) must be {field} or {parent.field}")
            }
            rest = rest[rest.index(after: close)...]
        }
        if let stray = rest.firstIndex(of: "}") {
            throw PathTemplateError(message: "“}” without “{” in \(text.quoted): …\(rest[...stray].suffix(40))")
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
    }

    /// The entities that the path names, in order.
    package var parentEntities: [String] {
        var entities: [String] = []
        for case .parent(let entity, _) in parts where !entities.contains(entity) { entities.append(entity) }
        return entities
    }

    /// Fills every place; each value is one segment, percent-encoded. A value of dots alone stays as it is: no escape keeps
    /// servers from resolving it, so that what is sent has to be looked at.
    ///
    /// - Returns: nil where `value` has nothing for a place, or an empty text.
    package func filled(_ value: (Part) throws -> String?) rethrows -> String? {
        var path = ""
        for (index, part) in parts.enumerated() {
            if case .literal(let text) = part {
                path += text
            } else {
                guard let text = try value(part), !text.isEmpty else { return nil }
                path += PercentEncoding.segment(isQuoted(at: index) ? Self.doublingQuotes(text) : text)
            }
        }
        return path
    }

    /// Whether a place stands between single quotes inside one segment: `Tags('{id}')`. A quote in its value is written
    /// twice there (OData 4.01 URL Conventions §5.1.1.6.1).
    package func isQuoted(at index: Int) -> Bool {
        func segment(_ parts: some Sequence<Part>, isBefore: Bool) -> String {
            var text = ""
            for case .literal(let literal) in parts {
                let pieces = literal.split(separator: "/", omittingEmptySubsequences: false)
                let near = String((isBefore ? pieces.last : pieces.first) ?? "")
                text = isBefore ? near + text : text + near
                if pieces.count > 1 { break }
            }
            return text
        }
        let before = segment(parts[..<index].reversed(), isBefore: true)
        guard before.count(where: { $0 == "'" }) % 2 == 1 else { return false }
        return segment(parts[(index + 1)...], isBefore: false).contains("'")
    }

    /// Each single quote twice.
    static func doublingQuotes(_ text: String) -> String {
        // By scalars: with a mark behind it a quote is another character to Swift, and the same quote to a server.
        text.unicodeScalars.contains("'") ? text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() : text
    }

    /// The template with a name in each place.
    package var literalPath: String {
        parts.map { if case .literal(let text) = $0 { text } else { "x" } }.joined()
    }

    /// How many segments of a path the template itself names; nil where the path is none of the template's.
    package func fixedSegments(matching path: String) -> Int? {
        let own = description.split(separator: "/")
        let given = path.split(separator: "/")
        guard own.count == given.count else { return nil }
        var fixed = 0
        for (pattern, segment) in zip(own, given) {
            if let open = pattern.firstIndex(of: "{"), let close = pattern.lastIndex(of: "}") {
                guard segment.hasPrefix(pattern[..<open]), segment.hasSuffix(pattern[pattern.index(after: close)...])
                else { return nil }
            } else {
                guard pattern == segment else { return nil }
                fixed += 1
            }
        }
        return fixed
    }

    /// Members of the object itself that fill the path, apart from its identifier.
    package var ownFields: Set<String> {
        Set(
            parts.compactMap { part in
                if case .field(let name) = part, name != "id" { name } else { nil }
            })
    }

    /// The path names one object.
    package var namesObject: Bool { parts.contains(.field("id")) }

    /// The first place that is a member of the object itself.
    var firstField: String? {
        for case .field(let name) in parts { return name }
        return nil
    }

    /// What stands around the identifier in the last segment, such as `.json`; nil where it does not stand there.
    package var aroundID: (prefix: String, suffix: String)? {
        guard let last = description.split(separator: "/").last, let open = Self.firstRange(of: "{id}", in: last) else {
            return nil
        }
        return (String(last[..<open.lowerBound]), String(last[open.upperBound...]))
    }

    private static func firstRange(of text: String, in whole: Substring) -> Range<Substring.Index>? {
        var start = whole.startIndex
        while start < whole.endIndex {
            if whole[start...].hasPrefix(text) { return start..<whole.index(start, offsetBy: text.count) }
            start = whole.index(after: start)
        }
        return nil
    }

    package var description: String {
        parts.map {
            switch $0 {
            case .literal(let text): text
            case .field(let name): "{\(name)}"
            case .parent(let entity, let field): "{\(entity).\(field)}"
            }
        }.joined()
    }
}

/// A template that cannot be read.
package struct PathTemplateError: Error, Sendable, CustomStringConvertible {
    /// The reason and the template.
    package var message: String
    package var description: String { message }
}
