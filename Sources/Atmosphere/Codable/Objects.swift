/// The objects of one entity as models.
///
/// Filters and orders name fields as records do (`due_date`), not as the model does. All calls throw ``SyncError``
/// `unknownName` where the route file has no such entity, and ``StoreError``.
public struct Objects<Model: Codable & Sendable>: Sendable {
    /// Where the objects are read and saved.
    package let synchronizer: Synchronizer
    /// The entity that the models are of.
    package let entity: String
    /// How models and records become each other; a change counts for later calls on this value.
    package var coding: RecordCoding

    /// One object, by its present or a former address; nil where there is none, or it was deleted here.
    ///
    /// - Throws: also ``ModelError`` for a record that is no such model.
    public func at(_ uri: ObjectURI) async throws -> TypedObject<Model>? {
        try await synchronizer.object(at: uri).flatMap { try read($0) }
    }

    /// The objects that a filter holds for, in an order.
    ///
    /// - Throws: also ``ModelError``, see ``RecordCoding/unreadable``.
    public func matching(
        _ filter: Query.Filter = .everything, order: [Query.Order] = [], limit: Int? = nil, offset: Int = 0
    ) async throws -> [TypedObject<Model>] {
        let query = try synchronizer.compiled(
            Query(entity, where: filter, order: order, limit: limit, offset: offset))
        return try readAll(
            try await synchronizer.store.read { try $0.objects(matching: query) }.map(synchronizer.viewed))
    }

    /// How many objects the filter holds for. Their records are not read as models.
    public func count(_ filter: Query.Filter = .everything) async throws -> Int {
        try await synchronizer.count(Query(entity, where: filter))
    }

    /// As ``matching(_:order:limit:offset:)`` now, and again whenever a change shows; see ``Synchronizer/changes(of:)``.
    /// Only what has changed is made into models again.
    ///
    /// - Throws: while iterating also ``ModelError``, where ``RecordCoding/unreadable`` is
    ///   ``RecordCoding/Unreadable/fails``; by default an object that is no such model is left out.
    public func changes(
        _ filter: Query.Filter = .everything, order: [Query.Order] = [], limit: Int? = nil, offset: Int = 0
    ) -> Changes<[TypedObject<Model>]> {
        synchronizer.changes(of: Query(entity, where: filter, order: order, limit: limit, offset: offset))
            .converted {
                let models = KnownModels(of: self)
                return { try models.list($0) }
            }
    }

    /// One object now, and again whenever it changes; see ``Synchronizer/changes(at:)``.
    ///
    /// A record that is no such model ends the iteration with ``ModelError``, whatever ``RecordCoding/unreadable`` says.
    public func changes(at uri: ObjectURI) -> Changes<TypedObject<Model>?> {
        synchronizer.changes(at: uri).converted {
            let models = KnownModels(of: self)
            return { try models.one($0) }
        }
    }

    /// Saves a new object locally and marks it for the next push; see ``Synchronizer/save(_:as:)``. An identifier that is
    /// ``ObjectID/unassigned`` is left out.
    ///
    /// - Returns: the object's address; it stays valid after the server has given the object another one.
    /// - Throws: also ``SyncError`` `invalidRecord`; ``ModelError`` for a model that JSON cannot hold.
    @discardableResult
    public func create(_ model: Model) async throws -> ObjectURI {
        try await synchronizer.save(newMembers(of: model), as: entity)
    }

    /// Edits an object as it is at this moment, in one transaction: what the closure changes is written, and everything
    /// else of the record stays as it is, also what the model does not name.
    ///
    /// - Throws: as `Synchronizer.edit(_:setting:)`; ``ModelError``; what the closure throws, and nothing is changed then.
    public func edit(_ uri: ObjectURI, _ change: @escaping @Sendable (inout Model) throws -> Void) async throws {
        let context = try context(id: ObjectID(uri.id))
        let resource = try synchronizer.resource(entity)
        try await LocalEdits(synchronizer).edit(uri, mayUndelete: false) { present in
            let before = try RecordDecoder.read(Model.self, from: present, context)
            var after = before
            try change(&after)
            return try resource.setting(
                Self.changes(from: before, to: after, in: present, context), in: present, of: uri)
        }
    }

    /// Saves what was set in an object since it was read. What others have changed meanwhile stays, but for the members
    /// that were set.
    ///
    /// - Throws: as ``edit(_:_:)``.
    public func save(_ object: TypedObject<Model>) async throws {
        let context = try context(id: object.object.meta.id)
        guard let record = object.object.record else { return }
        let resource = try synchronizer.resource(entity)
        let before = try RecordDecoder.read(Model.self, from: record.members, context)
        let model = object.model
        try await LocalEdits(synchronizer).edit(object.uri, mayUndelete: false) { present in
            try resource.setting(
                Self.changes(from: before, to: model, in: present, context), in: present, of: object.uri)
        }
    }

    /// Deletes an object locally and marks it for the next push; see ``Synchronizer/delete(_:)``.
    public func delete(_ uri: ObjectURI) async throws { try await synchronizer.delete(uri) }

    // MARK: The server

    /// What is here first, then the same after the server was asked: as ``matching(_:order:limit:offset:)`` now, and again when
    /// the entity was pulled; see ``Synchronizer/fetch(_:)``.
    ///
    /// - Throws: while iterating, see ``ObjectFetchSequence/next()``.
    public func fetch(
        _ filter: Query.Filter = .everything, order: [Query.Order] = [], limit: Int? = nil, offset: Int = 0
    ) -> ObjectFetchSequence<Model> {
        let query = Query(entity, where: filter, order: order, limit: limit, offset: offset)
        let rounds = FetchSequence(
            entity: entity, local: { [] }, pull: { try await synchronizer.pull(entities: [entity]) },
            readDetails: { try await synchronizer.readDetails(of: query) })
        return ObjectFetchSequence(rounds: rounds) {
            try await matching(filter, order: order, limit: limit, offset: offset)
        }
    }

    /// Asks the server for one object and merges what comes; see ``Synchronizer/refresh(_:)``.
    ///
    /// - Returns: the object afterwards; nil where there is none.
    /// - Throws: also what ``Synchronizer/refresh(_:)`` throws; ``ModelError`` for a record that is no such model.
    @discardableResult
    public func refresh(_ uri: ObjectURI) async throws -> TypedObject<Model>? {
        try await synchronizer.refresh(uri)
        return try await at(uri)
    }

    /// Creates an object on the server first and stores it when the server has accepted it; see ``Synchronizer/saveNow(_:as:)``.
    /// An identifier that is ``ObjectID/unassigned`` is left out.
    ///
    /// - Returns: its address, with the server's identifier.
    /// - Throws: also what ``Synchronizer/saveNow(_:as:)`` throws; ``ModelError`` for a model that JSON cannot hold.
    @discardableResult
    public func createNow(_ model: Model) async throws -> ObjectURI {
        try await synchronizer.saveNow(newMembers(of: model), as: entity)
    }

    /// Attaches content to an object, which the next push uploads; see ``Synchronizer/attach(_:as:to:)``.
    ///
    /// - Parameter name: the member, as the route file's `attachments` call it.
    /// - Returns: the object's present address.
    /// - Throws: as ``Synchronizer/attach(_:as:to:)``.
    @discardableResult
    public func attach(_ content: AttachmentContent, as name: String, to uri: ObjectURI) async throws -> ObjectURI {
        try await synchronizer.attach(content, as: name, to: uri)
    }

    /// Calls a declared action of an object at once; see ``Synchronizer/request(_:on:arguments:)``.
    ///
    /// - Returns: the answer's body; nil where it is empty.
    /// - Throws: as ``Synchronizer/request(_:on:arguments:)``.
    @discardableResult
    public func request(
        _ name: String, on uri: ObjectURI, arguments: Value.Members = [:]
    ) async throws -> Value? {
        try await synchronizer.request(name, on: uri, arguments: arguments)
    }

    /// Calls a declared action of the entity whose path names no object; see ``Synchronizer/request(_:of:arguments:)``.
    ///
    /// - Returns: the answer's body; nil where it is empty.
    /// - Throws: as ``Synchronizer/request(_:of:arguments:)``.
    @discardableResult
    public func request(_ name: String, arguments: Value.Members = [:]) async throws -> Value? {
        try await synchronizer.request(name, of: entity, arguments: arguments)
    }

    // MARK: Models and records

    /// What a new object is saved with.
    private func newMembers(of model: Model) throws -> Value.Members {
        let context = try context(id: nil)
        var members = try RecordEncoder.members(of: model, context)
        if let field = context.idField, members[field] == "" { members[field] = nil }
        return members
    }

    private static func changes(
        from before: Model, to after: Model, in present: Value.Members, _ context: ModelContext
    ) throws -> [(name: String, value: Value?)] {
        ModelChange.changes(
            from: try RecordEncoder.members(of: before, context), to: try RecordEncoder.members(of: after, context),
            in: present)
    }

    private func context(id: ObjectID?) throws -> ModelContext {
        let resource = try synchronizer.resource(entity)
        return ModelContext(
            coding: coding, entity: entity, id: id, idField: resource.idField, types: resource.fields.types)
    }

    private func read(_ object: LocalObject) throws -> TypedObject<Model>? {
        try model(of: object).map { TypedObject(object: object, model: $0) }
    }

    /// nil where the object was deleted here.
    func model(of object: LocalObject) throws -> Model? {
        guard let record = object.record else { return nil }
        return try RecordDecoder.read(Model.self, from: record.members, context(id: object.meta.id))
    }

    private func readAll(_ objects: [LocalObject]) throws -> [TypedObject<Model>] {
        try objects.compactMap { object in
            do {
                return try read(object)
            } catch let error as ModelError where coding.unreadable.isLeftOutOfCalls {
                noteUnreadable(object, error)
                return nil
            }
        }
    }

    /// Says in the log why an object is left out, once for each version of its record.
    func noteUnreadable(_ object: LocalObject, _ error: ModelError) {
        guard synchronizer.unreadable.isNew(object, as: Model.self) else { return }
        synchronizer.note(object.uri, error.message)
    }
}
