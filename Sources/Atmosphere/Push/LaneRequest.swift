/// One request of a lane: makes it and sends it, and tells the engine what it was told.
struct LaneRequest: Sendable {
    let lane: Lane
    let order: ObjectRequest
    let basis: LaneMachine.Basis

    var synchronizer: Synchronizer { lane.synchronizer }
    var resource: Resource { lane.resource }

    func perform() async throws -> LaneMachine.Event {
        let uri = await lane.uri
        let sequence: Int64
        if case .send(_, let sent) = order { sequence = sent.sequence } else { sequence = synchronizer.nextSequence() }
        let prepared: Prepared
        do {
            prepared = try await prepare(uri)
        } catch let error as SyncError {
            return try await notMade(error)
        }
        if order == .lookUp, let end = try await endForDoubt() { return .unanswered(end) }
        synchronizer.note(uri, "\(prepared.request.request.method) \(order.reason)")
        let exchange = LaneExchange(
            request: self, place: prepared.place, sequence: sequence, asked: synchronizer.environment.now())
        let outcome = await synchronizer.outcome(of: prepared.request, resource, about: [uri], turn: turn)
        return try await exchange.conclude(outcome)
    }

    /// It changes what the server has.
    private var isWriteToKnown: Bool {
        switch order {
        case .send(let verb, _): verb != .create
        case .lookUp, .lease, .read, .verify, .confirmGone, .confirmDelete, .confirmRefused: false
        }
    }

    /// A write that is decided by what the server has shown right before.
    var isCompared: Bool {
        if case .send = order { basis != .store } else { false }
    }

    var turn: ResourceClient.Turn { .init(isNext: isCompared, isCurrent: isCurrent) }

    /// Whether what was marked as being sent may still go, when it had to wait for its turn; a read may.
    ///
    /// - Parameter afterPause: the server has asked for the wait.
    @Sendable func isCurrent(afterPause: Bool) async throws -> Bool {
        guard case .send(_, let sent) = order else { return true }
        let uri = await lane.uri
        guard let object = try await synchronizer.store.read({ try $0.object(at: uri) }) else { return false }
        // What an earlier push has tried in vain was looked at before each try.
        if afterPause, basis == .look, object.meta.outgoing?.retry.tries(for: .answer) == 0 { return false }
        return ChangeEngine(resource).isCurrent(sent, of: object)
    }

    private struct Prepared: Sendable {
        var request: ResourceClient.Read
        var place: ObjectPlace
    }

    private func prepare(_ uri: ObjectURI) async throws -> Prepared {
        let (client, reader) = (synchronizer.client, lane.reader)
        let lease = isWriteToKnown ? try await LeaseKeeper(synchronizer).leaseForWrite(to: uri, resource) : nil
        return try await synchronizer.store.read { snapshot in
            var (_, object) = try snapshot.existing(uri)
            if order.isAboutCreate, case .unknown(let sent)? = object.meta.outgoing?.phase {
                // What was sent is looked for, not what has become of it here.
                object.record = sent.record
            }
            var place = try ObjectPlace(
                object, isSought: order == .lookUp, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
            switch order {
            case .read, .verify, .confirmGone, .confirmDelete, .confirmRefused:
                return Prepared(request: try reader.request(at: place), place: place)
            case .lookUp: return Prepared(request: try reader.lookUpRequest(at: place), place: place)
            case .lease:
                guard let acquire = resource.lease?.acquire else {
                    throw SyncError(code: .unknownName, message: "\(resource.name) has no lease any more")
                }
                let request = try client.leaseRequest(acquire, resource, at: place, token: nil)
                return Prepared(request: .init(request: request), place: place)
            case .send(let verb, let sent):
                if verb == .create { place.record = sent.record }
                let request = try client.writeRequest(
                    verb, resource, at: place, record: sent.record, meta: object.meta, lease: lease?.token)
                return Prepared(request: .init(request: request), place: place)
            }
        }
    }

    /// Where the route file says how to ask, nothing is looked up as somebody else.
    private func endForDoubt() async throws -> LaneMachine.End? {
        do {
            guard let doubt = try await lane.reader.doubtOfLookUp() else { return nil }
            synchronizer.note(await lane.uri, doubt)
            return try await lane.postpone(.init(message: doubt))
        } catch let error as SyncError {
            if (error.cause as? TransportError)?.isUnreached == true { return .offline(error.message) }
            let end = try await lane.postpone(.init(message: error.message))
            if error.code == .unreachable, case .failed(let failure, let retryAt, _) = end {
                return .failed(failure, retryAt: retryAt, kind: .network)
            }
            return error.code == .signInNeeded ? .signInNeeded(error.message) : end
        }
    }

    // MARK: What it was told

    /// No request could be made of it.
    func notMade(_ error: SyncError) async throws -> LaneMachine.Event {
        let failure = MetaObject.Failure(message: error.message)
        if error.isOvertaken { return try await settle(.postponed(failure)) }
        if error.isBelowNothing { return try await settle(.gone(failure)) }
        guard error.cause is ResourceClient.NotShownSince else { return try await settle(.rejected(failure)) }
        _ = try await settle(.postponed(failure))
        return .unanswered(.pending)
    }

    /// An answer, or the lack of one.
    func settle(_ answer: Answer, _ error: TransportError? = nil) async throws -> LaneMachine.Event {
        let arrival = synchronizer.nextSequence()
        let retryAt = synchronizer.retryTimes()
        switch order {
        case .send(let verb, let sent):
            let told = try await verb == .create ? believed(answer, to: sent) : answer
            let event = try await lane.apply(naming: told.id) { engine, object, _, key in
                engine.conclude(told, to: sent, of: object, arrival: arrival, key: key, retryAt: retryAt)
            }
            if let error, error.isUnreached { return .unanswered(.offline(error.message)) }
            // The same would come of it until somebody corrects the route file.
            if let error, error.isFinal, case .applied(let plan, standing: .failed(let failure, _, _)) = event,
                plan.isSentAgain(by: resource)
            {
                return .unanswered(.failed(failure, retryAt: nil))
            }
            return event
        case .read, .verify, .confirmGone, .confirmDelete, .confirmRefused, .lookUp, .lease:
            switch answer {
            // Whoever may not see it any more has nothing that says that it is there.
            case .rejected where order.isAboutDelete: fallthrough
            case .gone where order != .lookUp:
                return try await shown(Representation(sequence: arrival))
            case .rejected(let failure) where order == .read:
                return try await lane.apply { engine, object, _, _ in engine.unreadable(failure, object) }
            case .rejected(let failure) where order == .confirmRefused:
                return try await lane.apply { engine, object, _, _ in engine.undecided(failure, object) }
            case .gone(_, isCertain: true): return try await lane.lookedUp([])
            case .gone(let failure, _), .postponed(let failure), .failed(let failure, _), .conflict(let failure, _),
                .unleased(let failure), .rejected(let failure):
                if let error, error.isUnreached { return .unanswered(.offline(error.message)) }
                guard error?.isFinal != true else { return .unanswered(try await lane.postponeToNextPush(failure)) }
                return .unanswered(try await lane.postpone(failure))
            case .accepted, .begun, .uploaded: return .unanswered(.done)
            }
        }
    }

    /// The answer to a create, unless it says of itself that it is that to another create, which has not got its own yet:
    /// then this one has none.
    private func believed(_ answer: Answer, to sent: Attempt) async throws -> Answer {
        let uri = await lane.uri
        guard case .accepted(let theirs?) = answer, let shown = theirs.record.flatMap(resource.lookupValue),
            sent.record.flatMap(resource.lookupValue) != nil,
            !AnsweredWrite(uri: uri, created: sent.record).isNamed(by: theirs, resource)
        else { return answer }
        let isAnothers = try await synchronizer.store.read {
            try synchronizer.sentValues.isAnothers(shown, than: uri, of: resource, in: $0)
        }
        guard isAnothers else { return answer }
        return .failed(.init(message: Self.anothersAnswer), mayHaveArrived: true)
    }

    private static let anothersAnswer =
        "the answer to the create shows the value that another new object was given to be looked up by"

    /// What a read has shown.
    func shown(_ found: Representation) async throws -> LaneMachine.Event {
        if case .confirmGone(after: .lease(let refusal)) = order {
            return try await LaneLease(lane: lane).shown(found, after: refusal)
        }
        let retryAt = synchronizer.retryTimes()
        return try await lane.apply { engine, object, uri, key in
            switch order {
            case .confirmDelete(let isBegun):
                engine.shownAfterDelete(
                    found, isBegun: isBegun, over: object, uri: uri, key: key, retryAt: retryAt)
            case .confirmGone(let missed):
                engine.shownAfterGone(found, to: missed, over: object, uri: uri, key: key)
            case .confirmRefused: engine.shownAfterRefusal(found, over: object, uri: uri, key: key)
            case .verify(let sent, let before):
                engine.readBack(
                    found, sent: sent, before: before, over: object, uri: uri, key: key, retryAt: retryAt)
            case .read, .lookUp, .lease, .send: engine.remote(found, over: object, uri: uri, key: key)
            }
        }
    }

    /// A success that is to show the object, and does not.
    ///
    /// - Parameter isWhole: it comes from the API, and was not cut on the way.
    func unreadable(_ failure: MetaObject.Failure, isWhole: Bool) async throws -> LaneMachine.Event {
        // Behind content nothing was edited of which the answer could say that it did not take.
        guard case .verify(let sent, let before) = order, isWhole, sent != before else {
            return .unanswered(try await lane.postpone(failure))
        }
        // The success of the write says no more than this one.
        guard let before else { return try await shown(Representation(sequence: synchronizer.nextSequence())) }
        return try await lane.apply { engine, object, _, key in
            engine.unconfirmed(failure, sent: sent, before: before, object, key: key)
        }
    }

    /// A read by the object's address shows another one: a change that waits is not sent to that.
    func shownElsewhere(_ failure: MetaObject.Failure) async throws -> LaneMachine.Event {
        if case .verify = order, let object = try await synchronizer.object(at: await lane.uri),
            ChangeEngine(resource).owesReadAlone(object)
        {
            return try await lane.apply { engine, object, _, _ in engine.readElsewhere(object) }
        }
        return .unanswered(try await lane.postpone(failure))
    }

    /// A read says that there is no such object, and its address may be wrong: the change that waits is refused, and what
    /// was done stays so.
    func doubted(_ failure: MetaObject.Failure) async throws -> LaneMachine.Event {
        if case .verify = order {
            synchronizer.note(await lane.uri, failure.message)
            return .unanswered(try await lane.postpone(failure))
        }
        return try await lane.apply { engine, object, _, _ in engine.unreadable(failure, object) }
    }
}

extension Plan {
    /// Whether the next try sends what this one has sent, and asks for nothing before.
    fileprivate func isSentAgain(by resource: Resource) -> Bool {
        guard case .put(let object) = outcome else { return false }
        switch object.meta.outgoing?.phase {
        case .waiting: return true
        case .unknown(let sent)?:
            return object.meta.isLocalOnly && ChangeEngine(resource).recovery(of: sent) == .repeatSafely
        case .sending, .conflicted, .rejected, nil: return false
        }
    }
}
