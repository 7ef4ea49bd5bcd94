extension Synchronizer {
    // MARK: Uploads

    /// Attaches content to an object: it is copied beside the store, and the next push uploads it.
    ///
    /// The upload is a change of the object like any other. It goes behind the object's create and its edits, in the order in
    /// which contents were attached; a refused one is among what was rejected, a delete of the object drops it, and so does
    /// ``discard(_:)``. Content that a later one for the same member would only replace is not sent at all. Where the route
    /// file says what the member is set to, that is an edit, which goes right behind the content; elsewhere the server sets it,
    /// and the object is read again. When this returns, content and intent survive a loss of power.
    ///
    /// - Parameter name: the member, as the route file's `attachments` call it.
    /// - Returns: the object's present address.
    /// - Throws: ``SyncError`` `notFound`; `unknownName` where nothing says how content is uploaded; `wrongState` for an object
    ///   that is deleted here, or where the store keeps no contents (``Store/contentFolder``); `invalidRecord` for a member that may
    ///   not be set; ``StoreError``; what reading the content throws. Nothing has changed here then.
    @discardableResult
    public func attach(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI
    ) async throws -> ObjectURI {
        let resource = try resource(uri.entity)
        let (_, route) = try uploadRoute(name, of: resource)
        guard let contents = store.contentFolder else {
            throw SyncError(
                code: .wrongState,
                message: "the store has no folder for contents, so nothing can be attached without a network; give it "
                    + "one (Store.contentFolder), or use attachNow")
        }
        // Nothing is copied that could not be kept.
        try await store.read { _ = try self.attachable(uri, name, resource, route, in: $0) }
        let id = environment.makeUUID()
        let (present, upload) = try await contents.whileNothingIsRemoved {
            note(uri, "copying “\(name)” beside the store", isRoutine: true)
            let kept = try await contents.keep(content)
            let upload = MetaObject.Upload(
                id: id, member: name, digest: kept.digest, length: kept.length, fileName: content.fileName,
                mediaType: content.mediaType)
            note(uri, "“\(name)” is copied", isRoutine: true)
            let present = try await store.write(.power, origin: .application) { transaction in
                let object = try self.attachable(uri, name, resource, route, in: transaction)
                let attached = ChangeEngine(resource).attach(upload, to: object)
                return try ObjectWriter(routeFile: self.routeFile, transaction: transaction)
                    .put(attached, over: object.uri)
            }
            return (present, upload)
        }
        note(present, "“\(name)” was attached: \(upload.fileName), \(upload.length) bytes")
        return present
    }

    /// Uploads content at once, and sets the member that stands for it.
    ///
    /// Where the route file says what the member is set to, that is an edit, which is sent at once, too. Elsewhere the server
    /// knows whose content it is, and the object is read again. Content that no edit refers to in the end is the server's to
    /// clear away.
    ///
    /// - Parameters:
    ///   - name: the member, as the route file's `attachments` call it.
    ///   - sendingEdit: false leaves the edit to the next push, and it can be taken back until then.
    /// - Returns: the object's present address.
    /// - Throws: ``SyncError`` `unreachable` without a network, `refused`, `signInNeeded`; `unknownName` where nothing says
    ///   how content is uploaded; `wrongState` for an object that the server must know first; `unexpectedAnswer` where the
    ///   server names no place for the content, or one that nothing is sent to. Nothing has changed here then.
    @discardableResult
    public func attachNow(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI, sendingEdit: Bool = true
    ) async throws -> ObjectURI {
        let resource = try resource(uri.entity)
        let (attachment, upload) = try uploadRoute(name, of: resource)
        let sending = Sending(
            resource: resource, attachment: attachment, upload: upload, member: name, content: content)
        guard upload.setsMember else {
            // What changes the object is done under the lease, as by any other write.
            let present =
                resource.lease == nil
                ? try await send(sending, uri).uri : try await pushing(uri) { try await self.send(sending, uri).uri }
            if resource.read.isOffered { try await refresh(present) }
            return present
        }
        let (present, value) = try await send(sending, uri)
        if sendingEdit { return try await editNow(present, setting: [(name, value)]) }
        try await edit(present, setting: [(name, value)])
        return try await object(at: present)?.uri ?? present
    }

    /// How the content of a member is uploaded.
    func uploadRoute(_ name: String, of resource: Resource) throws -> (Attachment, Attachment.Upload) {
        let attachment = try attachment(name, of: resource)
        guard let upload = attachment.upload else {
            throw SyncError(
                code: .unknownName,
                message: "nothing says how content gets into the “\(name)” of \(resource.name); add "
                    + "attachments.\(attachment.name).upload to the route file")
        }
        return (attachment, upload)
    }

    /// An object to which content may be attached.
    private func attachable(
        _ uri: ObjectURI, _ name: String, _ resource: Resource, _ upload: Attachment.Upload,
        in snapshot: any StoreSnapshot
    ) throws -> LocalObject {
        let (present, object) = try snapshot.existing(uri)
        try object.requireNotDeleted()
        if upload.setsMember, let record = object.record {
            _ = try resource.setting([(name, .object([:]))], in: resource.mapping.members(of: record), of: present)
        }
        return object
    }

    /// How the content of a member travels.
    func attachment(_ name: String, of resource: Resource) throws -> Attachment {
        if let attachment = resource.attachment(name) { return attachment }
        let known = resource.attachments.map(\.name).joined(separator: ", ")
        throw SyncError(
            code: .unknownName,
            message: "\(resource.name) has no attachment “\(name)”; "
                + (known.isEmpty ? "none is declared" : "it has \(known)"))
    }

    struct Sending: Sendable {
        var resource: Resource
        var attachment: Attachment
        var upload: Attachment.Upload
        var member: String
        var content: AttachmentContent

        /// What messages call a key of the route file.
        func key(_ key: String) -> String { "attachments.\(attachment.name).upload.\(key)" }
    }

    /// Where content goes, and what the server has said with that.
    struct Destination {
        var url: ContentURL
        var headers = HeaderFields()
        var value: Value?
    }

    /// - Returns: the object's present address, and what the member shall be.
    private func send(_ sending: Sending, _ uri: ObjectURI) async throws -> (uri: ObjectURI, value: Value) {
        let (resource, upload) = (sending.resource, sending.upload)
        let (present, place, id) = try await store.read { snapshot -> (ObjectURI, ObjectPlace, ObjectID?) in
            let object = try self.attachable(uri, sending.member, resource, upload, in: snapshot)
            let present = object.uri
            // An identifier of its own can be named before the server has the object.
            guard
                !object.meta.isLocalOnly || !upload.namesObject
                    || upload.setsMember && resource.assigned == .client
            else {
                throw SyncError(
                    code: .wrongState, message: "\(present) is not on the server yet; push it before you attach to it")
            }
            let place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
            return (present, place, place.id.map { ObjectID($0, object.meta.id.wireType) })
        }
        let destination = try await destination(sending, present, place, id)
        let url = destination.url
        let request = await contentRequest(sending, to: destination, of: present)
        let reply = try await client.send(request, to: url, resource)
        guard reply.isSuccess else { throw client.refusal(of: reply, "attaching to \(present)", url, resource) }
        note(present, "“\(sending.member)” was uploaded, \(sending.content.length) bytes")
        return (present, try value(in: reply, sending, destination) ?? .null)
    }

    /// The request that carries the content, under the lease where there is one.
    func contentRequest(_ sending: Sending, to destination: Destination, of uri: ObjectURI) async -> Request {
        var headers = destination.headers
        if let header = sending.resource.lease?.token?.header,
            let token = await lease(of: uri, sending.resource)?.token, destination.url.isUnderBase
        {
            headers[header] = token
        }
        return client.contentRequest(
            sending.attachment, sending.upload, sending.content, to: destination.url, headers: headers)
    }

    /// What the member is set to once the content has arrived; nil where the server does that.
    ///
    /// - Throws: ``SyncError`` `unexpectedAnswer` where the answer does not say it.
    func value(
        in reply: ResourceClient.Reply, _ sending: Sending, _ destination: Destination
    ) throws -> Value? {
        guard let path = sending.upload.value else { return destination.value }
        let resource = destination.url.isUnderBase ? sending.resource : nil
        guard let value = try body(of: reply, resource).flatMap({ path.first(in: $0) }) else {
            throw missing("the answer to the content holds nothing to refer to", path, sending.key("value"))
        }
        return value
    }

    /// Asks where content goes, where it has to be asked.
    func destination(
        _ sending: Sending, _ uri: ObjectURI, _ place: ObjectPlace, _ id: ObjectID?
    ) async throws -> Destination {
        let resource = sending.resource
        let md5 = sending.upload.places.contains("file.md5") ? try await sending.content.md5() : nil
        let places = AttachmentPlaces(id: id, member: sending.member, sending.content, md5: md5)
        guard let ask = sending.upload.ask else {
            let url = try client.contentTarget(sending.upload, resource, at: place, places)
            return Destination(url: try client.contentURL(url, relativeTo: url, sending.attachment))
        }
        let request = try client.askRequest(ask, resource, at: place, places)
        let reply = try await reply(to: request, resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, "attaching to \(uri)", remedy: routeFile.signInRemedy)
        }
        let answer = try body(of: reply, resource) ?? .null
        guard let link = ask.url.first(in: answer)?.string, !link.isEmpty else {
            throw missing("the answer names no place for the content", ask.url, sending.key("ask.url"))
        }
        var destination = Destination(
            url: try client.contentURL(link, relativeTo: request.url, sending.attachment))
        // The length is the transport's to say, and is the same.
        let wanted = ask.headers.flatMap { $0.first(in: answer)?.members } ?? [:]
        for header in wanted where header.name.lowercased() != "content-length" {
            destination.headers[header.name] = header.value.text
        }
        destination.value = ask.value.flatMap { $0.first(in: answer) }
        if let path = ask.value, destination.value == nil {
            throw missing("the answer holds nothing to refer to", path, sending.key("ask.value"))
        }
        return destination
    }

    private func missing(_ what: String, _ path: JSONPath, _ key: String) -> SyncError {
        SyncError(code: .unexpectedAnswer, message: "\(what) at \(path); check \(key)")
    }
}
