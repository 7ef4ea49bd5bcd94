#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    extension ConditionArgument {
        /// - Throws: `ValidationError` with the reason.
        init(_ argument: String) throws {
            if let parsed = ConditionArgument(parsing: argument) {
                self = parsed
                return
            }
            guard let start = argument.firstIndex(where: { "=!<>".contains($0) }), start > argument.startIndex else {
                throw ValidationError("write FIELD=VALUE, with =, !=, <, <=, >, >=, *=, ~= or ^=")
            }
            throw ValidationError(
                "“\(argument[start...].prefix(1))” is no comparison; there are =, !=, <, <=, >, >=, *=, ~= and ^=")
        }
    }
#endif
