#if XML
    public import AtmosphereExchange

    /// Reads XML response bodies: turns them into JSON bytes and hands those to `JSONExtractor`.
    ///
    /// libxml2 reports the elements one after another (its SAX2 interface). The items of a list become JSON as they
    /// close, and are no longer elements then; what stands beside them is kept as a tree until the body ends. A pull
    /// therefore needs memory for one page as XML and as JSON, and for one item as elements. The whole body is kept as
    /// elements where only the whole says which of them are items: with an index or `*` in `Selectors.items`
    /// (`$.task[0]`), with a total that is looked for inside the items, for an element that stands alone where the
    /// items are expected, and for ``value(in:limits:)``. A body is read a second time where it says late that what was
    /// read is something else: a `nil`, or a type other than `array`, where none was said so far and an element was
    /// empty; another name among what looked like a list.
    ///
    /// ``XMLBodyWriter`` writes them. The body is UTF-8, UTF-16 or ISO-8859-1, by byte order mark or declaration.
    /// A document type declaration is refused, so there are no entities beyond the five predefined ones, nothing is
    /// expanded and nothing is fetched. Nesting deeper than 256 elements, more than 10,000 different names (of elements,
    /// attributes, name spaces), more than 1,000 attributes of one element and more than 200 name spaces around one are
    /// refused whatever the limits say, and more elements than one for 16 bytes of ``JSONLimits/bytes`` (10,000 at least).
    ///
    /// ## What becomes of an element
    ///
    /// The root element stands for the whole body; its name is dropped. Dashes in names become underscores, a name space
    /// prefix is dropped. Comments, and text beside child elements, are not read; attributes other than Rails' types and
    /// `nil` only with `xml: { attributes: true }`: then they are members called `@name`, in front of the others, and the
    /// text beside them is `#text`. A list has none. Text and attributes that are not read are noted in the record, see
    /// ``ObjectRecord/unread``: `@` is for the attributes of the record's own element, `#text` for the text beside its
    /// members, any other name for the member in which, or below which, something was left out. Attributes of the XML
    /// Schema instance name space say nothing of the record, and are not noted.
    ///
    /// - `nil="true"` is `null`.
    /// - `type="integer"` and `"float"` give a number with the text's own digits, `"boolean"` gives `true` or `false`,
    ///   `"array"` an array of the children, whatever they are called. Any other type gives a string: a decimal because
    ///   Rails writes decimals as strings in JSON too, dates and times as they are. A text that is not of its type stays
    ///   a string.
    /// - Children all called `list-item` (Django REST framework) give an array.
    /// - Other children give an object; children of the same name are gathered in an array.
    /// - Text gives a string, unless `Selectors.types` knows the member better.
    /// - An empty element cannot say whether it is null, an empty text or an empty list. A declared type decides: `""`
    ///   for a string, `[]` for `json`, `null` for all others. Undeclared, it is `""` in a document that uses `type` or
    ///   `nil` anywhere, for such a document says `nil="true"` where it means null; elsewhere it is `null`.
    ///
    /// ## Lists of one item, and of none
    ///
    /// `type="array"` and `list-item` name a list whatever its length. Elsewhere `Selectors.items` says where a list is
    /// expected, and one found there is an array however many items it has: either the path names the repeated element
    /// (`$.task` in `<tasks><task/><task/></tasks>`), or the element around the items. An element that stands alone there
    /// is an item if it has the identifier's member, else it is taken for the element around the items. An empty
    /// element there, or an empty root, is an empty list. A repeated element that does not occur is an empty list only
    /// where the root is empty or the declared total is 0: any other body without items is an error, for an unexpected
    /// body must not look like a list from which everything was deleted.
    public struct XMLExtractor: ResponseExtractor {
        private let json = JSONExtractor()

        /// An extractor; it has nothing to set.
        public init() {}

        /// `xml`
        public var format: String { "xml" }
        /// `application/xml`
        public var accept: String { "application/xml" }

        /// Converts the body, and has ``JSONExtractor`` read the page.
        ///
        /// - Throws: ``ExtractionError``: `malformed`, `tooLarge`, `forbiddenConstruct` for a document type
        ///   declaration, and what ``JSONExtractor`` throws.
        public func page(in body: [UInt8], _ selectors: Selectors) throws -> Page {
            let (bytes, itemsStart, _) = try XMLConversion.page(from: body, selectors)
            func placed(_ message: String) -> String {
                Self.placed(message, in: body, selectors, selectors.limits, itemsStart: itemsStart)
            }
            do {
                var page = try json.page(in: bytes, selectors)
                page.skippedReason = page.skippedReason.map(placed)
                return page
            } catch var error as ExtractionError {
                error.message = placed(error.message)
                throw error
            }
        }

        /// The document without its attributes; see ``value(in:limits:readsAttributes:)``.
        public func value(in body: [UInt8], limits: JSONLimits) throws -> Value {
            try value(in: body, limits: limits, readsAttributes: false)
        }

        /// The document as a value, with its attributes as members called `@name` where they are asked for.
        ///
        /// - Throws: ``ExtractionError`` `malformed`, `tooLarge` or `forbiddenConstruct`.
        public func value(in body: [UInt8], limits: JSONLimits, readsAttributes: Bool) throws -> Value {
            let bytes = try XMLConversion.json(from: body, limits: limits, readsAttributes: readsAttributes)
            do {
                return try json.value(in: bytes, limits: limits)
            } catch var error as ExtractionError {
                error.message = Self.placed(error.message, in: body, nil, limits)
                throw error
            }
        }

        /// Offsets in these messages count in the JSON, which nobody has seen; lines of the XML stand in their place.
        private static func placed(
            _ message: String, in body: [UInt8], _ selectors: Selectors?, _ limits: JSONLimits, itemsStart: Int = 0
        ) -> String {
            let placed = message.replacing(#/\bbyte ([0-9]+)/#) { match in
                let line = Int(match.output.1).flatMap {
                    XMLConversion.line(at: $0, of: body, selectors, limits: limits, itemsStart: itemsStart)
                }
                return line.map { "line \($0)" } ?? String(match.output.0)
            }
            return "the XML, read as JSON: \(placed)"
        }
    }

    extension Adapter {
        /// Reads response bodies where the route file says `format: xml`, and writes request bodies there and where it
        /// says `coding: xml`.
        public static var xml: Adapter { .format(XMLExtractor(), XMLBodyWriter()) }
    }
#endif
