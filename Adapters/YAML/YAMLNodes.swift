#if YAML
    import Atmosphere
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
        private var count = 0

        init(source: String, keys: DuplicateKeys, limits: YAMLDocumentReader.Limits = .routeFile) {
            self.source = source
            self.keys = keys
            self.limits = limits
        }

        mutating func route(_ node: Node, depth: Int) throws(RouteFileError) -> RouteNode {
            let place = place(node.mark)
            count += 1
            guard depth <= limits.depth else {
                throw .one(place, "more than \(limits.depth) maps and lists inside each other")
            }
            guard count <= limits.nodes else {
                throw .one(place, "more than \(limits.nodes) values; a route file cannot be that large")
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
                for (key, value) in mapping { entries.append(try entry(key, value, depth: depth)) }
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
            let original = keys.original(text, line: place.line, column: place.column)
            guard text != "<<" else {
                throw .one(place, "“<<” merges an alias, and aliases cannot be used; write the values out")
            }
            return RouteNode.Entry(key: original, place: place, node: try route(value, depth: depth + 1))
        }

        private func route(_ scalar: Node.Scalar, at place: RoutePlace) throws(RouteFileError) -> RouteNode {
            // Yams gives a quoted scalar the tag !!str itself.
            let tag: Tag? = scalar.style == .plain || "\(scalar.tag)" != Tag.Name.str.rawValue ? scalar.tag : nil
            try refuse(scalar.anchor, tag, at: place)
            return RouteNode(.scalar(scalar.string, isPlain: scalar.style == .plain), at: place)
        }

        private func refuse(_ anchor: Anchor?, _ tag: Tag?, at place: RoutePlace) throws(RouteFileError) {
            if anchor != nil { throw .one(place, Self.aliasMessage) }
            if let tag, !"\(tag)".isEmpty {
                throw .one(
                    place, "tags cannot be used in a route file; remove \("\(tag)".quoted), and quote what is text")
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
