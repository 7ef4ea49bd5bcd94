#if Command || Demo
    internal import Atmosphere

    extension Value {
        init(_ count: Int) { self = .number(JSONNumber(count)) }

        /// null for nil.
        init(_ text: String?) { self = text.map(Value.string) ?? .null }

        /// null for nil.
        init(_ record: ObjectRecord?) { self = record.map { .object($0.members) } ?? .null }

        init(_ texts: [String]) { self = .array(texts.map(Value.string)) }
    }
#endif
