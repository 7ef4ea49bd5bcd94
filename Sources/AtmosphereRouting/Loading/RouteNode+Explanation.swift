extension RouteNode {
    /// Adds one setting for each value below this node.
    ///
    /// - Parameter path: the dotted path of the node; empty for a whole document.
    func explain(_ path: String, into settings: inout [Setting]) {
        guard case .map(let entries) = content, path.isEmpty || !entries.isEmpty else {
            settings.append(Setting(path: path, value: oneLine, origin: origin))
            return
        }
        for entry in entries {
            let key = YAMLText.key(entry.key)
            entry.node.explain(path.isEmpty ? key : "\(path).\(key)", into: &settings)
        }
    }

    /// The places of a linked style are of no use to a person who has the files before them.
    private var origin: String { place.source.hasPrefix("style ") ? place.source : place.description }

    /// What can be pasted behind a key, in YAML also inside brackets.
    private var oneLine: String {
        switch content {
        case .scalar(let text, let isPlain):
            if isPlain, YAMLText.isPlain(text) || isNull { return isNull ? "null" : text }
            return YAMLText.isPlain(text) && !YAMLText.isResolved(text) ? text : YAMLText.quoted(text)
        case .list(let elements): return "[\(elements.map(\.oneLine).joined(separator: ", "))]"
        case .map(let entries):
            let members = entries.map { "\(YAMLText.key($0.key)): \($0.node.oneLine)" }
            return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
        }
    }
}
