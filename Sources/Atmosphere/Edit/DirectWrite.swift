/// One write for which a caller waits, on its way: the caller is told what the server refuses, and nothing of that is stored.
struct DirectWrite: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    private let verb: Verb
    let sent: Attempt
    /// The object with the sending mark.
    private(set) var marked: LocalObject

    /// What is known of what was sent.
    enum Outcome: Sendable {
        /// The server answered; what the answer says of the object, nil where that is nothing.
        case answered(Representation?)
        /// The answer to a create was lost, or named nothing, and the server shows what was sent.
        case found(Representation)

        var id: ObjectID? {
            switch self {
            case .answered(let shown): shown?.id
            case .found(let shown): shown.id
            }
        }
    }

    private var client: ResourceClient { synchronizer.client }
    private var reader: ObjectReader { ObjectReader(synchronizer: synchronizer, resource: resource) }
    private var engine: ChangeEngine { ChangeEngine(resource) }
    private var proof: GoneProof { GoneProof(synchronizer: synchronizer, resource: resource) }

    /// - Parameter uri: where the object is stored.
    /// - Throws: ``SyncError`` `wrongState` where it cannot be sent now.
    init(_ synchronizer: Synchronizer, _ object: LocalObject, at uri: ObjectURI, of resource: Resource) throws {
        self.synchronizer = synchronizer
        self.resource = resource
        let sequence = synchronizer.nextSequence()
        let engine = ChangeEngine(resource)
        let findable = engine.findable(engine.read(object), synchronizer.environment.makeUUID)
        let next = engine.next(
            findable, now: .distantFuture, sequence: sequence, hasCompared: true, hasLease: true)
        switch next {
        // Its turn comes with a push.
        case .send(.upload, _, _):
            throw SyncError(
                code: .wrongState,
                message: "\(uri) has nothing to send but content that was attached to it; push sends that")
        case .send(let verb, let sent, let marked):
            self.verb = verb
            self.sent = sent
            self.marked = synchronizer.openPages.numbered(marked, sequence)
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

    /// The same, with these contents waiting.
    func keeping(_ uploads: [MetaObject.Upload]) -> Self {
        var write = self
        write.marked.meta.uploads = uploads
        return write
    }

    // MARK: Sending

    /// - Parameter basis: after a pause that the server asks for, what was decided by a ``LaneMachine/Basis/look`` is not sent.
    /// - Returns: what the answer says of the object; nil where it says nothing.
    /// - Throws: ``SyncError`` with what the server said, or with ``ResourceClient/Overtaken``.
    func send(_ basis: LaneMachine.Basis = .store) async throws -> Representation? {
        let uri = marked.uri
        let place = try await synchronizer.store.read {
            try ObjectPlace(marked, resource: resource, routeFile: synchronizer.routeFile, in: $0)
        }
        let lease = verb == .create ? nil : try await LeaseKeeper(synchronizer).leaseForWrite(to: uri, resource)
        let write = try client.write(
            verb, resource, at: place, record: sent.record, meta: marked.meta, lease: lease?.token)
        synchronizer.note(uri, "\(write.request.method) \(verb.word), at once")
        let turn = ResourceClient.Turn(isNext: basis != .store) { afterPause in !(afterPause && basis == .look) }
        let whole = try await synchronizer.told(of: uri) {
            try await synchronizer.reply(to: .init(request: write.request), resource, about: uri, turn: turn)
        }
        synchronizer.note(uri, "answered \(whole.status)")
        var reply = try client.answer(to: write, in: whole)
        reply.isRefused = client.isRefused(reply, of: resource, underLease: verb.isUnderLease)
        guard reply.isSuccess else {
            let missed =
                verb.isUnderLease ? await LeaseKeeper(synchronizer).missed(uri, in: reply, of: resource) : nil
            let (failure, treatment) = missed ?? client.failure(in: reply, of: resource)
            // A batch that is not there says nothing of the object.
            if verb == .delete, treatment == .gone, write.part == nil || reply.part != nil {
                try await proof.requireGone(uri, at: place, reply, failure)
                return nil
            }
            var error = SyncError(
                refused: failure, treatment, "\(verb.word) \(uri)", remedy: synchronizer.routeFile.signInRemedy)
            // The try that met a 503 may have been done.
            if reply.followsUnavailable {
                error.cause = ResourceClient.FollowsUnavailable()
            } else if verb == .create, error.code == .refused, ChangeEngine(resource).mayBeUnderWay(failure) {
                error.cause = ResourceClient.UnderWay()
            }
            throw error
        }
        let answer = Answer(
            to: verb, of: sent.record, in: reply, of: resource, at: place, sequence: sent.sequence, client)
        if let failure = answer.failure { throw SyncError(code: .unreachable, message: failure.message) }
        if reply.part == nil, verb != .create { synchronizer.addresses.insert(verb, of: resource.name) }
        if case .begun(let isLater) = answer, let confirmed = marked.meta.confirmed {
            try await proof.requireDone(uri, at: place, confirmed, isLater: isLater)
        }
        guard case .accepted(let found) = answer else { return nil }
        return found
    }

    // MARK: Creating

    /// Sends a create. Where its answer is lost the server is asked once what has become of it, for nothing is left behind
    /// that would do so later: it is sent again under its key, or looked up.
    ///
    /// Only what the server has changes the outcome: what a look-up does not show may be on its way still.
    ///
    /// - Throws: ``SyncError`` as ``send()``, with what was asked in vain.
    func create() async throws -> Outcome {
        do {
            let shown = try await send()
            if resource.assigned == .server, shown?.id == nil, engine.canLookUp(sent), let found = try? await lookUp() {
                return .found(found)
            }
            return .answered(shown)
        } catch let error as SyncError where error.mayHaveHappened {
            return try await outcome(after: error)
        } catch let error as SyncError where isOfOwn(error) {
            guard let found = try? await lookUp() else { throw error }
            return .found(found)
        }
    }

    /// Whether there may be an object with the look-up value, or the identifier, that was made for this create alone, as a
    /// refusal says: something between has sent it twice.
    private func isOfOwn(_ refusal: SyncError) -> Bool {
        guard refusal.code == .refused, engine.canLookUp(sent), let failure = refusal.failure, let record = sent.record
        else { return false }
        let isMadeForIt =
            resource.looksUpByID
            ? engine.hasOwnUUID(marked.meta) : resource.lookupValue(of: record).map { ObjectID($0).isUUID } == true
        return isMadeForIt && engine.mayBeOfOwn(failure)
    }

    private func outcome(after lost: SyncError) async throws -> Outcome {
        // Whoever asks for patience is asked nothing more.
        if lost.cause is ResourceClient.AskedToWait || Task.isCancelled { throw lost }
        var lost = lost
        if engine.recovery(of: sent) == .repeatSafely {
            do {
                return .answered(try await send())
            } catch let error as SyncError where error.code == .refused {
                lost.message += "; sent again: \(error.message)"
            } catch let error as SyncError where lost.cause is ResourceClient.UnderWay && error.mayHaveHappened {
                // A lost answer says less than a refusal.
                lost = error
            } catch {}
        }
        guard engine.canLookUp(sent), !Task.isCancelled else { throw lost }
        do {
            if let found = try await lookUp() { return .found(found) }
            lost.message += "; a look-up does not show it so far"
        } catch let error as SyncError {
            lost.message += "; a look-up failed, too: \(error.message)"
        } catch {}
        throw lost
    }

    /// Looks for what was sent.
    ///
    /// - Returns: nil where the server shows nothing that is it for certain.
    /// - Throws: ``SyncError`` or ``ExtractionError`` where the answer does not tell.
    private func lookUp() async throws -> Representation? {
        let uri = marked.uri
        if let doubt = try await reader.doubtOfLookUp() {
            synchronizer.note(uri, doubt)
            return nil
        }
        let place = try await synchronizer.store.read { snapshot in
            var place = try ObjectPlace(
                marked, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
            place.record = sent.record
            return place
        }
        let sequence = synchronizer.nextSequence()
        let request = try reader.lookUpRequest(at: place)
        synchronizer.note(uri, "\(request.request.method) \(ObjectRequest.lookUp.reason)")
        return try await synchronizer.told(of: uri) {
            let reply = try await synchronizer.reply(to: request, resource, about: uri)
            synchronizer.note(uri, "answered \(reply.status)")
            guard reply.isSuccess, !client.isWebPage(reply) else {
                let (failure, treatment) = client.failure(in: reply, of: resource)
                if treatment == .gone, resource.looksUpByID { return nil }
                throw SyncError(
                    refused: failure, treatment, "look up \(uri)", remedy: synchronizer.routeFile.signInRemedy)
            }
            let found = try reader.found(in: reply, at: place, sequence: sequence)
            let own = try await synchronizer.store.read { snapshot -> Representation? in
                var engine = ChangeEngine(resource)
                try engine.learn(whatOthersBecame: found, beside: marked, in: snapshot)
                return engine.own(among: found, of: sent, marked.meta)
            }
            synchronizer.note(uri, own == nil ? "not on the server so far" : "found on the server")
            return own
        }
    }

    // MARK: Storing

    /// What the outcome makes of an object.
    func concluding(_ outcome: Outcome, key: String) -> @Sendable (ChangeEngine, LocalObject) -> Plan {
        let arrival = synchronizer.nextSequence()
        let retryAt = synchronizer.retryTimes()
        return { [sent] engine, object in
            engine.conclude(outcome, to: sent, of: object, arrival: arrival, key: key, retryAt: retryAt)
        }
    }

    /// Stores the outcome over what the object has become meanwhile, and asks what has to be asked next.
    ///
    /// - Parameter wasQueued: what a create that the server accepts and does not show leaves here is all that there is of it.
    /// - Throws: ``SyncError`` `refused` with what the server accepted and did not take, `unexpectedAnswer` for a create that
    ///   it does not show; what the read throws.
    func store(
        at uri: ObjectURI, naming id: ObjectID? = nil, wasQueued: Bool = false,
        _ decide: @escaping @Sendable (ChangeEngine, LocalObject?) -> Plan
    ) async throws -> ObjectURI {
        let arrival = synchronizer.nextSequence()
        let (first, plan) = try await synchronizer.store.write(.power, origin: .push) {
            transaction -> (ObjectURI, Plan) in
            var knowing = try ChangeEngine(resource, naming: id, beside: uri, in: transaction)
            knowing.isSynchronous = !wasQueued
            let here = try transaction.object(at: uri)
            let decided = decide(knowing, here)
            let plan = knowing.told(
                here == nil ? try joined(decided, arrival, in: transaction) : decided, sent: sent.record)
            let stored = try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction)
                .apply(plan, to: uri, toldAt: arrival)
            try transaction.raiseSequence(to: arrival)
            return (stored, plan)
        }
        synchronizer.note(first, named: uri)
        synchronizer.note(first, plan.note ?? (verb == .delete ? "deleted" : "stored"))
        // Only what is known by the server's address can be read at it.
        guard let next = plan.next, next != .lookUp, resource.read.isOffered else {
            try await requireTaken(plan.ignored, at: first)
            return first
        }
        let (stored, ignored) = try await verified(first, plan, next, arrival, wasQueued: wasQueued)
        try await requireTaken(ignored, at: stored)
        return stored
    }

    /// A create that stays in doubt was not known here while it was on the wire: what has arrived since by a pull or a live
    /// update may be it. What arrives from now on is compared with it.
    private func joined(_ plan: Plan, _ arrival: Int64, in transaction: any StoreTransaction) throws -> Plan {
        guard case .put(let object) = plan.outcome, object.meta.isLocalOnly, object.meta.outgoing?.lostCreate != nil,
            let field = resource.lookup?.field, let record = sent.record, resource.lookupValue(of: record) != nil,
            let value = resource.mapping.value(field, in: record)
        else { return plan }
        try SentCreates(of: resource).noteOne(in: transaction)
        let arrived = try transaction.confirmed(
            resource.compiled(Query(resource.name, where: [.init(field, .equal, value)])))
        var engine = ChangeEngine(resource)
        try engine.learn(whatOthersBecame: arrived, beside: object, in: transaction)
        guard let found = engine.own(among: arrived, of: sent, object.meta) else { return plan }
        return engine.lookedUp(
            found, of: object, arrival: arrival, key: synchronizer.environment.makeUUID(), isDecided: true,
            isFresh: true)
    }

    /// Reads the object where the answer says too little of it.
    ///
    /// - Returns: where it is now, and the members that did not take.
    private func verified(
        _ first: ObjectURI, _ plan: Plan, _ next: ObjectRequest, _ arrival: Int64, wasQueued: Bool
    ) async throws -> (ObjectURI, ignored: [String]) {
        let engine = ChangeEngine(resource)
        var created: ObjectRecord?
        if case .verify(let sent, nil) = next { created = sent }
        let refresh = ObjectRefresh(
            synchronizer: synchronizer, origin: .pull, created: created, isSynchronous: !wasQueued)
        try await refresh.once(first)
        let place = try await synchronizer.store.read { try $0.alias(of: first) ?? first }
        let answered = try await synchronizer.store.read { try $0.meta(at: place)?.confirmed?.base }
        switch (next, answered) {
        case (.verify(let sent, let before?), let answered?):
            return (place, engine.ignored(sent: sent, before: before, answered: answered))
        case (.verify(let sent, nil), _):
            guard let said = engine.contradicts(sent, answered) else {
                guard let answered, !wasQueued else { return (place, plan.ignored) }
                return (place, engine.leftOut(sent: sent, answered: answered))
            }
            if wasQueued, answered == nil, case .put(var object) = plan.outcome {
                object.meta.uri = place
                try await keep(object, sent, said, arrival)
            }
            throw SyncError(code: .unexpectedAnswer, message: "create \(place): \(said)")
        default: return (place, plan.ignored)
        }
    }

    /// A queued create that the server accepted and does not show stays, as one whose outcome is unknown.
    private func keep(
        _ object: LocalObject, _ sent: ObjectRecord, _ said: String, _ arrival: Int64
    ) async throws {
        let due = synchronizer.environment.now().advanced(by: .seconds(1))
        let kept = ChangeEngine(resource).lost(
            object, sent: sent, said, sequence: arrival, key: synchronizer.environment.makeUUID(),
            retryAt: { _ in due })
        try await synchronizer.store.write(.power, origin: .push) { transaction in
            guard try transaction.object(at: object.uri) == nil else { return }
            try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction).apply(kept, to: object.uri)
        }
    }

    /// - Parameter ignored: what the server accepted and left as it was.
    private func requireTaken(_ ignored: [String], at uri: ObjectURI) async throws {
        var ignored = ignored
        if verb == .create, !ignored.isEmpty {
            // It is there, and may have taken what it does not show: whoever reads of an error makes a second one.
            let shown = try await synchronizer.store.read { try $0.meta(at: uri)?.confirmed?.base }
            let hidden = shown.map { ChangeEngine(resource).neverShown(ignored, before: $0) } ?? []
            let isHidden = Set(hidden.map { ScalarText($0) })
            ignored.removeAll { isHidden.contains(ScalarText($0)) }
            if !hidden.isEmpty { synchronizer.note(uri, ChangeEngine.leftOut(hidden, neverShown: hidden)) }
        }
        guard !ignored.isEmpty else { return }
        let what = verb == .create ? ChangeEngine.leftOut(ignored) : ChangeEngine.notTaken(ignored, by: sent.action)
        // The members of an action may be declared so already.
        let remedy = sent.action == nil ? "; if it may not be written, name it under readonly" : ""
        let said = "\(verb.word) \(uri): \(what)\(remedy)"
        synchronizer.note(uri, said)
        throw SyncError(code: .refused, message: said)
    }
}
