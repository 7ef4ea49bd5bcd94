package import Atmosphere

extension Value {
    package init(_ count: Int) { self = .number(JSONNumber(count)) }

    /// null for nil.
    package init(_ text: String?) { self = text.map(Value.string) ?? .null }

    /// null for nil.
    package init(_ record: ObjectRecord?) { self = record.map { .object($0.members) } ?? .null }

    package init(_ texts: [String]) { self = .array(texts.map(Value.string)) }
}
