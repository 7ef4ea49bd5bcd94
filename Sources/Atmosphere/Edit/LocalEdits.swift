/// Edits of the local copy, each in one transaction; what they change is marked for the next push.
struct LocalEdits: Sendable {
    private let synchronizer: Synchronizer
    /// Looks at the object that an edit or a delete finds, and throws where that is not to be.
    private let condition: @Sendable (LocalObject) throws -> Void

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var store: any Store { synchronizer.store }

    /// - Parameter condition: gets the object as the application sees it, inside the transaction.
    init(_ synchronizer: Synchronizer, where condition: @escaping @Sendable (LocalObject) throws -> Void = { _ in }) {
        self.synchronizer = synchronizer
        self.condition = condition
    }

    /// See ``Synchronizer/save(_:as:)`` and ``Synchronizer/save(_:as:once:)``.
    func create(
        _ members: Value.Members, as resource: Resource, once name: String? = nil
    ) async throws -> ObjectURI {
        let uuid = name ?? synchronizer.environment.newIdentifier(of: resource)
        let lookup = synchronizer.environment.makeUUID()
        let key = synchronizer.environment.makeUUID()
        let once = KeyedCreates(of: resource)
        let sequence = name == nil ? 0 : synchronizer.nextSequence()
        synchronizer.note(resource.name, "saving a new object", isRoutine: true)
        let uri = try await store.write(.power, origin: .application) { transaction in
            let edit = EditTransaction(synchronizer, transaction).edits(of: resource)
            if let name {
                if let known = try once.known(name, members, in: transaction) {
                    return try transaction.alias(of: known) ?? known
                }
                if let present = try edit.present(members, uuid: uuid) { return present }
            }
            let (uri, object) = try edit.created(members, uuid: uuid, lookup: lookup, key: key)
            if let name { try once.note(name, members, at: uri, sequence, in: transaction) }
            return try ObjectWriter(routeFile: routeFile, transaction: transaction).put(object, over: uri)
        }
        synchronizer.note(uri, "saved")
        return uri
    }

    /// - Parameters:
    ///   - names: the members that the edit sets, whatever they were before.
    ///   - replaced: of an edit that stands for content which was sent at once, the uploads whose place that takes.
    ///   - change: what becomes of the members, inside the transaction.
    func edit(
        _ uri: ObjectURI, mayUndelete: Bool, setting names: [String] = [], insteadOf replaced: Set<String>? = nil,
        _ change: @escaping @Sendable (Value.Members) throws -> Value.Members
    ) async throws {
        let resource = try synchronizer.resource(uri.entity)
        let key = synchronizer.environment.makeUUID()
        let dropped = try await store.write(.power, origin: .application) { transaction in
            try EditTransaction(synchronizer, transaction).edit(
                uri, of: resource, mayUndelete: mayUndelete, setting: names, insteadOf: replaced, key: key,
                where: condition, change)
        }
        synchronizer.note(uri, "edited")
        await WaitingContents(synchronizer).forget(dropped, of: uri, because: WaitingContents.isEdited)
    }

    /// See ``Synchronizer/delete(_:)``.
    func delete(_ uri: ObjectURI) async throws {
        let resource = try synchronizer.resource(uri.entity)
        let key = synchronizer.environment.makeUUID()
        if resource.deletes.onlineOnly, try await store.read({ try $0.existing(uri).1.meta.confirmed != nil }) {
            return try await SaveNow(synchronizer, resource, where: condition).delete(uri)
        }
        try await store.write(.power, origin: .application) { transaction in
            try EditTransaction(synchronizer, transaction).delete(uri, of: resource, key: key, where: condition)
        }
        synchronizer.note(uri, "deleted")
        await WaitingContents(synchronizer).removeUnused()
    }

    /// See ``Synchronizer/changeIdentifier(of:to:)``.
    func changeIdentifier(of uri: ObjectURI, to id: ObjectID) async throws {
        let resource = try synchronizer.resource(uri.entity)
        try await store.write(.power, origin: .application) { transaction in
            var (uri, object) = try transaction.existing(uri)
            object.meta.id = id
            if let member = resource.id.singleMember, let record = object.record {
                object.record = record.replacing(member: member, with: id.value)
            }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(object, over: uri)
        }
    }
}
