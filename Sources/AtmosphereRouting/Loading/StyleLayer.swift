/// A routing style's document with its places filled in for one resource.
struct StyleLayer {
    let style: any RoutingStyle
    /// The resource's name.
    let resource: String
    /// Its `path`, where it is written or the style has one.
    private(set) var path: RouteNode?
    private let singular: String
    private let plural: String
    private let format: String
    /// What the identifier's member is called.
    private let idField: String

    /// - Parameters:
    ///   - entry: the resource as it is written.
    ///   - defaults: what the file says for every resource.
    ///   - documents: the style's, without their places filled in; the later one has the last word.
    init(_ style: any RoutingStyle, _ entry: RouteNode.Entry, defaults: RouteNode, documents: [RouteNode]) {
        self.style = style
        resource = entry.key
        singular = RouteSection(entry.node["singular"]).text ?? style.singular(entry.key)
        plural = RouteSection(entry.node["plural"]).text ?? style.plural(entry.key)
        let layers = [entry.node, defaults] + documents.reversed()
        format = layers.lazy.compactMap { RouteSection($0["format"]).text }.first ?? "json"
        let ids = layers.lazy.compactMap { $0["id"] }
        let field = ids.compactMap { RouteSection($0).text ?? RouteSection($0["field"]).text }.first ?? "id"
        idField = field.hasPrefix("$.") ? String(field.dropFirst(2)) : field
        path = entry.node["path"].flatMap { $0.isNull ? nil : $0 }
        if path == nil { path = documents.reversed().lazy.compactMap { $0["path"] }.first.map(filled) }
    }

    /// What a style's own places are called in messages and by `atmos explain`.
    static func source(of style: any RoutingStyle) -> String { "style \(style.name)" }

    private static let idFieldPlace = "{id-field}"

    /// Replaces `{name}`, `{singular}`, `{plural}`, `{format}`, `{path}` and `{id-field}` in every text, and `{id-field}` in
    /// the keys of maps, which may be names of parameters.
    func filled(_ node: RouteNode) -> RouteNode {
        switch node.content {
        case .list(let elements): return RouteNode(.list(elements.map(filled)), at: node.place)
        case .map(let entries):
            let copies = entries.map {
                RouteNode.Entry(
                    key: $0.key == Self.idFieldPlace ? idField : $0.key, place: $0.place, node: filled($0.node))
            }
            return RouteNode(.map(copies), at: node.place)
        case .scalar(let text, let isPlain):
            guard text.contains("{") else { return node }
            // A text made from the resource's path is the resource's: that is where a mistake has to be mended.
            let place = text.contains("{path}") ? path?.place ?? node.place : node.place
            return RouteNode(.scalar(filled(text), isPlain: isPlain), at: place)
        }
    }

    /// Replaces `{path}` at the beginning of every path that a route file has of a resource, or for all. Anywhere else it is a
    /// member of the object, as `{name}` and the others are.
    func filledPaths(_ node: RouteNode, _ map: RouteMapShape) -> RouteNode {
        let entries = node.entries.map { entry -> RouteNode.Entry in
            // It is what the others begin with.
            guard entry.key != "path", let shape = map.key(entry.key)?.shape else { return entry }
            return .init(key: entry.key, place: entry.place, node: filledPaths(entry.node, shape))
        }
        return node.isMap ? RouteNode(.map(entries), at: node.place) : node
    }

    private func filledPaths(_ node: RouteNode, _ shape: RouteShape) -> RouteNode {
        switch (shape, node.content) {
        case (.leaf(.path), .scalar(let text, let isPlain)):
            let written = PathText.normalized(text)
            guard written.hasPrefix("{path}") else { return node }
            let rest = written.dropFirst("{path}".count)
            let begin = filled(rest.hasPrefix("/") ? "{path}/" : "{path}")
            return RouteNode(.scalar(begin + rest.drop { $0 == "/" }, isPlain: isPlain), at: node.place)
        case (.list(let element, _), .list(let elements)):
            return RouteNode(.list(elements.map { filledPaths($0, element) }), at: node.place)
        case (.list(let element, mayBeSingle: true), _): return filledPaths(node, element)
        case (.map(let map), .map(let entries)):
            let copies = entries.map { entry in
                let node = map.key(entry.key).map { filledPaths(entry.node, $0.shape) } ?? entry.node
                return RouteNode.Entry(key: entry.key, place: entry.place, node: node)
            }
            return RouteNode(.map(copies), at: node.place)
        case (.named(_, let value), .map(let entries)):
            let copies = entries.map {
                RouteNode.Entry(key: $0.key, place: $0.place, node: filledPaths($0.node, value))
            }
            return RouteNode(.map(copies), at: node.place)
        case (.leaf, _), (.list, _), (.map, _), (.named, _), (.anything, _): return node
        }
    }

    private func filled(_ text: String) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            let behind = rest[rest.index(after: close)...]
            switch rest[open...close] {
            case "{name}": filled += resource
            case "{singular}": filled += singular
            case "{plural}": filled += plural
            case "{format}": filled += format
            case Self.idFieldPlace[...]: filled += idField
            case "{path}":
                filled += path?.text ?? resource
                // Where the style goes on with a slash, a path's own final slash would make two.
                if behind.first == "/" { while filled.last == "/" { filled.removeLast() } }
            default: filled += rest[open...close]
            }
            rest = behind
        }
        return filled + rest
    }
}
