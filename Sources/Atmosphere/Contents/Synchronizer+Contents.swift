extension Synchronizer {
    // MARK: Downloads

    /// The content that a member stands for: what was attached here and waits to be uploaded, or else the server's, which is
    /// downloaded as it is read.
    ///
    /// What was read to its end is kept beside the store, up to 256 MiB of all contents, of which those go first that were
    /// used longest ago. The server is asked all the same, with the entity tag where it gave one, and the copy is used where
    /// it says 304. Without a network the copy is given, as long as the member says what it said then.
    ///
    /// A download that broke off goes on where it ended when it is asked for again, where the server gave a strong entity tag
    /// and a length and answers parts of its contents (RFC 9110 §§13.1.5 and 14.2); ``AttachedContent/bytes`` begin with the first byte all
    /// the same. Elsewhere, and where the content is another one now, it begins anew.
    ///
    /// A URL that the server does not know any more is asked for again, by reading the object. Redirects are followed to
    /// other servers too, where no credentials go that are not meant for them.
    ///
    /// - Parameter name: the member, as the route file's `attachments` call it.
    /// - Throws: ``SyncError`` `notFound` where the member names no content; `unknownName` where nothing says how it is
    ///   downloaded; `unreachable`, `refused`, `signInNeeded`; `unexpectedAnswer` for a URL that nothing is fetched from,
    ///   or a document of JSON, XML or HTML where the route file declares a content of another type; `invalidRecord` where the
    ///   request that asks for the URL needs what the object does not have.
    public func content(of name: String, at uri: ObjectURI) async throws -> AttachedContent {
        let resource = try resource(uri.entity)
        let attachment = try resource.declaredAttachment(name)
        if let waiting = try await WaitingContents(self).content(of: name, at: uri) { return waiting }
        return try await ContentReader(self, of: name, attachment, resource, at: uri).content()
    }

    /// The server's content, also where another one waits to be uploaded: in a conflict that of the server's side.
    ///
    /// - Throws: as ``content(of:at:)``.
    package func serverContent(of name: String, at uri: ObjectURI) async throws -> AttachedContent {
        let resource = try resource(uri.entity)
        let attachment = try resource.declaredAttachment(name)
        let reader = try ContentReader(self, of: name, attachment, resource, at: uri) { object in
            if case .conflicted(let conflict)? = object.meta.outgoing?.phase { return conflict.theirs }
            return object.meta.confirmed?.base
        }
        return try await reader.content()
    }

    /// The same content as far as it is here: what waits to be uploaded, or what was downloaded last. Nothing is asked of the
    /// server.
    ///
    /// - Returns: nil for a content that is not here.
    /// - Throws: ``SyncError`` `unknownName` where nothing says how it is downloaded.
    package func contentHere(of name: String, at uri: ObjectURI) async throws -> AttachedContent? {
        let resource = try resource(uri.entity)
        let attachment = try resource.declaredAttachment(name)
        if let waiting = try await WaitingContents(self).content(of: name, at: uri) { return waiting }
        return try await ContentReader(self, of: name, attachment, resource, at: uri).kept()
    }
}
