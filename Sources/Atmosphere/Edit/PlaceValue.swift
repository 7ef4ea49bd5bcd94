/// A value that sorts between two others: where an object stands here until the server has given it a place.
enum PlaceValue {
    /// What stands for the end of a text, before every character that places are made of, and the end of these.
    private static let (end, last): (UInt32, UInt32) = (0x20, 0x7F)

    /// A value behind `lower` and before `upper`; nil where none is found, or neither is a text or a number.
    ///
    /// - Parameters:
    ///   - lower: nil for a place before all others.
    ///   - upper: nil for one behind all others.
    ///   - type: the declared one of the member, by which it is sorted.
    static func between(_ lower: Value?, _ upper: Value?, as type: FieldType? = nil) -> Value? {
        guard let value = middle(lower, upper) else { return nil }
        if let lower, FieldType.compare(lower, value, as: type) != .less { return nil }
        if let upper, FieldType.compare(value, upper, as: type) != .less { return nil }
        return value
    }

    /// What may be between two values: numbers are rounded, and the type of the member may sort them otherwise.
    private static func middle(_ lower: Value?, _ upper: Value?) -> Value? {
        switch (lower, upper) {
        case (.number(let low)?, .number(let high)?):
            guard let low = low.double, let high = high.double else { return nil }
            return number(low + (high - low) / 2)
        case (.number(let low)?, nil): return low.double.flatMap { number($0 + 1) }
        case (nil, .number(let high)?): return high.double.flatMap { number($0 - 1) }
        case (.string(let low)?, .string(let high)?): return text(scalars(low), scalars(high))
        case (.string(let low)?, nil): return text(scalars(low), nil)
        case (nil, .string(let high)?): return text([], scalars(high))
        default: return nil
        }
    }

    private static func number(_ value: Double) -> Value? {
        value.isFinite ? JSONNumber("\(value)").map { .number($0) } : nil
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

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
