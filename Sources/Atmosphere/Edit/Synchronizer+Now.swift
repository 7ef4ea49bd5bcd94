extension Synchronizer {
    // MARK: Synchronous saves

    /// Creates an object on the server first and stores it when the server has accepted it.
    ///
    /// Where the answer is lost the server is asked once, in the same call, what has become of the object: by the same
    /// request under its idempotency key, by a read at the identifier that was chosen for it here, or by `lookup`. What is
    /// there is the object, and is stored.
    ///
    /// - Returns: its address, with the server's identifier.
    /// - Throws: ``SyncError`` with what the server said; nothing is stored or queued then. After `unreachable` the
    ///   server may have the object all the same: one that a look-up does not show may be on its way.
    public func saveNow(_ members: Value.Members, as entity: String) async throws -> ObjectURI {
        let resource = try resource(entity)
        let uuid = environment.newIdentifier(of: resource)
        let lookup = environment.makeUUID()
        let key = environment.makeUUID()
        return try await pushing {
            try await self.checkSender(of: [resource])
            let (uri, object) = try await self.store.read { snapshot in
                try Edit(resource, self.routeFile, snapshot).created(members, uuid: uuid, lookup: lookup, key: key)
            }
            guard object.meta.waitsFor.isEmpty else { throw Self.waits(uri, object.meta) }
            let attempt = try self.attempt(object, at: uri)
            let outcome = try await self.sendCreate(attempt)
            let arrival = self.nextSequence()
            let retryAt = self.retryTimes()
            return try await self.conclude(attempt, uri, naming: outcome.id) { engine, here in
                // A pull or a live update was faster where the identifier is of here; since then it may have been edited.
                if here != nil, let sent = attempt.snapshot.record {
                    return .init(next: .verify(sent: sent, before: nil), confirmed: .create)
                }
                return engine.conclude(
                    outcome, to: attempt.snapshot, of: attempt.marked, arrival: arrival, key: key, retryAt: retryAt)
            }
        }
    }

    /// Sets members of an object on the server first and stores the answer when the server has accepted it. Whatever
    /// else waited to be sent for the object goes with it.
    ///
    /// A member that has changed between the call and its turn, here or on the server, is merged as in any other edit;
    /// where both cannot be kept nothing is sent.
    ///
    /// - Throws: ``SyncError`` with what the server said; the object stays as it was then, with what was queued before.
    ///   `wrongState` where a member was changed meanwhile and both values clash.
    @discardableResult
    public func editNow(_ uri: ObjectURI, setting changes: [(name: String, value: Value?)]) async throws -> ObjectURI {
        try await editNow(uri, setting: changes, insteadOf: nil)
    }

    /// - Parameter replaced: of an edit that stands for content which was sent at once, the uploads whose place that takes.
    func editNow(
        _ uri: ObjectURI, setting changes: [(name: String, value: Value?)], insteadOf replaced: Set<String>?
    ) async throws -> ObjectURI {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        let seen = try await store.read { try $0.existing(uri).1 }
        let (place, dropped) = try await pushing(uri) { () async throws -> (ObjectURI, [MetaObject.Upload]) in
            try await self.compare(uri, resource)
            let (before, object) = try await self.store.read { snapshot -> (LocalObject, LocalObject) in
                let (present, object) = try snapshot.existing(uri)
                try object.requireNotDeleted()
                let changed = try Edit(resource, self.routeFile, snapshot).changed(object, key: key) {
                    let changes = try ChangeEngine(resource).rebased(changes, from: seen, onto: object)
                    return try resource.setting(changes, in: $0, of: present)
                }
                return (object, ChangeEngine(resource).superseding(only: replaced, changed, over: object))
            }
            let present = before.uri
            let dropped = before.meta.uploads(without: object.meta)
            guard object.meta.isChanged else {
                if before.meta.isChanged { try await self.settle(object, at: present, insteadOf: before) }
                return (present, dropped)
            }
            guard object.meta.waitsFor.isEmpty else { throw Self.waits(present, object.meta) }
            if object.meta.isLocalOnly {
                return (try await self.createNow(object, instead: before, key: key), dropped)
            }
            try ChangeEngine(resource).checkOneRequest(object)
            let attempt = try self.attempt(object, at: present)
            let found = try await self.send(attempt)
            let arrival = self.nextSequence()
            let retryAt = self.retryTimes()
            let stored = try await self.conclude(attempt, present, naming: found?.id) { engine, here in
                guard let here else { return .init(note: "it was removed here meanwhile") }
                let sent = engine.sent(attempt.marked, madeFrom: before, over: here)
                return engine.conclude(
                    .accepted(found), to: attempt.snapshot, of: sent, arrival: arrival, key: key, retryAt: retryAt)
            }
            return (stored, dropped)
        }
        await forget(dropped, of: place, because: Self.isEdited)
        return place
    }

    /// Deletes an object on the server first, and here when the server has accepted it, or has none any more.
    ///
    /// - Throws: ``SyncError`` with what the server said; the object stays then. `wrongState` where the server's object
    ///   has changed since it was last read, or is in conflict, unless `conflict.deleted-here` is `delete`.
    public func deleteNow(_ uri: ObjectURI) async throws {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        try await pushing(uri) {
            let known = try await self.store.read { try $0.existing(uri).1 }
            try await self.compare(uri, resource, isDelete: true)
            guard let object = try await self.object(at: uri) else { return }
            try ChangeEngine(resource).requireUndisputed(object)
            if resource.conflict.deletedHere != .delete, let before = known.meta.confirmed,
                let now = object.meta.confirmed,
                !ChangeEngine(resource).isUntouched(
                    .init(record: now.base, id: nil, version: now.version, sequence: now.sequence), since: before)
            {
                throw SyncError(
                    code: .wrongState,
                    message: "\(object.uri) was changed on the server since it was last read; it is up to date now: "
                        + "look at it, and delete it again if it shall go all the same")
            }
            let plan = ChangeEngine(resource).delete(object, key: key)
            switch plan.outcome {
            // Its delete waits already, and goes now.
            case .keep where object.meta.isDeleted: try await self.sendDelete(object, as: object, key: key)
            case .keep: break
            case .remove: try await self.delete(object.uri)
            case .put(let deleted) where deleted.meta.isLocalOnly:
                throw SyncError(
                    code: .wrongState,
                    message: "\(deleted.uri) was sent to be created and not answered; push, and delete it then")
            case .put(let deleted): try await self.sendDelete(deleted, as: object, key: key)
            }
        }
    }

    /// - Parameter object: as it is stored.
    private func sendDelete(_ deleted: LocalObject, as object: LocalObject, key: String) async throws {
        let attempt = try attempt(deleted, at: object.uri)
        _ = try await send(attempt)
        let arrival = nextSequence()
        _ = try await conclude(attempt, object.uri) { engine, here in
            guard let here else { return .init() }
            if here.meta.revision == object.meta.revision { return .init(outcome: .remove) }
            // Edited while the delete was on the wire.
            return engine.remote(
                .init(record: nil, id: nil, version: nil, sequence: arrival), over: here, uri: here.uri, key: key)
        }
    }

    /// Sends a create that was queued before, with a synchronous edit. It is marked durably first, for a lost answer
    /// must be remembered, or the queued create would be sent again.
    private func createNow(_ object: LocalObject, instead before: LocalObject, key: String) async throws -> ObjectURI {
        // What the edit takes the place of waits on where nothing is sent.
        let dropped = Set(before.meta.uploads(without: object.meta).map(\.id))
        let attempt = try attempt(object, at: before.uri).keeping(before.meta.uploads)
        try await store.write(.power, origin: .push) { transaction in
            try ObjectWriter(routeFile: self.routeFile, transaction: transaction).put(attempt.marked, over: before.uri)
            try transaction.raiseSequence(to: attempt.snapshot.sequence)
        }
        let outcome: CreateOutcome
        do {
            outcome = try await sendCreate(attempt)
        } catch {
            try await takeBack(attempt, to: before, dropping: dropped, error)
            throw error
        }
        let arrival = nextSequence()
        let retryAt = retryTimes()
        return try await conclude(attempt, before.uri, naming: outcome.id, wasQueued: true) { engine, here in
            guard var here else { return .init(note: "it was removed here meanwhile") }
            here.meta.uploads.removeAll { dropped.contains($0.id) }
            return engine.conclude(
                outcome, to: attempt.snapshot, of: here, arrival: arrival, key: key, retryAt: retryAt)
        }
    }

    // MARK: One attempt

    /// What is sent synchronously.
    struct DirectWrite: Sendable {
        var resource: Resource
        var verb: Verb
        var snapshot: Attempt
        /// The object with the sending mark.
        var marked: LocalObject

        /// The same, with these contents waiting.
        func keeping(_ uploads: [MetaObject.Upload]) -> Self {
            var write = self
            write.marked.meta.uploads = uploads
            return write
        }
    }

    /// An edit after which nothing is left to send ends what waited.
    private func settle(_ object: LocalObject, at uri: ObjectURI, insteadOf before: LocalObject) async throws {
        let routeFile = routeFile
        try await store.write(.power, origin: .application) { transaction in
            guard try transaction.meta(at: uri)?.revision == before.meta.revision else { return }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(object, over: uri)
        }
    }

    /// Runs `body` as this store's pusher and, where an object is named, alone in its lane and with its edit lease.
    func pushing<Result: Sendable>(
        _ uri: ObjectURI? = nil, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await pushTurn.hold(store) {
            guard let uri else { return try await body() }
            return try await self.inLane(of: uri) {
                let resource = try self.resource(uri.entity)
                try await self.checkSender(of: [resource])
                let known = try await self.store.write(.power, origin: .push) { transaction -> MetaObject? in
                    let object = try transaction.object(at: transaction.alias(of: uri) ?? uri)
                    // A mark left by a process that ended says that a create may have happened.
                    guard let object, let recovered = ChangeEngine(resource).recovered(object) else {
                        return object?.meta
                    }
                    try transaction.put([recovered.meta])
                    return recovered.meta
                }
                guard let known, resource.lease != nil, !known.isLocalOnly else { return try await body() }
                try await self.takeLease(of: known.uri, resource)
                let outcome: Swift.Result<Result, any Error>
                do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
                await self.giveLeaseBack(of: known.uri, resource)
                return try outcome.get()
            }
        }
    }

    /// Runs `body` alone in the lane of an object, which may get another address while this waits for its turn.
    func inLane<Result: Sendable>(
        of uri: ObjectURI, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        while true {
            let place = try await store.read { try $0.alias(of: uri) ?? uri }
            let result = try await lanes.run(place) { () async throws -> Result? in
                guard try await self.store.read({ try $0.alias(of: place) }) == nil else { return nil }
                return try await body()
            }
            if let result { return result }
        }
    }

    private func attempt(_ object: LocalObject, at uri: ObjectURI) throws -> DirectWrite {
        let resource = try resource(uri.entity)
        let sequence = nextSequence()
        let engine = ChangeEngine(resource)
        let next = engine.next(
            engine.read(object), now: .distantFuture, sequence: sequence, hasCompared: true, hasLease: true)
        switch next {
        // Its turn comes with a push.
        case .send(.upload, _, _):
            throw SyncError(
                code: .wrongState,
                message: "\(uri) has nothing to send but content that was attached to it; push sends that")
        case .send(let verb, let snapshot, let marked):
            return DirectWrite(resource: resource, verb: verb, snapshot: snapshot, marked: numbered(marked, sequence))
        case .refuse(let refused):
            throw SyncError(
                code: .wrongState,
                message: "\(uri): \(refused.meta.outgoing?.lastError?.message ?? "it cannot be sent")")
        case .hold(.notOffered(let verb)):
            throw SyncError(code: .wrongState, message: "the API offers no \(verb.word) for \(resource.name)")
        default:
            throw SyncError(
                code: .wrongState,
                message: "\(uri) cannot be sent now: it is conflicted, refused or waits for an earlier answer; "
                    + "push, resolve, retry or discard it first")
        }
    }

    /// Learns the server's present object before a write to it.
    private func compare(_ uri: ObjectURI, _ resource: Resource, isDelete: Bool = false) async throws {
        let known = try await store.read { try $0.existing(uri).1 }
        let engine = ChangeEngine(resource)
        guard !known.meta.isLocalOnly else { return }
        if engine.mustCompare(known) || engine.mustComplete && !isDelete {
            try await ObjectRefresh(synchronizer: self, origin: .pull).once(uri)
        }
    }

    /// - Returns: what the answer says of the object; nil where it says nothing.
    func send(_ attempt: DirectWrite) async throws -> Representation? {
        let resource = attempt.resource
        let object = attempt.marked
        let place = try await store.read {
            try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: $0)
        }
        let lease = await lease(of: object.uri, resource)
        let write = try client.write(
            attempt.verb, resource, at: place, record: attempt.snapshot.record, meta: object.meta, lease: lease?.token)
        note(object.uri, "\(write.request.method) \(attempt.verb.word), at once")
        let whole = try await told(of: object.uri) {
            try await self.reply(to: write.request, resource, about: object.uri)
        }
        note(object.uri, "answered \(whole.status)")
        let reply = try client.answer(to: write, in: whole)
        if client.isWebPage(reply) { throw SyncError(code: .unreachable, message: ResourceClient.webPageMessage) }
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            // A batch that is not there says nothing of the object.
            if attempt.verb == .delete, treatment == .gone, write.part == nil || reply.part != nil {
                try await GoneProof(synchronizer: self, resource: resource)
                    .requireGone(object.uri, at: place, reply, failure)
                return nil
            }
            var error = SyncError(
                refused: failure, treatment, "\(attempt.verb.word) \(object.uri)", remedy: routeFile.signInRemedy)
            // The try that met a 503 may have been done.
            if reply.followsUnavailable { error.cause = ResourceClient.FollowsUnavailable() }
            throw error
        }
        if reply.part == nil, attempt.verb != .create { addresses.insert(attempt.verb, of: resource.name) }
        let found = client.representation(
            in: reply, of: resource, at: place, operation: resource.operation(attempt.verb),
            sequence: attempt.snapshot.sequence)
        if attempt.verb == .delete, let isLater = resource.isOpen(reply, found) {
            try await requireDone(object, resource, at: place, isLater: isLater)
        }
        return found
    }

    /// A caller who waits for a delete is told where the server accepted it and shows the object as it was, or does not tell.
    ///
    /// - Throws: ``SyncError`` `refused`; `unexpectedAnswer` where the answer to the read says nothing of the object; what a
    ///   read throws.
    private func requireDone(
        _ object: LocalObject, _ resource: Resource, at place: ObjectPlace, isLater: Bool
    ) async throws {
        guard let confirmed = object.meta.confirmed else { return }
        let reader = ObjectReader(synchronizer: self, resource: resource)
        let shown: Representation
        switch try await reader.read(at: place, sequence: confirmed.sequence).finding {
        case .shown(let found): shown = found
        // Whoever may not see it any more has nothing that says that it is there.
        case .none, .untold(_, .reject): return
        case .untold(let failure, let treatment): throw reader.refusal(failure, treatment, of: object.uri)
        case .unreadable:
            throw SyncError(
                code: .unexpectedAnswer,
                message: "delete \(object.uri): the server accepted it, and its answer to the GET that was to show "
                    + "whether it is done cannot be read as declared; the next pull tells")
        }
        guard let record = shown.record, ChangeEngine(resource).isStill(record, shown.version, confirmed) else {
            return
        }
        let said = isLater ? "for later (202), and still shows it" : "and shows it all the same"
        throw SyncError(code: .refused, message: "delete \(object.uri): the server accepted it \(said)")
    }

    /// Stores the outcome over what the object has become meanwhile.
    ///
    /// - Parameter wasQueued: what a create that the server accepts and does not show leaves here is all that there is of it.
    private func conclude(
        _ attempt: DirectWrite, _ uri: ObjectURI, naming id: ObjectID? = nil, wasQueued: Bool = false,
        _ decide: @escaping @Sendable (ChangeEngine, LocalObject?) -> Plan
    ) async throws -> ObjectURI {
        let arrival = nextSequence()
        let engine = ChangeEngine(attempt.resource)
        let (first, plan) = try await store.write(.power, origin: .push) {
            transaction -> (ObjectURI, Plan) in
            var knowing = try ChangeEngine(attempt.resource, naming: id, beside: uri, in: transaction)
            knowing.isSynchronous = !wasQueued
            var plan = decide(knowing, try transaction.object(at: uri))
            // The read follows at once, and who waits is told of what failed.
            if case .put(let object) = plan.outcome { plan.outcome = .put(engine.read(object)) }
            if wasQueued {
                // What was left out of it waits on, as an edit.
                plan.ignored = []
            } else if !plan.ignored.isEmpty {
                plan = engine.withoutRefusal(plan, sent: attempt.snapshot.record)
            }
            let stored = try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
            try transaction.raiseSequence(to: arrival)
            return (stored, plan)
        }
        note(first, named: uri)
        note(first, plan.note ?? (attempt.verb == .delete ? "deleted" : "stored"))
        var ignored = plan.ignored
        var stored = first
        if let next = plan.next, attempt.resource.read.isOffered {
            var created: ObjectRecord?
            if case .verify(let sent, nil) = next { created = sent }
            let refresh = ObjectRefresh(
                synchronizer: self, origin: .pull, created: created, isSynchronous: !wasQueued)
            try await refresh.once(stored)
            let named = stored
            stored = try await store.read { try $0.alias(of: named) ?? named }
            let place = stored
            let answered = try await store.read { try $0.meta(at: place)?.confirmed?.base }
            switch (next, answered) {
            case (.verify(let sent, let before?), let answered?):
                ignored = engine.ignored(sent: sent, before: before, answered: answered)
            case (.verify(let sent, nil), _):
                guard let said = engine.contradicts(sent, answered) else {
                    if let answered, !wasQueued { ignored = engine.leftOut(sent: sent, answered: answered) }
                    break
                }
                if wasQueued, answered == nil, case .put(var object) = plan.outcome {
                    object.meta.uri = stored
                    let due = environment.now().advanced(by: .seconds(1))
                    let kept = engine.lost(
                        object, sent: sent, said, sequence: arrival, key: environment.makeUUID(), retryAt: { _ in due })
                    try await store.write(.power, origin: .push) { transaction in
                        guard try transaction.object(at: place) == nil else { return }
                        try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(kept, to: place)
                    }
                }
                throw SyncError(code: .unexpectedAnswer, message: "create \(stored): \(said)")
            default: break
            }
        }
        if attempt.verb == .create, !ignored.isEmpty {
            // It is there, and may have taken what it does not show: whoever reads of an error makes a second one.
            let place = stored
            let shown = try await store.read { try $0.meta(at: place)?.confirmed?.base }
            let hidden = shown.map { engine.neverShown(ignored, before: $0) } ?? []
            let isHidden = Set(hidden.map { ScalarText($0) })
            ignored.removeAll { isHidden.contains(ScalarText($0)) }
            if !hidden.isEmpty { note(stored, ChangeEngine.leftOut(hidden, neverShown: hidden)) }
        }
        guard ignored.isEmpty else {
            let action = attempt.snapshot.action
            let what =
                attempt.verb == .create
                ? ChangeEngine.leftOut(ignored) : ChangeEngine.notTaken(ignored, by: action)
            // The members of an action may be declared so already.
            let remedy = action == nil ? "; if it may not be written, name it under readonly" : ""
            let said = "\(attempt.verb.word) \(stored): \(what)\(remedy)"
            note(stored, said)
            throw SyncError(code: .refused, message: said)
        }
        return stored
    }

    /// The queued create goes on as it was, or as one whose answer was lost.
    ///
    /// - Parameter dropped: the uploads that what was sent takes the place of.
    private func takeBack(
        _ attempt: DirectWrite, to before: LocalObject, dropping dropped: Set<String>, _ error: any Error
    ) async throws {
        // A request that was cancelled may have arrived, too.
        let mayHaveArrived = (error as? SyncError)?.mayHaveHappened ?? true
        try await store.write(.power, origin: .push) { transaction in
            let writer = ObjectWriter(routeFile: self.routeFile, transaction: transaction)
            guard var here = try transaction.object(at: before.uri),
                case .sending(attempt.snapshot)? = here.meta.outgoing?.phase
            else { return }
            if mayHaveArrived {
                here.meta.uploads.removeAll { dropped.contains($0.id) }
                here.meta.outgoing?.phase = .unknown(attempt.snapshot)
                here.meta.outgoing?.evidence.lose()
            } else if here.meta.revision == attempt.marked.meta.revision {
                here = before
            } else {
                // Edited since; an earlier try may have arrived all the same.
                let isLost = here.meta.outgoing?.evidence.mayHaveArrived == true
                here.meta.outgoing?.phase = isLost ? .unknown(attempt.snapshot) : .waiting
                if !isLost, here.meta.isDeleted {
                    _ = try writer.apply(
                        .init(outcome: .remove, note: "never reached the server"), to: before.uri)
                    return
                }
            }
            try writer.put(here, over: before.uri)
        }
    }

    private static func waits(_ uri: ObjectURI, _ meta: MetaObject) -> SyncError {
        SyncError(
            code: .wrongState,
            message: "\(uri) refers to \(meta.waitsFor.map(\.description).joined(separator: ", ")), which the server "
                + "does not know yet; push first")
    }
}
