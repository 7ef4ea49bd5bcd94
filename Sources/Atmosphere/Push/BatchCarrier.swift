/// Sends what several lanes have to send in one request, and gives each its own answer.
struct BatchCarrier: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let lanes: [Lane]

    private var client: ResourceClient { synchronizer.client }

    /// One lane's change on its way.
    private struct Freight: Sendable {
        var lane: Int
        var verb: Verb
        var sent: Attempt
        var request: LaneRequest
        var uri: ObjectURI
        var place: ObjectPlace
        var part: ResourceClient.BatchPart
    }

    typealias Outcome = (lane: Int, event: LaneMachine.Event)

    /// - Parameter passengers: orders to send, whose objects are marked durably.
    /// - Returns: one event for each of them.
    func carry(_ passengers: [BatchMachine.Passenger]) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var waiting: [Freight] = []
        for passenger in passengers {
            guard case .send(let verb, let sent) = passenger.order else { continue }
            let request = LaneRequest(
                lane: lanes[passenger.lane], order: passenger.order, basis: passenger.basis)
            let uri = await request.lane.uri
            do {
                let (place, part) = try await load(verb, sent, uri)
                waiting.append(
                    Freight(
                        lane: passenger.lane, verb: verb, sent: sent, request: request, uri: uri, place: place,
                        part: part))
            } catch let error as SyncError {
                let event = try await request.notMade(error)
                outcomes.append((passenger.lane, event))
            }
        }
        while let first = waiting.first {
            let together = waiting.filter { $0.part.goesWith(first.part) }.prefix(first.part.batch.size)
            let lanes = Set(together.map(\.lane))
            waiting.removeAll { lanes.contains($0.lane) }
            outcomes += try await send(Array(together))
        }
        return outcomes
    }

    private func load(
        _ verb: Verb, _ sent: Attempt, _ uri: ObjectURI
    ) async throws -> (ObjectPlace, ResourceClient.BatchPart) {
        try await synchronizer.store.read { snapshot in
            let (_, object) = try snapshot.existing(uri)
            var place = try ObjectPlace(object, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
            if verb == .create { place.record = sent.record }
            let part = try client.batchPart(
                verb, resource, at: place, record: sent.record, meta: object.meta)
            guard let part else {
                throw SyncError(code: .wrongState, message: "\(resource.name) sends no \(verb.word) in batches")
            }
            return (place, part)
        }
    }

    private func send(_ freight: [Freight]) async throws -> [Outcome] {
        let request = try client.batchRequest(freight.map(\.part), resource)
        for each in freight {
            synchronizer.note(each.uri, "\(request.method) \(each.verb.word), in a batch of \(freight.count)")
        }
        let turn = ResourceClient.Turn(isNext: freight.contains { $0.request.isCompared }) { afterPause in
            for each in freight where try await !each.request.isCurrent(afterPause: afterPause) { return false }
            return true
        }
        let answer = await synchronizer.outcome(
            of: .init(request: request), resource, about: freight.map(\.uri), turn: turn)
        guard let reply = try? answer.get(), !client.isWebPage(reply) else {
            return try await unload(freight) { _ in answer }
        }
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            guard [.reject, .conflict, .gone].contains(treatment), !reply.followsUnavailable else {
                return try await unload(freight) { _ in answer }
            }
            return try await refused(failure, treatment, freight)
        }
        let found = client.results(in: reply, for: freight.map(\.part))
        await client.pause(asked: found, resource)
        if client.hasNoResults(reply, of: freight[0].part.batch) { return try await taken(freight) }
        let results = believed(found, for: freight)
        return try await unload(freight) { index in
            if let result = results[index] { return .success(result) }
            return .failure(
                TransportError(code: .connectionLost, message: ResourceClient.noResult, mayHaveArrived: true))
        }
    }

    /// What is left of results where some say of themselves that they are those of other items: these are believed of none,
    /// and by its place none is, for the results do not stand in the order of the items.
    private func believed(
        _ results: [ResourceClient.Reply?], for freight: [Freight]
    ) -> [ResourceClient.Reply?] {
        let answers = zip(results, freight).map { reply, each in reply.flatMap { shown(by: $0, to: each) } }
        let writes = freight.map { AnsweredWrite(uri: $0.uri, created: $0.verb == .create ? $0.sent.record : nil) }
        let others = AnsweredWrite.others(among: answers, to: writes, resource)
        guard !others.isEmpty else { return results }
        let areByPlace = freight[0].part.batch.results.contains { $0.match == .position }
        return results.indices.map { areByPlace || others.contains($0) ? nil : results[$0] }
    }

    /// What a result shows of an object; nil for a refusal, and where it shows nothing.
    private func shown(by reply: ResourceClient.Reply, to each: Freight) -> Representation? {
        var reply = reply
        reply.isRefused = client.isRefused(reply, of: resource, underLease: each.verb.isUnderLease)
        guard reply.isSuccess else { return nil }
        let answer = Answer(
            to: each.verb, of: each.sent.record, in: reply, of: resource, at: each.place, sequence: each.sent.sequence,
            client)
        guard case .accepted(let theirs) = answer else { return nil }
        return theirs
    }

    /// A success without results, such as a job that will do it later: a create is not sent again for that, which would
    /// make the object twice. What can be sent again without harm counts as a lost answer, and so does a create whose
    /// identifier is the client's, for it is looked up by that first.
    private func taken(_ freight: [Freight]) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for each in freight {
            synchronizer.note(each.uri, ResourceClient.noResult)
            let answer =
                each.verb == .create && !resource.looksUpByID
                ? Answer.accepted(nil)
                : .failed(.init(message: ResourceClient.noResult), mayHaveArrived: true)
            let event = try await each.request.settle(answer)
            outcomes.append((each.lane, event))
        }
        return outcomes
    }

    /// A request that was refused as a whole has done nothing. One of several may be the cause, so they go again in two
    /// halves, until each is known that is refused.
    private func refused(
        _ failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, _ freight: [Freight]
    ) async throws -> [Outcome] {
        guard freight.count == 1, let only = freight.first else {
            let half = freight.count / 2
            return try await send(Array(freight[..<half])) + send(Array(freight[half...]))
        }
        synchronizer.note(only.uri, "refused: \(failure.message)")
        var answer = Answer(failure, treatment, of: only.request.order)
        // The path that is not there may be the batch's own, so nothing is taken for deleted.
        if case .gone = answer, !resource.read.isOffered || only.verb != .update {
            let words = resource.words(for: only.verb, status: failure.status ?? 404)
            let uri = only.uri.shellWord
            var told = failure
            told.message +=
                "; the server answers \(words.remedy); then atmos retry \(uri), or give the change up: atmos discard \(uri)"
            answer = .rejected(told)
        }
        let event = try await only.request.settle(answer)
        return [(only.lane, event)]
    }

    /// Gives each its answer. What is stopped before it was sent is noted for all of them first.
    private func unload(
        _ freight: [Freight], _ answer: (Int) -> Result<ResourceClient.Reply, any Error>
    ) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var isCancelled = false
        for (index, each) in freight.enumerated() {
            do {
                let exchange = LaneExchange(
                    request: each.request, place: each.place, sequence: each.sent.sequence,
                    asked: synchronizer.environment.now())
                let event = try await exchange.conclude(answer(index))
                outcomes.append((each.lane, event))
            } catch is CancellationError {
                isCancelled = true
            }
        }
        if isCancelled { throw CancellationError() }
        return outcomes
    }
}
