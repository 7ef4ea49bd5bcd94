// What a program says beside the route file.

extension RouteFile {
    /// Has the store keep the records of an entity sorted by fields, as `indexes` of the route file does. It counts where the
    /// file is opened behind it.
    ///
    /// - Parameter fields: sorted by the first, then by the next. Each has a type in the route file (`types`).
    /// - Throws: ``SyncError`` `unknownName` for an entity that there is not, and for a field without a type that has an order.
    public mutating func addIndex(_ fields: [String], of entity: String) throws {
        let index = try place(of: entity, "an index")
        let types = resources[index].fields.types
        if let field = fields.first(where: { types[$0] ?? .json == .json }) {
            throw SyncError(
                code: .unknownName,
                message: "an index of \(entity.quoted) is by \(field.quoted), which has no declared type to be sorted "
                    + "by; declare it in \(source) under types")
        }
        resources[index].indexes.append(fields)
    }

    /// - Throws: ``SyncError`` `unknownName` for an entity that there is not.
    func using(_ resolvers: [String: ConflictResolver]) throws -> RouteFile {
        var file = self
        for (entity, resolver) in resolvers {
            file.resources[try place(of: entity, "a conflict resolver")].conflict.resolver = resolver
        }
        return file
    }

    private func place(of entity: String, _ what: String) throws -> Int {
        if let index = resources.firstIndex(where: { $0.name == entity }) { return index }
        throw SyncError(
            code: .unknownName,
            message: "\(what) is for \(entity.quoted), and \(source) has no such entity; it has "
                + entities.joined(separator: ", "))
    }
}
