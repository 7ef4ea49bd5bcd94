// As a person writes a query, for messages and logs: on one line, without control characters.

extension Query: CustomStringConvertible {
    /// `tasks where done == false && title begins with "a", ordered by due as instant descending, limit 20`
    public var description: String {
        var text = "\(entity.escaped) where \(filter)"
        if !order.isEmpty { text += ", ordered by " + order.map(\.description).joined(separator: ", ") }
        if let limit { text += ", limit \(limit)" }
        if offset != 0 { text += ", offset \(offset)" }
        return text
    }
}

extension Query.Filter: CustomStringConvertible {
    /// `done == false && (title == "a" || title == "b")`; `everything` and `nothing` for what holds always and never.
    public var description: String {
        switch self {
        case .condition(let condition): condition.description
        case .and(let parts): Self.joined(parts, " && ", none: "everything")
        case .or(let parts): Self.joined(parts, " || ", none: "nothing")
        case .not(let part): "!(\(part))"
        }
    }

    private static func joined(_ parts: [Query.Filter], _ word: String, none: String) -> String {
        if parts.count == 1 { return parts[0].description }
        return parts.isEmpty ? none : parts.map(\.inside).joined(separator: word)
    }

    /// As a part of another one.
    private var inside: String {
        switch self {
        case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1: parts[0].inside
        case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1: "(\(description))"
        default: description
        }
    }
}

extension Query.Condition: CustomStringConvertible {
    /// `title == "a"`; the type that is compared by stands behind the field: `price as decimal >= 10`.
    public var description: String {
        "\(Query.described(field, paths, type)) \(comparison.word) \(Query.described(value))"
    }
}

extension Query.Order: CustomStringConvertible {
    /// `due as instant descending`
    public var description: String { Query.described(field, paths, type) + (ascending ? "" : " descending") }
}

extension Query {
    fileprivate static func described(_ field: String, _ paths: [JSONPath], _ type: FieldType?) -> String {
        let places = paths.map(\.description).map { $0.hasPrefix("$.") ? String($0.dropFirst("$.".count)) : $0 }
        let name = places.isEmpty ? field : places.joined(separator: " or ")
        return name.escaped + (type.map { " as \($0.rawValue)" } ?? "")
    }

    /// JSON, but for the characters that JSON leaves as they are and nobody sees, and not endless.
    fileprivate static func described(_ value: Value) -> String {
        let text = String(decoding: value.json(), as: UTF8.self).escaped
        return text.count <= 200 ? text : text.prefix(200) + "…"
    }
}

extension Query.Condition.Comparison {
    fileprivate var word: String {
        switch self {
        case .equal: "=="
        case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
        case .contains: "contains"
        case .containsAnyCase: "contains, in any case,"
        case .prefix: "begins with"
        }
    }
}
