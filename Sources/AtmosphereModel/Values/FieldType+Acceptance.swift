extension FieldType {
    /// What a value of the type is, for messages.
    package var expectation: String {
        switch self {
        case .string: "a text"
        case .integer: "an integer"
        case .float, .decimal: "a number"
        case .boolean: "true or false"
        case .instant: "an instant (2026-01-02T03:04:05Z)"
        case .seconds, .milliseconds, .microseconds:
            "a moment, in \(rawValue) since 1970, or as 2026-01-02T03:04:05Z"
        case .date: "a date (2026-01-02)"
        case .json: "JSON"
        }
    }

    /// Whether a text says a value of the type.
    package func accepts(text: String) -> Bool {
        switch self {
        case .string: true
        case .integer: JSONNumber(text)?.int64 != nil
        case .float, .decimal: JSONNumber(text) != nil
        case .boolean: Bool(text) != nil
        case .instant, .seconds, .milliseconds, .microseconds: moment(.string(text)) != nil
        case .date: Instant.day(text) != nil
        case .json: (try? Value(json: Array(text.utf8))) != nil
        }
    }

    /// Whether a JSON value is one of the type. Null is one of every type; servers write numbers that must stay exact
    /// as strings too, and those count for a decimal.
    package func accepts(_ value: Value) -> Bool {
        switch (self, value) {
        case (.json, _), (_, .null): true
        case (.string, .string): true
        case (.integer, .number(let number)): number.int64 != nil
        case (.float, .number), (.decimal, .number), (.boolean, .bool): true
        case (.seconds, .number), (.milliseconds, .number), (.microseconds, .number): moment(value) != nil
        case (.seconds, .string(let text)), (.milliseconds, .string(let text)), (.microseconds, .string(let text)):
            JSONNumber(text).flatMap { moment(.number($0)) } != nil
        case (.decimal, .string(let text)), (.instant, .string(let text)), (.date, .string(let text)):
            accepts(text: text)
        default: false
        }
    }
}
