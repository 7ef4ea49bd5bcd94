/// Finds records, identifiers, versions, the next page and errors in a response body.
///
/// Synchronous and without I/O: bytes in, slices out. It never builds a value per field; records are slices of canonical
/// JSON bytes. An extractor for another format turns the body into JSON bytes first and hands them to
/// ``JSONExtractor``. Where an object says more than JSON can hold, its record notes what was left out under
/// ``ObjectRecord/unread``.
///
/// To write one, see the guide "Writing an extractor" and run `ResponseExtractorSuite` of AtmosphereTesting.
public protocol ResponseExtractor: Sendable {
    /// What the route file's `format` says to choose it.
    var format: String { get }
    /// Sent as `Accept`.
    var accept: String { get }

    /// Reads one page of a list, or one object where the selectors say so.
    ///
    /// - Throws: ``ExtractionError``, which names the place in the body.
    func page(in body: [UInt8], _ selectors: Selectors) throws -> Page

    /// The whole body as a JSON value, for error bodies and custom requests.
    ///
    /// - Throws: ``ExtractionError``.
    func value(in body: [UInt8], limits: JSONLimits) throws -> Value

    /// The same with what the format has beside elements (``Selectors/readsAttributes``), where that is asked for; as
    /// ``value(in:limits:)`` for a format that has nothing of the kind.
    func value(in body: [UInt8], limits: JSONLimits, readsAttributes: Bool) throws -> Value
}

extension ResponseExtractor {
    /// The value without attributes: for a format that has nothing beside elements.
    public func value(in body: [UInt8], limits: JSONLimits, readsAttributes: Bool) throws -> Value {
        try value(in: body, limits: limits)
    }
}

/// Where things stand in a response body.
public struct Selectors: Sendable, Hashable {
    /// A list of items, or one object.
    package var isList = true
    /// The path of the item array, or of the one object; nil for the whole body. A body that is itself an array holds
    /// the items, whatever member this path begins with.
    package var items: JSONPath?
    /// A body without ``items``, or with null in their place, is a list of none; else it is an error.
    package var areItemsOptional = false
    /// A page behind the first one of a list: a body in which no item has an identifier leaves them out, and is no error.
    package var isContinued = false
    /// Where an element of the list says that it is an error and no item: anything but null there leaves it out, and it
    /// counts among ``Page/skipped``.
    package var failed: JSONPath?
    /// Strips one root member of this name from each item (`{"task": {…}}`), where it is there.
    package var itemRoot: String?
    /// Where an item has its identifier.
    package var id: JSONPath
    /// Where an item has its version token; nil for items without one.
    package var version: JSONPath?
    /// The item is deleted on the server when this path holds ``deletedEquals``, or anything but null and false when
    /// that is nil.
    package var deleted: JSONPath?
    /// Compared as JSON; nil for anything but null and false.
    package var deletedEquals: Value?
    /// Where an item has the value that the cursor is taken from.
    package var cursor: JSONPath?
    /// Where an item has the value that a lost create is looked up by.
    package var lookup: JSONPath?
    /// Where the body has the next page's link or token.
    package var next: JSONPath?
    /// Says whether more follows; see ``saysMore(_:)``.
    package var more: JSONPath?
    /// Inside the body: how many items there are on all pages.
    package var total: JSONPath?
    /// Inside the body: what the next pull asks with, where it stands once for a page.
    package var pageCursor: JSONPath?
    /// Members that every record gets where the body lacks them: the parent's identifier, as JSON text.
    package var additions: [Addition] = []
    /// Inside an item: texts that are the addresses of objects. The last segment of each takes its place in the record.
    package var links: [Link] = []
    /// Set in front of each identifier where identifiers are unique per parent: the encoded parent segments with `/`.
    package var idPrefix: String?
    /// Declared types of an item's top-level members, for formats that write no types.
    package var types: [String: FieldType] = [:]
    /// For formats that have attributes: they are read, as members called `@name`.
    public var readsAttributes = false
    /// For formats without lists of their own: the top-level members of an item that are lists.
    package var lists: [String: XMLLayout.ListForm] = [:]
    /// A body beyond them is refused before it is read.
    public var limits = JSONLimits.default

    /// Whether what stands at ``more`` says that more follows: a count of what is left as well as a flag. Anything but
    /// null, `false`, zero, an empty list or text, and the texts `false`, `no` and `0` does: a page too many holds
    /// nothing, and one too few would hide what is there.
    package static func saysMore(_ value: Value) -> Bool {
        switch value {
        case .null: false
        case .bool(let flag): flag
        case .number: value != 0
        case .string(let text): !["", "false", "no", "0"].contains(text.lowercased())
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }

    /// A place in an item whose text, or the texts of whose list, are links to objects.
    package struct Link: Sendable, Hashable {
        /// The place in the item.
        package var path: JSONPath
        /// What stands before the identifier in the last segment; nothing by default.
        package var prefix: String
        /// What stands behind it, such as `.json`; nothing by default.
        package var suffix: String

        /// Links at a place of an item, with what stands around their identifiers.
        package init(path: JSONPath, prefix: String = "", suffix: String = "") {
            self.path = path
            self.prefix = prefix
            self.suffix = suffix
        }

        /// The identifier that a link ends with; a value that is no text stays as it is. What a URI template (RFC 6570)
        /// adds is left out.
        package func identifier(in value: Value) -> Value {
            value.mapElements { value in
                guard case .string(let text) = value else { return value }
                return .string(identifier(inText: text))
            }
        }

        package func identifier(inText text: String) -> String {
            guard let last = RequestTarget.lastSegment(ofLink: String(text.prefix { $0 != "{" })) else { return text }
            guard last.count > prefix.count + suffix.count, last.hasPrefix(prefix), last.hasSuffix(suffix) else {
                return last
            }
            let inside = last.dropFirst(prefix.count).dropLast(suffix.count)
            // Between quotes a quote stands twice, as ``PathTemplate/isQuoted(at:)`` says.
            return prefix.hasSuffix("'") && suffix.hasPrefix("'") ? Self.halvingQuotes(inside) : String(inside)
        }

        private static func halvingQuotes(_ text: Substring) -> String {
            var found = ""
            var rest = text
            while let next = rest.popFirst() {
                found.append(next)
                if next == "'", rest.first == "'" { rest.removeFirst() }
            }
            return found
        }
    }

    /// A member with its value.
    package struct Addition: Sendable, Hashable {
        /// The member's name in the record.
        package var name: String
        /// Written as JSON where the body lacks the member.
        package var value: Value
        /// Other places in the body that say the same: a record that has one of them lacks nothing.
        package var others: [JSONPath]

        /// A member that every record is to have, there or at one of the other places.
        package init(name: String, value: Value, others: [JSONPath] = []) {
            self.name = name
            self.value = value
            self.others = others
        }
    }

    /// Selects a list of items in the bare body, each with this identifier; everything else is nil, empty or its
    /// default.
    package init(id: JSONPath) {
        self.id = id
    }
}

/// A body that cannot be read as declared.
public struct ExtractionError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        package init(_ description: String) { self.description = description }

        /// The body is not well-formed.
        public static let malformed = Code("malformed")
        /// A limit of depth or size was passed.
        public static let tooLarge = Code("tooLarge")
        /// The items are not where the route file says, or are not objects.
        public static let itemsNotFound = Code("itemsNotFound")
        /// An item has no usable identifier.
        public static let missingID = Code("missingID")
        /// A document type declaration or an entity, which are refused.
        public static let forbiddenConstruct = Code("forbiddenConstruct")
        /// A value of a kind that cannot be used where it stands: an object as the next page's link.
        public static let unexpectedType = Code("unexpectedType")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the place (byte offset, item number, path), the reason and the remedy; quotes nothing of the body.
    public var message: String

    /// An error for a body that cannot be read.
    ///
    /// - Parameter message: names the place, the reason and the remedy, and quotes nothing of the body.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
