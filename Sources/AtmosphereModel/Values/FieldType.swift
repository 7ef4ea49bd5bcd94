/// A member's type, for equality, comparison and formats that write no types.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    /// How a value is read to be compared, from a JSON value of the kind or from its text: by Unicode scalars; as exact
    /// numbers, whole ones and others; as a binary number; as true or false, also 1 and 0; as a time (RFC 3339); as a
    /// day; as the JSON value it is.
    case string, integer, decimal, float, boolean, instant, date, json
    /// A time that is written as a number, which counts from 1970.
    case seconds, milliseconds, microseconds
}
