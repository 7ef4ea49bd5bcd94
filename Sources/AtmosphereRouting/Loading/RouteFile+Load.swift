extension RouteFile {
    /// Reads a route file from disk.
    ///
    /// - Parameters:
    ///   - path: absolute, or relative to the working directory. Messages name the file by it.
    ///   - adapters: the parts that the program links. The document's reader is chosen by the extension, the routing
    ///     style by name; both must be among them (JSON is always there).
    /// - Throws: ``RouteFileError`` with everything that is wrong, in the order of the file.
    public static func load(path: String, adapters: [Adapter]) throws(RouteFileError) -> RouteFile {
        let bytes: [UInt8]
        do {
            // From a pipe, too: programs write route files.
            bytes = try SmallFile.read(path, limit: RouteFileLimits.bytes, mayWait: true)
        } catch {
            let reason = error == .tooLarge ? tooLarge : error.description
            throw RouteFileError([.init(place: RoutePlace(source: path, line: 0, column: 0), message: reason)])
        }
        return try load(bytes: bytes, source: path, adapters: adapters)
    }

    /// Reads a route file's text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, 1 MiB at most.
    ///   - source: the file's path, whose extension chooses the reader and whose name is the default for `name`.
    ///   - adapters: as in ``load(path:adapters:)``.
    /// - Throws: ``RouteFileError`` with everything that is wrong, in the order of the file.
    public static func load(bytes: [UInt8], source: String, adapters: [Adapter]) throws(RouteFileError) -> RouteFile {
        let start = RoutePlace(source: source, line: 1, column: 1)
        guard bytes.count <= RouteFileLimits.bytes else {
            throw RouteFileError([.init(place: start, message: tooLarge)])
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            let place = placeOfInvalidUTF8(in: bytes, source)
            throw RouteFileError([.init(place: place, message: "the text is not UTF-8")])
        }
        let reader: any RouteDocumentReader
        do {
            reader = try adapters.documentReader(forPath: source)
        } catch {
            throw RouteFileError([.init(place: start, message: error.message)])
        }
        let root = try reader.read(bytes, source: source)
        var loader = RouteFileLoader(source: source, adapters: adapters)
        return try loader.load(root)
    }

    private static let tooLarge =
        "the file is larger than \(RouteFileLimits.bytes) bytes; a route file cannot be that large"

    /// The first byte that is not UTF-8.
    private static func placeOfInvalidUTF8(in bytes: [UInt8], _ source: String) -> RoutePlace {
        var place = RoutePlace(source: source, line: 1, column: 1)
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            place.line += scalar == "\n" ? 1 : 0
            place.column = scalar == "\n" ? 1 : place.column + 1
        }
        return place
    }
}
