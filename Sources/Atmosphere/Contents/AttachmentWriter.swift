/// Attaches contents to objects: beside the store for the next push, or at once.
struct AttachmentWriter: Sendable {
    /// A content on its way to a member.
    struct Sending: Sendable {
        var resource: Resource
        var attachment: Attachment
        var upload: Attachment.Upload
        var member: String
        var content: AttachmentContent

        /// What messages call a key of the route file.
        func key(_ key: String) -> String { "attachments.\(attachment.name).upload.\(key)" }

        /// The same with the name that the route file gives the file.
        ///
        /// - Throws: ``SyncError`` `invalidRecord` where the object has nothing for a place of the name.
        func named(at place: ObjectPlace, _ id: ObjectID?) throws -> Sending {
            var sending = self
            sending.content = try content.named(by: upload, of: resource, at: place, id: id, member: member)
            return sending
        }
    }

    /// Where content goes, and what the server has said with that.
    struct Destination {
        var url: ContentURL
        var places: AttachmentPlaces
        var headers = HeaderFields()
        var value: Value?

        /// The same at another URL.
        func at(_ url: ContentURL) -> Destination {
            var destination = self
            destination.url = url
            return destination
        }
    }

    private let synchronizer: Synchronizer
    /// Looks at the object that content is attached to, and throws where that is not to be.
    private let condition: @Sendable (LocalObject) throws -> Void

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var store: any Store { synchronizer.store }
    private var client: ResourceClient { synchronizer.client }

    /// - Parameter condition: gets the object as the application sees it: inside the transaction, or in the turn and before the
    ///   server is asked.
    init(
        _ synchronizer: Synchronizer, where condition: @escaping @Sendable (LocalObject) throws -> Void = { _ in }
    ) {
        self.synchronizer = synchronizer
        self.condition = condition
    }

    // MARK: For the next push

    /// See ``Synchronizer/attach(_:as:to:)``.
    func attach(_ content: AttachmentContent, as name: String, to uri: ObjectURI) async throws -> ObjectURI {
        let resource = try synchronizer.resource(uri.entity)
        let (_, route) = try resource.uploadRoute(name)
        try requireType(of: content)
        guard let contents = store.contentFolder else {
            throw SyncError(
                code: .wrongState,
                message: "the store has no folder for contents, so nothing can be attached without a network; give it "
                    + "one (Store.contentFolder), or use attachNow")
        }
        // Nothing is copied that could not be kept.
        try await store.read { snapshot in
            try condition(synchronizer.viewed(attachable(uri, name, resource, route, in: snapshot)))
        }
        let id = synchronizer.environment.makeUUID()
        let (present, upload) = try await contents.whileNothingIsRemoved {
            synchronizer.note(uri, "copying “\(name)” beside the store", isRoutine: true)
            let kept = try await contents.keep(content)
            let upload = MetaObject.Upload(
                id: id, member: name, digest: kept.digest, length: kept.length, fileName: content.fileName,
                mediaType: content.mediaType)
            synchronizer.note(uri, "“\(name)” is copied", isRoutine: true)
            let present = try await store.write(.power, origin: .application) { transaction in
                let object = try attachable(uri, name, resource, route, in: transaction)
                try condition(synchronizer.viewed(object))
                let attached = ChangeEngine(resource).attach(upload, to: object)
                return try ObjectWriter(routeFile: self.routeFile, transaction: transaction)
                    .put(attached, over: object.uri)
            }
            return (present, upload)
        }
        synchronizer.note(present, "“\(name)” was attached: \(upload.fileName), \(upload.length) bytes")
        return present
    }

    /// An object to which content may be attached.
    ///
    /// - Throws: ``SyncError`` where the member may not be edited, though content goes into it by an edit.
    private func attachable(
        _ uri: ObjectURI, _ name: String, _ resource: Resource, _ upload: Attachment.Upload,
        in snapshot: any StoreSnapshot
    ) throws -> LocalObject {
        let (present, object) = try snapshot.existing(uri)
        try object.requireNotDeleted()
        if upload.setsMember {
            _ = try Edit(resource, routeFile, snapshot).changed(object, key: "") {
                try resource.setting([(name, .object([:]))], in: $0, of: present)
            }
        }
        return object
    }

    /// A transport would refuse the request, long after the content was attached.
    private func requireType(of content: AttachmentContent) throws {
        guard !content.hasSendableType else { return }
        throw SyncError(
            code: .invalidRecord,
            message: "the media type of “\(content.fileName)” is empty, or holds a line break or another character "
                + "that no header holds; write one such as image/png")
    }

    // MARK: At once

    /// See ``Synchronizer/attachNow(_:as:to:sendingEdit:)``.
    func attachNow(
        _ content: AttachmentContent, as name: String, to uri: ObjectURI, sendingEdit: Bool
    ) async throws -> ObjectURI {
        let resource = try synchronizer.resource(uri.entity)
        let (attachment, upload) = try resource.uploadRoute(name)
        try requireType(of: content)
        let sending = Sending(
            resource: resource, attachment: attachment, upload: upload, member: name, content: content)
        guard upload.setsMember else {
            // What changes the object is done by the store's pusher, in its lane and under the lease, as by any other write.
            let present = try await WriteTurn(synchronizer).hold(of: uri) {
                try await self.sendInPlace(sending, uri)
            } then: {
                try await self.read($0, resource)
            }
            return try await synchronizer.object(at: present)?.uri ?? present
        }
        return try await WriteTurn(synchronizer).hold {
            // The edit takes the object's own lane.
            try await self.synchronizer.contentLanes.run(at: uri, in: self.store) {
                try await self.sendAndSet(sending, uri, sendingEdit: sendingEdit)
            }
        }
    }

    /// Sends content, and sets the member to what the answer says.
    private func sendAndSet(_ sending: Sending, _ uri: ObjectURI, sendingEdit: Bool) async throws -> ObjectURI {
        let (resource, name) = (sending.resource, sending.member)
        let before = try await known(uri)
        try condition(synchronizer.viewed(before))
        let replaced = replaced(by: sending, in: before)
        let (present, value) = try await send(sending, uri)
        if sendingEdit {
            let place = try await SaveNow(synchronizer, resource, where: condition)
                .edit(present, setting: [(name, value)], insteadOf: replaced)
            try await settle(sending, insteadOf: replaced, at: place)
            return place
        }
        try await LocalEdits(synchronizer, where: condition).edit(present, mayUndelete: false, insteadOf: replaced) {
            try resource.setting([(name, value)], in: $0, of: present)
        }
        try await settle(sending, insteadOf: replaced, at: present)
        return try await synchronizer.object(at: present)?.uri ?? present
    }

    /// Sends content that the server itself puts into the member; older contents that wait for it, and an older edit of it, are
    /// done with then.
    private func sendInPlace(_ sending: Sending, _ uri: ObjectURI) async throws -> ObjectURI {
        let seen = try await known(uri)
        try condition(synchronizer.viewed(seen))
        try await compare(sending, seen, uri)
        let before = try await known(uri)
        let replaced = replaced(by: sending, in: before)
        do {
            let present = try await send(sending, uri).uri
            try await settle(sending, insteadOf: replaced, in: before, at: present)
            return present
        } catch let error as SyncError where error.mayHaveHappened {
            // The server may have it, so what is known of the member may be from before.
            try await settle(sending, insteadOf: [], at: uri)
            throw error
        }
    }

    /// Reads, in the object's lane, what the server has made of content that it has. Where that fails the content is there all the
    /// same, and the next push reads it.
    private func read(_ uri: ObjectURI, _ resource: Resource) async throws {
        guard resource.read.isOffered else { return }
        do {
            try await ObjectRefresh(synchronizer: synchronizer, origin: .pull).once(uri)
        } catch let error as SyncError {
            synchronizer.note(uri, "the content is on the server, and the read behind it failed: \(error.message)")
        }
    }

    /// Reads the object before content is sent that takes the place of what the server has in the member.
    ///
    /// - Parameter seen: the object as it is here.
    private func compare(_ sending: Sending, _ seen: LocalObject, _ uri: ObjectURI) async throws {
        let engine = ChangeEngine(sending.resource)
        guard !seen.meta.isDeleted, engine.mustCompare(sending.member, of: seen) else { return }
        try await ObjectRefresh(synchronizer: synchronizer, origin: .push).beforeEdit(of: seen.uri)
        try engine.requireShown(sending.member, of: try await store.read { try $0.existing(uri).1 }, since: seen)
    }

    /// The uploads that wait for a member and that content which is sent at once takes the place of.
    private func replaced(by sending: Sending, in object: LocalObject) -> Set<String> {
        let engine = ChangeEngine(sending.resource)
        let own = object.meta.uploads.filter { $0.member.hasSameBytes(as: sending.member) && engine.replaces($0) }
        return Set(own.map(\.id))
    }

    private func known(_ uri: ObjectURI) async throws -> LocalObject { try await store.read { try $0.existing(uri).1 } }

    /// Content was sent at once: what waited for its member before is dropped, and what is known of the member is from before.
    ///
    /// - Parameter before: see ``ChangeEngine/attachedNow(into:insteadOf:in:of:arrival:key:)``.
    private func settle(
        _ sending: Sending, insteadOf replaced: Set<String>, in before: LocalObject? = nil, at uri: ObjectURI
    ) async throws {
        let key = synchronizer.environment.makeUUID()
        let arrival = synchronizer.nextSequence()
        let dropped = try await store.write(.power, origin: .application) { transaction -> [MetaObject.Upload] in
            guard let object = try transaction.object(at: transaction.alias(of: uri) ?? uri) else { return [] }
            let left = ChangeEngine(sending.resource)
                .attachedNow(
                    into: sending.member, insteadOf: replaced, in: before, of: object, arrival: arrival, key: key)
            guard left != object else { return [] }
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(left, over: object.uri)
            try transaction.raiseSequence(to: arrival)
            return object.meta.uploads(without: left.meta)
        }
        await WaitingContents(synchronizer).forget(dropped, of: uri, because: "another was attached at once")
    }

    /// - Returns: the object's present address, and what the member shall be.
    private func send(_ unnamed: Sending, _ uri: ObjectURI) async throws -> (uri: ObjectURI, value: Value) {
        let (present, place, id) = try await target(of: unnamed, uri)
        let sending = try unnamed.named(at: place, id)
        let resource = sending.resource
        let destination = try await destination(sending, present, place, id)
        let url = destination.url
        let progress = self.progress(of: sending, present)
        defer { progress.end() }
        if sending.upload.resumable != nil {
            let upload = await resumable(sending, to: destination, of: present, progress) {
                try await self.client.sendMarked($0, to: $1, resource)
            }
            let (reply, place) = try await client.awaited { try await upload.perform(begun: nil) }
            guard reply.isSuccess else { throw await refusal(of: reply, present, place, resource) }
            synchronizer.note(present, "“\(sending.member)” was uploaded, \(sending.content.length) bytes")
            return (present, try value(in: reply, sending, destination.at(place)) ?? .null)
        }
        let request = await contentRequest(sending, to: destination, of: present, progress)
        let reply = try await client.send(request, to: url, resource)
        guard reply.isSuccess else { throw await refusal(of: reply, present, url, resource) }
        synchronizer.note(present, "“\(sending.member)” was uploaded, \(sending.content.length) bytes")
        return (present, try value(in: reply, sending, destination) ?? .null)
    }

    private func refusal(
        of reply: ResourceClient.Reply, _ uri: ObjectURI, _ url: ContentURL, _ resource: Resource
    ) async -> SyncError {
        let what = "attaching to \(uri)"
        guard url.isUnderBase,
            let (missed, treatment) = await LeaseKeeper(synchronizer).missed(uri, in: reply, of: resource)
        else { return client.refusal(of: reply, what, url, resource) }
        return SyncError(refused: missed, treatment, what, remedy: routeFile.signInRemedy)
    }

    /// The object that content is sent to, as requests name it.
    private func target(
        of sending: Sending, _ uri: ObjectURI
    ) async throws -> (uri: ObjectURI, place: ObjectPlace, id: ObjectID?) {
        let (resource, upload) = (sending.resource, sending.upload)
        return try await store.read { snapshot in
            let object = try attachable(uri, sending.member, resource, upload, in: snapshot)
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
    }

    // MARK: Requests and answers

    /// The request that carries the content, under the lease where there is one.
    func contentRequest(
        _ sending: Sending, to destination: Destination, of uri: ObjectURI, _ progress: ContentProgress
    ) async -> Request {
        var headers = destination.headers
        if destination.url.isUnderBase, let (header, token) = await leaseToken(sending, uri) { headers[header] = token }
        return client.contentRequest(
            sending.attachment, sending.upload, progress.counted(sending.content), to: destination.url,
            headers: headers)
    }

    private func leaseToken(_ sending: Sending, _ uri: ObjectURI) async -> (header: String, token: String)? {
        guard let header = sending.resource.lease?.token?.header,
            let token = await LeaseKeeper(synchronizer).lease(of: uri, sending.resource)?.token
        else { return nil }
        return (header, token)
    }

    /// The requests that carry the content where it goes on after a cut.
    ///
    /// - Parameter keep: told where the server takes the content.
    func resumable(
        _ sending: Sending, to destination: Destination, of uri: ObjectURI, _ progress: ContentProgress,
        keep: @escaping @Sendable (String) async throws -> Void = { _ in },
        send: @escaping @Sendable (Request, ContentURL) async throws -> ResourceClient.Reply
    ) async -> ResumableUpload {
        ResumableUpload(
            client: client, sending: sending, content: progress.counted(sending.content), destination: destination,
            lease: await leaseToken(sending, uri), keep: keep, send: send)
    }

    /// Shows in the status how far the content has come.
    func progress(of sending: Sending, _ uri: ObjectURI) -> ContentProgress {
        ContentProgress(
            .upload, of: sending.member, at: uri, length: sending.content.length, in: synchronizer.activity)
    }

    /// What the member is set to once the content has arrived; nil where the server does that.
    ///
    /// - Throws: ``SyncError`` `unexpectedAnswer` where the answer does not say it.
    func value(
        in reply: ResourceClient.Reply, _ sending: Sending, _ destination: Destination
    ) throws -> Value? {
        let value = try found(in: reply, sending, destination)
        guard let set = sending.upload.set else { return value }
        return try destination.places.set(set, to: value, url: destination.url.text)
    }

    private func found(
        in reply: ResourceClient.Reply, _ sending: Sending, _ destination: Destination
    ) throws -> Value? {
        guard let path = sending.upload.value else { return destination.value }
        let resource = destination.url.isUnderBase ? sending.resource : nil
        guard let value = try synchronizer.body(of: reply, resource).flatMap({ path.first(in: $0) }), !value.isNull
        else {
            throw missing("the answer to the content holds nothing to refer to", path, sending.key("value"))
        }
        return value
    }

    /// Asks where content goes, where it has to be asked.
    func destination(
        _ sending: Sending, _ uri: ObjectURI, _ place: ObjectPlace, _ id: ObjectID?
    ) async throws -> Destination {
        let resource = sending.resource
        let isSummed = (sending.upload.places + sending.upload.setPlaces).contains("file.md5")
        let md5 = isSummed ? try await sending.content.md5() : nil
        let places = AttachmentPlaces(
            place, of: resource, id: id, member: sending.member, sending.content, md5: md5)
        guard let ask = sending.upload.ask else {
            let url = try client.contentTarget(sending.upload, resource, at: place, places)
            return Destination(url: try client.contentURL(url, relativeTo: url, sending.attachment), places: places)
        }
        let request = try client.askRequest(ask, resource, at: place, places)
        let reply = try await synchronizer.reply(to: request, resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, "attaching to \(uri)", remedy: routeFile.signInRemedy)
        }
        let answer = try synchronizer.body(of: reply, resource) ?? .null
        guard let link = ask.url.first(in: answer)?.string, !link.isEmpty else {
            throw missing("the answer names no place for the content", ask.url, sending.key("ask.url"))
        }
        var destination = Destination(
            url: try client.contentURL(link, relativeTo: request.url, sending.attachment), places: places)
        // The length is the transport's to say, and is the same.
        let wanted = ask.headers.flatMap { $0.first(in: answer)?.members } ?? [:]
        for header in wanted where header.name.lowercased() != "content-length" {
            destination.headers[header.name] = header.value.text
        }
        destination.value = ask.value.flatMap { $0.first(in: answer) }.flatMap { $0.isNull ? nil : $0 }
        if let path = ask.value, destination.value == nil {
            throw missing("the answer holds nothing to refer to", path, sending.key("ask.value"))
        }
        return destination
    }

    private func missing(_ what: String, _ path: JSONPath, _ key: String) -> SyncError {
        SyncError(code: .unexpectedAnswer, message: "\(what) at \(path); check \(key)")
    }
}
