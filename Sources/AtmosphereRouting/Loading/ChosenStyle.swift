/// The routing style of a route file: a linked one, or a file of the user's own that builds on a linked one.
struct ChosenStyle {
    /// Whose hooks apply.
    var style: any RoutingStyle
    /// The style's documents, without their places filled in; the later one has the last word.
    var documents: [RouteNode]
    /// The user's own file.
    package var path: String?

    /// Whether `style` names a file: a path, or a name that ends as one of a document does.
    static func isPath(_ name: String) -> Bool {
        name.contains("/") || [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) }
    }

    /// A linked style.
    ///
    /// - Throws: ``RouteFileError`` for a document that cannot be read, which only the style's author can mend.
    init(_ style: any RoutingStyle) throws(RouteFileError) {
        self.style = style
        documents = [try JSONDocumentReader().read(Array(style.document.utf8), source: StyleLayer.source(of: style))]
    }

    /// A style in a file: the keys of a resource for every resource, with the places `{name}`, `{path}`, `{singular}`,
    /// `{plural}`, `{format}` and `{id-field}`, and perhaps `style` for what it builds on; `plain` where nothing is said.
    ///
    /// - Parameters:
    ///   - path: relative to the folder of `source`.
    ///   - place: where the route file names it.
    /// - Throws: ``RouteFileError`` at that place for a file that cannot be opened, else at the file's own places.
    init(
        path: String, beside source: String, at place: RoutePlace, adapters: [Adapter]
    ) throws(RouteFileError) {
        let folder = String(source.throughLastSlash)
        let bare = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        let file = bare.beginsWithSlash ? bare : folder + bare
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(file, limit: RouteFileLimits.bytes)
        } catch {
            throw RouteFileError([.init(place: place, message: "the style file \(path.quoted) \(Self.reason(error))")])
        }
        let start = RoutePlace(source: file, line: 1, column: 1)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw RouteFileError([.init(place: start, message: "the text is not UTF-8")])
        }
        let reader: any RouteDocumentReader
        do {
            reader = try adapters.documentReader(forPath: file)
        } catch {
            throw RouteFileError([.init(place: place, message: error.message)])
        }
        let document = try reader.read(bytes, source: file)
        guard document.isMap, document.tooDeep(RouteFileLimits.depth) == nil, document.count <= RouteFileLimits.nodes
        else {
            throw RouteFileError([
                .init(place: start, message: "a style file is a map of settings, no larger than a route file")
            ])
        }
        try self.init(try Self.base(of: document, adapters))
        documents.append(RouteNode(.map(document.entries.filter { $0.key != "style" }), at: document.place))
        self.path = path
    }

    private static func base(of document: RouteNode, _ adapters: [Adapter]) throws(RouteFileError) -> any RoutingStyle {
        let node = document["style"]
        let name = RouteSection(node).text ?? "plain"
        let place = node?.place ?? document.place
        guard !isPath(name) else {
            throw RouteFileError([
                .init(place: place, message: "a style file builds on a linked style, not on another file")
            ])
        }
        do {
            return try adapters.style(named: name)
        } catch {
            throw RouteFileError([.init(place: place, message: "\(error)")])
        }
    }

    /// Goes on behind the file's name.
    private static func reason(_ failure: SmallFile.Failure) -> String {
        switch failure {
        case .tooLarge: "is larger than \(RouteFileLimits.bytes) bytes"
        case .notPrivate, .notRegular, .system: failure.description
        }
    }
}
