extension ObjectRecord {
    /// A field's value for a query, at the first of the paths that leads to one; without paths the member of its name. Null where
    /// it is absent.
    package func value(of field: String, at paths: [JSONPath]) -> Value {
        if paths.isEmpty { return self[field] ?? .null }
        for path in paths {
            guard let root = path.firstMember, let member = self[root] else { continue }
            if let found = JSONPath(Array(path.steps.dropFirst())).first(in: member) { return found }
        }
        return .null
    }
}

extension JSONPath {
    /// Paths as one text, with a comma between them: no path has one outside of quotes.
    static func text(of paths: [JSONPath]) -> String { paths.map(\.description).joined(separator: ",") }

    /// Reads paths from such a text; nil for another one.
    static func paths(in text: String) -> [JSONPath]? {
        var paths: [JSONPath] = []
        var begun: String?
        // By scalars: with a mark beside it a comma is another character to Swift.
        for part in text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false) {
            let path = begun.map { $0 + "," + String(part) } ?? String(part)
            if let found = try? JSONPath(path) {
                paths.append(found)
                begun = nil
            } else {
                // Half a path: the comma stands inside of quotes.
                begun = path
            }
        }
        return begun == nil ? paths : nil
    }
}
