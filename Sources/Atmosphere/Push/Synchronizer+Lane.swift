/// Performs the effects of one object's lane.
extension Synchronizer {
    /// - Parameter uris: objects of one entity; one where its changes go alone.
    /// - Returns: the lanes in the same order.
    func runLanes(_ uris: [ObjectURI], onDemand: Bool) async throws -> [LaneMachine] {
        guard let entity = uris.first?.entity else { return [] }
        let resource = try resource(entity)
        let addresses = uris.map { LaneAddress($0) }
        let machine = BatchMachine(lanes: uris.count) { resource.batch(for: $0) != nil }
        let ended: Swift.Result<BatchMachine, any Error>
        do {
            let machine = try await machine.run(.start) { effect in
                switch effect {
                case .decide(let questions):
                    return .together(try await self.decide(questions, addresses, resource, onDemand: onDemand))
                case .lane(let lane, .exchange(let order)):
                    return .lane(lane, try await self.perform(order, addresses[lane]))
                case .lane(let lane, .giveUp(let failure)):
                    return .lane(lane, .unanswered(try await self.postpone(addresses[lane], failure)))
                case .carry(let passengers):
                    return .together(try await self.carry(passengers, addresses, resource))
                case .lane(_, .decide): return nil
                }
            }
            ended = .success(machine)
        } catch {
            ended = .failure(error)
        }
        for address in addresses { await giveLeaseBack(of: address.uri, resource) }
        return try ended.get().lanes
    }

    /// What is asked of the engine about one object.
    private struct Inquiry: Sendable {
        var uri: ObjectURI
        var sequence: Int64
        var hasCompared: Bool
        var hasLease: Bool
    }

    /// Asks the engine in one transaction, which also makes all sending marks durable.
    private func decide(
        _ questions: [BatchMachine.Question], _ addresses: [LaneAddress], _ resource: Resource, onDemand: Bool
    ) async throws -> [(lane: Int, event: LaneMachine.Event)] {
        let now = onDemand ? .distantFuture : environment.now()
        var inquiries: [Inquiry] = []
        for question in questions {
            let sequence = nextSequence()
            let uri = await addresses[question.lane].uri
            let hasLease = await lease(of: uri, resource) != nil
            inquiries.append(
                Inquiry(uri: uri, sequence: sequence, hasCompared: question.hasCompared, hasLease: hasLease))
        }
        let asked = inquiries
        let decisions = try await store.write(.power, origin: .push) { transaction in
            try asked.map { try self.decide($0, resource, now: now, transaction) }
        }
        for (inquiry, decision) in zip(asked, decisions) {
            guard case .request(.send(let verb, _)) = decision else { continue }
            note(inquiry.uri, "marked as being sent", isRoutine: true)
            // What is held under this address is of the object that the server has deleted, not of the one to come.
            if verb == .create { await leases.drop(inquiry.uri) }
        }
        return zip(questions, decisions).map { ($0.lane, .decided($1)) }
    }

    private func decide(
        _ inquiry: Inquiry, _ resource: Resource, now: Timestamp, _ transaction: any StoreTransaction
    ) throws -> LaneMachine.Decision {
        guard var object = try transaction.object(at: inquiry.uri) else { return .hold(.synchronized) }
        let engine = ChangeEngine(resource)
        if let recovered = engine.recovered(object) {
            object = recovered
            try transaction.put([object.meta])
        }
        switch engine.next(
            object, now: now, sequence: inquiry.sequence, hasCompared: inquiry.hasCompared, hasLease: inquiry.hasLease)
        {
        case .hold(let hold): return .hold(hold)
        case .ask(let request): return .request(request)
        case .settle(let settled):
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(settled, over: inquiry.uri)
            return .settled
        case .refuse(let refused):
            try transaction.put([refused.meta])
            try transaction.raiseSequence(to: inquiry.sequence)
            return .hold(.needsPerson)
        case .send(let verb, let snapshot, let marked):
            try transaction.put([numbered(marked, inquiry.sequence).meta])
            try transaction.raiseSequence(to: inquiry.sequence)
            return .request(.send(verb, snapshot))
        }
    }

    /// An object with its sending mark, and with what was there before it was first sent.
    func numbered(_ marked: LocalObject, _ sequence: Int64) -> LocalObject {
        guard marked.meta.outgoing?.evidence.mayHaveArrived == false || marked.meta.outgoing?.lowWaterMark == nil else {
            return marked
        }
        var object = marked
        object.meta.outgoing?.lowWaterMark = openPages.floor(of: sequence)
        return object
    }

    /// Sends one request and applies its answer in a transaction.
    private func perform(_ order: ObjectRequest, _ address: LaneAddress) async throws -> LaneMachine.Event {
        let uri = await address.uri
        let resource = try resource(uri.entity)
        if case .send(.upload, _) = order { return try await performUpload(order, address, resource) }
        let sequence: Int64
        if case .send(_, let snapshot) = order { sequence = snapshot.sequence } else { sequence = nextSequence() }
        let prepared: (request: ResourceClient.Read, place: ObjectPlace)
        do {
            prepared = try await prepare(order, uri, resource)
        } catch let error as SyncError {
            return try await settle(order, address, resource, .rejected(.init(message: error.message)), nil)
        }
        if order == .lookUp, let end = try await endForDoubt(address, resource) { return .unanswered(end) }
        note(uri, "\(prepared.request.request.method) \(order.reason)")
        let asked = environment.now()
        let answer = await exchange(prepared.request, resource, about: [uri])
        return try await conclude(answer, order, address, resource, prepared.place, sequence, asked: asked)
    }

    /// Where the route file says how to ask, nothing is looked up as somebody else.
    private func endForDoubt(_ address: LaneAddress, _ resource: Resource) async throws -> LaneMachine.End? {
        do {
            let consequence = "a look-up would not tell whether the create has happened"
            guard let doubt = try await doubt(about: [resource], consequence) else { return nil }
            note(await address.uri, doubt)
            return try await postpone(address, .init(message: doubt))
        } catch let error as SyncError {
            if (error.cause as? TransportError)?.isUnreached == true { return .offline(error.message) }
            let end = try await postpone(address, .init(message: error.message))
            if error.code == .unreachable, case .failed(let failure, let retryAt, _) = end {
                return .failed(failure, retryAt: retryAt, kind: .network)
            }
            return error.code == .signInNeeded ? .signInNeeded(error.message) : end
        }
    }

    /// - Parameter uris: whose story it is.
    func exchange(
        _ request: ResourceClient.Read, _ resource: Resource, about uris: [ObjectURI]
    ) async -> Result<ResourceClient.Reply, any Error> {
        do {
            return .success(try await telling(uris).exchangeMarked(request, resource: resource))
        } catch {
            return .failure(error)
        }
    }

    /// A client whose exchanges tell in the log of objects what happens in them.
    func telling(_ uris: [ObjectURI]) -> ResourceClient {
        client.telling { line in for uri in uris { self.note(uri, line) } }
    }

    private func prepare(
        _ order: ObjectRequest, _ uri: ObjectURI, _ resource: Resource
    ) async throws -> (request: ResourceClient.Read, place: ObjectPlace) {
        let lease = await lease(of: uri, resource)
        return try await store.read { snapshot in
            var (_, object) = try snapshot.existing(uri)
            if order.isAboutCreate, case .unknown(let sent)? = object.meta.outgoing?.phase {
                // What was sent is looked for, not what has become of it here.
                object.record = sent.record
            }
            var place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
            switch order {
            case .read, .verify, .confirmGone, .confirmLeased, .confirmDelete, .confirmRefused:
                return (try self.client.readRequest(resource, at: place), place)
            case .lookUp:
                return (try self.client.lookUpRequest(resource, at: place), place)
            case .lease:
                guard let acquire = resource.lease?.acquire else {
                    throw SyncError(code: .unknownName, message: "\(resource.name) has no lease any more")
                }
                return (.init(request: try self.client.leaseRequest(acquire, resource, at: place, token: nil)), place)
            case .send(let verb, let sent):
                if verb == .create { place.record = sent.record }
                let request = try self.client.writeRequest(
                    verb, resource, at: place, record: sent.record, meta: object.meta, lease: lease?.token)
                return (.init(request: request), place)
            }
        }
    }

    /// A read before a write failed: the write waits its turn.
    func postpone(
        _ address: LaneAddress, _ failure: MetaObject.Failure
    ) async throws -> LaneMachine.End {
        let next = retryTimes()
        let limit = routeFile.limits.attempts
        let uri = await address.uri
        return try await store.write(.process, origin: .push) { transaction in
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
    func postponeToNextPush(
        _ address: LaneAddress, _ failure: MetaObject.Failure
    ) async throws -> LaneMachine.End {
        let end = try await postpone(address, failure)
        guard case .failed(let failure, _, let kind) = end else { return end }
        return .failed(failure, retryAt: nil, kind: kind)
    }

    /// Runs one decision of the engine in a transaction and tells the lane where the object stands.
    ///
    /// - Parameters:
    ///   - id: an identifier that the answer gives the object.
    ///   - found: what a look-up of it has shown.
    func apply(
        _ address: LaneAddress, _ resource: Resource, naming id: ObjectID? = nil,
        lookingUp found: [Representation] = [],
        _ decide: @escaping @Sendable (ChangeEngine, LocalObject, ObjectURI, String) -> Plan
    ) async throws -> LaneMachine.Event {
        let uri = await address.uri
        let key = environment.makeUUID()
        let arrival = nextSequence()
        let limit = routeFile.limits.attempts
        let (place, plan, standing, isOwn) = try await store.write(.power, origin: .push) {
            transaction -> (ObjectURI, Plan, LaneMachine.End, Bool) in
            guard let object = try transaction.object(at: uri) else { return (uri, Plan(), .done, true) }
            var engine = try ChangeEngine(resource, naming: id, beside: uri, in: transaction)
            try engine.learn(whatOthersBecame: found, beside: object, in: transaction)
            engine.timeout = self.routeFile.transport.timeout
            let plan = decide(engine, object, uri, key)
            let place = try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
            // Before anybody can see it there: to a lane of its own what is on the wire would look left behind.
            let isOwn = place == uri || self.lanes.move(from: uri, to: place)
            try transaction.raiseSequence(to: arrival)
            return (place, plan, try .init(transaction.meta(at: place), attempts: limit), isOwn)
        }
        if isOwn { await address.move(to: place) }
        note(place, named: uri)
        note(place, plan.note ?? "stored: \(standing.word)")
        // Whoever is at what stood there goes on with both; its edit lease is theirs, too.
        return .applied(plan, standing: isOwn ? standing : .held(.inAnotherLane))
    }
}

/// Where the object of a lane is; it moves when the server gives it an identifier.
actor LaneAddress {
    private(set) var uri: ObjectURI

    init(_ uri: ObjectURI) { self.uri = uri }

    func move(to uri: ObjectURI) { self.uri = uri }
}
