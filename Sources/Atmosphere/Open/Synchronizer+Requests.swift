extension Synchronizer {
    // MARK: Fetch

    /// Local results first, then the same query after the server was asked.
    ///
    /// The first element is what is here now and comes without waiting for the network; the second follows when the
    /// entity was pulled. A failed pull ends the sequence with its error; what was given before stays valid.
    public func fetch(_ query: Query) -> FetchSequence {
        FetchSequence(
            entity: query.entity, local: { try await self.records(matching: query) },
            pull: { try await self.pull(entities: [query.entity]) },
            readDetails: { try await self.readDetails(of: query) })
    }

    /// Reads what the list left out of the objects that a fetch shows (`detail: on-read`).
    func readDetails(of query: Query) async throws {
        let resource = try resource(query.entity)
        guard resource.readsDetails else { return }
        try await readDetails(of: records(matching: query).map(\.uri))
    }

    /// The same for single objects.
    func readDetails(of shown: [ObjectURI]) async throws {
        try await shown.concurrently(routeFile.limits.concurrent) { uri in
            if let object = try await self.object(at: uri), !object.meta.isLocalOnly { try await self.refresh(uri) }
        }
    }

    /// Asks the server for one object and merges what comes; an object that is gone there is removed here, or becomes
    /// a conflict where it was edited. Where a push of it is on the wire, the server is asked again when that has ended.
    ///
    /// - Returns: the working record afterwards; nil where there is none.
    /// - Throws: ``SyncError`` `unreachable`, `signInNeeded` or `refused`; ``StoreError``; `CancellationError`.
    @discardableResult
    public func refresh(_ uri: ObjectURI) async throws -> ObjectRecord? {
        try await refresh(uri, origin: .pull)
    }

    /// As ``refresh(_:)``, for a caller who does not hold the object's lane; see ``ObjectRefresh``.
    @discardableResult
    func refresh(_ uri: ObjectURI, origin: CommitSet.Origin, isUnlisted: Bool = false) async throws -> ObjectRecord? {
        try await ObjectRefresh(synchronizer: self, origin: origin, isUnlisted: isUnlisted).run(uri)
    }

    // MARK: Custom requests

    /// Calls a declared action of an object's resource and merges the object where it comes back.
    ///
    /// What the call sets takes the place of an edit of the same member that waits: of the members of `when` that are given, and of
    /// others that the answer shows changed to what was given. A delete that waits goes on. What the action changes below the object
    /// (`changes`) is pulled behind it, of that object alone where it is listed under it; edits of that which wait go with the next
    /// push all the same. Where a push of the object is on the wire, the action is called when that has ended.
    ///
    /// - Parameter arguments: fill the path, or are sent in the query or the body, as the route file declares. One that
    ///   holds the identifier of an object may hold a former one.
    /// - Returns: the answer's body; nil where it is empty.
    /// - Throws: ``SyncError`` `unknownName` for an action or an argument, `wrongState` where an object is meant that the
    ///   server does not know yet, `refused`, `unreachable`, `signInNeeded`. After `unreachable` the server may have done it all
    ///   the same: a read is owed then where the call sets members of `when`.
    public func request(
        _ name: String, on uri: ObjectURI, arguments: Value.Members = [:]
    ) async throws -> Value? {
        try await request(name, on: uri, arguments: arguments, where: nil)
    }

    /// - Parameter condition: looks at the object in its lane and before the server is asked, and throws where the action is not to
    ///   be called; nil calls it whatever the object is.
    package func request(
        _ name: String, on uri: ObjectURI, arguments: Value.Members,
        where condition: (@Sendable (LocalObject) throws -> Void)?
    ) async throws -> Value? {
        try await ActionCall(self, name, of: uri.entity, arguments).run(on: uri, where: condition)
    }

    /// Calls a declared action whose path names no object of its own; nothing is stored.
    ///
    /// - Parameter arguments: as above. The parents that the path names are told by the members that show them.
    /// - Throws: as above.
    public func request(
        _ name: String, of entity: String, arguments: Value.Members = [:]
    ) async throws -> Value? {
        try await ActionCall(self, name, of: entity, arguments).run()
    }

    /// Sends any request to a path under the base; nothing is stored. Headers, format and error rules are those of the
    /// resource that has the path, where one has; the body is JSON, or a form where its `coding` is one.
    ///
    /// - Parameter path: relative to the base or a URL that begins with it, with its query, percent-encoded.
    /// - Returns: the answer's body as JSON; nil where it is empty.
    /// - Throws: ``SyncError`` as above, and `invalidPath` for a path outside the base: nothing is sent then.
    public func request(method: String, path: String, body: Value? = nil) async throws -> Value? {
        try await request(method: method, path: path, body: body, through: client)
    }

    /// - Parameter client: signs it.
    func request(
        method: String, path: String, body: Value? = nil, through client: ResourceClient
    ) async throws -> Value? {
        let (request, resource) = try client.rawRequest(method: method, path: path, body: body)
        let reply = try await reply(to: .init(request: request), resource, through: client)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            // Where nothing is, the whole says which part of it was not meant.
            let asked = failure.status == 404 ? request.url : path
            throw SyncError(
                refused: failure, treatment, "\(method) \(asked.prefix { $0 != "?" })", remedy: routeFile.signInRemedy)
        }
        return try self.body(of: reply, resource)
    }

    /// A text for somebody else, without the secrets that requests are signed with.
    package func redacted(_ text: String) -> String { client.told(text) }

    /// What an answer says, by the format of the resource; nil where it is empty.
    func body(of reply: ResourceClient.Reply, _ resource: Resource?) throws -> Value? {
        guard !reply.body.isEmpty else { return nil }
        let format = resource?.format ?? "json"
        do {
            return try client.extractors[format]?.value(
                in: reply.body, limits: routeFile.limits.json, readsAttributes: resource?.xml.hasAttributes == true)
        } catch let error as ExtractionError {
            throw SyncError(code: .unexpectedAnswer, message: "the answer is not \(format): \(error.message)")
        }
    }

    /// Sends a request for a caller who waits: errors become ``SyncError``.
    ///
    /// - Parameter uri: whose story it is; nil for nobody's.
    func reply(
        to request: Request, _ resource: Resource?, about uri: ObjectURI? = nil
    ) async throws -> ResourceClient.Reply {
        try await reply(to: ResourceClient.Read(request: request), resource, about: uri)
    }

    func reply(
        to read: ResourceClient.Read, _ resource: Resource?, about uri: ObjectURI? = nil,
        turn: ResourceClient.Turn = .init(), through other: ResourceClient? = nil
    ) async throws -> ResourceClient.Reply {
        do {
            let client = other ?? uri.map { telling([$0]) } ?? client
            return try await client.exchange(read, resource: resource, turn: turn)
        } catch let error as TransportError {
            throw SyncError(
                code: error.isFinal ? .unexpectedAnswer : .unreachable, message: error.message, cause: error)
        }
    }

    /// Sends a request for a lane: an error is an outcome.
    ///
    /// - Parameter uris: whose story it is.
    func outcome(
        of read: ResourceClient.Read, _ resource: Resource, about uris: [ObjectURI], turn: ResourceClient.Turn
    ) async -> Result<ResourceClient.Reply, any Error> {
        do {
            return .success(try await telling(uris).exchangeMarked(read, resource: resource, turn: turn))
        } catch {
            return .failure(error)
        }
    }

    /// A client whose exchanges tell in the log of objects what happens in them.
    func telling(_ uris: [ObjectURI]) -> ResourceClient {
        client.telling { line in for uri in uris { self.note(uri, line) } }
    }

    /// Tells in an object's log why `body` has failed.
    func told<Result: Sendable>(
        of uri: ObjectURI, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as SyncError {
            note(uri, error.message)
            throw error
        }
    }
}
