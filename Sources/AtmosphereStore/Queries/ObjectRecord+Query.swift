extension ObjectRecord {
    /// A field's value for a query; null where it is absent.
    package func value(of field: String, at path: JSONPath?) -> Value {
        guard let path, case .member(let root)? = path.steps.first else { return self[field] ?? .null }
        return self[root].flatMap { JSONPath(Array(path.steps.dropFirst())).first(in: $0) } ?? .null
    }
}
