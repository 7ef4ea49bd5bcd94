package import Atmosphere

/// `FIELD=VALUE` with `=`, `!=`, `<`, `<=`, `>`, `>=`, `*=` (contains), `~=` (contains, in any case) or `^=` (begins with).
package struct ConditionArgument: Sendable, Equatable {
    package var field: String
    package var comparison: Query.Condition.Comparison
    package var text: String

    package init(field: String, comparison: Query.Condition.Comparison, text: String) {
        self.field = field
        self.comparison = comparison
        self.text = text
    }

    /// Reads `FIELD=VALUE`.
    ///
    /// - Returns: nil where no field or no comparison stands there.
    package init?(parsing argument: String) {
        guard var start = argument.firstIndex(where: { "=!<>".contains($0) }), start > argument.startIndex else {
            return nil
        }
        let before = argument.index(before: start)
        if argument[start] == "=", "*~^".contains(argument[before]), before > argument.startIndex { start = before }
        let rest = argument[start...]
        let known: [Query.Condition.Comparison] = [
            .notEqual, .lessOrEqual, .greaterOrEqual, .contains, .containsAnyCase, .prefix, .equal, .less, .greater
        ]
        guard let comparison = known.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
        field = String(argument[..<start])
        self.comparison = comparison
        text = String(rest.dropFirst(comparison.rawValue.count))
    }

    /// The condition for a field of the declared type. Without one, a text that looks like a number or a truth value is
    /// compared as such, whether the record holds it as a string or not; `null` means null.
    ///
    /// - Parameter option: what messages put in front of it.
    /// - Throws: ``UsageError`` where the text cannot be a value of the declared type.
    package func condition(_ resource: Resource, option: String = "--where ") throws -> Query.Condition {
        if [.contains, .containsAnyCase, .prefix].contains(comparison) {
            return Query.Condition(field, comparison, .string(text), type: resource.fields.types[field])
        }
        if let type = resource.fields.types[field] {
            if type.isMoment, !type.accepts(text: text), FieldType.date.accepts(text: text) {
                return try dayCondition(type, option)
            }
            if type != .json, !type.accepts(text: text), text != "null" {
                throw UsageError.usage(
                    "\(option)\(field)\(comparison.rawValue)\(text): the route file declares “\(field)” as "
                        + type.expectation)
            }
            let value: Value = text == "null" ? .null : .string(text)
            return Query.Condition(field, comparison, type == .json ? json ?? value : value, type: type)
        }
        switch json {
        case .null: return Query.Condition(field, comparison, .null)
        case .bool(let flag): return Query.Condition(field, comparison, .bool(flag), type: .boolean)
        case .number(let number): return Query.Condition(field, comparison, .number(number), type: .decimal)
        default: return Query.Condition(field, comparison, .string(text))
        }
    }

    /// A date in the place of an instant: the day's beginning in UTC, where that leaves no doubt.
    ///
    /// - Throws: ``UsageError`` where it could also mean the whole day.
    private func dayCondition(_ type: FieldType, _ option: String) throws -> Query.Condition {
        guard comparison == .less || comparison == .greaterOrEqual else {
            throw UsageError.usage(
                "\(option)\(field)\(comparison.rawValue)\(text): “\(field)” is an instant, so a whole day is "
                    + "\(field)>=DAY with \(field)<THE-NEXT-DAY, and a moment is written as \(text)T12:30:00Z")
        }
        return Query.Condition(field, comparison, .string("\(text)T00:00:00Z"), type: type)
    }

    private var json: Value? { try? Value(json: Array(text.utf8)) }
}
