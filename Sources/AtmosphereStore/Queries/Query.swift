/// Which records of one entity, in which order: a value, to keep, compare and send about.
///
/// ```swift
/// let due = Query.Field("due"), done = Query.Field("done")
/// let query = Query("tasks", where: due < "2026-02-01" && !(done == true), order: [.init("due")], limit: 20)
/// ```
///
/// Values never become part of a statement's text, so a query cannot be made to say something else.
public struct Query: Sendable, Hashable {
    /// The entity whose records are asked for.
    public var entity: String
    /// Which records; all by default.
    public var filter: Filter
    /// The first difference decides; records that tie follow in ascending order of identifier.
    public var order: [Order]
    /// The most records to answer; nil for all.
    public var limit: Int?
    /// How many matching records to pass over first. Passing over costs as much as answering.
    public var offset: Int

    /// A query with a filter; for every record, unordered, from the first, without a limit by default.
    public init(
        _ entity: String, where filter: Filter = .everything, order: [Order] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.entity = entity
        self.filter = filter
        self.order = order
        self.limit = limit
        self.offset = offset
    }

    /// A query with conditions; for every record where there are none.
    ///
    /// - Parameter conditions: all must hold.
    package init(
        _ entity: String, where conditions: [Condition], order: [Order] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.init(entity, where: .all(conditions), order: order, limit: limit, offset: offset)
    }

    /// One comparison of a field with a value.
    public struct Condition: Sendable, Hashable {
        /// How a field's value stands to the condition's.
        public enum Comparison: String, Sendable, Hashable, CaseIterable {
            /// By the declared type, as times, numbers or texts; where no order is defined the last four do not
            /// hold.
            case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
            /// The field's text has the value's text in it, or the field is a list with an element equal to the value.
            case contains = "*="
            /// As ``contains``, whatever the case of the letters: both texts in lower case, by Unicode's mapping.
            case containsAnyCase = "~="
            /// The field's text begins with the value's text.
            case prefix = "^="
        }

        /// A top-level member.
        public var field: String
        /// How the field must stand to ``value``.
        public var comparison: Comparison
        /// Compared by ``type``.
        public var value: Value
        /// The declared type to compare by.
        public var type: FieldType?
        /// Where the field stands in a stored record: the first of these places that the record has counts. None for the member
        /// of its name. Set by the synchronizer.
        package var paths: [JSONPath] = []

        /// A condition; by default the field must be equal to the value. The type is the synchronizer's to set where it
        /// is nil.
        package init(_ field: String, _ comparison: Comparison = .equal, _ value: Value, type: FieldType? = nil) {
            self.field = field
            self.comparison = comparison
            self.value = value
            self.type = type
        }

        /// Where the field stands in a stored record, such as `$.author.name`; nil for the member of its name. Of several places,
        /// `$.attributes.title,$.title`, the first that the record has counts.
        public var place: String? { paths.isEmpty ? nil : JSONPath.text(of: paths) }
    }

    /// One step of an order: by a field, either way.
    public struct Order: Sendable, Hashable {
        /// A top-level member, as the record calls it.
        public var field: String
        /// The smallest first; true by default.
        public var ascending: Bool
        /// The declared type to compare by; set by the synchronizer.
        public var type: FieldType?
        /// As ``Condition/paths``.
        package var paths: [JSONPath] = []

        /// An order by one field, the smallest first by default.
        public init(_ field: String, ascending: Bool = true, type: FieldType? = nil) {
            self.field = field
            self.ascending = ascending
            self.type = type
        }

        /// As ``Condition/place``.
        public var place: String? { paths.isEmpty ? nil : JSONPath.text(of: paths) }

        /// The smallest first.
        package static func ascending(_ field: String) -> Order { Order(field) }
        /// The largest first.
        package static func descending(_ field: String) -> Order { Order(field, ascending: false) }
    }
}
