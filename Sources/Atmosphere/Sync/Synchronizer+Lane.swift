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

    /// What is asked of the planner about one object.
    private struct Inquiry: Sendable {
        var uri: ObjectURI
        var sequence: Int64
        var hasCompared: Bool
        var hasLease: Bool
    }

    /// Asks the planner in one transaction, which also makes all sending marks durable.
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
            if case .order(.send) = decision { note(inquiry.uri, "marked as being sent", isRoutine: true) }
        }
        return zip(questions, decisions).map { ($0.lane, .decided($1)) }
    }

    private func decide(
        _ inquiry: Inquiry, _ resource: Resource, now: Timestamp, _ transaction: any StoreTransaction
    ) throws -> LaneMachine.Decision {
        guard var object = try transaction.object(at: inquiry.uri) else { return .hold(.synchronized) }
        let planner = Planner(resource)
        if let recovered = planner.recovered(object) {
            object = recovered
            try transaction.put([object.meta])
        }
        switch planner.next(
            object, now: now, sequence: inquiry.sequence, hasCompared: inquiry.hasCompared, hasLease: inquiry.hasLease)
        {
        case .hold(let hold): return .hold(hold)
        case .lookUp: return .order(.lookUp)
        case .confirmDelete: return .order(.confirmDelete(isBegun: true))
        case .readBack(let sent): return .order(.readBack(sent: sent, before: nil))
        case .lease: return .order(.lease)
        case .read: return .order(.read)
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
            return .order(.send(verb, snapshot))
        }
    }

    /// An object with its sending mark, and with what was there before it was first sent.
    func numbered(_ marked: LocalObject, _ sequence: Int64) -> LocalObject {
        guard marked.meta.outgoing?.mayHaveArrived == false || marked.meta.outgoing?.knownBefore == nil else {
            return marked
        }
        var object = marked
        object.meta.outgoing?.knownBefore = openPages.floor(of: sequence)
        return object
    }

    /// Sends one request and applies its answer in a transaction.
    private func perform(_ order: LaneMachine.Order, _ address: LaneAddress) async throws -> LaneMachine.Event {
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
        let answer = await exchange(prepared.request, resource)
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
            return error.code == .signInNeeded ? .signInNeeded(error.message) : end
        }
    }

    func exchange(_ request: Request, _ resource: Resource) async -> Result<ResourceClient.Reply, any Error> {
        await exchange(.init(request: request), resource)
    }

    func exchange(
        _ request: ResourceClient.Read, _ resource: Resource
    ) async -> Result<ResourceClient.Reply, any Error> {
        do {
            return .success(try await client.exchangeMarked(request, resource: resource))
        } catch {
            return .failure(error)
        }
    }

    /// Applies what came of an exchange: an answer, or the reason why there is none.
    func conclude(
        _ answer: Result<ResourceClient.Reply, any Error>, _ order: LaneMachine.Order, _ address: LaneAddress,
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
            _ = try await settle(order, address, resource, .postponed(.init(message: error.message)), nil)
            return .unanswered(.signInNeeded(error.message))
        } catch let error as SyncError where error.code == .unreachable {
            // Asked to wait for longer than a caller can, which is no failed try.
            let failure = error.failure ?? .init(message: error.message)
            let mayHaveArrived = (error.cause as? ResourceClient.AskedToWait)?.mayHaveArrived == true
            let answer = mayHaveArrived ? Answer.failed(failure, mayHaveArrived: true) : .postponed(failure)
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

    private func prepare(
        _ order: LaneMachine.Order, _ uri: ObjectURI, _ resource: Resource
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
            case .read, .readBack, .confirmGone, .confirmDelete, .confirmRefused:
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

    /// Turns a reply into an event of the planner's world and applies it.
    private func settle(
        _ reply: ResourceClient.Reply, _ order: LaneMachine.Order, _ address: LaneAddress, _ resource: Resource,
        _ place: ObjectPlace, _ sequence: Int64
    ) async throws -> LaneMachine.Event {
        var reply = reply
        // What a batch says of one was not looked at alone before.
        if reply.part != nil { reply.isRefused = client.isRefused(reply, of: resource) }
        guard reply.isSuccess else {
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
            if case .send = order, reply.followsUnavailable {
                switch answer {
                // The try that met a 503 may have done what this one is refused for.
                case .conflict, .rejected: answer = .failed(failure, mayHaveArrived: true)
                default: break
                }
            }
            if case .gone = answer, order.isAboutKnown {
                switch try await worth(of: reply, order, address, resource, place) {
                case .gone: break
                case .open: answer = .gone(failure, isCertain: false)
                case .doubted(let reason):
                    failure.message = reason
                    guard case .send = order else { return try await doubted(failure, order, address, resource) }
                    answer = .rejected(failure)
                case .unanswered(let end):
                    if case .send = order {
                        _ = try await settle(order, address, resource, .failed(failure, mayHaveArrived: false), nil)
                    }
                    return .unanswered(end)
                }
            }
            let event = try await settle(order, address, resource, answer, nil)
            if treatment == .unauthorized { return .unanswered(.signInNeeded(failure.message)) }
            if reply.part != nil, case .postponed = answer {
                return .unanswered(.failed(failure, retryAt: await client.gate.pausedUntil))
            }
            return event
        }
        if !client.isWebPage(reply) { prove(order, reply, resource) }
        switch order {
        case .send where client.isWebPage(reply):
            let failure = MetaObject.Failure(message: ResourceClient.webPageMessage)
            return try await settle(order, address, resource, .failed(failure, mayHaveArrived: true), nil)
        case .send(let verb, _):
            let shows = reply.isSeenElsewhere ? resource.read : resource.operation(verb)
            let found = client.representation(
                in: reply, of: resource, at: place, operation: shows, sequence: sequence)
            if verb == .delete, let isLater = resource.isOpen(reply, found) {
                return try await settle(order, address, resource, .begun(isLater: isLater), nil)
            }
            return try await settle(order, address, resource, .accepted(found), nil)
        case .read, .readBack, .confirmGone, .confirmDelete, .confirmRefused:
            guard
                let found = client.representation(
                    in: reply, of: resource, at: place, operation: resource.read, sequence: sequence),
                found.isTelling
            else {
                let failure = MetaObject.Failure(
                    status: reply.status,
                    message: "the answer to the GET cannot be read as declared"
                        + client.remedy(forObjectIn: reply, of: resource))
                if case .readBack(let sent, let before) = order, client.isWhole(reply, of: resource) {
                    return try await unconfirmed(failure, sent, before, order, address, resource)
                }
                return .unanswered(try await postpone(address, failure))
            }
            let isNew = if case .readBack = order { true } else { false }
            if !isNew, let reason = resource.whyOther(found, at: place) {
                return .unanswered(try await postpone(address, .init(status: reply.status, message: reason)))
            }
            return try await shown(found, order, address, resource)
        case .lookUp:
            let found: [Planner.Representation]
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

    /// An answer for an object shows that its address is right.
    private func prove(_ order: LaneMachine.Order, _ reply: ResourceClient.Reply, _ resource: Resource) {
        guard reply.part == nil else { return }
        switch order {
        case .send(.create, _), .lookUp, .lease: break
        case .send(let verb, _): addresses.insert(verb, of: resource.name)
        case .read, .readBack, .confirmGone, .confirmDelete, .confirmRefused: addresses.insert(nil, of: resource.name)
        }
    }

    /// A read says that there is no such object, and its address may be wrong: the change that waits is refused, and what
    /// was done stays so.
    private func doubted(
        _ failure: MetaObject.Failure, _ order: LaneMachine.Order, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let arrival = nextSequence()
        if case .readBack = order {
            note(await address.uri, failure.message)
            return .unanswered(.failed(failure, retryAt: nil))
        }
        return try await apply(address, resource) { planner, object, _, _ in
            planner.unreadable(failure, object, arrival: arrival)
        }
    }

    /// The answer to a read that was to show what a write has done is a success and no object: the write's own success
    /// says no more than this one.
    private func unconfirmed(
        _ failure: MetaObject.Failure, _ sent: ObjectRecord, _ before: ObjectRecord?, _ order: LaneMachine.Order,
        _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let arrival = nextSequence()
        guard let before else {
            let nothing = Planner.Representation(record: nil, id: nil, version: nil, sequence: arrival)
            return try await shown(nothing, order, address, resource)
        }
        return try await apply(address, resource) { planner, object, _, key in
            planner.unconfirmed(failure, sent: sent, before: before, object, arrival: arrival, key: key)
        }
    }

    /// What a read has shown.
    private func shown(
        _ found: Planner.Representation, _ order: LaneMachine.Order, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let now = environment.now()
        let random = environment.random()
        return try await apply(address, resource) { planner, object, uri, key in
            if case .confirmDelete(let isBegun) = order {
                return planner.shownAfterDelete(found, isBegun: isBegun, over: object, uri: uri, key: key) { attempts in
                    now.advanced(by: Backoff.delay(attempts: attempts, random: random))
                }
            }
            if case .confirmGone = order {
                return planner.shownAfterGone(found, over: object, uri: uri, key: key)
            }
            if order == .confirmRefused {
                return planner.shownAfterRefusal(found, over: object, uri: uri, key: key)
            }
            guard case .readBack(let sent, let before) = order else {
                return planner.remote(found, over: object, uri: uri, key: key)
            }
            return planner.readBack(found, sent: sent, before: before, over: object, uri: uri, key: key) { attempts in
                now.advanced(by: Backoff.delay(attempts: attempts, random: random))
            }
        }
    }

    /// The refusal of a conditional create says that there is an object with the identifier (RFC 9110 §13.1.2).
    static func takenRemedy(_ uri: ObjectURI) -> String {
        "; the server has another object at \(uri) already: atmos pull \(uri.entity) --full brings it, and atmos conflicts "
            + "shows both then; or create this one with another identifier"
    }

    /// - Returns: all that the server has with the value.
    /// - Throws: ``SyncError`` `unexpectedAnswer` or ``ExtractionError`` where the answer does not tell.
    private func lookUpResult(
        _ reply: ResourceClient.Reply, _ resource: Resource, _ place: ObjectPlace, _ sequence: Int64
    ) throws -> [Planner.Representation] {
        guard let lookup = resource.lookup, !resource.looksUpByID else {
            let found = client.representation(
                in: reply, of: resource, at: place, operation: resource.read, sequence: sequence)
            if let found, found.isTelling { return [found] }
            // Who has no such object says 404.
            throw SyncError(
                code: .unexpectedAnswer,
                message: "the answer to the look-up is not an object with an identifier at \(resource.id)")
        }
        let selectors = client.lookUpSelectors(for: resource, at: place)
        let page = try client.extractor(for: resource).page(in: reply.body, selectors)
        let wanted = place.record.flatMap { resource.lookupValue(of: $0) }
        let items = page.items.filter { item in
            item.lookup.map { ObjectID.compared(page.text($0)) } == wanted.map(ObjectID.compared)
        }
        guard !items.isEmpty else {
            guard page.items.isEmpty, page.next == nil else {
                // A server that does not know the parameter lists everything, of which this is only a part.
                throw SyncError(
                    code: .unexpectedAnswer,
                    message: "asked for “\(lookup.parameter)=\(wanted ?? "")” the server lists objects with other "
                        + "values, so it does not tell whether the create has happened; check lookup.query, or adopt or resend"
                )
            }
            return []
        }
        return items.map { item in
            .init(
                record: page.record(item), id: item.id.objectID, version: item.version.map { page.text($0) },
                sequence: sequence, isPartial: resource.list.shape == .partial)
        }
    }

    private func lookedUp(
        _ found: [Planner.Representation], _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let arrival = nextSequence()
        let now = environment.now()
        let random = environment.random()
        return try await apply(address, resource, lookingUp: found) { planner, object, _, key in
            planner.lookedUp(found, of: object, arrival: arrival, key: key) { attempts in
                now.advanced(by: Backoff.delay(attempts: attempts, random: random))
            }
        }
    }

    /// An answer, or the lack of one, to a request of the lane.
    func settle(
        _ order: LaneMachine.Order, _ address: LaneAddress, _ resource: Resource, _ answer: Answer,
        _ error: TransportError?
    ) async throws -> LaneMachine.Event {
        let arrival = nextSequence()
        let now = environment.now()
        let random = environment.random()
        switch order {
        case .send(_, let snapshot):
            let event = try await apply(address, resource, naming: answer.id) { planner, object, _, key in
                planner.conclude(answer, to: snapshot, of: object, arrival: arrival, key: key) { attempts in
                    now.advanced(by: Backoff.delay(attempts: attempts, random: random))
                }
            }
            if let error, error.isUnreached {
                return .unanswered(.offline(error.message))
            }
            // The same would come of it until somebody mends the route file.
            if let error, error.isFinal, !error.mayHaveArrived,
                case .applied(_, standing: .failed(let failure, retryAt: _)) = event
            {
                return .unanswered(.failed(failure, retryAt: nil))
            }
            return event
        case .read, .readBack, .confirmGone, .confirmDelete, .confirmRefused, .lookUp, .lease:
            switch answer {
            // Whoever may not see it any more has nothing that says that it is there.
            case .rejected where order.isAboutDelete: fallthrough
            case .gone where order != .lookUp:
                let nothing = Planner.Representation(record: nil, id: nil, version: nil, sequence: arrival)
                return try await shown(nothing, order, address, resource)
            case .rejected(let failure) where order == .read:
                return try await apply(address, resource) { planner, object, _, _ in
                    planner.unreadable(failure, object, arrival: arrival)
                }
            case .rejected(let failure) where order == .confirmRefused:
                return try await apply(address, resource) { planner, object, _, _ in
                    planner.undecided(failure, object, arrival: arrival)
                }
            case .gone where resource.looksUpByID:
                return try await lookedUp([], address, resource)
            // Of a list it says that it is not there, and nothing of the object.
            case .gone(let failure, _), .postponed(let failure), .failed(let failure, _), .conflict(let failure),
                .rejected(let failure):
                if let error, error.isUnreached {
                    return .unanswered(.offline(error.message))
                }
                return .unanswered(try await postpone(address, failure))
            case .accepted, .begun, .uploaded:
                return .unanswered(.done)
            }
        }
    }

    /// A read before a write failed: the write waits its turn.
    func postpone(
        _ address: LaneAddress, _ failure: MetaObject.Failure
    ) async throws -> LaneMachine.End {
        let now = environment.now()
        let random = environment.random()
        let limit = routeFile.limits.attempts
        let uri = await address.uri
        return try await store.write(.process, origin: .push) { transaction in
            guard var meta = try transaction.meta(at: uri), var outgoing = meta.outgoing else { return .done }
            outgoing.attempts += 1
            // What a look-up is refused for is no verdict about the create.
            outgoing.lastError = meta.isLocalOnly ? failure.withoutVerdict : failure
            let retryAt = now.advanced(by: Backoff.delay(attempts: outgoing.attempts, random: random))
            outgoing.nextAttempt = retryAt
            meta.outgoing = outgoing
            try transaction.put([meta])
            return .failed(failure, retryAt: outgoing.attempts < limit ? retryAt : nil)
        }
    }

    /// Runs one decision of the planner in a transaction and tells the lane where the object stands.
    ///
    /// - Parameters:
    ///   - id: an identifier that the answer gives the object.
    ///   - found: what a look-up of it has shown.
    func apply(
        _ address: LaneAddress, _ resource: Resource, naming id: ObjectID? = nil,
        lookingUp found: [Planner.Representation] = [],
        _ decide: @escaping @Sendable (Planner, LocalObject, ObjectURI, String) -> Planner.Plan
    ) async throws -> LaneMachine.Event {
        let uri = await address.uri
        let key = environment.makeUUID()
        let arrival = nextSequence()
        let limit = routeFile.limits.attempts
        let (place, plan, standing, isOwn) = try await store.write(.power, origin: .push) {
            transaction -> (ObjectURI, Planner.Plan, LaneMachine.End, Bool) in
            guard let object = try transaction.object(at: uri) else { return (uri, Planner.Plan(), .done, true) }
            var planner = try Planner(resource, naming: id, beside: uri, in: transaction)
            try planner.learn(whatOthersBecame: found, beside: object, in: transaction)
            planner.timeout = self.routeFile.transport.timeout
            let plan = decide(planner, object, uri, key)
            let place = try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
            // Before anybody can see it there: to a lane of its own what is on the wire would look left behind.
            let isOwn = place == uri || self.lanes.move(from: uri, to: place)
            try transaction.raiseSequence(to: arrival)
            return (place, plan, try .init(transaction.meta(at: place), attempts: limit), isOwn)
        }
        if isOwn { await address.move(to: place) }
        if place != uri { note(place, "has its identifier from the server now; it was \(uri)") }
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

extension LaneMachine.End {
    /// Where an object stands after its state was stored.
    init(_ meta: MetaObject?, attempts: Int) {
        guard let outgoing = meta?.outgoing else {
            self = .done
            return
        }
        switch outgoing.phase {
        case .rejected: self = .rejected
        case .conflicted: self = .conflicted
        case .unknown, .waiting, .sending:
            // What the server has only accepted so far nobody waits for any longer.
            let most = outgoing.isNamed || outgoing.isBegun ? min(3, attempts) : attempts
            if let failure = outgoing.lastError, let due = outgoing.nextAttempt {
                self = .failed(failure, retryAt: outgoing.attempts < most ? due : nil)
            } else if case .unknown = outgoing.phase {
                self = .unknown
            } else {
                self = outgoing.lastError == nil ? .done : .pending
            }
        }
    }
}

extension LaneMachine.End {
    fileprivate var word: String {
        switch self {
        case .done: "done"
        case .pending: "still to be sent"
        case .held: "held"
        case .failed: "failed, to be tried again"
        case .rejected: "rejected"
        case .conflicted: "conflicted"
        case .unknown: "unknown"
        case .offline: "offline"
        case .signInNeeded: "sign in needed"
        }
    }
}

extension LaneMachine.Order {
    /// What is asked of the server, for a message.
    fileprivate var word: String { if case .send(let verb, _) = self { verb.word } else { "read" } }

    /// It is about an object that the server has shown before.
    fileprivate var isAboutKnown: Bool {
        switch self {
        case .send(.create, _), .lookUp, .lease, .readBack(_, before: nil), .confirmDelete: false
        case .send, .read, .readBack, .confirmGone, .confirmRefused: true
        }
    }

    /// It asks what has become of a create.
    fileprivate var isAboutCreate: Bool {
        switch self {
        case .lookUp, .readBack(_, before: nil): true
        default: false
        }
    }

    fileprivate var isAboutDelete: Bool { if case .confirmDelete = self { true } else { false } }

    var reason: String {
        switch self {
        case .lookUp: "to look up a create whose answer was lost"
        case .lease: "for the edit lease"
        case .read: "to compare before the write"
        case .readBack: "to see what the write has done"
        case .confirmGone, .confirmDelete, .confirmRefused: "to make sure that it is gone"
        case .send(let verb, _): verb.word
        }
    }
}

extension Planner {
    /// A planner that knows what is here under an identifier that an answer names.
    init(
        _ resource: Resource, naming id: ObjectID?, beside uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws {
        self.init(resource)
        guard let id, id.text != uri.id else { return }
        let uri = ObjectURI(entity: resource.name, id: id.text)
        named = try snapshot.object(at: uri)
        isNamedByOther = try named != nil && !snapshot.formerURIs(of: uri).isEmpty
    }

    /// Learns of what was found for a create which of it cannot be its own, for another create of this client has become it
    /// or it was here before that was sent, and whether another one with the same value still waits to be found.
    mutating func learn(
        whatOthersBecame found: [Representation], beside object: LocalObject, in snapshot: any StoreSnapshot
    ) throws {
        guard !found.isEmpty, resource.lookup != nil, !resource.looksUpByID else { return }
        let lost = object.meta.outgoing
        for one in found {
            guard let id = one.id else { continue }
            let uri = ObjectURI(entity: resource.name, id: id.text)
            guard uri != object.uri, let here = try snapshot.object(at: uri) else { continue }
            let wasHere = lost?.lostCreate?.record.map {
                isAnother(here, than: $0, one, lost ?? .init(idempotencyKey: ""))
            }
            if try wasHere == true || !snapshot.formerURIs(of: uri).isEmpty { others.insert(id.text) }
        }
        let value = object.meta.outgoing?.lostCreate?.record.flatMap { resource.lookupValue(of: $0) }
        hasTwin = try snapshot.lostCreates(of: resource, with: value).contains { $0.uri != object.uri }
    }
}

extension Answer {
    /// The identifier that a success gives the object.
    var id: ObjectID? { if case .accepted(let theirs) = self { theirs?.id } else { nil } }

    /// What a refused request means for the object.
    init(_ failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, of order: LaneMachine.Order) {
        switch treatment {
        case .reject: self = .rejected(failure)
        case .gone: self = .gone(failure)
        case .conflict: self = .conflict(failure)
        case .unauthorized: self = .postponed(failure)
        case .wait:
            // 429 says that nothing was done; after a 503 a create may have happened.
            self = failure.status == 503 ? .failed(failure, mayHaveArrived: true) : .postponed(failure)
        case .retry: self = .failed(failure, mayHaveArrived: true)
        }
    }
}

extension Resource {
    /// What a lost create of this record is looked up by.
    func lookupValue(of record: ObjectRecord) -> String? {
        lookup.flatMap { mapping.value($0.field, in: record)?.text }
    }
}
