/// What an extractor found in one body: slices of one buffer, nothing decoded.
///
/// Its items have numbers from 0: ``uri(at:)`` says whose one is, and ``Absorbed/decide(_:of:known:)`` what it does.
public struct Page: Sendable {
    /// Holds every slice; valid JSON where an item's record is.
    package var bytes: [UInt8]
    /// In the order of the body; those without an identifier are left out.
    package var items: [PageItem]
    /// The next page's link or token as text; nil where there is none, or null, or empty.
    package var next: String?
    /// Whether the body says that more follows; nil where nothing was asked for, or it does not say.
    package var hasMore: Bool?
    /// The number of items in all, where the body says it.
    package var total: Int64?
    /// A cursor that stands once in the body.
    package var cursor: String?
    /// Items left out because they have no identifier or are errors (``Selectors/failed``), and what is wrong with the first
    /// of them. They hold up no other item; a pull tells of them and deletes nothing for being absent.
    package var skipped = 0
    /// nil where nothing was skipped.
    package var skippedReason: String?
    /// The first item of the body, or the last, is among those that were left out, so it stands at no end of ``items``.
    package var isFirstSkipped = false
    package var isLastSkipped = false

    /// The entity of the items; this and the next three are set by the synchronizer.
    public var entity = ""
    /// The start sequence of the request that the page answers.
    package var sequence: Int64 = 0
    /// The start sequence of the listing that the page is of; nil where absence from it means nothing.
    public var listing: Int64?
    /// Versions have an order, so that an item with another version than the known one is for the planner to judge.
    package var ordersVersions = false

    /// What an extractor found; the synchronizer sets the rest.
    package init(
        bytes: [UInt8], items: [PageItem] = [], next: String? = nil, total: Int64? = nil, cursor: String? = nil
    ) {
        self.bytes = bytes
        self.items = items
        self.next = next
        self.total = total
        self.cursor = cursor
    }
}

/// One item of a page. Ranges are offsets into the page's bytes.
package struct PageItem: Sendable, Hashable {
    /// Decoded; with the parents' segments in front where ``Selectors/idPrefix`` says so.
    package var id: PageItemID
    /// The record's JSON text.
    package var record: Range<Int>
    /// The version token's text: the inside of a string, decoded, or the lexeme of a number.
    package var version: Range<Int>?
    /// The cursor field's text, likewise.
    package var cursor: Range<Int>?
    /// The lookup field's text, likewise.
    package var lookup: Range<Int>?
    /// The server says that the object is deleted.
    package var isDeleted: Bool

    /// An item by its places in ``Page/bytes``, which must lie inside it.
    package init(
        id: PageItemID, record: Range<Int>, version: Range<Int>? = nil, cursor: Range<Int>? = nil,
        lookup: Range<Int>? = nil, isDeleted: Bool = false
    ) {
        self.id = id
        self.record = record
        self.version = version
        self.cursor = cursor
        self.lookup = lookup
        self.isDeleted = isDeleted
    }
}

/// An item's identifier; most are small numbers, which need no text.
package enum PageItemID: Sendable, Hashable {
    /// A JSON number that is a canonical 64-bit integer.
    case integer(Int64)
    /// Any other number's lexeme, a string's text, or a text with the parents' segments in front.
    case text(ObjectID)

    /// With its wire type. For an identifier with parents in front, the wire type is the last segment's.
    package var objectID: ObjectID {
        switch self {
        case .integer(let number): ObjectID(String(number), .number)
        case .text(let id): id
        }
    }
}

extension Page {
    /// The text of a slice.
    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A copy of an item's record.
    package func record(_ item: PageItem) -> ObjectRecord { ObjectRecord(unchecked: Array(bytes[item.record])) }

    /// The address of an item: the page's ``entity`` and the identifier's text.
    package func uri(_ item: PageItem) -> ObjectURI { ObjectURI(entity: entity, id: item.id.objectID.text) }

    /// The address of the item at a place of the page: the page's ``entity`` and the identifier's text.
    public func uri(at index: Int) -> ObjectURI { uri(items[index]) }
}
