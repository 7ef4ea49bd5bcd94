/// What answers to a lane's requests make of its object.
extension Synchronizer {
    /// Applies what came of an exchange: an answer, or the reason why there is none.
    func conclude(
        _ answer: Result<ResourceClient.Reply, any Error>, _ order: ObjectRequest, _ address: LaneAddress,
        _ resource: Resource, _ place: ObjectPlace, _ sequence: Int64, asked: Timestamp
    ) async throws -> LaneMachine.Event {
        let event = try await applied(answer, order, address, resource, place, sequence, asked: asked)
        return client.saysLater(answer, of: resource) ? event.failing(.network) : event
    }

    private func applied(
        _ answer: Result<ResourceClient.Reply, any Error>, _ order: ObjectRequest, _ address: LaneAddress,
        _ resource: Resource, _ place: ObjectPlace, _ sequence: Int64, asked: Timestamp
    ) async throws -> LaneMachine.Event {
        do {
            let reply = try answer.get()
            note(await address.uri, "answered \(reply.status)")
            if order == .lease { return try await settleLease(reply, address, resource, asked: asked) }
            return try await settle(reply, order, address, resource, place, sequence)
        } catch let error as TransportError {
            return try await settle(
                order, address, resource,
                .failed(
                    .init(message: error.message), mayHaveArrived: error.mayHaveArrived), error)
        } catch let error as SyncError where error.code == .signInNeeded {
            let failure = MetaObject.Failure(message: error.message)
            let answer = error.mayHaveHappened ? Answer.failed(failure, mayHaveArrived: true) : .postponed(failure)
            _ = try await settle(order, address, resource, answer, nil)
            return .unanswered(.signInNeeded(error.message))
        } catch let error as SyncError where error.code == .unreachable {
            // Asked to wait for longer than a caller can, which is no failed try.
            let failure = error.failure ?? .init(message: error.message)
            let answer = error.mayHaveHappened ? Answer.failed(failure, mayHaveArrived: true) : .postponed(failure)
            if case .send = order { _ = try await settle(order, address, resource, answer, nil) }
            return .unanswered(.offline(error.message))
        } catch is ResourceClient.CancelledBeforeSending {
            if case .send = order {
                let failure = MetaObject.Failure(message: "stopped before it was sent")
                _ = try await settle(order, address, resource, .postponed(failure), nil)
            }
            throw CancellationError()
        }
    }

    /// Turns a reply into an event of the engine's world and applies it.
    func settle(
        _ reply: ResourceClient.Reply, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource,
        _ place: ObjectPlace, _ sequence: Int64
    ) async throws -> LaneMachine.Event {
        var reply = reply
        // What a batch says of one was not looked at alone before.
        if reply.part != nil { reply.isRefused = client.isRefused(reply, of: resource) }
        guard reply.isSuccess else { return try await refused(reply, order, address, resource, place) }
        if !client.isWebPage(reply) { prove(order, reply, resource) }
        switch order {
        case .send(let verb, _):
            return try await settle(
                order, address, resource, answer(in: reply, to: verb, resource, place, sequence), nil)
        case .read, .verify, .confirmGone, .confirmDelete, .confirmRefused:
            return try await read(reply, order, address, resource, place, sequence)
        case .lookUp:
            let found: [Representation]
            do {
                found = try lookUpResult(reply, resource, place, sequence)
            } catch let error where error is SyncError || error is ExtractionError {
                // Neither found nor known to be missing.
                let message = (error as? SyncError)?.message ?? (error as? ExtractionError)?.message ?? ""
                return .unanswered(try await postpone(address, .init(message: message)))
            }
            return try await lookedUp(found, address, resource)
        // Its answers have their own way.
        case .lease: return .applied(.init(), standing: .done)
        }
    }

    /// What a success says of the write that it answers.
    private func answer(
        in reply: ResourceClient.Reply, to verb: Verb, _ resource: Resource, _ place: ObjectPlace, _ sequence: Int64
    ) -> Answer {
        if client.isWebPage(reply) {
            return .failed(.init(message: ResourceClient.webPageMessage), mayHaveArrived: true)
        }
        let shows = reply.isSeenElsewhere ? resource.read : resource.operation(verb)
        let found = client.representation(
            in: reply, of: resource, at: place, operation: shows, sequence: sequence)
        if verb == .delete, let isLater = resource.isOpen(reply, found) { return .begun(isLater: isLater) }
        return .accepted(found)
    }

    /// A success that is to show the object.
    private func read(
        _ reply: ResourceClient.Reply, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource,
        _ place: ObjectPlace, _ sequence: Int64
    ) async throws -> LaneMachine.Event {
        guard
            let found = client.representation(
                in: reply, of: resource, at: place, operation: resource.read, sequence: sequence),
            found.isTelling
        else {
            let failure = MetaObject.Failure(
                status: reply.status,
                message: "the answer to the GET cannot be read as declared"
                    + client.remedy(forObjectIn: reply, of: resource))
            if case .verify(let sent, let before) = order, client.isWhole(reply, of: resource) {
                return try await unconfirmed(failure, sent, before, order, address, resource)
            }
            return .unanswered(try await postpone(address, failure))
        }
        let isNew = if case .verify = order { true } else { false }
        if !isNew, let reason = resource.whyOther(found, at: place) {
            return .unanswered(try await postpone(address, .init(status: reply.status, message: reason)))
        }
        return try await shown(found, order, address, resource)
    }

    /// An answer that is no success, or a success that means none.
    private func refused(
        _ reply: ResourceClient.Reply, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource,
        _ place: ObjectPlace
    ) async throws -> LaneMachine.Event {
        var (failure, treatment) = client.failure(in: reply, of: resource)
        if treatment == .unauthorized {
            failure.message = client.signInMessage(failure, "\(order.word) \(await address.uri)")
        }
        if case .send(.create, _) = order, resource.create.isConditional, reply.status == 412 {
            failure.message += Self.takenRemedy(await address.uri)
        }
        var answer = Answer(failure, treatment, of: order)
        if case .send = order, reply.status == Lease.locked, resource.lease != nil {
            // The lease ran out on the way, so another may have changed the object.
            await leases.drop(address.uri)
            answer = .conflict(failure)
        }
        if case .gone = answer, order.isAboutKnown || order == .lookUp && !resource.looksUpByID {
            switch try await worth(of: reply, order, address, resource, place) {
            case .gone: break
            case .open: answer = .gone(failure, isCertain: false)
            case .doubted(let reason):
                failure.message = reason
                guard case .send = order else { return try await doubted(failure, order, address, resource) }
                answer = .rejected(failure)
            case .unanswered(let end):
                if case .send = order {
                    let answer = Answer.failed(failure, mayHaveArrived: reply.followsUnavailable)
                    _ = try await settle(order, address, resource, answer, nil)
                }
                return .unanswered(end)
            }
        }
        if case .send(let verb, _) = order, reply.followsUnavailable { answer = answer.afterUnavailable(verb) }
        let event = try await settle(order, address, resource, answer, nil)
        if treatment == .unauthorized { return .unanswered(.signInNeeded(failure.message)) }
        if reply.part != nil, case .postponed = answer {
            return .unanswered(.failed(failure, retryAt: await client.gate.pausedUntil))
        }
        return event
    }

    /// What the refusal of a request of a lane is worth that says there is no such object.
    enum Worth: Sendable {
        case gone
        /// A read of the object tells more.
        case open
        /// The address may be wrong; why.
        case doubted(String)
        case unanswered(LaneMachine.End)
    }

    /// - Parameter reply: has said that there is no such object.
    func worth(
        of reply: ResourceClient.Reply, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource,
        _ place: ObjectPlace
    ) async throws -> Worth {
        let isLookUp = order == .lookUp
        if !isLookUp, client.saysGone(reply, of: resource) { return .gone }
        var verb: Verb?
        if case .send(let sent, _) = order { verb = sent }
        if !isLookUp, addresses.contains(verb, of: resource.name) { return .gone }
        if verb != nil, resource.read.isOffered { return .open }
        let proof = GoneProof(synchronizer: self, resource: resource)
        do {
            // Of a list it says nothing of the object, unless the parent is gone under which the list stands.
            if isLookUp { return try await proof.isParentGone(of: address.uri, at: place) ? .gone : .open }
            let reason = try await proof.whyNotGone(await address.uri, at: place, asked: verb)
            return reason.map(Worth.doubted) ?? .gone
        } catch let error as SyncError {
            if (error.cause as? TransportError)?.isUnreached == true { return .unanswered(.offline(error.message)) }
            if error.code == .signInNeeded { return .unanswered(.signInNeeded(error.message)) }
            return .unanswered(try await postpone(address, .init(message: error.message)))
        }
    }

    /// An answer for an object shows that its address is right.
    func prove(_ order: ObjectRequest, _ reply: ResourceClient.Reply, _ resource: Resource) {
        guard reply.part == nil else { return }
        switch order {
        case .send(.create, _), .lookUp, .lease: break
        case .send(let verb, _): addresses.insert(verb, of: resource.name)
        case .read, .verify, .confirmGone, .confirmDelete, .confirmRefused:
            addresses.insert(nil, of: resource.name)
        }
    }

    /// A read says that there is no such object, and its address may be wrong: the change that waits is refused, and what
    /// was done stays so.
    func doubted(
        _ failure: MetaObject.Failure, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        if case .verify = order {
            note(await address.uri, failure.message)
            return .unanswered(try await postpone(address, failure))
        }
        return try await apply(address, resource) { engine, object, _, _ in
            engine.unreadable(failure, object)
        }
    }

    /// The answer to a read that was to show what a write has done is a success and no object: the write's own success
    /// says no more than this one.
    func unconfirmed(
        _ failure: MetaObject.Failure, _ sent: ObjectRecord, _ before: ObjectRecord?, _ order: ObjectRequest,
        _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        guard let before else {
            let nothing = Representation(record: nil, id: nil, version: nil, sequence: nextSequence())
            return try await shown(nothing, order, address, resource)
        }
        return try await apply(address, resource) { engine, object, _, key in
            engine.unconfirmed(failure, sent: sent, before: before, object, key: key)
        }
    }

    /// What a read has shown.
    func shown(
        _ found: Representation, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        if case .confirmGone(after: .lease(let failure)) = order {
            return try await shownWithoutLease(found, failure, address, resource)
        }
        let retryAt = retryTimes()
        return try await apply(address, resource) { engine, object, uri, key in
            if case .confirmDelete(let isBegun) = order {
                return engine.shownAfterDelete(
                    found, isBegun: isBegun, over: object, uri: uri, key: key, retryAt: retryAt)
            }
            if case .confirmGone(let missed) = order {
                return engine.shownAfterGone(found, to: missed, over: object, uri: uri, key: key)
            }
            if order == .confirmRefused {
                return engine.shownAfterRefusal(found, over: object, uri: uri, key: key)
            }
            guard case .verify(let sent, let before) = order else {
                return engine.remote(found, over: object, uri: uri, key: key)
            }
            return engine.readBack(
                found, sent: sent, before: before, over: object, uri: uri, key: key, retryAt: retryAt)
        }
    }

    /// The refusal of a conditional create says that there is an object with the identifier (RFC 9110 §13.1.2).
    static func takenRemedy(_ uri: ObjectURI) -> String {
        "; the server has another object at \(uri) already: atmos pull \(uri.entity.shellWord) --full brings it, and atmos "
            + "conflicts shows both then; or create this one with another identifier"
    }

    /// An answer, or the lack of one, to a request of the lane.
    func settle(
        _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource, _ answer: Answer,
        _ error: TransportError?
    ) async throws -> LaneMachine.Event {
        let arrival = nextSequence()
        let retryAt = retryTimes()
        switch order {
        case .send(_, let snapshot):
            let event = try await apply(address, resource, naming: answer.id) { engine, object, _, key in
                engine.conclude(answer, to: snapshot, of: object, arrival: arrival, key: key, retryAt: retryAt)
            }
            if let error, error.isUnreached {
                return .unanswered(.offline(error.message))
            }
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
                let nothing = Representation(record: nil, id: nil, version: nil, sequence: arrival)
                return try await shown(nothing, order, address, resource)
            case .rejected(let failure) where order == .read:
                return try await apply(address, resource) { engine, object, _, _ in
                    engine.unreadable(failure, object)
                }
            case .rejected(let failure) where order == .confirmRefused:
                return try await apply(address, resource) { engine, object, _, _ in
                    engine.undecided(failure, object)
                }
            case .gone(_, isCertain: true):
                return try await lookedUp([], address, resource)
            case .gone(let failure, _), .postponed(let failure), .failed(let failure, _), .conflict(let failure),
                .rejected(let failure):
                if let error, error.isUnreached {
                    return .unanswered(.offline(error.message))
                }
                guard error?.isFinal != true else {
                    return .unanswered(try await postponeToNextPush(address, failure))
                }
                return .unanswered(try await postpone(address, failure))
            case .accepted, .begun, .uploaded:
                return .unanswered(.done)
            }
        }
    }
}

extension Plan {
    /// Whether the next try sends what this one has sent, and asks for nothing before.
    fileprivate func isSentAgain(by resource: Resource) -> Bool {
        guard case .put(let object) = outcome else { return false }
        switch object.meta.outgoing?.phase {
        case .waiting: return true
        case .unknown: return object.meta.isLocalOnly && resource.recovery == .repeatSafely
        case .sending, .conflicted, .rejected, nil: return false
        }
    }
}

extension ResourceClient {
    /// Whether an exchange ended without an answer, or with one that says “later” and nothing of what was asked.
    fileprivate func saysLater(_ answer: Result<Reply, any Error>, of resource: Resource) -> Bool {
        switch answer {
        case .failure(let error): return (error as? TransportError).map { !$0.isFinal } ?? false
        case .success(var reply):
            if reply.part != nil { reply.isRefused = isRefused(reply, of: resource) }
            return !reply.isSuccess && [.wait, .retry].contains(failure(in: reply, of: resource).1)
        }
    }
}
