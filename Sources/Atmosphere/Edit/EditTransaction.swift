/// Reads and edits of several objects that are kept together, or not at all; see ``Synchronizer/transaction(_:)``.
///
/// Reads show the edits before them. It is valid only while the closure that receives it runs.
public final class EditTransaction {
    /// What is told and cleared when it is kept.
    struct Done: Sendable {
        /// Objects with what was done to them, in order.
        var steps: [(uri: ObjectURI, what: String)] = []
        /// Contents in whose place a member was edited.
        var dropped: [(uri: ObjectURI, uploads: [MetaObject.Upload])] = []
        var hasDeleted = false
    }

    private let synchronizer: Synchronizer
    private let transaction: any StoreTransaction
    private(set) var done = Done()

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var environment: SyncEnvironment { synchronizer.environment }
    private var writer: ObjectWriter { ObjectWriter(routeFile: routeFile, transaction: transaction) }

    init(_ synchronizer: Synchronizer, _ transaction: any StoreTransaction) {
        self.synchronizer = synchronizer
        self.transaction = transaction
    }

    // MARK: Reading

    /// The working record; an identifier that an object had before is followed. nil where there is none.
    ///
    /// - Throws: ``StoreError``.
    public func record(at uri: ObjectURI) throws -> ObjectRecord? { try object(at: uri)?.record }

    /// The working record and the meta object; an identifier that an object had before is followed.
    ///
    /// - Throws: ``StoreError``.
    public func object(at uri: ObjectURI) throws -> LocalObject? {
        try transaction.object(at: transaction.alias(of: uri) ?? uri).map(synchronizer.viewed)
    }

    /// The objects of a query, in its order.
    ///
    /// - Throws: ``SyncError`` `unknownName`; ``StoreError``.
    public func objects(matching query: Query) throws -> [LocalObject] {
        try transaction.objects(matching: synchronizer.compiled(query)).map(synchronizer.viewed)
    }

    /// How many records the filter of a query holds for; its order, limit and offset do not count.
    ///
    /// - Throws: ``SyncError`` `unknownName`; ``StoreError``.
    public func count(_ query: Query) throws -> Int {
        try transaction.count(matching: synchronizer.compiled(query))
    }

    /// The identifier by which a record of another entity refers to an object, also to one that was saved in this transaction:
    /// as ``Synchronizer/reference(to:)``.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func reference(to uri: ObjectURI) throws -> ObjectID {
        let (present, object) = try transaction.existing(uri)
        return routeFile.wireID(of: present, object.meta.id.wireType)
    }

    // MARK: Editing

    /// Saves a new object; as ``Synchronizer/save(_:as:)``.
    ///
    /// - Returns: the object's address; it stays valid after the server has given the object another one.
    /// - Throws: ``SyncError`` `unknownName` or `invalidRecord`; ``StoreError``.
    @discardableResult
    public func save(_ members: Value.Members, as entity: String) throws -> ObjectURI {
        let resource = try synchronizer.resource(entity)
        let made = try edits(of: resource).created(
            members, uuid: environment.newIdentifier(of: resource), lookup: environment.makeUUID(),
            key: environment.makeUUID())
        let uri = try writer.put(made.1, over: made.0)
        done.steps.append((uri, "saved"))
        return uri
    }

    /// Sets single members of an object; nil removes one. As ``Synchronizer/edit(_:setting:)``.
    ///
    /// - Throws: as that.
    public func edit(_ uri: ObjectURI, setting changes: [(name: String, value: Value?)]) throws {
        let resource = try synchronizer.resource(uri.entity)
        let dropped = try edit(
            uri, of: resource, mayUndelete: false, setting: changes.map(\.name), key: environment.makeUUID(),
            where: { _ in }
        ) { try resource.setting(changes, in: $0, of: uri) }
        done.steps.append((uri, "edited"))
        done.dropped.append((uri, dropped))
    }

    /// Sets single members of an object: `edit(uri, setting: ["title": "Buy two"])`.
    ///
    /// - Throws: as ``Synchronizer/edit(_:setting:)``.
    public func edit(_ uri: ObjectURI, setting members: Value.Members) throws {
        try edit(uri, setting: members.map { (name: $0.name, value: Value?.some($0.value)) })
    }

    /// Deletes an object; as ``Synchronizer/delete(_:)``.
    ///
    /// - Throws: as that; `wrongState` also where the server has to be asked first (`deletes: online`), for which no transaction
    ///   waits.
    public func delete(_ uri: ObjectURI) throws {
        let resource = try synchronizer.resource(uri.entity)
        if resource.deletes.onlineOnly, try transaction.existing(uri).1.meta.confirmed != nil {
            throw SyncError(
                code: .wrongState,
                message: "\(uri) is deleted on the server first (deletes: online), for which no transaction waits; "
                    + "delete it before or after")
        }
        try delete(uri, of: resource, key: environment.makeUUID())
        done.steps.append((uri, "deleted"))
        done.hasDeleted = true
    }

    // MARK: Steps

    /// What makes edits that wait for a push.
    func edits(of resource: Resource) -> Edit {
        var edit = Edit(resource, routeFile, transaction)
        edit.moment = environment.now()
        return edit
    }

    /// - Parameters:
    ///   - names: the members that the edit sets, whatever they were before.
    ///   - replaced: of an edit that stands for content which was sent at once, the uploads whose place that takes.
    ///   - condition: looks at the object as the application sees it, and throws where it is not to be edited.
    ///   - change: what becomes of the members.
    /// - Returns: the contents in whose place a member was edited.
    func edit(
        _ uri: ObjectURI, of resource: Resource, mayUndelete: Bool, setting names: [String] = [],
        insteadOf replaced: Set<String>? = nil, key: String, where condition: (LocalObject) throws -> Void,
        _ change: (Value.Members) throws -> Value.Members
    ) throws -> [MetaObject.Upload] {
        let (present, object) = try transaction.existing(uri)
        try condition(synchronizer.viewed(object))
        if !mayUndelete { try object.requireNotDeleted() }
        let edited = try edits(of: resource).changed(object, key: key, setting: names, change)
        let changed = ChangeEngine(resource).superseding(only: replaced, edited, over: object)
        guard changed != object else { return [] }
        try writer.put(changed, over: present)
        return object.meta.uploads(without: changed.meta)
    }

    /// - Parameter condition: as above.
    func delete(
        _ uri: ObjectURI, of resource: Resource, key: String, where condition: (LocalObject) throws -> Void = { _ in }
    ) throws {
        let (uri, object) = try transaction.existing(uri)
        try condition(synchronizer.viewed(object))
        guard resource.delete.isOffered || object.meta.isLocalOnly else {
            throw SyncError(
                code: .wrongState,
                message: "the API offers no delete for \(resource.name) (delete: null in the route file), so this "
                    + "could never be sent")
        }
        try writer.apply(ChangeEngine(resource).delete(object, key: key), to: uri)
    }
}

extension Synchronizer {
    // MARK: Transactions

    /// Reads and edits several objects in one transaction of the local copy: all edits are kept when the closure returns, none
    /// when it throws. Reads inside show the edits before them.
    ///
    /// ```swift
    /// try await api.transaction { edits in
    ///     let list = try edits.save(["title": "Home"], as: "lists")
    ///     try edits.save(["title": "Milk", "list": edits.reference(to: list).value], as: "tasks")
    /// }
    /// ```
    ///
    /// It is one here, and not on the server: the next push sends each object by itself, in its order, and may be told yes for
    /// one and no for another. Nothing else is written here while the closure runs, and it must wait for nothing. When the call
    /// returns, the edits survive a loss of power.
    ///
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws, ``SyncError`` of one of its edits for instance; ``StoreError``. Nothing has changed then.
    @discardableResult
    public func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (EditTransaction) throws -> Result
    ) async throws -> Result {
        let (result, done) = try await store.write(.power, origin: .application) {
            transaction -> (Result, EditTransaction.Done) in
            let edits = EditTransaction(self, transaction)
            let result = try body(edits)
            return (result, edits.done)
        }
        for step in done.steps { note(step.uri, step.what) }
        let contents = WaitingContents(self)
        for dropped in done.dropped {
            await contents.forget(dropped.uploads, of: dropped.uri, because: WaitingContents.isEdited)
        }
        if done.hasDeleted { await contents.removeUnused() }
        return result
    }
}
