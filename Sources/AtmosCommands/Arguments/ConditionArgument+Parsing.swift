#if Command
    internal import ArgumentParser
    internal import Atmosphere

    extension ConditionArgument {
        /// - Throws: `ValidationError` with the reason.
        init(_ argument: String) throws {
            guard var start = argument.firstIndex(where: { "=!<>".contains($0) }), start > argument.startIndex else {
                throw ValidationError("write FIELD=VALUE, with =, !=, <, <=, >, >=, *= or ^=")
            }
            let before = argument.index(before: start)
            if argument[start] == "=", "*^".contains(argument[before]), before > argument.startIndex { start = before }
            let rest = argument[start...]
            let known: [Query.Condition.Comparison] = [
                .notEqual, .lessOrEqual, .greaterOrEqual, .contains, .prefix, .equal, .less, .greater
            ]
            guard let comparison = known.first(where: { rest.hasPrefix($0.rawValue) }) else {
                throw ValidationError("“\(rest.prefix(1))” is no comparison; there are =, !=, <, <=, >, >=, *= and ^=")
            }
            field = String(argument[..<start])
            self.comparison = comparison
            text = String(rest.dropFirst(comparison.rawValue.count))
        }
    }
#endif
