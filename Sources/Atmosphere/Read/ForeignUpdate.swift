/// What the server said of an object by another channel.
struct ForeignUpdate: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    private let uri: ObjectURI
    /// nil where it has deleted it.
    private let record: ObjectRecord?
    private let version: String?
    /// What was said before a push is answered is older than the answer.
    private let sequence: Int64

    init(
        _ synchronizer: Synchronizer, _ uri: ObjectURI, _ record: ObjectRecord?, _ version: String?,
        of resource: Resource
    ) {
        self.synchronizer = synchronizer
        self.resource = resource
        self.uri = uri
        self.record = record
        self.version = version
        sequence = synchronizer.nextSequence()
    }

    /// See ``Synchronizer/update(_:with:version:)``.
    func run() async throws {
        guard try await store() == .read else { return }
        let next = try await synchronizer.lanes.run(at: uri, in: synchronizer.store) { try await store() }
        if next == .read, resource.read.isOffered { try await synchronizer.refresh(uri, origin: .live) }
    }

    /// An object that names itself by the address stands there, also where another had that address before.
    private func place(of id: ObjectID?, in snapshot: any StoreSnapshot) throws -> ObjectURI {
        let own = resource.isUniquePerParent ? uri.segments.last ?? uri.id : uri.id
        if let id, id.text.hasSameBytes(as: own) { return uri }
        return try snapshot.alias(of: uri) ?? uri
    }

    /// - Returns: what has to be asked next about the object.
    private func store() async throws -> ObjectRequest? {
        let key = synchronizer.environment.makeUUID()
        return try await synchronizer.store.write(.power, origin: .live) { transaction in
            let id = record.flatMap { resource.id.first(in: .object($0.members)) }.flatMap { ObjectID($0) }
            let uri = try place(of: id, in: transaction)
            let plan = ChangeEngine(resource).remote(
                .init(record: record, id: id ?? ObjectID(uri.id), version: version, sequence: sequence),
                over: try transaction.object(at: uri), uri: uri, key: key)
            try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction)
                .apply(plan, to: uri, toldAt: sequence)
            try transaction.raiseSequence(to: sequence)
            return plan.next
        }
    }
}
