/// One object's lane: carries out its requests, and stores what the engine makes of their answers.
struct Lane: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    private let address: LaneAddress

    init(_ synchronizer: Synchronizer, at uri: ObjectURI, of resource: Resource) {
        self.synchronizer = synchronizer
        self.resource = resource
        address = LaneAddress(uri)
    }

    /// Where the object is now.
    var uri: ObjectURI { get async { await address.uri } }

    var reader: ObjectReader { ObjectReader(synchronizer: synchronizer, resource: resource) }

    /// Sends one request and applies its answer in a transaction.
    func perform(_ order: ObjectRequest, _ basis: LaneMachine.Basis) async throws -> LaneMachine.Event {
        let request = LaneRequest(lane: self, order: order, basis: basis)
        if case .send(.upload, let sent) = order { return try await LaneUpload(request: request, sent: sent).perform() }
        return try await request.perform()
    }

    /// A read before a write failed: the write waits its turn.
    func postpone(_ failure: MetaObject.Failure) async throws -> LaneMachine.End {
        let next = synchronizer.retryTimes()
        let limit = synchronizer.routeFile.limits.attempts
        let uri = await uri
        return try await synchronizer.store.write(.process, origin: .push) { transaction in
            guard var meta = try transaction.meta(at: uri), var outgoing = meta.outgoing else { return .done }
            let tries = outgoing.retry.count(outgoing.unverified == nil ? .answer : .verification)
            // What a look-up is refused for is no verdict about the create.
            outgoing.lastError = meta.isLocalOnly ? failure.withoutVerdict : failure
            let retryAt = next(tries)
            outgoing.retry.due = retryAt
            if outgoing.unverified != nil, outgoing.retry.hasUsedUp(ChangeEngine.mostLookUps, for: .verification) {
                outgoing.retry.spend(.verification)
            }
            meta.outgoing = outgoing
            try transaction.put([meta])
            return .failed(failure, retryAt: outgoing.retry.total < limit ? retryAt : nil)
        }
    }

    /// A read before a write failed, and the same would come of it until somebody corrects the route file, so this push does
    /// not try again.
    func postponeToNextPush(_ failure: MetaObject.Failure) async throws -> LaneMachine.End {
        let end = try await postpone(failure)
        guard case .failed(let failure, _, let kind) = end else { return end }
        return .failed(failure, retryAt: nil, kind: kind)
    }

    /// Runs one decision of the engine in a transaction and tells the lane where the object stands.
    ///
    /// - Parameters:
    ///   - id: an identifier that the answer gives the object.
    ///   - found: what a look-up of it has shown.
    func apply(
        naming id: ObjectID? = nil, lookingUp found: [Representation] = [],
        _ decide: @escaping @Sendable (ChangeEngine, LocalObject, ObjectURI, String) -> Plan
    ) async throws -> LaneMachine.Event {
        let uri = await uri
        let key = synchronizer.environment.makeUUID()
        let arrival = synchronizer.nextSequence()
        let routeFile = synchronizer.routeFile
        let (place, plan, standing, isOwn) = try await synchronizer.store.write(.power, origin: .push) {
            transaction -> (ObjectURI, Plan, LaneMachine.End, Bool) in
            guard let object = try transaction.object(at: uri) else { return (uri, Plan(), .done, true) }
            var engine = try ChangeEngine(resource, naming: id, beside: uri, in: transaction)
            try engine.learn(whatOthersBecame: found, beside: object, in: transaction)
            engine.timeout = routeFile.transport.timeout
            let plan = decide(engine, object, uri, key)
            let place = try ObjectWriter(routeFile: routeFile, transaction: transaction)
                .apply(plan, to: uri, toldAt: arrival)
            // Before anybody can see it there: to a lane of its own what is on the wire would look left behind.
            let isOwn = place == uri || synchronizer.lanes.move(from: uri, to: place)
            try transaction.raiseSequence(to: arrival)
            let standing = try LaneMachine.End(transaction.meta(at: place), attempts: routeFile.limits.attempts)
            return (place, plan, standing, isOwn)
        }
        if isOwn { await address.move(to: place) }
        synchronizer.note(place, named: uri)
        synchronizer.note(place, plan.note ?? "stored: \(standing.word)")
        // Whoever is at what stood there goes on with both; its edit lease is theirs, too.
        return .applied(plan, standing: isOwn ? standing : .held(.inAnotherLane))
    }

    /// What the server has under the look-up value of a create.
    func lookedUp(_ found: [Representation]) async throws -> LaneMachine.Event {
        let arrival = synchronizer.nextSequence()
        let retryAt = synchronizer.retryTimes()
        let event = try await apply(lookingUp: found) { engine, object, _, key in
            engine.lookedUp(found, of: object, arrival: arrival, key: key, retryAt: retryAt)
        }
        guard case .applied(let plan, _) = event, case .put(let object) = plan.outcome,
            object.meta.outgoing?.isLookedForInVain == true
        else { return event }
        return event.failing(.notShown)
    }
}

/// Where the object of a lane is; it moves when the server gives it an identifier.
private actor LaneAddress {
    private(set) var uri: ObjectURI

    init(_ uri: ObjectURI) { self.uri = uri }

    func move(to uri: ObjectURI) { self.uri = uri }
}
