extension Synchronizer {
    // MARK: Synchronous saves

    /// Creates an object on the server first and stores it when the server has accepted it.
    ///
    /// Where the answer is lost the server is asked once, in the same call, what has become of the object: by the same
    /// request under its idempotency key, by a read at the identifier that was chosen for it here, or by `lookup`. What is
    /// there is the object, and is stored.
    ///
    /// Where the answer has its identifier alone, and the read behind it fails, the object stays as a create that the server has
    /// accepted, and the next push reads it.
    ///
    /// - Returns: its address, with the server's identifier; a temporary one where the server has accepted the object, does not
    ///   say as which, and no look-up shows it: its outcome is unknown then, and a person decides.
    /// - Throws: ``SyncError`` with what the server said; nothing else is stored or queued then. After `unreachable`, and after a
    ///   409 under an idempotency key, the server may have the object all the same: one that a look-up does not show may be on
    ///   its way.
    public func saveNow(_ members: Value.Members, as entity: String) async throws -> ObjectURI {
        try await SaveNow(self, resource(entity)).create(members)
    }

    /// Sets members of an object on the server first and stores the answer when the server has accepted it. Whatever
    /// else waited to be sent for the object goes with it.
    ///
    /// A member that has changed between the call and its turn, here or on the server, is merged as in any other edit;
    /// where both cannot be kept nothing is sent.
    ///
    /// - Throws: ``SyncError`` with what the server said; the object stays as it was then, with what was queued before. After
    ///   `unreachable` the server may have done it all the same: a read is owed then, and what it shows of the edit clashes
    ///   with no later one. `wrongState` where a member was changed meanwhile and both values clash; `notFound` where the server
    ///   has deleted the object, which is removed here then.
    @discardableResult
    public func editNow(_ uri: ObjectURI, setting changes: [(name: String, value: Value?)]) async throws -> ObjectURI {
        try await editNow(uri, setting: changes, where: { _ in })
    }

    /// - Parameter condition: looks at the object before the server is asked, and throws where it is not to be edited.
    package func editNow(
        _ uri: ObjectURI, setting changes: [(name: String, value: Value?)],
        where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws -> ObjectURI {
        try await SaveNow(self, resource(uri.entity), where: condition).edit(uri, setting: changes)
    }

    /// Deletes an object on the server first, and here when the server has accepted it, or has none any more.
    ///
    /// - Throws: ``SyncError`` with what the server said; the object stays then. `wrongState` where the server's object
    ///   has changed since it was last read, or is in conflict, unless `conflict.deleted-here` is `delete`.
    public func deleteNow(_ uri: ObjectURI) async throws {
        try await deleteNow(uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object before the server is asked, and throws where it is not to be deleted.
    package func deleteNow(
        _ uri: ObjectURI, where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await SaveNow(self, resource(uri.entity), where: condition).delete(uri)
    }
}
