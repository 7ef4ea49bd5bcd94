/// Puts the defaults of the vocabulary into a merged tree, in the vocabulary's order, and notes what is missing or has
/// no use there.
struct RouteCompletion {
    let misspellings: Set<RouteChecker.Misspelling>
    private(set) var problems: [RouteFileError.Problem] = []

    init(misspellings: Set<RouteChecker.Misspelling>) { self.misspellings = misspellings }

    /// `place` is where a missing key would have to stand, `name` the dotted path.
    mutating func complete(_ node: RouteNode, _ map: RouteMapShape, at place: RoutePlace, name: String) -> RouteNode {
        guard node.isMap else { return node }
        checkChoice(node, map, at: place, name: name)
        var kind: String?
        // With a kind that there is not, nothing is known of the other keys.
        let kinds = map.kind.flatMap { map.key($0) }.flatMap { $0.words } ?? []
        var entries: [RouteNode.Entry] = []
        for key in map.keys {
            let applies = key.kinds.isEmpty || kind.map(key.kinds.contains) ?? false
            let full = name.isEmpty ? key.name : "\(name).\(key.name)"
            if let entry = node.entries.first(where: { $0.key == key.name }), !entry.node.isNull || key.mayBeNull {
                if !applies, kind.map(kinds.contains) ?? true {
                    note(
                        entry.place,
                        "\(full.quoted) has no use with the \(map.kind ?? "kind") \((kind ?? "none").quoted)"
                            + Self.use(of: key, full, kind, called: map.kind ?? "kind"))
                }
                let completed = complete(entry.node, key.shape, name: full)
                entries.append(RouteNode.Entry(key: key.name, place: entry.place, node: completed))
            } else if applies, let fallback = fallback(key, at: place, name: full) {
                entries.append(RouteNode.Entry(key: key.name, place: fallback.place, node: fallback))
            } else if applies, key.isRequired {
                let what = kind.map { " of the \(map.kind ?? "kind") \($0.quoted)" } ?? ""
                noteMissing(key.name, of: name, what, at: place)
            }
            if key.name == map.kind { kind = entries.last?.node.text }
        }
        return RouteNode(.map(entries), at: node.place)
    }

    private mutating func complete(_ node: RouteNode, _ shape: RouteShape, name: String) -> RouteNode {
        switch (shape, node.content) {
        case (.map(let map), .map): return complete(node, map, at: node.place, name: name)
        case (.list(let element, _), .list(let elements)):
            return RouteNode(
                .list(elements.enumerated().map { complete($1, element, name: "\(name)[\($0)]") }), at: node.place)
        case (.named(_, let value), .map(let entries)):
            let completed = entries.map { entry in
                let node = complete(entry.node, value, name: "\(name).\(entry.key)")
                return RouteNode.Entry(key: entry.key, place: entry.place, node: node)
            }
            return RouteNode(.map(completed), at: node.place)
        default: return node
        }
    }

    private mutating func fallback(_ key: RouteKey, at place: RoutePlace, name: String) -> RouteNode? {
        switch (key.fallback, key.shape) {
        case (.scalar(let text), _): return RouteNode(.scalar(text, isPlain: true), at: .default)
        case (.members, .map(let map)):
            return complete(RouteNode(.map([]), at: .default), map, at: place, name: name)
        default: return nil
        }
    }

    private mutating func checkChoice(_ node: RouteNode, _ map: RouteMapShape, at place: RoutePlace, name: String) {
        let chosen = node.entries.filter { map.oneOf.contains($0.key) }
        if chosen.count > 1 {
            let keys = chosen.map(\.key.quoted).joined(separator: " and ")
            note(chosen[1].place, "\(keys) exclude each other; keep one")
        }
        let enough = map.oneOf + map.orAlone
        let isMisspelt = enough.contains { misspellings.contains(.init(map: node.place, meant: $0)) }
        if !node.entries.contains(where: { enough.contains($0.key) }), map.needsOne, !isMisspelt {
            note(place, "\(name.quoted) needs one of: \(enough.joined(separator: ", "))")
        }
    }

    /// The kinds that a key is for.
    private static func use(of key: RouteKey, _ name: String, _ kind: String?, called word: String) -> String {
        let last = key.kinds.last ?? ""
        let others = key.kinds.dropLast().joined(separator: ", ")
        // The commonest mistake: a header, or a member, that holds the number of the next page.
        let isNumber = name == "pages.next" && kind == "number"
        let number = isNumber ? "; a page number that the answer names is a token, too" : ""
        return "; it is for the \(word) \(others.isEmpty ? "" : "\(others) or ")\(last)\(number)"
    }

    /// - Parameter kind: what the map has been told to be, if anything.
    private mutating func noteMissing(_ key: String, of name: String, _ kind: String, at place: RoutePlace) {
        guard !misspellings.contains(.init(map: place, meant: key)) else { return }
        note(place, name.isEmpty ? "\(key.quoted) is missing" : "\(name.quoted)\(kind) needs \(key.quoted)")
    }

    private mutating func note(_ place: RoutePlace, _ message: String) {
        problems.append(RouteFileError.Problem(place: place, message: message))
    }
}
