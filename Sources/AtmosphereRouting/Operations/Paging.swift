/// How a list continues.
package enum Paging: Sendable, Hashable {
    /// How many items a page is asked for with.
    package struct Size: Sendable, Hashable {
        /// The query parameter.
        package var parameter: String
        /// Items; a server may send fewer.
        package var value: Int

        /// A size in items, asked for with a parameter.
        package init(parameter: String, value: Int) {
            self.parameter = parameter
            self.value = value
        }
    }

    /// Where an answer says something of its list.
    package enum Place: Sendable, Hashable {
        /// At a path of the body.
        case body(JSONPath)
        /// In the header of this name.
        case header(String)

        /// A top-level member of the body.
        package static func member(_ name: String) -> Place { .body(.member(name)) }
    }

    /// How long the whole list is, as the server says it.
    package enum Total: Sendable, Hashable {
        /// Items in all.
        case items(Place)
        /// Pages in all.
        case pages(Place)

        /// Items in all, in a top-level member of the body.
        package static func member(_ name: String) -> Total { .items(.member(name)) }
    }

    /// One answer holds everything.
    case none
    /// Page numbers from `first`; ends with an empty or missing page, or with `total`.
    case number(parameter: String, first: Int, size: Size?, total: Total?)
    /// Offsets in items; `size` is the step.
    case offset(parameter: String, size: Size, total: Total?)
    /// A link to the next page in the body; `null`, empty or absent at the end. `total` ends nothing: it tells whether rows
    /// have moved between the pages, and so for the next two.
    case bodyLink(next: JSONPath, size: Size?, total: Total? = nil)
    /// A link to the next page in a header: the one with `rel="next"` (RFC 8288), or a bare URL.
    case headerLink(name: String, size: Size?, total: Total? = nil)
    /// A token that goes into a query parameter; absent or empty at the end.
    case token(next: Place, parameter: String, size: Size?, total: Total? = nil)

    /// How many items a page is asked for with, where the route file says it.
    package var size: Size? {
        switch self {
        case .none: nil
        case .number(_, _, let size, _), .bodyLink(_, let size, _), .headerLink(_, let size, _),
            .token(_, _, let size, _):
            size
        case .offset(_, let size, _): size
        }
    }

    /// Where the server says how long the list is; nil where nothing is declared.
    package var total: Total? {
        switch self {
        case .none: nil
        case .number(_, _, _, let total), .offset(_, _, let total), .bodyLink(_, _, let total),
            .headerLink(_, _, let total), .token(_, _, _, let total):
            total
        }
    }

    /// Whether the identifiers on the pages tell that rows have moved: the pages overlap, or there is a total to hold the
    /// number of different ones against.
    package var tellsOfRows: Bool {
        switch self {
        case .offset: true
        case .none, .number, .bodyLink, .headerLink, .token: if case .items? = total { true } else { false }
        }
    }

    /// Where the body of a page says how the list continues.
    package var nextInBody: JSONPath? {
        switch self {
        case .bodyLink(let next, _, _), .token(.body(let next), _, _, _): next
        case .none, .number, .offset, .headerLink, .token: nil
        }
    }

    /// Where the body of a page says how long the list is.
    package var totalInBody: JSONPath? {
        switch total {
        case .items(.body(let path))?, .pages(.body(let path))?: path
        case .items(.header)?, .pages(.header)?, nil: nil
        }
    }

    /// The number that pages count from; nil where they have none.
    package var firstNumber: Int? { if case .number(_, let first, _, _) = self { first } else { nil } }

    /// Pages have numbers or offsets, so one past the end can be asked for.
    package var countsPages: Bool {
        switch self {
        case .number, .offset: true
        case .none, .bodyLink, .headerLink, .token: false
        }
    }
}
