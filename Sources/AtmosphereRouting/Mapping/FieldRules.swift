/// How members are compared and merged.
package struct FieldRules: Sendable, Hashable {
    /// How a member of which both sides changed parts is put together.
    package enum Merge: String, Sendable, Hashable, CaseIterable {
        /// Members of a nested object are merged one by one.
        case deep
        /// Elements of an array are added and removed.
        case set
        /// Lines of a text.
        case lines
    }

    /// By member; one without a type is compared as JSON, numbers by value.
    package var types: [String: FieldType] = [:]
    /// By member; one that is not here is one piece.
    package var merge: [String: Merge] = [:]
    /// Members that win or lose as one.
    package var together: [[String]] = []
    /// Values that mean the same as absence.
    package var absentEquals: [Value] = []
    /// Where the value of a member tells which content it stands for; `*` is for every member that is not there. Values
    /// that have the same there are equal.
    package var identities: [String: JSONPath] = [:]
    /// Members that are links, which hold identifiers: `1` and `"1"` mean the same object.
    package var links: Set<String> = []

    /// How a member says a point in time; without a type that does so as a text.
    package func typeOfMoment(_ name: String) -> FieldType {
        types[name].flatMap { $0.isMoment ? $0 : nil } ?? .instant
    }

    /// No types: members are compared as JSON, and each is one piece.
    package init() {}

    /// Whether a value stands for nothing: null, an empty text, list or object, false, zero, or what the route file calls
    /// equal to absence.
    package func isEmpty(_ value: Value) -> Bool {
        switch value {
        case .null, .bool(false): true
        case .string(""): true
        case .array(let elements) where elements.isEmpty: true
        case .object(let members) where members.isEmpty: true
        case .number(JSONNumber(0)): true
        default: absentEquals.contains(value)
        }
    }
}
