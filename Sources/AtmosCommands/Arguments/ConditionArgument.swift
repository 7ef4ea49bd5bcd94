#if Command || Demo
    internal import Atmosphere

    /// `FIELD=VALUE` with `=`, `!=`, `<`, `<=`, `>`, `>=`, `*=` (contains) or `^=` (begins with).
    struct ConditionArgument: Sendable, Equatable {
        var field: String
        var comparison: Query.Condition.Comparison
        var text: String

        /// The condition for a field of the declared type. Without one, a text that looks like a number or a truth value is
        /// compared as such, whether the record holds it as a string or not; `null` means null.
        ///
        /// - Throws: ``CommandFailure`` where the text cannot be a value of the declared type.
        func condition(_ resource: Resource) throws -> Query.Condition {
            if comparison == .contains || comparison == .prefix {
                return Query.Condition(field, comparison, .string(text), type: resource.fields.types[field])
            }
            if let type = resource.fields.types[field] {
                if type.isMoment, !type.accepts(text: text), FieldType.date.accepts(text: text) {
                    return try dayCondition(type)
                }
                if type != .json, !type.accepts(text: text), text != "null" {
                    throw CommandFailure.usage(
                        "--where \(field)\(comparison.rawValue)\(text): the route file declares “\(field)” as "
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
        /// - Throws: ``CommandFailure`` where it could also mean the whole day.
        private func dayCondition(_ type: FieldType) throws -> Query.Condition {
            guard comparison == .less || comparison == .greaterOrEqual else {
                throw CommandFailure.usage(
                    "--where \(field)\(comparison.rawValue)\(text): “\(field)” is an instant, so a whole day is "
                        + "\(field)>=DAY with \(field)<THE-NEXT-DAY, and a moment is written as \(text)T12:30:00Z")
            }
            return Query.Condition(field, comparison, .string("\(text)T00:00:00Z"), type: type)
        }

        private var json: Value? { try? Value(json: Array(text.utf8)) }
    }
#endif
