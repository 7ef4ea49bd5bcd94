/// Which records of one entity, in which order.
public struct Query: Sendable, Hashable {
    public var entity: String
    /// All must hold.
    public var conditions: [Condition]
    /// The first difference decides; records that tie follow in ascending order of identifier.
    public var order: [Order]
    public var limit: Int?

    public init(_ entity: String, where conditions: [Condition] = [], order: [Order] = [], limit: Int? = nil) {
        self.entity = entity
        self.conditions = conditions
        self.order = order
        self.limit = limit
    }

    public struct Condition: Sendable, Hashable {
        public enum Comparison: String, Sendable, Hashable {
            case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        }

        /// A top-level member.
        public var field: String
        public var comparison: Comparison
        public var value: Value
        /// The declared type to compare by.
        public var type: FieldType?
        /// Where the field stands in a stored record; nil for the member of its name. Set by the synchronizer.
        public var path: JSONPath?

        public init(_ field: String, _ comparison: Comparison = .equal, _ value: Value, type: FieldType? = nil) {
            self.field = field
            self.comparison = comparison
            self.value = value
            self.type = type
        }
    }

    public struct Order: Sendable, Hashable {
        public var field: String
        public var ascending: Bool
        public var type: FieldType?
        /// As ``Condition/path``.
        public var path: JSONPath?

        public init(_ field: String, ascending: Bool = true, type: FieldType? = nil) {
            self.field = field
            self.ascending = ascending
            self.type = type
        }
    }
}
