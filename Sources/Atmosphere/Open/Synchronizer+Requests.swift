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

    /// As ``refresh(_:)``, for a caller who does not hold the object's lane.
    ///
    /// - Parameters:
    ///   - origin: why it is asked for, for those who watch the store's commits.
    ///   - isUnlisted: no list shows it, so that a 404 needs no other proof.
    @discardableResult
    func refresh(
        _ uri: ObjectURI, origin: CommitSet.Origin, isUnlisted: Bool = false
    ) async throws -> ObjectRecord? {
        let (record, next) = try await readOnce(uri, origin: origin, isUnlisted: isUnlisted)
        guard next == .read else { return record }
        return try await inLane(of: uri) {
            // No push of this process is on the wire any more.
            if case .sending? = try await self.object(at: uri)?.meta.outgoing?.phase {
                self.note(uri, "another process sends it, or has ended while it did; the next push tells")
                return record
            }
            return try await self.readOnce(uri, origin: origin, isUnlisted: isUnlisted).record
        }
    }

    /// One request for one object, and the merge of what comes.
    ///
    /// - Parameters:
    ///   - origin: why it is asked for, for those who watch the store's commits.
    ///   - isUnlisted: no list shows it, so that a 404 needs no other proof.
    ///   - sent: the create whose answer named it, perhaps by something else than its identifier; nil for any other.
    ///   - isSynchronous: see ``ChangeEngine/isSynchronous``.
    /// - Returns: the working record afterwards, and what has to be asked next where nothing of the answer could be taken.
    @discardableResult
    func readOnce(
        _ uri: ObjectURI, origin: CommitSet.Origin, isUnlisted: Bool = false, created sent: ObjectRecord? = nil,
        isSynchronous: Bool = false
    ) async throws -> (record: ObjectRecord?, next: ObjectRequest?) {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        let (present, place, highest, isHere) = try await store.read {
            snapshot -> (ObjectURI, ObjectPlace, Int64, Bool) in
            let present = try snapshot.alias(of: uri) ?? uri
            let here = try snapshot.object(at: present)
            let object =
                here
                ?? LocalObject(
                    record: nil,
                    meta: MetaObject(
                        uri: present, id: ObjectID(resource.ownID(in: present)),
                        state: .synchronized(.init(base: ObjectRecord([:]), sequence: 0))))
            let place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
            return (present, place, try snapshot.highestSequence(), here != nil)
        }
        learn(sequence: highest)
        let sequence = nextSequence()
        let reply = try await reply(to: client.readRequest(resource, at: place), resource, about: present)
        let found: Representation
        if reply.isSuccess {
            guard
                var shown = client.representation(
                    in: reply, of: resource, at: place, operation: resource.read, sequence: sequence),
                shown.isTelling
            else {
                throw SyncError(
                    code: .unexpectedAnswer,
                    message: "the answer to GET \(present) is not an object with an identifier at \(resource.id)"
                        + client.remedy(forObjectIn: reply, of: resource))
            }
            let isNew = sent.map { ChangeEngine(resource).contradicts($0, shown.record) == nil } ?? false
            let reason = isNew ? nil : resource.whyOther(shown, at: place)
            if let reason, !isUnlisted || resource.isUniquePerParent {
                throw SyncError(code: .unexpectedAnswer, message: "GET \(present): \(reason)")
            }
            addresses.insert(nil, of: resource.name)
            shown.isRenamed = reason != nil
            found = shown
        } else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            guard treatment == .gone else {
                throw SyncError(refused: failure, treatment, "GET \(present)", remedy: routeFile.signInRemedy)
            }
            if isHere, !isUnlisted, !client.saysGone(reply, of: resource),
                let reason = try await whyNotGone(present, resource, at: place, asked: nil)
            {
                throw SyncError(code: .refused, message: "GET \(present): \(reason)", failure: failure)
            }
            found = .init(record: nil, id: nil, version: nil, sequence: sequence)
        }
        let due = environment.now().advanced(by: .seconds(1))
        let (record, next, why) = try await store.write(.process, origin: origin) {
            transaction -> (ObjectRecord?, ObjectRequest?, String?) in
            let object = try transaction.object(at: present)
            // What is not known here may be what an own create has become whose answer was lost.
            let lost = try object == nil ? transaction.lostCreate(that: found, of: resource) : nil
            if object == nil, lost == nil, let id = found.id, id.text != present.id {
                throw SyncError(
                    code: .unexpectedAnswer, message: "the answer to GET \(present) shows another object, \(id)")
            }
            var engine = ChangeEngine(resource)
            engine.isSynchronous = isSynchronous
            let plan =
                if let lost {
                    engine.lookedUp(found, of: lost, arrival: sequence, key: key)
                } else if let object, let sent,
                    // What waits with it is as much its own as what was sent: neither goes to nothing, nor to another object.
                    object.meta.outgoing != nil || engine.contradicts(sent, found.record) == nil
                {
                    engine.readBack(
                        found, sent: sent, before: nil, over: object, uri: present, key: key, retryAt: { _ in due })
                } else {
                    engine.remote(found, over: object, uri: present, key: key)
                }
            let place = try ObjectWriter(routeFile: self.routeFile, transaction: transaction)
                .apply(plan, to: lost?.uri ?? present)
            try transaction.raiseSequence(to: sequence)
            let next = plan.outcome == .keep ? plan.next : nil
            return (try transaction.record(at: place).map(resource.mapping.view), next, plan.note)
        }
        note(present, why ?? "read from the server")
        return (record, next)
    }

    // MARK: Custom requests

    /// Calls a declared action of an object's resource and merges the object where it comes back.
    ///
    /// - Parameter arguments: fill the path, or are sent in the query or the body, as the route file declares. One that
    ///   holds the identifier of an object may hold a former one.
    /// - Returns: the answer's body; nil where it is empty.
    /// - Throws: ``SyncError`` `unknownName` for an action or an argument, `wrongState` where an object is meant that the
    ///   server does not know yet, `refused`, `unreachable`, `signInNeeded`.
    public func request(
        _ name: String, on uri: ObjectURI, arguments: Value.Members = [:]
    ) async throws -> Value? {
        let resource = try resource(uri.entity)
        let action = try action(name, of: resource, arguments)
        let answered: (body: Value?, next: ObjectRequest?) =
            if resource.lease != nil, action.method != "GET" {
                // What an action changes is changed under the lease, as by any other write.
                try await pushing(uri) { try await self.call(action, on: uri, resource, arguments) }
            } else {
                try await call(action, on: uri, resource, arguments)
            }
        if answered.next == .read, resource.read.isOffered {
            do {
                try await refresh(uri, origin: .push)
            } catch let error as SyncError {
                // The action is done all the same.
                note(uri, error.message)
            }
        }
        return answered.body
    }

    /// - Returns: the answer's body, and what has to be asked next about the object.
    private func call(
        _ action: Action, on uri: ObjectURI, _ resource: Resource, _ arguments: Value.Members
    ) async throws -> (body: Value?, next: ObjectRequest?) {
        let name = action.name
        let (present, place, arguments) = try await store.read { snapshot in
            let (present, object) = try snapshot.existing(uri)
            guard !object.meta.isLocalOnly else {
                throw SyncError(
                    code: .wrongState, message: "\(uri) is not on the server yet; push it before you \(name) it")
            }
            let place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
            return (present, place, try self.resolved(arguments, resource, in: snapshot))
        }
        let sequence = nextSequence()
        var request = try client.actionRequest(action, resource, at: place, arguments: arguments)
        if let header = resource.lease?.token?.header, let token = await lease(of: present, resource)?.token {
            request.headers[header] = token
        }
        let reply = try await reply(to: request, resource, about: present)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, "\(name) \(present)", remedy: routeFile.signInRemedy)
        }
        var next: ObjectRequest?
        if let found = client.representation(
            in: reply, of: resource, at: place, sequence: sequence),
            found.isTelling, found.id?.text == present.id
        {
            let key = environment.makeUUID()
            next = try await store.write(.process, origin: .push) { transaction -> ObjectRequest? in
                let plan = ChangeEngine(resource).remote(
                    found, over: try transaction.object(at: present), uri: present, key: key)
                try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: present)
                try transaction.raiseSequence(to: sequence)
                return plan.next
            }
        }
        return (try body(of: reply, resource), next)
    }

    /// Calls a declared action whose path names no object of its own; nothing is stored.
    ///
    /// - Parameter arguments: as above. The parents that the path names are told by the members that show them.
    /// - Throws: as above.
    public func request(
        _ name: String, of entity: String, arguments: Value.Members = [:]
    ) async throws -> Value? {
        let resource = try resource(entity)
        let action = try action(name, of: resource, arguments)
        guard !action.path.namesObject else {
            throw SyncError(
                code: .invalidRecord, message: "the action “\(name)” is for one object: write \(entity)/ID")
        }
        let (place, arguments) = try await store.read { snapshot in
            let arguments = try self.resolved(arguments, resource, in: snapshot)
            var place = ObjectPlace()
            for parent in resource.parents {
                guard let id = arguments[parent.field].flatMap({ ObjectID($0) }) else { continue }
                let known = try snapshot.object(at: ObjectURI(entity: parent.entity, id: id.text))
                place.parents[parent.entity] = .init(id: id, known, of: self.routeFile.resource(parent.entity))
            }
            return (place, arguments)
        }
        let reply = try await reply(
            to: client.actionRequest(action, resource, at: place, arguments: arguments), resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, "\(name) \(entity)", remedy: routeFile.signInRemedy)
        }
        return try body(of: reply, resource)
    }

    private func action(_ name: String, of resource: Resource, _ arguments: Value.Members) throws -> Action {
        guard let action = resource.actions.first(where: { $0.name == name }) else {
            let known = resource.actions.map(\.name).joined(separator: ", ")
            throw SyncError(
                code: .unknownName,
                message: "\(resource.name) has no action “\(name)”; "
                    + (known.isEmpty ? "none is declared" : "it has \(known)")
                    + (RouteVocabulary.actionVerbs.contains(name)
                        ? "; a method is written in capitals, with a path: \(name.uppercased()) \(resource.list.path)"
                        : ""))
        }
        guard let body = action.body else { return action }
        var known: [String] = []
        for name in action.arguments + action.query + body + action.path.ownFields.sorted()
        where !known.contains(name) { known.append(name) }
        let parents = resource.parentFields(in: action.path)
        for argument in arguments where !known.contains(argument.name) && !parents.contains(argument.name) {
            throw SyncError(
                code: .unknownName,
                message: "the action “\(name)” of \(resource.name) has no argument “\(argument.name)”; "
                    + (known.isEmpty ? "it takes none" : "it takes \(known.joined(separator: ", "))"))
        }
        return action
    }

    /// Arguments with the identifiers that the server knows.
    private func resolved(
        _ arguments: Value.Members, _ resource: Resource, in snapshot: any StoreSnapshot
    ) throws -> Value.Members {
        var arguments = arguments
        let waitsFor = try Edit(resource, routeFile, snapshot).resolve(&arguments)
        guard let first = waitsFor.first else { return arguments }
        throw SyncError(code: .wrongState, message: "\(first) is not on the server yet; push it first")
    }

    /// Sends any request to a path under the base; nothing is stored. Headers, format and error rules are those of the
    /// resource that has the path, where one has; the body is JSON, or a form where its `coding` is one.
    ///
    /// - Parameter path: relative to the base or a URL that begins with it, with its query, percent-encoded.
    /// - Returns: the answer's body as JSON; nil where it is empty.
    /// - Throws: ``SyncError`` as above, and `invalidPath` for a path outside the base: nothing is sent then.
    public func request(method: String, path: String, body: Value? = nil) async throws -> Value? {
        let (request, resource) = try client.rawRequest(method: method, path: path, body: body)
        let reply = try await reply(to: request, resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            // Where nothing is, the whole says which part of it was not meant.
            let asked = failure.status == 404 ? request.url : path
            throw SyncError(
                refused: failure, treatment, "\(method) \(asked.prefix { $0 != "?" })", remedy: routeFile.signInRemedy)
        }
        return try self.body(of: reply, resource)
    }

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
        to read: ResourceClient.Read, _ resource: Resource?, about uri: ObjectURI? = nil
    ) async throws -> ResourceClient.Reply {
        do {
            let client = uri.map { telling([$0]) } ?? client
            return try await client.exchange(read, resource: resource)
        } catch let error as TransportError {
            throw SyncError(
                code: error.isFinal ? .unexpectedAnswer : .unreachable, message: error.message, cause: error)
        }
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
