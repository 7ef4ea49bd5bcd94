/// Where a value stands inside another: `$.results[0].id`, a small part of JSONPath (RFC 9535).
///
/// Written as dotted names (`a.b`, with or without `$.` in front), quoted names (`['odd name']`, `["odd name"]`, with
/// `\` before a quote or a backslash inside), indices from zero (`[0]`) or from the last (`[-1]`), and `[*]` for every
/// element of an array or every member's value of an object. `$` alone is the whole value.
///
/// For XML a small part of XPath 1.0 is read as well: names with `/` between them behind `/` and the root element
/// (`/response/tasks/task`) or behind `./` (`./author/name`), with `*` for every element, `[1]` for the first of several,
/// `@name` for an attribute and `text()` for the text beside attributes.
package struct JSONPath: Sendable, Hashable {
    /// From one value to another inside it.
    package enum Step: Sendable, Hashable {
        /// The member of this name.
        case member(String)
        /// From zero; a negative one counts from behind, the last being -1.
        case index(Int)
        /// Every element or member.
        case all
    }

    /// From the outermost inwards; none for the whole value.
    package var steps: [Step]

    /// A path of these steps.
    package init(_ steps: [Step]) { self.steps = steps }

    /// The path of one top-level member.
    package static func member(_ name: String) -> JSONPath { JSONPath([.member(name)]) }

    /// Reads the written form.
    ///
    /// - Throws: ``JSONPathError``, which names the column.
    package init(_ text: String) throws(JSONPathError) {
        if text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("@") {
            var parser = XPathParser(text)
            steps = try parser.parse()
        } else {
            var parser = JSONPathParser(text)
            steps = try parser.parse()
        }
    }

    /// Every value at this path, in the order of the text; empty where there is none.
    package func values(in value: Value) -> [Value] {
        var found = [value]
        for step in steps where !found.isEmpty { found = found.flatMap { Self.values(at: step, in: $0) } }
        return found
    }

    /// The first value at this path; nil where there is none.
    package func first(in value: Value) -> Value? { values(in: value).first }

    private static func values(at step: Step, in value: Value) -> [Value] {
        switch (step, value) {
        case (.member(let name), .object(let members)): members[name].map { [$0] } ?? []
        case (.index(let index), .array(let elements)):
            elements.indices.contains(index < 0 ? elements.count + index : index)
                ? [elements[index < 0 ? elements.count + index : index]] : []
        case (.all, .array(let elements)): elements
        case (.all, .object(let members)): members.map(\.value)
        default: []
        }
    }
}

extension JSONPath: CustomStringConvertible {
    /// The written form, which reads back as the same path.
    package var description: String {
        steps.reduce("$") { text, step in
            switch step {
            case .member(let name) where JSONPathParser.isPlain(name): "\(text).\(name)"
            case .member(let name): "\(text)['\(Self.escaped(name))']"
            case .index(let index): "\(text)[\(index)]"
            case .all: "\(text)[*]"
            }
        }
    }

    private static func escaped(_ name: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if scalar == "'" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}

/// A text that is not a path.
package struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, the column and the remedy.
    package var message: String
    /// Where the reason stands, in Unicode scalars, from 1.
    package var column: Int

    /// A reason with the column that it is about.
    package init(message: String, column: Int) {
        self.message = message
        self.column = column
    }

    package var description: String { message }
}
