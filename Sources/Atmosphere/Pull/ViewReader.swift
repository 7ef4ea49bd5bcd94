/// Pulls one view of an entity, and reads what was pulled of it.
struct ViewReader: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    private let call: ViewCall

    /// - Throws: ``SyncError`` `unknownName` or `invalidRecord` for the view and its parameters.
    init(_ synchronizer: Synchronizer, _ view: String, of entity: String, _ parameters: [String: String]) throws {
        self.synchronizer = synchronizer
        resource = try synchronizer.resource(entity)
        call = try ViewCall(view, of: resource, parameters)
    }

    /// Asks for the view as whom the server takes us for.
    func pull(_ options: Synchronizer.PullOptions) async throws -> PullReport.Entity {
        let identity: String?
        do {
            identity = try await Ownership(synchronizer).reader()
        } catch let error as SyncError {
            return PullReport.Entity(error)
        }
        return try await EntityPull(
            synchronizer: synchronizer, resource: resource, options: options, identity: identity, view: call
        ).run()
    }

    /// The records of the view in the server's order, as it was when it was last pulled.
    func records(in snapshot: any StoreSnapshot) throws -> [(uri: ObjectURI, record: ObjectRecord)] {
        try (snapshot.cursor(for: call.scope)?.members ?? []).compactMap { id in
            let named = ObjectURI(entity: resource.name, id: id)
            let uri = try snapshot.alias(of: named) ?? named
            return try snapshot.record(at: uri).map { (uri, resource.mapping.view($0)) }
        }
    }

    /// Whether a pull of the view has stored anything yet or come to its end.
    func wasPulled(in snapshot: any StoreSnapshot) throws -> Bool {
        try snapshot.cursor(for: call.scope)?.hasListed == true
    }
}
