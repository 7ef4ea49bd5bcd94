/// A subset of an entity that the server makes: a list at another path, or with parameters.
public struct View: Sendable, Hashable {
    /// What the application and the command call it.
    public var name: String
    /// nil for the path of the entity's list. `{name}` is a parameter, `{entity.field}` a parent whose identifier is the
    /// parameter named like the member that shows it.
    public var path: PathTemplate?
    /// Added to the list's own query; `{name}` inside a value is a parameter.
    public var query: [NamedText]

    /// The entity's own list where there is neither a path nor a query.
    public init(name: String, path: PathTemplate? = nil, query: [NamedText] = []) {
        self.name = name
        self.path = path
        self.query = query
    }

    /// The parameters that a call has to give, in the order in which they are named.
    ///
    /// - Parameter resource: the entity that the view is of.
    public func parameters(of resource: Resource) -> [String] {
        var names: [String] = []
        func add(_ name: String) { if !names.contains(name) { names.append(name) } }
        for part in (path ?? resource.list.path).parts {
            switch part {
            case .literal: break
            case .field(let name): add(name)
            case .parent(let entity, _):
                add(resource.parents.first { $0.entity == entity }?.field ?? entity)
            }
        }
        for entity in resource.list.besidePath.flatMap(\.template.parentEntities) {
            add(resource.parents.first { $0.entity == entity }?.field ?? entity)
        }
        for text in query { Self.places(in: text.value).forEach(add) }
        return names
    }

    /// The names in braces.
    static func places(in text: String) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            names.append(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return names
    }

    /// The name behind a brace that nothing closes.
    static func openPlace(in text: String) -> String? {
        guard let open = text.lastIndex(of: "{") else { return nil }
        let name = String(text[text.index(after: open)...])
        return name.isIdentifier(with: "-") ? name : nil
    }

    /// A query value with its places filled.
    static func filled(_ text: String, _ parameters: [String: String]) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            filled += parameters[name] ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}

/// A view with its parameters.
struct ViewCall: Sendable {
    let view: View
    let parameters: [String: String]
    /// What its cursor and its members are kept under.
    let scope: PullScope

    /// - Throws: ``SyncError`` `unknownName` for a view or a parameter, `invalidRecord` where a parameter is missing.
    init(_ name: String, of resource: Resource, _ parameters: [String: String]) throws {
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

extension PullScope {
    /// Kept for a view, and not for a list.
    var isView: Bool { parent?.hasPrefix("?") == true }

    /// Kept for a list of what is there: neither for a view, nor for the list of what was deleted.
    var isList: Bool { !isView && !isOfTombstones }
}
