/// A member's type, for equality, comparison and formats that write no types.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    /// How a value is read to be compared, from a JSON value of the kind or from its text: by Unicode scalars; as exact
    /// numbers, whole ones and others; as a binary number; as true or false, also 1 and 0; as a time (RFC 3339); as a
    /// day; as the JSON value it is.
    case string, integer, decimal, float, boolean, instant, date, json
    /// A time that is written as a number, which counts from 1970.
    case seconds, milliseconds, microseconds
}

/// How members are compared and merged.
public struct FieldRules: Sendable, Hashable {
    /// How a member of which both sides changed parts is put together.
    public enum Merge: String, Sendable, Hashable, CaseIterable {
        /// Members of a nested object are merged one by one.
        case deep
        /// Elements of an array are added and removed.
        case set
        /// Lines of a text.
        case lines
    }

    /// By member; one without a type is compared as JSON, numbers by value.
    public var types: [String: FieldType] = [:]
    /// By member; one that is not here is one piece.
    public var merge: [String: Merge] = [:]
    /// Members that win or lose as one.
    public var together: [[String]] = []
    /// Values that mean the same as absence.
    public var absentEquals: [Value] = []
    /// Where the value of a member tells which content it stands for; `*` is for every member that is not there. Values
    /// that have the same there are equal.
    public var identities: [String: JSONPath] = [:]
    /// Members that are links, which hold identifiers: `1` and `"1"` mean the same object.
    public var links: Set<String> = []

    /// How a member says a point in time; without a type that does so as a text.
    func typeOfMoment(_ name: String) -> FieldType { types[name].flatMap { $0.isMoment ? $0 : nil } ?? .instant }

    /// No types: members are compared as JSON, and each is one piece.
    public init() {}
}
