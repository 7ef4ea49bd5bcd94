extension Synchronizer {
    /// The objects of an entity as models.
    ///
    /// ```swift
    /// struct Todo: Codable { var id = ObjectID.unassigned; var title: String; var dueDate: Date? }
    /// let tasks = api.objects(Todo.self, in: "tasks", coding: RecordCoding(keys: .snakeCase))
    /// let uri = try await tasks.create(Todo(title: "Buy milk"))
    /// try await tasks.edit(uri) { $0.title = "Buy two" }
    /// ```
    public func objects<Model: Codable & Sendable>(
        _ type: Model.Type, in entity: String, coding: RecordCoding = RecordCoding()
    ) -> Objects<Model> {
        Objects(synchronizer: self, entity: entity, coding: coding)
    }

    /// The identifier by which a record of another entity refers to an object, to be set as its member. It may be
    /// temporary: it becomes the server's when that is known.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func reference(to uri: ObjectURI) async throws -> ObjectID {
        try await store.read { snapshot in
            let (present, object) = try snapshot.existing(uri)
            return self.routeFile.wireID(of: present, object.meta.id.wireType)
        }
    }

    /// The object that a member of another one refers to, as the route file declares it; nil where the member is null or
    /// absent, or the object is not here.
    ///
    /// - Throws: ``SyncError`` `notFound` for the object itself, `unknownName` where the member is no reference;
    ///   ``StoreError``.
    public func referenced(by field: String, of uri: ObjectURI) async throws -> LocalObject? {
        let reader = try ReferenceReader(field, of: resource(uri.entity))
        return try await store.read { try reader.referenced(by: uri, in: $0) }.map(viewed)
    }
}
