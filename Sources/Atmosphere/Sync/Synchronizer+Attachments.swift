extension Synchronizer {
    // MARK: Uploads

    /// Uploads content at once, and sets the member that stands for it.
    ///
    /// Where the route file says what the member is set to, that is an edit like any other: it waits for the next push, or is
    /// sent with the others, and can be taken back. Elsewhere the server knows whose content it is, and the object is read
    /// again. Content that no edit refers to in the end is the server's to clear away.
    ///
    /// - Parameters:
    ///   - name: the member, as the route file's `attachments` call it.
    ///   - now: also sends the edit at once, as ``editNow(_:setting:)`` does.
    /// - Returns: the object's present address.
    /// - Throws: ``SyncError`` `unreachable` without a network, `refused`, `signInNeeded`; `unknownName` where nothing says
    ///   how content is uploaded; `wrongState` for an object that the server must know first; `unexpectedAnswer` where the
    ///   server names no place for the content, or one that nothing is sent to. Nothing has changed here then.
    @discardableResult
    public func attach(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI, now: Bool = false
    ) async throws -> ObjectURI {
        let resource = try resource(uri.entity)
        let attachment = try attachment(name, of: resource)
        guard let upload = attachment.upload else {
            throw SyncError(
                code: .unknownName,
                message: "nothing says how content gets into the “\(name)” of \(resource.name); add "
                    + "attachments.\(attachment.name).upload to the route file")
        }
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
        if now { return try await editNow(present, setting: [(name, value)]) }
        try await edit(present, setting: [(name, value)])
        return try await object(at: present)?.uri ?? present
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

    private struct Sending: Sendable {
        var resource: Resource
        var attachment: Attachment
        var upload: Attachment.Upload
        var member: String
        var content: AttachmentContent

        /// What messages call a key of the route file.
        func key(_ key: String) -> String { "attachments.\(attachment.name).upload.\(key)" }
    }

    /// Where content goes, and what the server has said with that.
    private struct Destination {
        var url: ContentURL
        var headers = HeaderFields()
        var value: Value?
    }

    /// - Returns: the object's present address, and what the member shall be.
    private func send(_ sending: Sending, _ uri: ObjectURI) async throws -> (uri: ObjectURI, value: Value) {
        let (resource, upload) = (sending.resource, sending.upload)
        let (present, place, id) = try await store.read { snapshot -> (ObjectURI, ObjectPlace, ObjectID?) in
            let (present, object) = try snapshot.existing(uri)
            try object.requireNotDeleted()
            // An identifier of its own can be named before the server has the object.
            guard
                !object.meta.isLocalOnly || !upload.namesObject
                    || upload.setsMember && resource.assigned == .client
            else {
                throw SyncError(
                    code: .wrongState, message: "\(present) is not on the server yet; push it before you attach to it")
            }
            if upload.setsMember, let record = object.record {
                // Nothing is uploaded that could not be kept.
                _ = try resource.setting(
                    [(sending.member, .object([:]))], in: resource.mapping.members(of: record), of: present)
            }
            let place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
            return (present, place, place.id.map { ObjectID($0, object.meta.id.wireType) })
        }
        var destination = try await destination(sending, present, place, id)
        if let header = resource.lease?.token?.header, let token = await lease(of: present, resource)?.token,
            destination.url.isUnderBase
        {
            destination.headers[header] = token
        }
        let url = destination.url
        let request = client.contentRequest(
            sending.attachment, upload, sending.content, to: url, headers: destination.headers)
        let reply = try await client.send(request, to: url, resource)
        guard reply.isSuccess else { throw client.refusal(of: reply, "attaching to \(present)", url, resource) }
        note(present, "“\(sending.member)” was uploaded, \(sending.content.length) bytes")
        guard let path = upload.value else { return (present, destination.value ?? .null) }
        guard let value = try body(of: reply, url.isUnderBase ? resource : nil).flatMap({ path.first(in: $0) }) else {
            throw missing("the answer to the content holds nothing to refer to", path, sending.key("value"))
        }
        return (present, value)
    }

    /// Asks where content goes, where it has to be asked.
    private func destination(
        _ sending: Sending, _ uri: ObjectURI, _ place: ObjectPlace, _ id: ObjectID?
    ) async throws -> Destination {
        let resource = sending.resource
        guard let ask = sending.upload.ask else {
            let path = try sending.upload.path.map { try place.filled($0, for: resource) } ?? ""
            let url = RequestTarget(path: path).url(base: routeFile.base)
            return Destination(url: try client.contentURL(url, relativeTo: url, sending.attachment))
        }
        let md5 = ask.places.contains("file.md5") ? try await sending.content.md5() : nil
        let places = AttachmentPlaces(id: id, member: sending.member, sending.content, md5: md5)
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
