#if YAML
    import AtmosphereRouting
    import Yams

    /// Turns composed nodes into route nodes, in the order of the text.
    struct YAMLNodes {
        static let aliasMessage =
            "anchors (&name) and aliases (*name) cannot be used in a route file; defaults for every resource stand at the "
            + "top of the file, and text that starts so needs quotes"

        static let depthMessage = "more than \(RouteFileLimits.depth) maps and lists inside each other"

        private let source: String
        private let keys: DuplicateKeys
        private let limits: YAMLDocumentReader.Limits
        /// Where aliases are followed.
        private var aliases: AliasTable?
        private var count = 0
        /// How deep what was read since a node began goes.
        private var deepest = 0

        init(
            source: String, keys: DuplicateKeys, limits: YAMLDocumentReader.Limits = .routeFile,
            aliases: AliasTable? = nil
        ) {
            self.source = source
            self.keys = keys
            self.limits = limits
            self.aliases = aliases
        }

        mutating func route(_ node: Node, depth: Int) throws(RouteFileError) -> RouteNode {
            guard aliases != nil else { return try read(node, depth: depth) }
            let place = place(node.mark)
            if case .scalar(let scalar) = node, scalar.style == .plain, let name = aliases?.alias(scalar.string) {
                guard let named = aliases?.value(of: name) else {
                    throw .one(place, "*\(name) stands for nothing: no &\(name) ends before it")
                }
                guard depth + named.height - 1 <= limits.depth else { throw .one(place, tooDeep) }
                guard aliases?.spend(named.count) == true else {
                    throw .one(
                        place, "aliases stand for more than \(limits.aliased ?? 0) values; write the document without")
                }
                count += named.count
                deepest = max(deepest, depth + named.height - 1)
                return named.node
            }
            let (before, outer) = (count, deepest)
            deepest = depth
            let read = try read(node, depth: depth)
            if let anchor = Self.anchor(of: node) {
                aliases?.keep(read, as: anchor, count: count - before, height: deepest - depth + 1)
            }
            deepest = max(deepest, outer)
            return read
        }

        private static func anchor(of node: Node) -> String? {
            let anchor: Anchor? =
                switch node {
                case .scalar(let scalar): scalar.anchor
                case .sequence(let sequence): sequence.anchor
                case .mapping(let mapping): mapping.anchor
                case .alias: nil
                }
            return anchor?.rawValue
        }

        private var tooDeep: String { "more than \(limits.depth) maps and lists inside each other" }

        private mutating func read(_ node: Node, depth: Int) throws(RouteFileError) -> RouteNode {
            let place = place(node.mark)
            count += 1
            guard depth <= limits.depth else {
                throw .one(place, tooDeep)
            }
            guard count <= limits.nodes else {
                throw .one(place, "more than \(limits.nodes) values; \(limits.name) cannot be that large")
            }
            switch node {
            case .scalar(let scalar): return try route(scalar, at: place)
            case .sequence(let sequence):
                try refuse(sequence.anchor, sequence.tag, at: place)
                var elements: [RouteNode] = []
                for element in sequence { elements.append(try route(element, depth: depth + 1)) }
                return RouteNode(.list(elements), at: place)
            case .mapping(let mapping):
                try refuse(mapping.anchor, mapping.tag, at: place)
                var entries: [RouteNode.Entry] = []
                var merged: [RouteNode.Entry] = []
                for (key, value) in mapping {
                    if aliases != nil, case .scalar(let scalar) = key, scalar.style == .plain, scalar.string == "<<" {
                        merged = try route(value, depth: depth + 1).mergedEntries
                    } else {
                        entries.append(try entry(key, value, depth: depth))
                    }
                }
                if !merged.isEmpty {
                    // What a map says itself goes before what it merges.
                    let own = Set(entries.map(\.key))
                    entries += merged.filter { !own.contains($0.key) }
                }
                return RouteNode(.map(entries), at: place)
            case .alias: throw .one(place, Self.aliasMessage)
            }
        }

        private mutating func entry(_ key: Node, _ value: Node, depth: Int) throws(RouteFileError) -> RouteNode.Entry {
            let place = place(key.mark)
            guard case .scalar(let scalar) = key else { throw .one(place, "a key must be a single value") }
            // Looking for equal keys has given each of them the tag !!str.
            try refuse(scalar.anchor, "\(scalar.tag)" == Tag.Name.str.rawValue ? nil : scalar.tag, at: place)
            let text = scalar.string
            if scalar.style == .plain, let name = aliases?.alias(text) {
                guard case .scalar(let named, _)? = aliases?.value(of: name)?.node.content else {
                    throw .one(place, "a key must be a single value")
                }
                return RouteNode.Entry(key: named, place: place, node: try route(value, depth: depth + 1))
            }
            let composed = keys.original(text, line: place.line, column: place.column)
            let original = aliases?.showing(composed) ?? composed
            guard text != "<<" else {
                throw .one(place, "“<<” merges an alias, and aliases cannot be used; write the values out")
            }
            return RouteNode.Entry(key: original, place: place, node: try route(value, depth: depth + 1))
        }

        private func route(_ scalar: Node.Scalar, at place: RoutePlace) throws(RouteFileError) -> RouteNode {
            // Yams gives a quoted scalar the tag !!str itself.
            let tag: Tag? = scalar.style == .plain || "\(scalar.tag)" != Tag.Name.str.rawValue ? scalar.tag : nil
            try refuse(scalar.anchor, tag, at: place)
            let text = aliases?.showing(scalar.string) ?? scalar.string
            return RouteNode(.scalar(text, isPlain: scalar.style == .plain), at: place)
        }

        private func refuse(_ anchor: Anchor?, _ tag: Tag?, at place: RoutePlace) throws(RouteFileError) {
            if anchor != nil, aliases == nil { throw .one(place, Self.aliasMessage) }
            if let tag, !"\(tag)".isEmpty {
                throw .one(
                    place, "tags cannot be used in \(limits.name); remove \("\(tag)".quoted), and quote what is text")
            }
        }

        private func place(_ mark: Mark?) -> RoutePlace {
            RoutePlace(source: source, line: max(mark?.line ?? 1, 1), column: max(mark?.column ?? 1, 1))
        }
    }

    extension RouteFileError {
        static func one(_ place: RoutePlace, _ message: String) -> RouteFileError {
            RouteFileError([Problem(place: place, message: message)])
        }
    }
#endif
