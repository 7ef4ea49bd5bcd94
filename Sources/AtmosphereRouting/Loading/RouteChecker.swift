/// Compares a document with the vocabulary, one place at a time, and notes everything that cannot stand where it does.
///
/// What it returns has single words expanded into the maps they are short for, and neither unknown nor duplicate keys.
/// A value that cannot be read stays, so that a later step does not call it missing as well.
struct RouteChecker {
    /// A key that was most likely meant by another, and is therefore not also missing.
    struct Misspelling: Hashable {
        var map: RoutePlace
        var meant: String
    }

    private(set) var problems: [RouteFileError.Problem] = []
    private(set) var misspellings: Set<Misspelling> = []

    mutating func note(_ place: RoutePlace, _ message: String) {
        problems.append(RouteFileError.Problem(place: place, message: message))
    }

    /// `name` is the dotted path, for messages; empty for a whole document.
    mutating func check(_ node: RouteNode, _ shape: RouteShape, at name: String) -> RouteNode {
        if node.isNull, !name.isEmpty { return node }
        switch shape {
        case .leaf(let leaf): return checkLeaf(node, leaf, at: name)
        case .list(let element, let mayBeSingle): return checkList(node, element, mayBeSingle, at: name)
        case .map(let map): return checkMap(node, map, at: name)
        case .named(let key, let value): return checkNames(node, key, value, at: name)
        case .anything: return checkAnything(node)
        }
    }

    private mutating func checkLeaf(_ node: RouteNode, _ leaf: RouteLeaf, at name: String) -> RouteNode {
        guard case .scalar(let text, let isPlain) = node.content else {
            note(node.place, "\(name.quoted) must be \(leaf.expectation), not \(node.kind)")
            return node
        }
        if let complaint = leaf.complaint(text, isPlain: isPlain, at: name) {
            note(node.place, complaint + Self.otherWord(text, at: name))
        }
        return node
    }

    private mutating func checkList(
        _ node: RouteNode, _ element: RouteShape, _ mayBeSingle: Bool, at name: String
    ) -> RouteNode {
        guard case .list(let elements) = node.content else {
            if mayBeSingle { return RouteNode(.list([check(node, element, at: name)]), at: node.place) }
            note(node.place, "\(name.quoted) must be a list, such as [a, b], not \(node.kind)")
            return node
        }
        let checked = elements.enumerated().map { index, each in
            if each.isNull, case .anything = element { return each }
            if each.isNull { note(each.place, "\(name.quoted) cannot hold null; remove it") }
            return check(each, element, at: "\(name)[\(index)]")
        }
        return RouteNode(.list(checked), at: node.place)
    }

    private mutating func checkMap(_ node: RouteNode, _ map: RouteMapShape, at name: String) -> RouteNode {
        guard node.isMap else { return checkWord(node, map, at: name) }
        var kept: [RouteNode.Entry] = []
        for var entry in withoutDuplicates(node.entries) where !entry.key.hasPrefix("x-") {
            guard let key = map.key(entry.key) else {
                note(entry.place, unknownKey(entry.key, map, in: node.place))
                continue
            }
            entry.node = check(entry.node, key.shape, at: name.isEmpty ? key.name : "\(name).\(key.name)")
            kept.append(entry)
        }
        return RouteNode(.map(kept), at: node.place)
    }

    private mutating func checkWord(_ node: RouteNode, _ map: RouteMapShape, at name: String) -> RouteNode {
        guard let word = node.text else {
            note(node.place, "\(name.isEmpty ? "the document" : name.quoted) must be a map, not \(node.kind)")
            return node
        }
        let words: [String]
        switch map.word {
        case .none: words = []
        case .at(let keys):
            let entries = keys.map { RouteNode.Entry(key: $0, place: node.place, node: node) }
            return checkMap(RouteNode(.map(entries), at: node.place), map, at: name)
        case .short(let table):
            if let meaning = table[word] {
                let entries = meaning.sorted { $0.key < $1.key }.map { key, text in
                    RouteNode.Entry(
                        key: key, place: node.place, node: RouteNode(.scalar(text, isPlain: true), at: node.place))
                }
                return RouteNode(.map(entries), at: node.place)
            }
            words = table.keys.sorted()
        case .itself(let known):
            if known.contains(word) { return node }
            words = known
        }
        if words.isEmpty || name == "auth" || name.hasPrefix("auth.") {
            // What stands in place of `auth`, or of a part of it, may be a secret: it is not repeated.
            let choice = words.isEmpty ? "" : " or \(words.joined(separator: ", "))"
            note(
                node.place,
                "\(name.isEmpty ? "the document" : name.quoted) must be a map\(choice), not a single value"
                    + Self.form(of: name, for: word))
        } else if let near = NearestName.of(word, among: words) {
            note(node.place, "\(name.quoted) cannot be \(word.quoted); did you mean \(near.quoted)?")
        } else {
            let choice = words.joined(separator: ", ")
            note(
                node.place,
                "\(name.quoted) must be a map or one of: \(choice), not \(word.quoted)"
                    + Self.form(of: name, for: word))
        }
        return node
    }

    /// How to write what a single word was probably meant to say; empty where nobody can tell.
    private static func form(of name: String, for word: String) -> String {
        let map: String
        switch name {
        case "deletes", "since.from": map = "{ field: \(word) }"
        case "version" where word == "if-match": map = "{ header: ETag, send: if-match }"
        case "version": map = "{ field: \(word), send: if-match }"
        case "lookup": map = "{ field: \(word), query: \(word) }"
        case "conflict": map = "{ default: \(word) }"
        case "auth": return "; write auth: { bearer: secret:NAME }, or another of the kinds in the guide"
        case "list", "read", "create", "update", "delete": map = "{ method: \(word.uppercased()) }"
        case "pages.size" where Int32(word) != nil: return "; write size: { parameter: NAME, value: \(word) }"
        default: return ""
        }
        guard word.utf8.count <= 64, word.isIdentifier(with: "-.") else { return "" }
        return "; write \(name.split(separator: ".").last ?? ""): \(map)"
    }

    /// What is meant by a word that others use for one of the choices; empty where nobody can tell.
    private static func otherWord(_ word: String, at name: String) -> String {
        guard name == "pages.kind" else { return "" }
        switch word.lowercased() {
        case "cursor", "next-token", "page-token":
            return "; a cursor is a token: write kind: token, next: $.PLACE, parameter: NAME"
        case "page", "pages", "page-number", "paged": return "; write kind: number, parameter: NAME"
        case "link", "next-link", "url":
            return "; for a Link header write kind: link-header, for a link in the body kind: link-body, next: $.PLACE"
        default: return ""
        }
    }

    /// Names that stand as a list, or alone, where each has to be a key.
    private static func resources(_ node: RouteNode) -> String {
        let names = ([node] + node.elements).compactMap(\.text).filter { name in
            name.utf8.count <= 64 && RouteLeaf.entity.complaint(name, isPlain: true, at: "") == nil
        }
        let keys = (names.isEmpty ? ["tasks"] : names.prefix(3)).map { "\($0): {}" }
        return "; write each name as a key: resources: { \(keys.joined(separator: ", ")) }"
    }

    private mutating func checkNames(
        _ node: RouteNode, _ key: RouteLeaf, _ value: RouteShape, at name: String
    ) -> RouteNode {
        let areResources = key == .entity
        guard node.isMap else {
            let remedy = areResources ? Self.resources(node) : ""
            note(node.place, "\(name.quoted) must be a map, not \(node.kind)\(remedy)")
            return node
        }
        let entries = withoutDuplicates(node.entries).filter { !(areResources && $0.key.hasPrefix("x-")) }
        let checked = entries.map { entry in
            var entry = entry
            if entry.key.isEmpty, !areResources {
                note(entry.place, "a key of \(name.quoted) must not be empty")
            } else if let complaint = key.complaint(entry.key, isPlain: true, at: name) {
                note(entry.place, complaint)
            }
            if areResources {
                // A resource is a world of its own: paths in messages start there, and nothing written is `{}`.
                if entry.node.isNull { entry.node = RouteNode(.map([]), at: entry.node.place) }
                entry.node = checkResource(entry.node, value, named: entry.key)
            } else {
                entry.node = check(entry.node, value, at: "\(name).\(entry.key)")
            }
            return entry
        }
        return RouteNode(.map(checked), at: node.place)
    }

    private mutating func checkResource(_ node: RouteNode, _ shape: RouteShape, named name: String) -> RouteNode {
        guard node.isMap else {
            note(node.place, "the resource \(name.quoted) must be a map, not \(node.kind)")
            return RouteNode(.map([]), at: node.place)
        }
        return check(node, shape, at: "")
    }

    private mutating func checkAnything(_ node: RouteNode) -> RouteNode {
        switch node.content {
        case .scalar: return node
        case .list(let elements): return RouteNode(.list(elements.map { checkAnything($0) }), at: node.place)
        case .map(let entries):
            let checked = withoutDuplicates(entries).map { entry in
                RouteNode.Entry(key: entry.key, place: entry.place, node: checkAnything(entry.node))
            }
            return RouteNode(.map(checked), at: node.place)
        }
    }

    private mutating func withoutDuplicates(_ entries: [RouteNode.Entry]) -> [RouteNode.Entry] {
        var first: [String: RoutePlace] = [:]
        return entries.filter { entry in
            if let place = first[entry.key] {
                note(entry.place, "the key \(entry.key.quoted) stands twice; the first is at \(place)")
                return false
            }
            first[entry.key] = entry.place
            return true
        }
    }

    private mutating func unknownKey(_ key: String, _ map: RouteMapShape, in place: RoutePlace) -> String {
        let known = map.keys.map(\.name)
        if map.later.contains(key) || map.instead[key] != nil {
            if map.needsOne, let other = map.oneOf.first { misspellings.insert(Misspelling(map: place, meant: other)) }
            if let remedy = map.instead[key] { return "unknown key \(key.quoted); \(remedy)" }
            return "unknown key \(key.quoted): this version of Atmosphere does not have it yet"
        }
        if let near = NearestName.of(key, among: known) {
            misspellings.insert(Misspelling(map: place, meant: near))
            return "unknown key \(key.quoted); did you mean \(near.quoted)?"
        }
        guard known.count <= 12 else {
            return "unknown key \(key.quoted); the guide “The route file” lists all keys, and keys starting x- are free"
        }
        return "unknown key \(key.quoted); known here: \(known.joined(separator: ", "))"
    }
}
