#if Command
    internal import ArgumentParser

    /// `FIELD`, or `-FIELD` for descending order.
    struct OrderArgument: Sendable, Equatable {
        var field: String
        var isAscending: Bool

        /// - Throws: `ValidationError` for an empty name.
        init(_ argument: String) throws {
            isAscending = !argument.hasPrefix("-")
            field = isAscending ? argument : String(argument.dropFirst())
            guard !field.isEmpty else { throw ValidationError("write FIELD, or -FIELD for descending order") }
        }
    }
#endif
