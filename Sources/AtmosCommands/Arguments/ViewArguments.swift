#if Command
    internal import ArgumentParser

    /// What follows a view on the command line: one entity, then parameters.
    struct ViewArguments {
        let entity: String
        private(set) var parameters: [String: String] = [:]

        /// - Throws: `ValidationError` where there is no entity, or what follows it is not NAME=VALUE.
        init(_ arguments: [String]) throws {
            guard let first = arguments.first, !first.contains("=") else {
                throw ValidationError("--view needs one entity in front of its parameters: ENTITY --view NAME owner=7")
            }
            entity = first
            for argument in arguments.dropFirst() {
                guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
                    throw ValidationError("“\(argument)” is no parameter of a view; write NAME=VALUE")
                }
                parameters[String(argument[..<sign])] = String(argument[argument.index(after: sign)...])
            }
        }
    }
#endif
