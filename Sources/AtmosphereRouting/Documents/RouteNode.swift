/// A route document as it was written: scalars keep their text and whether they were quoted, everything its place.
package struct RouteNode: Sendable, Hashable {
    /// What stands in one place of a document.
    package enum Content: Sendable, Hashable {
        /// `isPlain`: written without quotes, so `null`, `true` and numbers count as such by our own rules.
        case scalar(String, isPlain: Bool)
        /// In the order of the document.
        case list([RouteNode])
        /// In the order of the document; a key that stands twice is here twice.
        case map([Entry])
    }

    /// One line of a map; a key may stand twice until the document was checked.
    package struct Entry: Sendable, Hashable {
        /// As it is written, without quotes.
        package var key: String
        /// Where the key stands; the value has a place of its own.
        package var place: RoutePlace
        /// What stands under the key.
        package var node: RouteNode

        /// A key with what stands under it.
        ///
        /// - Parameter place: where the key stands.
        package init(key: String, place: RoutePlace, node: RouteNode) {
            self.key = key
            self.place = place
            self.node = node
        }
    }

    /// What stands there.
    package var content: Content
    /// Where it begins.
    package var place: RoutePlace

    /// A node that begins at a place.
    package init(_ content: Content, at place: RoutePlace) {
        self.content = content
        self.place = place
    }
}

/// A place in a document; lines and columns count from 1, columns in Unicode scalars. Line 0: the whole document.
package struct RoutePlace: Sendable, Hashable, CustomStringConvertible {
    /// The document's path as given.
    package var source: String
    /// From 1; 0 for the whole document.
    package var line: Int
    /// From 1, in Unicode scalars.
    package var column: Int

    /// A place; line 0 for the whole document.
    package init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    package var description: String { line > 0 ? "\(source):\(line):\(column)" : source }

    /// Of a value that nobody wrote.
    package static let `default` = RoutePlace(source: "default", line: 0, column: 0)

    static func < (left: RoutePlace, right: RoutePlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Everything that is wrong with a route file, at once.
public struct RouteFileError: Error, Sendable, CustomStringConvertible {
    /// One mistake in a route file.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// Where it stands.
        package var place: RoutePlace
        /// The reason and the remedy.
        package var message: String

        /// A mistake at a place.
        package init(place: RoutePlace, message: String) {
            self.place = place
            self.message = message
        }

        package var description: String { "\(place): \(message)" }
    }

    /// In the order of the file; never empty.
    package var problems: [Problem]

    /// All mistakes of one file.
    ///
    /// - Parameter problems: at least one, in the order of the file.
    package init(_ problems: [Problem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
