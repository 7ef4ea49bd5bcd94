/// A value that sorts between two others: where an object stands here until the server has given it a place.
enum PlaceValue {
    /// What stands for the end of a text, before every character that places are made of, and the end of these.
    private static let (end, last): (UInt32, UInt32) = (0x20, 0x7F)

    /// A value behind `lower` and before `upper`; nil where none is found, or neither is of the type.
    ///
    /// - Parameters:
    ///   - lower: nil for a place before all others.
    ///   - upper: nil for one behind all others.
    ///   - type: the declared one of the member, by which it is sorted: `string`, or one of numbers that are no integers.
    static func between(_ lower: Value?, _ upper: Value?, as type: FieldType) -> Value? {
        guard let value = type == .string ? text(lower, upper) : number(lower, upper) else { return nil }
        if let lower, type.compare(lower, value) != .less { return nil }
        if let upper, type.compare(value, upper) != .less { return nil }
        return value
    }

    /// What may be between two numbers, for it is rounded; a text where the numbers are written as texts.
    private static func number(_ lower: Value?, _ upper: Value?) -> Value? {
        let middle: Double
        switch (lower.map(double), upper.map(double)) {
        case (let low??, let high??): middle = low + (high - low) / 2
        case (let low??, nil): middle = low + 1
        case (nil, let high??): middle = high - 1
        default: return nil
        }
        guard middle.isFinite, let number = JSONNumber("\(middle)") else { return nil }
        return (lower ?? upper)?.string == nil ? .number(number) : .string(number.lexeme)
    }

    private static func double(_ value: Value) -> Double? { JSONNumber(value.text)?.double }

    private static func text(_ lower: Value?, _ upper: Value?) -> Value? {
        lower == nil && upper == nil ? nil : text(lower.map(scalars) ?? [], upper.map(scalars))
    }

    private static func scalars(_ value: Value) -> [UInt32] { value.text.unicodeScalars.map(\.value) }

    /// The lower text as far as it has to go along with the upper one, and then a character in the middle.
    private static func text(_ lower: [UInt32], _ upper: [UInt32]?) -> Value? {
        var result: [UInt32] = []
        var upper = upper
        for index in 0...max(lower.count, upper?.count ?? 0) {
            let low = index < lower.count ? lower[index] : end
            let high = upper.map { index < $0.count ? $0[index] : end } ?? last
            if let middle = character(low, high) {
                result.append(middle)
                return .string(String(String.UnicodeScalarView(result.compactMap(Unicode.Scalar.init))))
            }
            // Between texts that are equal, or in the wrong order, there is none.
            if upper != nil, high < low { return nil }
            if high > low { upper = nil }
            result.append(low)
        }
        return nil
    }

    /// A character in the middle of two; nil where there is none. Surrogates are no characters.
    private static func character(_ low: UInt32, _ high: UInt32) -> UInt32? {
        guard high > low, high - low > 1 else { return nil }
        return [low + (high - low) / 2, 0xD7FF, 0xE000].first { low < $0 && $0 < high && Unicode.Scalar($0) != nil }
    }
}
