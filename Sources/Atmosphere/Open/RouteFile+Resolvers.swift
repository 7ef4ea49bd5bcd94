extension RouteFile {
    /// - Throws: ``SyncError`` `unknownName` for an entity that there is not.
    func using(_ resolvers: [String: ConflictResolver]) throws -> RouteFile {
        var file = self
        for (entity, resolver) in resolvers {
            guard let index = resources.firstIndex(where: { $0.name == entity }) else {
                let known = resources.map(\.name).joined(separator: ", ")
                throw SyncError(
                    code: .unknownName,
                    message:
                        "a conflict resolver is for \(entity.quoted), and \(source) has no such entity; it has \(known)"
                )
            }
            file.resources[index].conflict.resolver = resolver
        }
        return file
    }
}
