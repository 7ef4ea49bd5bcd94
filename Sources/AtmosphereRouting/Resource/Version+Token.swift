extension Version {
    /// How a token stands to another in the server's own order: as numbers, as instants, else as texts, each without
    /// the quotes of an entity tag. nil where the tokens have no order, one is missing, or they are of different kinds.
    package func order(_ token: String?, _ other: String?) -> ValueOrder? {
        guard isOrdered, let token, let other else { return nil }
        return Self.key(for: token).order(Self.key(for: other))
    }

    private static func key(for token: String) -> ComparisonKey {
        var opaque = token[...]
        if opaque.hasPrefix("W/") { opaque.removeFirst(2) }
        if opaque.count > 1, opaque.hasPrefix("\""), opaque.hasSuffix("\"") { opaque = opaque.dropFirst().dropLast() }
        let value = Value.string(String(opaque))
        for type in [FieldType.decimal, .instant] {
            let key = type.key(for: value)
            if case .text = key { continue }
            return key
        }
        return ComparisonKey(value)
    }

    /// A greater token is newer.
    package var isOrdered: Bool {
        switch self {
        case .none, .compare: false
        case .ifMatch(_, let ordered), .token(_, let ordered), .body(_, let ordered): ordered
        }
    }

    /// Where the token stands in an object.
    package var path: JSONPath? {
        switch self {
        case .ifMatch(.field(let path), _), .token(.field(let path), _), .body(let path, _): path
        case .none, .compare, .ifMatch, .token: nil
        }
    }

    /// The header of an answer that holds the token.
    package var headerName: String? {
        switch self {
        case .ifMatch(.header(let name), _), .token(.header(let name), _): name
        case .none, .compare, .ifMatch, .token, .body: nil
        }
    }
}
