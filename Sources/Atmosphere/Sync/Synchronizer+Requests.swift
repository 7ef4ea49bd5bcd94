extension Synchronizer {
    // MARK: Fetch

    /// Local results first, then the same query after the server was asked.
    ///
    /// The first element is what is here now and comes without waiting for the network; the second follows when the
    /// entity was pulled. A failed pull ends the sequence with its error; what was given before stays valid.
    public func fetch(_ query: Query) -> FetchSequence {
        FetchSequence(synchronizer: self, query: query)
    }

    /// Asks the server for one object and merges what comes; an object that is gone there is removed here, or becomes
    /// a conflict where it was edited.
    ///
    /// - Returns: the working record afterwards; nil where there is none.
    /// - Throws: ``SyncError`` `unreachable`, `signInNeeded` or `refused`; ``StoreError``.
    @discardableResult
    public func refresh(_ uri: ObjectURI) async throws -> ObjectRecord? {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        let sequence = nextSequence()
        let (present, place) = try await store.read { snapshot -> (ObjectURI, ObjectPlace) in
            let present = try snapshot.alias(of: uri) ?? uri
            let object =
                try snapshot.object(at: present)
                ?? LocalObject(
                    record: nil,
                    meta: MetaObject(
                        uri: present, id: ObjectID(present.segments.last ?? present.id),
                        state: .synchronized(.init(base: ObjectRecord([:]), sequence: 0))))
            return (present, try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot))
        }
        let reply = try await reply(to: client.readRequest(resource, at: place), resource)
        let found: Planner.Representation
        if reply.isSuccess {
            guard let shown = client.representation(in: reply, of: resource, at: place, sequence: sequence),
                shown.record != nil
            else {
                throw SyncError(
                    code: .unexpectedAnswer,
                    message: "the answer to GET \(present) is not an object with an identifier at \(resource.id)")
            }
            found = shown
        } else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            guard treatment == .gone else { throw SyncError(refused: failure, treatment, "GET \(present)") }
            found = .init(record: nil, id: nil, version: nil, sequence: sequence)
        }
        return try await store.write(.process, origin: .pull) { transaction in
            let plan = Planner(resource).remote(
                found, over: try transaction.object(at: present), uri: present, key: key)
            let place = try ObjectWriter(routeFile: self.routeFile, transaction: transaction)
                .apply(plan, to: present)
            try transaction.raiseSequence(to: sequence)
            return try transaction.record(at: place)
        }
    }

    // MARK: Custom requests

    /// Calls a declared action of an object's resource and merges an object that comes back.
    ///
    /// - Parameter arguments: sent in the query or the body, as the route file declares.
    /// - Returns: the answer's body; nil where it is empty.
    /// - Throws: ``SyncError`` `unknownName`, `wrongState` for an object the server does not know yet, `refused`,
    ///   `unreachable`, `signInNeeded`.
    public func request(
        _ name: String, on uri: ObjectURI, arguments: Value.Members = [:]
    ) async throws -> Value? {
        let resource = try resource(uri.entity)
        guard let action = resource.actions.first(where: { $0.name == name }) else {
            let known = resource.actions.map(\.name).joined(separator: ", ")
            throw SyncError(
                code: .unknownName,
                message: "\(uri.entity) has no action “\(name)”; "
                    + (known.isEmpty ? "none is declared" : "it has \(known)"))
        }
        let (present, place) = try await store.read { snapshot in
            let (present, object) = try snapshot.existing(uri)
            guard !object.meta.isLocalOnly else {
                throw SyncError(
                    code: .wrongState, message: "\(uri) is not on the server yet; push it before you \(name) it")
            }
            return (present, try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot))
        }
        let sequence = nextSequence()
        let reply = try await reply(
            to: client.actionRequest(action, resource, at: place, arguments: arguments), resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, "\(name) \(present)")
        }
        if let found = client.representation(in: reply, of: resource, at: place, sequence: sequence),
            found.record != nil, found.id?.text == present.id
        {
            let key = environment.makeUUID()
            try await store.write(.process, origin: .push) { transaction in
                let plan = Planner(resource).remote(
                    found, over: try transaction.object(at: present), uri: present, key: key)
                try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: present)
            }
        }
        return try body(of: reply, resource)
    }

    /// Sends any request to a path under the base; nothing is stored.
    ///
    /// - Parameter path: relative to the base, with its query, percent-encoded.
    /// - Returns: the answer's body as JSON; nil where it is empty.
    /// - Throws: ``SyncError`` as above.
    public func request(method: String, path: String, body: Value? = nil) async throws -> Value? {
        let reply = try await reply(to: client.rawRequest(method: method, path: path, body: body), nil)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: nil)
            throw SyncError(refused: failure, treatment, "\(method) \(path)")
        }
        return try self.body(of: reply, nil)
    }

    private func body(of reply: ResourceClient.Reply, _ resource: Resource?) throws -> Value? {
        guard !reply.body.isEmpty else { return nil }
        let format = resource?.format ?? "json"
        do {
            return try client.extractors[format]?.value(in: reply.body, limits: routeFile.limits.json)
        } catch let error as ExtractionError {
            throw SyncError(code: .unexpectedAnswer, message: "the answer is not \(format): \(error.message)")
        }
    }

    /// Sends a request for a caller who waits: errors become ``SyncError``.
    func reply(to request: Request, _ resource: Resource?) async throws -> ResourceClient.Reply {
        do {
            return try await client.exchange(request, resource: resource)
        } catch let error as TransportError {
            throw SyncError(code: .unreachable, message: error.message, cause: error)
        }
    }
}

extension SyncError {
    /// A refusal for a caller who waits.
    init(refused failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, _ what: String) {
        let status = failure.status.map { " (\($0))" } ?? ""
        switch treatment {
        case .unauthorized:
            self.init(code: .signInNeeded, message: "\(what): \(failure.message)\(status)", failure: failure)
        case .wait, .retry:
            self.init(code: .unreachable, message: "\(what): \(failure.message)\(status)", failure: failure)
        default: self.init(code: .refused, message: "\(what): \(failure.message)\(status)", failure: failure)
        }
    }
}

/// What ``Synchronizer/fetch(_:)`` gives.
public struct FetchSequence: AsyncSequence, Sendable {
    let synchronizer: Synchronizer
    let query: Query

    /// One set of results.
    public struct Element: Sendable {
        public var records: [(uri: ObjectURI, record: ObjectRecord)]
        /// The server was asked before.
        public var isRemote: Bool
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let synchronizer: Synchronizer
        let query: Query
        var round = 0

        public mutating func next() async throws -> Element? {
            defer { round += 1 }
            switch round {
            case 0:
                return Element(records: try await synchronizer.records(matching: query), isRemote: false)
            case 1:
                let report = try await synchronizer.pull(entities: [query.entity])
                if let problem = report.entities[query.entity]?.problem {
                    throw SyncError(code: .unreachable, message: problem)
                }
                return Element(records: try await synchronizer.records(matching: query), isRemote: true)
            default: return nil
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(synchronizer: synchronizer, query: query) }
}
