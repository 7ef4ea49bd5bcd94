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

    /// See ``Resource/compiled(_:)``.
    package func compiled(_ query: Query) throws -> Query { try resource(query.entity).compiled(query) }

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
        try await LocalEdits(self).create(members, as: resource(entity))
    }

    /// Saves a new object once, however often it is asked for with one key.
    ///
    /// The key is the object's temporary identifier, so that it is known for as long as the object is, also after a loss
    /// of power and when the server has given the object another identifier. For thirty days it is known when the object is not
    /// here any more, too, and what was saved under it.
    ///
    /// - Parameter key: a UUID in lower case.
    /// - Returns: the object's present address, or that of one that is not here any more.
    /// - Throws: as ``save(_:as:)``; `invalidRecord` for members that are not those of the first time, apart from references.
    package func save(_ members: Value.Members, as entity: String, once key: String) async throws -> ObjectURI {
        try await LocalEdits(self).create(members, as: resource(entity), once: key)
    }

    /// Replaces an object's record locally and marks it for the next push. Readonly members keep their value.
    ///
    /// - Throws: ``SyncError`` `notFound`, `invalidRecord` (another identifier) or `wrongState` (it is being deleted);
    ///   ``StoreError``.
    public func save(_ record: ObjectRecord, at uri: ObjectURI) async throws {
        try await save(record, at: uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where the record is not to replace it.
    package func save(
        _ record: ObjectRecord, at uri: ObjectURI, where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await LocalEdits(self, where: condition).edit(uri, mayUndelete: true) { _ in record.members }
    }

    /// Sets single members of an object; nil removes one. Otherwise as ``save(_:at:)``.
    ///
    /// A value that means the same and is written otherwise (`10` for `10.00`) is sent as it is written, and gives way to
    /// what the server's object says by then. The value that is here already changes nothing, unless a save or an action at
    /// once that was not answered may have set another there. Content that waits to be uploaded into a member which is edited is
    /// dropped.
    ///
    /// - Throws: as ``save(_:at:)``; also ``SyncError`` `invalidRecord` for another value of a readonly member, and
    ///   `wrongState` for an object that is deleted here: ``discard(_:)`` takes that back.
    public func edit(_ uri: ObjectURI, setting changes: [(name: String, value: Value?)]) async throws {
        try await edit(uri, setting: changes, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where it is not to be edited.
    package func edit(
        _ uri: ObjectURI, setting changes: [(name: String, value: Value?)],
        where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        let resource = try resource(uri.entity)
        try await LocalEdits(self, where: condition).edit(uri, mayUndelete: false, setting: changes.map(\.name)) {
            try resource.setting(changes, in: $0, of: uri)
        }
    }

    /// Sets single members of an object: `edit(uri, setting: ["title": "Buy two"])`. As ``edit(_:setting:)`` with pairs, which
    /// can remove members, too.
    ///
    /// - Throws: as that.
    public func edit(_ uri: ObjectURI, setting members: Value.Members) async throws {
        try await edit(uri, setting: members.map { (name: $0.name, value: Value?.some($0.value)) })
    }

    /// Deletes an object locally and marks it for the next push; an object the server never saw just vanishes.
    /// Deleting one that is deleted already changes nothing, unless its delete was refused, which is sent again then. Where the
    /// route file says `deletes: online`, the server is asked first, as by ``deleteNow(_:)``.
    ///
    /// - Throws: ``SyncError`` `notFound`, or `wrongState` where the API offers no delete; with `deletes: online` also
    ///   what ``deleteNow(_:)`` throws; ``StoreError``.
    public func delete(_ uri: ObjectURI) async throws {
        try await delete(uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, or before the server is asked where that is asked
    ///   first, and throws where it is not to be deleted.
    package func delete(
        _ uri: ObjectURI, where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await LocalEdits(self, where: condition).delete(uri)
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
        try await ForeignUpdate(self, uri, record, version, of: resource(uri.entity)).run()
    }

    /// Gives a local object the identifier under which the server knows it, in the app context, the meta context,
    /// references, queued payloads and paths, in one transaction. The old one stays an alias.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError`` `identifierTaken`.
    public func changeIdentifier(of uri: ObjectURI, to id: ObjectID) async throws {
        try await LocalEdits(self).changeIdentifier(of: uri, to: id)
    }

    // MARK: Marks

    /// Marks an object as changed although its record is the base, so that the next push sends all of it.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func markChanged(_ uri: ObjectURI) async throws {
        try await Decisions(self).markChanged(uri)
    }

    /// Declares the working record to be what the server has; what waited to be sent is dropped.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func markSynchronized(_ uri: ObjectURI) async throws {
        try await Decisions(self).markSynchronized(uri)
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
