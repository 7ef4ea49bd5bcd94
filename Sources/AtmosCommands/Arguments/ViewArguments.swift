#if Command
    internal import ArgumentParser
    internal import Atmosphere

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
                guard let (name, value) = argument.divided(at: "="), !name.isEmpty else {
                    throw ValidationError("“\(argument)” is no parameter of a view; write NAME=VALUE")
                }
                parameters[String(name)] = String(value)
            }
        }

        /// - Throws: ``CommandFailure`` where a parameter of the view is missing.
        func requireAll(of view: String, in routeFile: RouteFile) throws {
            let resource = try routeFile.known(entity)
            guard let view = resource.views.first(where: { $0.name == view }) else { return }
            let missing = view.parameters(of: resource).filter { (parameters[$0] ?? "").isEmpty }
            guard !missing.isEmpty else { return }
            let wanted = missing.map { "\($0)=VALUE" }.joined(separator: " ")
            throw CommandFailure.usage("the view “\(view.name)” of \(resource.name) needs \(wanted)")
        }
    }
#endif
