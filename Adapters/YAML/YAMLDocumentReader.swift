#if YAML
    public import AtmosphereRouting
    import Yams

    /// Reads route files in YAML 1.2, as far as a route file needs it: maps, lists and scalars.
    ///
    /// Scalars keep their text and whether they were quoted; what they mean is for the route file to say, so `NO`, `0123`
    /// and `12:30:00` are the texts they look like. Anchors, aliases, tags, several documents and keys that are not
    /// single values are refused; where an API's description is read, aliases stand for what they name.
    package struct YAMLDocumentReader: RouteDocumentReader {
        private let limits: Limits

        /// How large a document may be.
        package struct Limits: Sendable {
            package var depth: Int
            package var nodes: Int
            /// How many values aliases may stand for, all together; nil where there may be none.
            package var aliased: Int?
            /// What the document is called in messages.
            package var name = "a route file"

            package init(depth: Int, nodes: Int, aliased: Int? = nil, name: String = "a route file") {
                self.depth = depth
                self.nodes = nodes
                self.aliased = aliased
                self.name = name
            }

            static let routeFile = Limits(depth: RouteFileLimits.depth, nodes: RouteFileLimits.nodes)
        }

        /// Reads with the limits that a route file has.
        package init() { limits = .routeFile }

        /// A reader for documents of another kind, such as an API's description.
        package init(limits: Limits) { self.limits = limits }

        /// `yaml` and `yml`
        package var extensions: [String] { ["yaml", "yml"] }

        /// Reads one YAML document with the places of everything in it.
        ///
        /// - Throws: ``RouteFileError`` with the first mistake of the notation.
        package func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> RouteNode {
            try DeepStack.run { composed(bytes, source: source) }.get()
        }

        private func composed(_ bytes: [UInt8], source: String) -> Result<RouteNode, RouteFileError> {
            let start = RoutePlace(source: source, line: 1, column: 1)
            // A byte order mark says nothing in UTF-8 (YAML 1.2.2 §5.2).
            let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            var text = String(decoding: bytes, as: UTF8.self)
            var aliases: AliasTable?
            if let limit = limits.aliased {
                aliases = AliasTable(limit: limit)
                text = aliases?.hiding(text) ?? text
            } else if let place = AliasScan.suspicious(in: bytes, source: source) {
                return .failure(.one(place, YAMLNodes.aliasMessage))
            }
            var keys = DuplicateKeys(text)
            while true {
                do {
                    // The parser holds the anchors, to which the nodes refer weakly.
                    let parser = try Parser(yaml: keys.text, resolver: .basic)
                    defer { withExtendedLifetime(parser) {} }
                    guard let root = try parser.singleRoot() else {
                        let what = limits.aliased == nil ? "; a route file is a map of settings" : ""
                        return .failure(.one(start, "the document is empty\(what)"))
                    }
                    var nodes = YAMLNodes(source: source, keys: keys, limits: limits, aliases: aliases)
                    return .success(try nodes.route(root, depth: 1))
                } catch let error as RouteFileError {
                    return .failure(error)
                } catch let error as YamlError {
                    if case .duplicatedKeysInMapping(_, let context) = error, keys.rename(at: context.mark, error) {
                        continue
                    }
                    return .failure(.yams(keys.first ?? error, in: bytes, source: source))
                } catch {
                    return .failure(.one(start, "the text is not YAML"))
                }
            }
        }
    }

    extension Adapter {
        /// Route files in YAML, with the extension `yaml` or `yml`.
        public static var yaml: Adapter { .document(YAMLDocumentReader()) }
    }
#endif
