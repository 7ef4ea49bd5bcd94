/// A view with its parameters.
package struct ViewCall: Sendable {
    let view: View
    package let parameters: [String: String]
    /// What its cursor and its members are kept under.
    package let scope: PullScope

    /// - Throws: ``SyncError`` `unknownName` for a view or a parameter, `invalidRecord` where a parameter is missing.
    package init(_ name: String, of resource: Resource, _ parameters: [String: String]) throws {
        guard let view = resource.views.first(where: { $0.name == name }) else {
            let known = resource.views.map(\.name).joined(separator: ", ")
            throw SyncError(
                code: .unknownName,
                message: "\(resource.name) has no view “\(name)”; "
                    + (known.isEmpty ? "none is declared" : "it has \(known)"))
        }
        let needed = view.parameters(of: resource)
        for given in parameters.keys.sorted() where !needed.contains(given) {
            throw SyncError(
                code: .unknownName,
                message: "the view “\(name)” of \(resource.name) has no parameter “\(given)”; "
                    + (needed.isEmpty ? "it takes none" : "it takes \(needed.joined(separator: ", "))"))
        }
        for each in needed where (parameters[each] ?? "").isEmpty {
            throw SyncError(
                code: .invalidRecord, message: "the view “\(name)” of \(resource.name) needs \(each)=VALUE")
        }
        self.view = view
        self.parameters = parameters
        let pairs = parameters.sorted { $0.key < $1.key }.map { pair in
            "&\(PercentEncoding.query(pair.key))=\(PercentEncoding.query(pair.value))"
        }
        // No segment of a parent's identifier begins with a question mark: it would be encoded.
        scope = PullScope(
            entity: resource.name, parent: "?\(PercentEncoding.query(name))\(pairs.joined())")
    }
}
