/// Runs the lanes of several objects of one entity side by side.
struct LaneRunner: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    private let lanes: [Lane]
    private let held: HeldChanges

    /// - Parameters:
    ///   - uris: one where its changes go alone.
    ///   - held: what a push knows of the changes that wait for others.
    init(_ synchronizer: Synchronizer, _ uris: [ObjectURI], of resource: Resource, held: HeldChanges? = nil) {
        self.synchronizer = synchronizer
        self.resource = resource
        lanes = uris.map { Lane(synchronizer, at: $0, of: resource) }
        self.held = held ?? HeldChanges(synchronizer.routeFile)
    }

    /// - Returns: the lanes in the same order.
    func run(onDemand: Bool) async throws -> [LaneMachine] {
        let resource = resource
        let machine = BatchMachine(lanes: lanes.count) { resource.batch(for: $0) != nil }
        let carrier = BatchCarrier(synchronizer: synchronizer, resource: resource, lanes: lanes)
        let ended: Swift.Result<BatchMachine, any Error>
        do {
            let machine = try await machine.run(.start) { effect in
                switch effect {
                case .decide(let questions): return .together(try await decide(questions, onDemand: onDemand))
                case .lane(let lane, .exchange(let order, let basis)):
                    let event = try await lanes[lane].perform(order, basis)
                    return .lane(lane, event)
                case .lane(let lane, .giveUp(let failure)):
                    let end = try await lanes[lane].postpone(failure)
                    return .lane(lane, .unanswered(end))
                case .carry(let passengers): return .together(try await carrier.carry(passengers))
                case .lane(_, .decide): return nil
                }
            }
            ended = .success(machine)
        } catch {
            ended = .failure(error)
        }
        for lane in lanes { await LeaseKeeper(synchronizer).giveBack(lane.uri, resource) }
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
        _ questions: [BatchMachine.Question], onDemand: Bool
    ) async throws -> [(lane: Int, event: LaneMachine.Event)] {
        let now = onDemand ? .distantFuture : synchronizer.environment.now()
        var inquiries: [Inquiry] = []
        for question in questions {
            let sequence = synchronizer.nextSequence()
            let uri = await lanes[question.lane].uri
            let hasLease = await LeaseKeeper(synchronizer).lease(of: uri, resource) != nil
            inquiries.append(
                Inquiry(uri: uri, sequence: sequence, hasCompared: question.hasCompared, hasLease: hasLease))
        }
        let asked = inquiries
        let decisions = try await synchronizer.store.write(.power, origin: .push) { transaction in
            try asked.map { try decide($0, now: now, transaction) }
        }
        for (inquiry, decision) in zip(asked, decisions) {
            if case .hold(.waitsForChange(let change)) = decision {
                synchronizer.note(inquiry.uri, "waits for \(change)")
            }
            guard case .request(.send(let verb, _)) = decision else { continue }
            synchronizer.note(inquiry.uri, "marked as being sent", isRoutine: true)
            // What is held under this address is of the object that the server has deleted, not of the one to come.
            if verb == .create { await synchronizer.leases.drop(inquiry.uri) }
        }
        return zip(questions, decisions).map { ($0.lane, .decided($1)) }
    }

    private func decide(
        _ inquiry: Inquiry, now: Timestamp, _ transaction: any StoreTransaction
    ) throws -> LaneMachine.Decision {
        guard var object = try transaction.object(at: inquiry.uri) else { return .hold(.synchronized) }
        let engine = ChangeEngine(resource)
        if let recovered = engine.recovered(object) {
            object = recovered
            try transaction.put([object.meta])
        }
        let ready = engine.findable(object, synchronizer.environment.makeUUID)
        let next = try engine.next(
            ready, now: now, sequence: inquiry.sequence, hasCompared: inquiry.hasCompared, hasLease: inquiry.hasLease
        ) { try held.holder(of: ready, $0, in: transaction)?.uri }
        switch next {
        case .hold(.waitsForParents):
            let writer = ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction)
            return .hold(try writer.refuseDangling(object.meta) ? .needsPerson : .waitsForParents)
        case .hold(let hold): return .hold(hold)
        case .ask(let request): return .request(request)
        case .settle(let settled):
            try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction)
                .put(settled, over: inquiry.uri)
            return .settled
        case .refuse(let refused):
            try transaction.put([refused.meta])
            try transaction.raiseSequence(to: inquiry.sequence)
            return .hold(.needsPerson)
        case .send(let verb, let snapshot, let marked):
            if let record = marked.record, record != object.record {
                try transaction.upsert([(object.uri, record)])
            }
            try transaction.put([synchronizer.openPages.numbered(marked, inquiry.sequence).meta])
            if verb == .create, resource.lookup != nil {
                let count = try SentCreates(of: resource).noteOne(in: transaction)
                synchronizer.sentValues.add(object.uri, snapshot.record, of: resource, count: count)
            }
            try transaction.raiseSequence(to: inquiry.sequence)
            return .request(.send(verb, snapshot))
        }
    }
}
