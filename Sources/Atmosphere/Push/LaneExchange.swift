/// One exchange of a lane: what the server's answer says to the request, or the lack of one.
struct LaneExchange: Sendable {
    let request: LaneRequest
    let place: ObjectPlace
    /// The start sequence of the request.
    let sequence: Int64
    /// When it was sent.
    let asked: Timestamp

    private var lane: Lane { request.lane }
    private var order: ObjectRequest { request.order }
    private var resource: Resource { request.resource }
    private var synchronizer: Synchronizer { request.synchronizer }
    private var client: ResourceClient { synchronizer.client }

    /// Applies what came of it.
    func conclude(_ answer: Result<ResourceClient.Reply, any Error>) async throws -> LaneMachine.Event {
        let event = try await applied(answer)
        return client.saysLater(answer, of: resource) ? event.failing(.network) : event
    }

    private func applied(_ answer: Result<ResourceClient.Reply, any Error>) async throws -> LaneMachine.Event {
        do {
            let reply = try answer.get()
            synchronizer.note(await lane.uri, "answered \(reply.status)")
            if order == .lease { return try await LaneLease(lane: lane).settle(reply, asked: asked) }
            return try await settle(reply)
        } catch let error as TransportError {
            return try await request.settle(
                .failed(.init(message: error.message), mayHaveArrived: error.mayHaveArrived), error)
        } catch let error as SyncError where error.code == .signInNeeded {
            let failure = MetaObject.Failure(message: error.message)
            _ = try await request.settle(
                error.mayHaveHappened ? .failed(failure, mayHaveArrived: true) : .postponed(failure))
            return .unanswered(.signInNeeded(error.message))
        } catch let error as SyncError where error.code == .unreachable {
            // Asked to wait for longer than a caller can, which is no failed try.
            let failure = error.failure ?? .init(message: error.message)
            if case .send = order {
                _ = try await request.settle(
                    error.mayHaveHappened ? .failed(failure, mayHaveArrived: true) : .postponed(failure))
            }
            return .unanswered(.offline(error.message))
        } catch let error as SyncError where error.isOvertaken {
            // The engine decides about it anew.
            let failure = MetaObject.Failure(message: error.message)
            return try await request.settle(
                error.mayHaveHappened ? .failed(failure, mayHaveArrived: true) : .postponed(failure))
        } catch is ResourceClient.CancelledBeforeSending {
            if case .send = order {
                _ = try await request.settle(.postponed(.init(message: "stopped before it was sent")))
            }
            throw CancellationError()
        }
    }

    /// Turns a reply into an event of the engine's world and applies it.
    private func settle(_ reply: ResourceClient.Reply) async throws -> LaneMachine.Event {
        var reply = reply
        // What a batch says of one was not looked at alone before, and only who asks knows what goes under a lease.
        if reply.part != nil || order.isUnderLease {
            reply.isRefused = client.isRefused(reply, of: resource, underLease: order.isUnderLease)
        }
        if reply.isSuccess, !client.isWebPage(reply) { prove(reply) }
        switch order {
        case .read, .verify, .confirmGone, .confirmDelete, .confirmRefused:
            switch lane.reader.finding(in: reply, at: place, sequence: sequence) {
            case .shown(let found): return try await shown(found, reply)
            case .unreadable:
                let failure = MetaObject.Failure(
                    status: reply.status,
                    message: "the answer to the GET cannot be read as declared"
                        + client.remedy(forObjectIn: reply, of: resource))
                return try await request.unreadable(failure, isWhole: client.isWhole(reply, of: resource))
            case .none(let failure, _): return try await refused(failure, .gone, reply)
            case .untold(let failure, let treatment): return try await refused(failure, treatment, reply)
            }
        case .send, .lookUp, .lease:
            guard reply.isSuccess else {
                let (failure, treatment) = client.failure(in: reply, of: resource)
                return try await refused(failure, treatment, reply)
            }
            if case .send(let verb, let sent) = order {
                return try await request.settle(
                    Answer(
                        to: verb, of: sent.record, in: reply, of: resource, at: place, sequence: sequence, client))
            }
            return try await lookedUp(reply)
        }
    }

    /// A read by an address shows the object that was asked for; after a write it may have a new identifier.
    private func shown(_ found: Representation, _ reply: ResourceClient.Reply) async throws -> LaneMachine.Event {
        let isWritten = if case .verify(let sent, let before) = order { sent != before } else { false }
        if !isWritten, let reason = resource.whyOther(found, at: place) {
            return try await request.shownElsewhere(.init(status: reply.status, message: reason))
        }
        return try await request.shown(found)
    }

    private func lookedUp(_ reply: ResourceClient.Reply) async throws -> LaneMachine.Event {
        let found: [Representation]
        do {
            found = try lane.reader.found(in: reply, at: place, sequence: sequence)
        } catch let error where error is SyncError || error is ExtractionError {
            // Neither found nor known to be missing.
            let message = (error as? SyncError)?.message ?? (error as? ExtractionError)?.message ?? ""
            return .unanswered(try await lane.postpone(.init(message: message)))
        }
        return try await lane.lookedUp(found)
    }

    /// An answer that is no success, or a success that means none.
    private func refused(
        _ failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, _ reply: ResourceClient.Reply
    ) async throws -> LaneMachine.Event {
        var failure = failure
        if treatment == .unauthorized {
            failure.message = client.signInMessage(failure, "\(order.word) \(await lane.uri)")
        }
        if case .send(.create, _) = order, resource.create.isConditional, reply.status == 412 {
            failure.message += Self.takenRemedy(await lane.uri)
        }
        var answer = Answer(failure, treatment, of: order)
        if case .conflict = answer, let theirs = client.theirs(in: reply, of: resource, at: place, sequence: sequence),
            resource.whyOther(theirs, at: place) == nil
        {
            answer = .conflict(failure, theirs: theirs)
        }
        if order.isUnderLease,
            let missed = await LeaseKeeper(synchronizer).missed(lane.uri, in: reply, of: resource)
        {
            answer = .unleased(missed.failure)
        }
        if case .gone = answer, order.isAboutKnown || order == .lookUp && !resource.looksUpByID {
            switch try await worth(of: reply) {
            case .gone: break
            case .open: answer = .gone(failure, isCertain: false)
            case .doubted(let reason):
                failure.message = reason
                guard case .send = order else { return try await request.doubted(failure) }
                answer = .rejected(failure)
            case .unanswered(let end):
                if case .send = order {
                    _ = try await request.settle(.failed(failure, mayHaveArrived: reply.followsUnavailable))
                }
                return .unanswered(end)
            }
        }
        if case .send(let verb, _) = order, reply.followsUnavailable { answer = answer.afterUnavailable(verb) }
        let event = try await request.settle(answer)
        if treatment == .unauthorized { return .unanswered(.signInNeeded(failure.message)) }
        if reply.part != nil, case .postponed = answer {
            return .unanswered(.failed(failure, retryAt: await client.gate.pausedUntil))
        }
        return event
    }

    /// What a refusal is worth that says there is no such object.
    private enum Worth {
        case gone
        /// A read of the object tells more.
        case open
        /// The address may be wrong; why.
        case doubted(String)
        case unanswered(LaneMachine.End)
    }

    /// - Parameter reply: has said that there is no such object.
    private func worth(of reply: ResourceClient.Reply) async throws -> Worth {
        let isLookUp = order == .lookUp
        if !isLookUp, client.saysGone(reply, of: resource) { return .gone }
        var verb: Verb?
        if case .send(let sent, _) = order { verb = sent }
        if !isLookUp, synchronizer.addresses.contains(verb, of: resource.name) { return .gone }
        if verb != nil, resource.read.isOffered { return .open }
        let proof = GoneProof(synchronizer: synchronizer, resource: resource)
        do {
            // Of a list it says nothing of the object, unless the parent is gone under which the list stands.
            if isLookUp { return try await proof.isParentGone(of: lane.uri, at: place) ? .gone : .open }
            let reason = try await proof.whyNotGone(await lane.uri, at: place, asked: verb)
            return reason.map(Worth.doubted) ?? .gone
        } catch let error as SyncError {
            if (error.cause as? TransportError)?.isUnreached == true { return .unanswered(.offline(error.message)) }
            if error.code == .signInNeeded { return .unanswered(.signInNeeded(error.message)) }
            let failure = MetaObject.Failure(message: error.message)
            // The next pull brings the address.
            let isMoved = error.cause is GoneProof.NamedOtherwise
            return .unanswered(
                try await isMoved ? lane.postponeToNextPush(failure) : lane.postpone(failure))
        }
    }

    /// An answer for an object shows that its address is right.
    private func prove(_ reply: ResourceClient.Reply) {
        guard reply.part == nil else { return }
        switch order {
        case .send(.create, _), .lookUp, .lease: break
        case .send(let verb, _): synchronizer.addresses.insert(verb, of: resource.name)
        case .read, .verify, .confirmGone, .confirmDelete, .confirmRefused:
            synchronizer.addresses.insert(nil, of: resource.name)
        }
    }

    /// The refusal of a conditional create says that there is an object with the identifier (RFC 9110 §13.1.2).
    private static func takenRemedy(_ uri: ObjectURI) -> String {
        "; the server has another object at \(uri) already: atmos pull \(uri.entity.shellWord) --full brings it, and atmos "
            + "conflicts shows both then; or create this one with another identifier"
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
