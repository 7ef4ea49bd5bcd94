extension Synchronizer {
    // MARK: Reading

    /// The working record; an identifier that an object had before is followed. nil where there is none.
    public func record(at uri: ObjectURI) async throws -> ObjectRecord? {
        try await object(at: uri)?.record
    }

    /// The working record and the meta object; an identifier that an object had before is followed.
    public func object(at uri: ObjectURI) async throws -> LocalObject? {
        try await store.read { try $0.object(at: $0.alias(of: uri) ?? uri) }.map(viewed)
    }

    /// As the application sees it.
    func viewed(_ object: LocalObject) -> LocalObject {
        routeFile.resource(object.uri.entity).map { object.viewed(through: $0.mapping) } ?? object
    }

    /// The records of a query, from the local copy.
    public func records(matching query: Query) async throws -> [(uri: ObjectURI, record: ObjectRecord)] {
        let query = try compiled(query)
        let mapping = try resource(query.entity).mapping
        return try await store.read { snapshot in
            var found: [(uri: ObjectURI, record: ObjectRecord)] = []
            try snapshot.records(matching: query) { uri, record in
                found.append((uri, mapping.view(record)))
                return true
            }
            return found
        }
    }

    /// How many records of the local copy the filter of a query holds for; its order, limit and offset do not count.
    ///
    /// - Throws: ``SyncError`` `unknownName`; ``StoreError``.
    public func count(_ query: Query) async throws -> Int {
        let query = try compiled(query)
        return try await store.read { try $0.count(matching: query) }
    }

    /// Fields are looked for where the route file says that they stand, and those without a type of their own are
    /// compared by the route file's.
    package func compiled(_ query: Query) throws -> Query {
        let resource = try resource(query.entity)
        let types = resource.fields.types
        func path(_ name: String) -> JSONPath? { resource.mapping.isIdentity ? nil : resource.mapping.path(of: name) }
        var query = query
        query.filter = query.filter.mapConditions { condition in
            var condition = condition
            condition.type = condition.type ?? types[condition.field]
            condition.path = path(condition.field) ?? condition.path
            return condition
        }
        for index in query.order.indices {
            let name = query.order[index].field
            query.order[index].type = query.order[index].type ?? types[name]
            query.order[index].path = path(name) ?? query.order[index].path
        }
        return query
    }

    // MARK: Saving

    /// Saves a new object locally and marks it for the next push.
    ///
    /// The object gets a temporary UUID as its identifier; where the route file says that identifiers are the client's,
    /// it is permanent. A lookup field that the record leaves out is filled with a UUID. When this returns, the object
    /// survives a loss of power.
    ///
    /// - Returns: the object's address; it stays valid after the server has given the object another one.
    /// - Throws: ``SyncError`` `unknownName` or `invalidRecord`; ``StoreError``.
    @discardableResult
    public func save(_ members: Value.Members, as entity: String) async throws -> ObjectURI {
        let resource = try resource(entity)
        let uuid = environment.newIdentifier(of: resource)
        let lookup = environment.makeUUID()
        let key = environment.makeUUID()
        note(entity, "saving a new object", isRoutine: true)
        let uri = try await store.write(.power, origin: .application) { transaction in
            let (uri, object) = try Edit(resource, self.routeFile, transaction)
                .created(members, uuid: uuid, lookup: lookup, key: key)
            return try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(object, over: uri)
        }
        note(uri, "saved")
        return uri
    }

    /// Replaces an object's record locally and marks it for the next push. Readonly members keep their value.
    ///
    /// - Throws: ``SyncError`` `notFound`, `invalidRecord` (another identifier) or `wrongState` (it is being deleted);
    ///   ``StoreError``.
    public func save(_ record: ObjectRecord, at uri: ObjectURI) async throws {
        try await edit(uri, mayUndelete: true) { _ in record.members }
    }

    /// Sets single members of an object; nil removes one. Otherwise as ``save(_:at:)``.
    ///
    /// A value that means the same and is written otherwise (`10` for `10.00`) is sent as it is written, and gives way to
    /// what the server's object says by then. The value that is here already changes nothing. Content that waits to be uploaded
    /// into a member which is edited is dropped.
    ///
    /// - Throws: as ``save(_:at:)``; also ``SyncError`` `invalidRecord` for another value of a readonly member, and
    ///   `wrongState` for an object that is deleted here: ``discard(_:)`` takes that back.
    public func edit(_ uri: ObjectURI, setting changes: [(name: String, value: Value?)]) async throws {
        let resource = try resource(uri.entity)
        try await edit(uri, mayUndelete: false) { try resource.setting(changes, in: $0, of: uri) }
    }

    /// Sets single members of an object: `edit(uri, setting: ["title": "Buy two"])`. As ``edit(_:setting:)`` with pairs, which
    /// can remove members, too.
    ///
    /// - Throws: as that.
    public func edit(_ uri: ObjectURI, setting members: Value.Members) async throws {
        try await edit(uri, setting: members.map { (name: $0.name, value: Value?.some($0.value)) })
    }

    /// - Parameters:
    ///   - replaced: of an edit that stands for content which was sent at once, the uploads whose place that takes.
    ///   - change: what becomes of the members, inside the transaction.
    func edit(
        _ uri: ObjectURI, mayUndelete: Bool, insteadOf replaced: Set<String>? = nil,
        _ change: @escaping @Sendable (Value.Members) throws -> Value.Members
    ) async throws {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        let dropped = try await store.write(.power, origin: .application) { transaction -> [MetaObject.Upload] in
            let (present, object) = try transaction.existing(uri)
            if !mayUndelete { try object.requireNotDeleted() }
            let edited = try Edit(resource, self.routeFile, transaction).changed(object, key: key, change)
            let changed = ChangeEngine(resource).superseding(only: replaced, edited, over: object)
            guard changed != object else { return [] }
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(changed, over: present)
            return object.meta.uploads(without: changed.meta)
        }
        note(uri, "edited")
        await forget(dropped, of: uri, because: Self.isEdited)
    }

    /// Deletes an object locally and marks it for the next push; an object the server never saw just vanishes.
    /// Deleting one that is deleted already changes nothing. Where the route file says `deletes: online`, the server is
    /// asked first, as by ``deleteNow(_:)``.
    ///
    /// - Throws: ``SyncError`` `notFound`, or `wrongState` where the API offers no delete; with `deletes: online` also
    ///   what ``deleteNow(_:)`` throws; ``StoreError``.
    public func delete(_ uri: ObjectURI) async throws {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        if resource.deletes.onlineOnly, try await store.read({ try $0.existing(uri).1.meta.confirmed != nil }) {
            return try await deleteNow(uri)
        }
        try await store.write(.power, origin: .application) { transaction in
            let (uri, object) = try transaction.existing(uri)
            guard resource.delete.isOffered || object.meta.isLocalOnly else {
                throw SyncError(
                    code: .wrongState,
                    message: "the API offers no delete for \(resource.name) (delete: null in the route file), so this "
                        + "could never be sent")
            }
            let plan = ChangeEngine(resource).delete(object, key: key)
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
        }
        note(uri, "deleted")
        await removeContents()
    }

    // MARK: Updating with data from elsewhere

    /// Stores what the server said of an object by another channel, as if it had been pulled: inserted, adopted, or
    /// merged with an edit made here. nil says that the server has deleted it.
    ///
    /// Where a push of the object is on the wire this waits for its end; where that brings an answer that may be newer, the
    /// object is read as by ``refresh(_:)``.
    ///
    /// - Throws: ``SyncError`` `unknownName`, and what that read throws; ``StoreError``; `CancellationError`.
    public func update(_ uri: ObjectURI, with record: ObjectRecord?, version: String? = nil) async throws {
        let resource = try resource(uri.entity)
        // What was said before a push is answered is older than the answer.
        let sequence = nextSequence()
        guard try await take(record, version, sequence, at: uri) == .read else { return }
        let next = try await inLane(of: uri) { try await self.take(record, version, sequence, at: uri) }
        if next == .read, resource.read.isOffered { try await refresh(uri, origin: .live) }
    }

    /// - Returns: what has to be asked next about the object.
    private func take(
        _ record: ObjectRecord?, _ version: String?, _ sequence: Int64, at uri: ObjectURI
    ) async throws -> ObjectRequest? {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        return try await store.write(.power, origin: .live) { transaction in
            let uri = try transaction.alias(of: uri) ?? uri
            let id = record.flatMap { resource.id.first(in: .object($0.members)) }.flatMap { ObjectID($0) }
            let plan = ChangeEngine(resource).remote(
                .init(record: record, id: id ?? ObjectID(uri.id), version: version, sequence: sequence),
                over: try transaction.object(at: uri), uri: uri, key: key)
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
            try transaction.raiseSequence(to: sequence)
            return plan.next
        }
    }

    /// Gives a local object the identifier under which the server knows it, in the app context, the meta context,
    /// references, queued payloads and paths, in one transaction. The old one stays an alias.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError`` `identifierTaken`.
    public func changeIdentifier(of uri: ObjectURI, to id: ObjectID) async throws {
        let resource = try resource(uri.entity)
        try await store.write(.power, origin: .application) { transaction in
            var (uri, object) = try transaction.existing(uri)
            object.meta.id = id
            if let member = resource.id.singleMember, let record = object.record {
                object.record = record.replacing(member: member, with: id.value)
            }
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(object, over: uri)
        }
    }

    // MARK: Marks

    /// Marks an object as changed although its record is the base, so that the next push sends all of it.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func markChanged(_ uri: ObjectURI) async throws {
        let key = environment.makeUUID()
        try await store.write(.power, origin: .application) { transaction in
            var (_, object) = try transaction.existing(uri)
            guard case .synchronized(var confirmed) = object.meta.state else { return }
            // Against an empty base every member counts as changed.
            confirmed.base = ObjectRecord([:])
            object.meta.revision += 1
            object.meta.state = .updated(confirmed, .init(idempotencyKey: key))
            try transaction.put([object.meta])
        }
    }

    /// Declares the working record to be what the server has; what waited to be sent is dropped.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func markSynchronized(_ uri: ObjectURI) async throws {
        let sequence = nextSequence()
        try await store.write(.power, origin: .application) { transaction in
            var (uri, object) = try transaction.existing(uri)
            guard let record = object.record else {
                try transaction.removeMeta([uri])
                return
            }
            let version = object.meta.confirmed?.version
            object.meta.state = .synchronized(.init(base: record, version: version, sequence: sequence))
            object.meta.waitsFor = []
            object.meta.uploads = []
            try transaction.put([object.meta])
            try transaction.raiseSequence(to: sequence)
        }
    }
}

extension StoreSnapshot {
    /// An object by its present or a former identifier.
    ///
    /// - Throws: ``SyncError`` `notFound`.
    func existing(_ uri: ObjectURI) throws -> (ObjectURI, LocalObject) {
        let present = try alias(of: uri) ?? uri
        guard let object = try object(at: present) else {
            throw SyncError(code: .notFound, message: "there is no \(uri) here; pull it first, or check the identifier")
        }
        return (present, object)
    }
}

extension SyncEnvironment {
    /// What is known to servers is as random as ever: some accept no other UUIDs (version 4).
    func newIdentifier(of resource: Resource) -> String {
        resource.assigned == .client ? makeUUID() : makeAscendingUUID()
    }
}
