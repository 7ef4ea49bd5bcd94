/// Values of queries and headers have the places of a path, and that of the version.
extension NamedText {
    /// What the place of the version is called in the query and the headers of an update or a delete.
    package static let version = "version"

    /// Whether `{version}` stands in the value.
    package var namesVersion: Bool { template.parts.contains(.field(Self.version)) }

    /// The value with its places: `{field}`, or `{entity.field}` for a parent. Other braces are text.
    package var template: PathTemplate {
        var parts: [PathTemplate.Part] = []
        var text = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"), let place = Self.place(rest[rest.index(after: open)..<close])
            else {
                text += "{"
                rest = rest.dropFirst()
                continue
            }
            if !text.isEmpty { parts.append(.literal(text)) }
            text = ""
            parts.append(place)
            rest = rest[rest.index(after: close)...]
        }
        text += rest
        if !text.isEmpty { parts.append(.literal(text)) }
        return PathTemplate(parts: parts)
    }

    private static func place(_ name: Substring) -> PathTemplate.Part? {
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard pieces.allSatisfy({ $0.isIdentifier(with: "-") }) else { return nil }
        switch pieces.count {
        case 1: return .field(pieces[0])
        case 2: return .parent(entity: pieces[0], field: pieces[1])
        default: return nil
        }
    }
}
