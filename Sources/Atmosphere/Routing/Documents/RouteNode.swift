/// A route document as it was written: scalars keep their text and whether they were quoted, everything its place.
public struct RouteNode: Sendable, Hashable {
    /// What stands in one place of a document.
    public enum Content: Sendable, Hashable {
        /// `isPlain`: written without quotes, so `null`, `true` and numbers count as such by our own rules.
        case scalar(String, isPlain: Bool)
        case list([RouteNode])
        case map([Entry])
    }

    /// One line of a map; a key may stand twice until the document was checked.
    public struct Entry: Sendable, Hashable {
        public var key: String
        /// Where the key stands; the value has a place of its own.
        public var place: RoutePlace
        public var node: RouteNode

        public init(key: String, place: RoutePlace, node: RouteNode) {
            self.key = key
            self.place = place
            self.node = node
        }
    }

    public var content: Content
    /// Where it begins.
    public var place: RoutePlace

    public init(_ content: Content, at place: RoutePlace) {
        self.content = content
        self.place = place
    }
}

/// A place in a document; lines and columns count from 1, columns in Unicode scalars. Line 0: the whole document.
public struct RoutePlace: Sendable, Hashable, CustomStringConvertible {
    /// The document's path as given.
    public var source: String
    /// From 1; 0 for the whole document.
    public var line: Int
    /// From 1, in Unicode scalars.
    public var column: Int

    public init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    public var description: String { line > 0 ? "\(source):\(line):\(column)" : source }
}

/// Everything that is wrong with a route file, at once.
public struct RouteFileError: Error, Sendable, CustomStringConvertible {
    /// One mistake in a route file.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        public var place: RoutePlace
        /// The reason and the remedy.
        public var message: String

        public init(place: RoutePlace, message: String) {
            self.place = place
            self.message = message
        }

        public var description: String { "\(place): \(message)" }
    }

    /// In the order of the file; never empty.
    public var problems: [Problem]

    public init(_ problems: [Problem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
