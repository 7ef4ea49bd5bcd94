extension Query {
    /// Conditions joined by and, or and not.
    public indirect enum Filter: Sendable, Hashable {
        /// One comparison of a field with a value.
        case condition(Condition)
        /// Every one holds; an empty list always does.
        case and([Filter])
        /// At least one holds; an empty list never does.
        case or([Filter])
        /// Holds for exactly the records for which the other does not.
        case not(Filter)

        /// Holds for every record.
        public static let everything = Filter.and([])

        /// All conditions hold.
        package static func all(_ conditions: [Condition]) -> Filter {
            if conditions.count == 1 { return .condition(conditions[0]) }
            return .and(conditions.map(Filter.condition))
        }

        /// Whether it holds for whatever record, by its form.
        package var isEverything: Bool {
            if case .and(let parts) = self { parts.allSatisfy(\.isEverything) } else { false }
        }

        /// The same with each condition replaced.
        package func mapConditions(_ transform: (Condition) throws -> Condition) rethrows -> Filter {
            switch self {
            case .condition(let condition): .condition(try transform(condition))
            case .and(let parts): .and(try parts.map { try $0.mapConditions(transform) })
            case .or(let parts): .or(try parts.map { try $0.mapConditions(transform) })
            case .not(let part): .not(try part.mapConditions(transform))
            }
        }

        /// The conditions in it, in their order.
        package var conditions: [Condition] {
            switch self {
            case .condition(let condition): [condition]
            case .and(let parts), .or(let parts): parts.flatMap(\.conditions)
            case .not(let part): part.conditions
            }
        }

        /// Both hold; `a && b && c` makes one ``and(_:)`` of three.
        public static func && (left: Filter, right: Filter) -> Filter {
            if case .and(let parts) = left { return .and(parts + [right]) }
            return .and([left, right])
        }

        /// At least one holds; `a
        /// b
        /// c` makes one ``or(_:)`` of three.
        public static func || (left: Filter, right: Filter) -> Filter {
            if case .or(let parts) = left { return .or(parts + [right]) }
            return .or([left, right])
        }

        /// Holds where the filter does not.
        public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
    }

    /// A field to write filters with: `Query.Field("due") < "2026-02-01"`.
    ///
    /// Null counts as a value: `field == nil` holds where the field is null or absent.
    public struct Field: Sendable {
        /// The top-level member, as the application calls it.
        package var name: String
        /// The type to compare by; nil for the one that the route file declares.
        package var type: FieldType?

        /// A field that is compared by its declared type, or by one that is given here.
        public init(_ name: String, type: FieldType? = nil) {
            self.name = name
            self.type = type
        }

        /// Holds where the field means the same as the value; of null, where it is null or absent.
        public static func == (field: Field, value: Value) -> Filter { field.filter(.equal, value) }
        /// Holds also where the field is null or absent, unless the value is null.
        public static func != (field: Field, value: Value) -> Filter { field.filter(.notEqual, value) }
        /// Never holds for null or an absent field, nor where no order is defined.
        public static func < (field: Field, value: Value) -> Filter { field.filter(.less, value) }
        /// Never holds for null or an absent field, nor where no order is defined.
        public static func <= (field: Field, value: Value) -> Filter { field.filter(.lessOrEqual, value) }
        /// Never holds for null or an absent field, nor where no order is defined.
        public static func > (field: Field, value: Value) -> Filter { field.filter(.greater, value) }
        /// Never holds for null or an absent field, nor where no order is defined.
        public static func >= (field: Field, value: Value) -> Filter { field.filter(.greaterOrEqual, value) }

        /// The field's text has this one in it, by Unicode scalars; for a list: has this element.
        ///
        /// - Parameter ignoringCase: capitals and small letters are the same.
        public func contains(_ value: Value, ignoringCase: Bool = false) -> Filter {
            filter(ignoringCase ? .containsAnyCase : .contains, value)
        }

        /// The field's text begins with this one.
        public func hasPrefix(_ text: String) -> Filter { filter(.prefix, .string(text)) }

        /// The field is equal to one of the values; never for none.
        public func isOne(of values: [Value]) -> Filter { .or(values.map { filter(.equal, $0) }) }

        private func filter(_ comparison: Condition.Comparison, _ value: Value) -> Filter {
            .condition(Condition(name, comparison, value, type: type))
        }
    }
}
