/// Reads the object that a member of another one refers to.
struct ReferenceReader: Sendable {
    private let resource: Resource
    private let reference: Reference

    /// - Throws: ``SyncError`` `unknownName` where the member is no reference.
    init(_ field: String, of resource: Resource) throws {
        guard let reference = resource.references.first(where: { $0.field == field }) else {
            throw SyncError(
                code: .unknownName,
                message: "“\(field)” of \(resource.name) is no reference; declare it under “references” of "
                    + "\(resource.name)")
        }
        self.resource = resource
        self.reference = reference
    }

    /// - Returns: nil where the member is null or absent, or the object is not here.
    /// - Throws: ``SyncError`` `notFound` for the object that refers; ``StoreError``.
    func referenced(by uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> LocalObject? {
        let (_, object) = try snapshot.existing(uri)
        guard let value = object.record.flatMap({ resource.mapping.value(reference.field, in: $0) }),
            let id = ObjectID(value)
        else { return nil }
        let named = ObjectURI(entity: reference.entity, id: id.text)
        return try snapshot.object(at: snapshot.alias(of: named) ?? named)
    }
}
