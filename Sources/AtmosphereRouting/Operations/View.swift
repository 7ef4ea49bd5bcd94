/// A subset of an entity that the server makes: a list at another path, or with parameters.
package struct View: Sendable, Hashable {
    /// What the application and the command call it.
    package var name: String
    /// nil for the path of the entity's list. `{name}` is a parameter, `{entity.field}` a parent whose identifier is the
    /// parameter named like the member that shows it.
    package var path: PathTemplate?
    /// Added to the list's own query; `{name}` inside a value is a parameter.
    package var query: [NamedText]

    /// The entity's own list where there is neither a path nor a query.
    package init(name: String, path: PathTemplate? = nil, query: [NamedText] = []) {
        self.name = name
        self.path = path
        self.query = query
    }

    /// The parameters that a call has to give, in the order in which they are named.
    ///
    /// - Parameter resource: the entity that the view is of.
    package func parameters(of resource: Resource) -> [String] {
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
    package static func places(in text: String) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            names.append(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return names
    }

    /// The names in braces in all texts inside a value.
    static func places(inTextsOf value: Value) -> [String] {
        texts(in: value).flatMap { places(in: $0) }
    }

    /// All texts inside a value.
    static func texts(in value: Value) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap { texts(in: $0) }
        case .object(let members): members.flatMap { texts(in: $0.value) }
        case .null, .bool, .number: []
        }
    }

    /// The name behind a brace that nothing closes.
    static func openPlace(in text: String) -> String? {
        guard let open = text.lastIndex(of: "{") else { return nil }
        let name = String(text[text.index(after: open)...])
        return name.isIdentifier(with: "-") ? name : nil
    }

    /// A query value with its places filled.
    package static func filled(_ text: String, _ parameters: [String: String]) -> String {
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
