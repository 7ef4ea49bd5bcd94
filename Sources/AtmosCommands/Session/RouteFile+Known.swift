#if Command || Demo
    internal import Atmosphere

    extension RouteFile {
        /// The resource of this name.
        ///
        /// - Throws: ``CommandFailure`` that lists what there is.
        func known(_ entity: String) throws -> Resource {
            if let resource = resource(entity) { return resource }
            let names = resources.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                code: "unknownName", ["\(source) has no entity “\(entity)”; it has \(names)"], status: ExitStatus.usage)
        }
    }
#endif
