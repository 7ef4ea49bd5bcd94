extension Synchronizer {
    // MARK: Uploads

    /// Attaches content to an object: it is copied beside the store, and the next push uploads it.
    ///
    /// The upload is a change of the object like any other. It goes behind the object's create and its edits, in the order in
    /// which contents were attached; a refused one is among what was rejected, a delete of the object drops it, and so does
    /// ``discard(_:)``. Content that a later one for the same member would only replace, or in whose place the member is edited, is
    /// not sent at all, nor is one that was refused and that a later one follows. Where somebody else has changed the member since,
    /// the object is in conflict (``resolve(_:_:)``). Where the route file says what the member is set to, that is an edit, which
    /// goes right behind the content; elsewhere the server sets it, and the object is read before and after. When this returns,
    /// content and intent survive a loss of power.
    ///
    /// - Parameter name: the member, as the route file's `attachments` call it.
    /// - Returns: the object's present address.
    /// - Throws: ``SyncError`` `notFound`; `unknownName` where nothing says how content is uploaded; `wrongState` for an object
    ///   that is deleted here, or where the store keeps no contents (``Store/contentFolder``); `invalidRecord` for a member that may
    ///   not be set, or a media type that no header can hold; ``StoreError``; what reading the content throws. Nothing has changed
    ///   here then.
    @discardableResult
    public func attach(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI
    ) async throws -> ObjectURI {
        try await attach(content, as: name, to: uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where nothing is to be attached to it.
    package func attach(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI,
        where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws -> ObjectURI {
        try await AttachmentWriter(self, where: condition).attach(content, as: name, to: uri)
    }

    /// Uploads content at once, and sets the member that stands for it.
    ///
    /// Where the route file says what the member is set to, that is an edit, which is sent at once, too. Elsewhere the server
    /// knows whose content it is, and the object is read again; where that read fails, nothing is thrown, and the next push
    /// reads. Content that no edit refers to in the end is the server's to clear away. What waited for the member, content or an
    /// edit, and would only be replaced, is dropped; what is attached or edited meanwhile waits on.
    ///
    /// - Parameters:
    ///   - name: the member, as the route file's `attachments` call it.
    ///   - sendingEdit: false leaves the edit to the next push, and it can be taken back until then.
    /// - Returns: the object's present address.
    /// - Throws: ``SyncError`` `unreachable` without a network, `refused`, `signInNeeded`; `unknownName` where nothing says
    ///   how content is uploaded; `invalidRecord` for a member that may not be set, or a media type that no header can hold;
    ///   `wrongState` for an object that the server must know first, or whose member it shows otherwise than it was last read;
    ///   `pushedElsewhere` while another process pushes; `unexpectedAnswer` where the server names no place for the content, or
    ///   one that nothing is sent to. The content may have been sent where
    ///   ``SyncError/code`` is `unreachable`, and a read is owed then.
    @discardableResult
    public func attachNow(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI, sendingEdit: Bool = true
    ) async throws -> ObjectURI {
        try await attachNow(content, as: name, to: uri, sendingEdit: sendingEdit, where: { _ in })
    }

    /// - Parameter condition: looks at the object before the server is asked, and throws where nothing is to be attached to it.
    package func attachNow(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI, sendingEdit: Bool = true,
        where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws -> ObjectURI {
        try await AttachmentWriter(self, where: condition)
            .attachNow(content, as: name, to: uri, sendingEdit: sendingEdit)
    }

    /// Drops content that waits to be uploaded, was refused, or may have been uploaded, and leaves the object's other changes
    /// as they are. Of content that the server may have it forgets the doubt.
    ///
    /// - Parameter upload: one of ``MetaObject/uploads``.
    /// - Throws: ``SyncError`` `wrongState` where the object has no such upload any more, or it is being sent; ``StoreError``.
    public func discard(_ upload: MetaObject.Upload, of uri: ObjectURI) async throws {
        try await discard(upload, of: uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where nothing of it is to be dropped.
    package func discard(
        _ upload: MetaObject.Upload, of uri: ObjectURI,
        where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await Decisions(self, where: condition).discard(upload, of: uri)
    }
}
