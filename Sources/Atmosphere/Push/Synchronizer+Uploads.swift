/// Uploads what waits, in the lane of its object.
extension Synchronizer {
    /// Drops content that waits to be uploaded, was refused, or may have been uploaded, and leaves the object's other changes
    /// as they are. Of content that the server may have it forgets the doubt.
    ///
    /// - Parameter upload: one of ``MetaObject/uploads``.
    /// - Throws: ``SyncError`` `wrongState` where the object has no such upload any more, or it is being sent; ``StoreError``.
    public func discard(_ upload: MetaObject.Upload, of uri: ObjectURI) async throws {
        try await Decisions(self).discard(upload, of: uri)
    }

    /// Sends the content of an order, and applies the answer in a transaction.
    func performUpload(
        _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let uri = await address.uri
        guard case .send(_, let snapshot) = order else { return .unanswered(.done) }
        let ready: (sending: Sending, place: ObjectPlace, destination: Destination, request: Request)
        do {
            let (sending, place, id) = try await prepareUpload(snapshot, uri, resource)
            let destination = try await destination(sending, uri, place, id)
            ready = (sending, place, destination, await contentRequest(sending, to: destination, of: uri))
        } catch let error as SyncError {
            return try await notUploaded(error, order, address, resource)
        } catch let error as StoreError {
            return try await settle(order, address, resource, .rejected(.init(message: error.message)), nil)
        }
        let url = ready.destination.url
        note(uri, "\(ready.request.method) the content of “\(ready.sending.member)”")
        let asked = environment.now()
        let answer: Result<ResourceClient.Reply, any Error>
        do {
            answer = .success(try await telling([uri]).sendMarked(ready.request, to: url, resource))
        } catch {
            answer = .failure(error)
        }
        if case .failure(let error) = answer {
            if let error = error as? StoreError {
                // Its length says that it was cut.
                let failure = MetaObject.Failure(message: error.message)
                return try await settle(order, address, resource, .failed(failure, mayHaveArrived: false), nil)
            }
            if !url.isUnderBase, let error = error as? TransportError {
                // That a storage cannot be reached is no word about the API.
                let failure = MetaObject.Failure(message: error.message)
                let result = Answer.failed(failure, mayHaveArrived: error.mayHaveArrived)
                guard !error.isFinal else { return try await settle(order, address, resource, result, error) }
                return try await settle(order, address, resource, result, nil).failing(.network)
            }
        }
        if case .success(let reply) = answer {
            let isWebPage = url.isUnderBase && client.isWebPage(reply)
            if reply.isSuccess, !isWebPage {
                note(uri, "answered \(reply.status)")
                return try await uploaded(reply, ready.sending, ready.destination, order, address)
            }
            if !url.isUnderBase {
                // It is no word about who is signed in to the API.
                let failure = client.failure(in: reply, of: nil).0
                let isPassing = reply.status == 408 || reply.status == 429 || reply.status >= 500
                let result: Answer =
                    isPassing ? .failed(failure, mayHaveArrived: reply.status != 429) : .rejected(failure)
                return try await settle(order, address, resource, result, nil).failing(.network)
            }
        }
        return try await conclude(
            answer, order, address, resource, ready.place, snapshot.sequence, asked: asked)
    }

    private func prepareUpload(
        _ snapshot: Attempt, _ uri: ObjectURI, _ resource: Resource
    ) async throws -> (sending: Sending, place: ObjectPlace, id: ObjectID?) {
        try await store.read { store in
            let (_, object) = try store.existing(uri)
            guard let upload = object.meta.uploads.first(where: { $0.id == snapshot.upload }),
                let contents = self.store.contentFolder
            else {
                throw SyncError(code: .wrongState, message: "the content of \(uri) is not here any more")
            }
            let (attachment, route) = try self.uploadRoute(upload.member, of: resource)
            let content = try contents.content(of: upload)
            let place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: store)
            let sending = Sending(
                resource: resource, attachment: attachment, upload: route, member: upload.member, content: content)
            return (sending, place, place.id.map { ObjectID($0, object.meta.id.wireType) })
        }
    }

    private func uploaded(
        _ reply: ResourceClient.Reply, _ sending: Sending, _ destination: Destination, _ order: ObjectRequest,
        _ address: LaneAddress
    ) async throws -> LaneMachine.Event {
        let answer: Answer
        do {
            answer = .uploaded(try value(in: reply, sending, destination))
        } catch let error as SyncError {
            answer = .rejected(.init(message: error.message))
        }
        return try await settle(order, address, sending.resource, answer, nil)
    }

    /// Nothing of the content has left yet: its place could not be had, or no request be made.
    private func notUploaded(
        _ error: SyncError, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let failure = error.failure ?? .init(message: error.message)
        switch error.code {
        case .signInNeeded:
            _ = try await settle(order, address, resource, .postponed(failure), nil)
            return .unanswered(.signInNeeded(error.message))
        case .unreachable where error.cause is ResourceClient.AskedToWait:
            _ = try await settle(order, address, resource, .postponed(failure), nil)
            return .unanswered(.offline(error.message))
        case .unreachable:
            let cause = error.cause as? TransportError
            let result = Answer.failed(failure, mayHaveArrived: false)
            return try await settle(order, address, resource, result, cause).failing(.network)
        default:
            let isGone = failure.status == 404 || failure.status == 410
            let answer = isGone ? Answer.gone(failure, isCertain: false) : .rejected(failure)
            return try await settle(order, address, resource, answer, nil)
        }
    }

    // MARK: Contents

    /// Tells of contents that are not uploaded any more, and removes them.
    ///
    /// - Parameter reason: the end of the line in the log.
    func forget(_ dropped: [MetaObject.Upload], of uri: ObjectURI, because reason: String) async {
        guard !dropped.isEmpty else { return }
        for upload in dropped {
            note(uri, "the content of “\(upload.member)” (\(upload.fileName)) is not uploaded: \(reason)")
        }
        await removeContents()
    }

    /// What an edit says to the content that it takes the place of.
    static let isEdited = "the member was edited since"

    /// Removes the contents that no upload refers to any more. Where it fails, the next time does it.
    func removeContents() async {
        guard let contents = store.contentFolder else { return }
        do {
            try await contents.removeAll {
                try await self.store.read { snapshot in
                    var kept: Set<String> = []
                    var last: ObjectURI?
                    while true {
                        let batch = try snapshot.changed(entity: nil, after: last, limit: 1_000)
                        for meta in batch { kept.formUnion(meta.uploads.map(\.digest)) }
                        guard batch.count == 1_000, let next = batch.last?.uri else { return kept }
                        last = next
                    }
                }
            }
        } catch {
            note("store", "contents that nothing refers to stay in \(contents.path): \(error)", isRoutine: true)
        }
    }

    /// The content of a member that waits to be uploaded; nil where none does.
    func queuedContent(of name: String, at uri: ObjectURI) async throws -> AttachedContent? {
        guard let contents = store.contentFolder else { return nil }
        let upload = try await store.read { snapshot in
            try snapshot.meta(at: snapshot.alias(of: uri) ?? uri)?.uploads.last { $0.member == name }
        }
        guard let upload else { return nil }
        let next = try await contents.content(of: upload).start()
        return AttachedContent(
            bytes: ResponseBody { try await next() }, mediaType: upload.mediaType, length: upload.length)
    }
}
