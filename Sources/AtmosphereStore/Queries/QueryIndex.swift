/// What a store keeps sorted, so that a query costs what it answers and not what the store holds.
///
/// It serves queries whose filter compares its first fields with `==` and perhaps the next one with any comparison, and
/// those that are sorted by the fields behind the ones that were compared with `==`.
///
/// ``Query/Condition/indexField`` and ``Query/Order/indexField`` name the field of an index that a condition or an order
/// is about, and ``Query/Condition/keyTest`` says which of its sort keys a condition holds for.
public struct QueryIndex: Sendable, Hashable {
    /// A field and the type that it is compared by. Another type would sort it otherwise, so it is always said.
    public struct Field: Sendable, Hashable, CustomStringConvertible {
        /// Where it stands in a stored record: the first of these places that the record has counts; there is one at least.
        package var paths: [JSONPath]
        /// The type that the values are sorted by, see ``sortKey(of:)``.
        public var type: FieldType

        /// A field at the first of these paths that the stored record has, sorted as a type.
        package init(firstOf paths: [JSONPath], type: FieldType) {
            self.paths = paths
            self.type = type
        }

        /// A field at a path of the stored record, sorted as a type.
        package init(_ path: JSONPath, type: FieldType) { self.init(firstOf: [path], type: type) }

        /// Reads ``description``; nil for another text.
        package init?(_ description: String) {
            guard let colon = description.firstIndex(of: ":"),
                let type = FieldType(rawValue: String(description[..<colon])),
                let paths = JSONPath.paths(in: String(description[description.index(after: colon)...]))
            else { return nil }
            self.init(firstOf: paths, type: type)
        }

        /// `date:$.due`, or `date:$.attributes.due,$.due`: tells the field from every other one, in every version alike, so that
        /// a store can name by it what it keeps sorted.
        public var description: String { "\(type.rawValue):\(JSONPath.text(of: paths))" }

        /// The bytes that a record sorts by: byte by byte, the shorter first where one is the beginning of the other. Null and
        /// absence come first; arrays and objects, which have no order, all have the same bytes.
        ///
        /// ``Query/Condition/keyTest`` says what a condition means in terms of these bytes.
        public func sortKey(of record: ObjectRecord) -> [UInt8] { type.sortKey(of: record.value(of: "", at: paths)) }
    }

    /// The entity whose records are sorted.
    public var entity: String
    /// Sorted by the first, then by the next.
    public var fields: [Field]

    /// An index over the fields, in this order.
    package init(_ entity: String, _ fields: [Field]) {
        self.entity = entity
        self.fields = fields
    }

    /// The indexes that a resource declares, as a store needs them, and those of the rows that actions move objects in (`sets`
    /// with `behind`). A field without a type has none.
    package static func declared(by resource: Resource) -> [QueryIndex] {
        func field(_ name: String, as type: FieldType?) -> Field? {
            type.map { Field(firstOf: resource.mapping.paths(of: name), type: $0) }
        }
        func index(_ fields: [Field?]) -> QueryIndex? {
            let found = fields.compactMap(\.self)
            return found.count == fields.count && !found.isEmpty ? QueryIndex(resource.name, found) : nil
        }
        let types = resource.fields.types
        var indexes = resource.indexes.compactMap { names in index(names.map { field($0, as: types[$0]) }) }
        for names in resource.rowsOfPlaces {
            let place = names.last.map { field($0, as: types[$0]) }
            let row = index(names.dropLast().map { field($0, as: resource.typeAmong($0)) } + [place ?? nil])
            if let row, !indexes.contains(row) { indexes.append(row) }
        }
        return indexes
    }
}
