extension FieldType {
    /// Whether values say a point in time.
    package var isMoment: Bool { self == .instant || decimalsOfSecond != nil }

    /// Of a number that counts from 1970: how many decimal places of a second its unit is; nil for every other type.
    package var decimalsOfSecond: Int? {
        switch self {
        case .seconds: 0
        case .milliseconds: 3
        case .microseconds: 6
        case .string, .integer, .decimal, .float, .boolean, .instant, .date, .json: nil
        }
    }

    /// The point in time that a value says, as this type writes it or as a text of RFC 3339; nil where it says none.
    package func moment(_ value: Value) -> Instant? {
        guard isMoment else { return nil }
        if let number = value.number { return decimalsOfSecond.flatMap { number.moment(decimals: $0) } }
        guard let text = value.string else { return nil }
        if let instant = Instant(text) { return instant }
        return decimalsOfSecond.flatMap { JSONNumber(text)?.moment(decimals: $0) }
    }

    /// A point in time as this type writes it: a text, or a number that counts from 1970.
    package func value(of instant: Instant) -> Value {
        decimalsOfSecond.map { .number(JSONNumber(instant, decimals: $0)) } ?? .string(instant.description)
    }
}
