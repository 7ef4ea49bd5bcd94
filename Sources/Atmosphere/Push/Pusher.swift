/// Sends what waits of some entities.
struct Pusher: Sendable {
    private let synchronizer: Synchronizer
    private let held: HeldChanges

    init(_ synchronizer: Synchronizer) {
        self.synchronizer = synchronizer
        held = HeldChanges(synchronizer.routeFile)
    }

    /// See ``Synchronizer/push(entities:)``.
    func push(_ resources: [Resource], isAsked: Bool) async throws -> PushReport {
        try await synchronizer.learnSequence()
        synchronizer.sentValues.forget()
        func level(_ resource: Resource, _ verb: Verb) -> PushMachine.Level {
            .init(entity: resource.name, verb: verb, size: resource.batch(for: verb)?.size ?? 1)
        }
        var levels = resources.map { level($0, .create) }
        levels += resources.map { level($0, .update) }
        levels += resources.reversed().map { level($0, .delete) }
        let counts = try await synchronizer.store.read { try $0.counts() }
        let waiting = resources.filter { counts[$0.name]?.isToSend == true }
        if !waiting.isEmpty {
            do {
                try await Ownership(synchronizer).checkSender(of: waiting)
            } catch let error as SyncError {
                try await recoverMarks(of: waiting)
                return unsent(error)
            }
        }
        let total = resources.reduce(0) { $0 + (counts[$1.name]?.changed ?? 0) }
        let number = synchronizer.activity.begin(SyncActivity(kind: .push, entity: nil, completed: 0, total: total))
        defer { synchronizer.activity.end(number) }
        let machine = PushMachine(
            levels: levels, concurrent: synchronizer.routeFile.limits.concurrent, patience: .seconds(30),
            isAsked: isAsked)
        let ended = try await machine.run(.start) { effect in
            switch effect {
            case .begin:
                held.forget()
                return .begun
            case .load(let level, let after, let limit):
                return .loaded(try await changes(level, after: after, limit: limit))
            case .run(let uris, let onDemand):
                let ended = try await run(uris, onDemand: onDemand)
                synchronizer.activity.update(number) { $0.completed += ended.count { !$0.sent.isEmpty } }
                return .ended(ended, now: synchronizer.environment.now())
            case .wait(let until):
                try await synchronizer.environment.sleep(until)
                return .woke
            }
        }
        synchronizer.activity.found(unreachable: ended.report.unreachable, signInNeeded: ended.report.signInNeeded)
        if !ended.report.isStopped {
            try await pullForFound(resources)
            try await pullBehind(ended.report.actions)
        }
        if ended.report.uploaded + ended.report.deleted > 0 { await WaitingContents(synchronizer).removeUnused() }
        return ended.report
    }

    /// Runs the lanes of objects whose changes can travel together.
    private func run(_ uris: [ObjectURI], onDemand: Bool) async throws -> [PushMachine.Ended] {
        guard let entity = uris.first?.entity else { return [] }
        let runner = LaneRunner(synchronizer, uris, of: try synchronizer.resource(entity), held: held)
        let waiting = try await synchronizer.store.read { snapshot in
            try uris.map { uri in
                try snapshot.dependents(of: uri) + held.objects(waitingFor: uri, in: snapshot)
            }
        }
        let lanes = try await synchronizer.lanes.run(uris) { try await runner.run(onDemand: onDemand) }
        return try await synchronizer.store.read { snapshot in
            try zip(zip(uris, waiting), lanes).map { before, lane in
                let (uri, dependents) = before
                return PushMachine.Ended(
                    uri: uri, place: try snapshot.alias(of: uri) ?? uri, end: lane.end ?? .done, sent: lane.sent,
                    ignored: lane.ignored, isDisproved: lane.isDisproved,
                    released: try dependents.compactMap { try released($0, in: snapshot) })
            }
        }
    }

    /// A change that has waited, where it waits for nothing any more.
    private func released(_ uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> PushMachine.Released? {
        let place = try snapshot.alias(of: uri) ?? uri
        guard let object = try snapshot.object(at: place), object.meta.waitsFor.isEmpty,
            let verb = object.meta.state.verb, try held.holder(of: object, in: snapshot) == nil
        else { return nil }
        return .init(uri: place, verb: verb)
    }

    /// Takes back the marks that processes have left which ended while they were sending. A lane does so before it sends; where
    /// nothing is sent, a pull would wait for requests that nobody has on the wire, and never be complete.
    private func recoverMarks(of resources: [Resource]) async throws {
        for resource in resources {
            let marked = try await synchronizer.store.read { snapshot in
                try snapshot.changed(entity: resource.name, after: nil, limit: .max).filter { meta in
                    if case .sending? = meta.outgoing?.phase { true } else { false }
                }
            }
            for meta in marked {
                try await synchronizer.lanes.run(at: meta.uri, in: synchronizer.store) {
                    try await synchronizer.store.write(.power, origin: .push) { transaction in
                        let uri = try transaction.alias(of: meta.uri) ?? meta.uri
                        guard let object = try transaction.object(at: uri) else { return }
                        if let recovered = ChangeEngine(resource).recovered(object) {
                            try transaction.put([recovered.meta])
                        }
                    }
                }
            }
        }
    }

    /// A push that ended before its first write, because nobody knows who the server would take it for, or what is here is of
    /// another server.
    private func unsent(_ error: SyncError) -> PushReport {
        var report = PushReport()
        switch error.code {
        case .signInNeeded: report.signInNeeded = error.message
        case .unreachable: report.unreachable = error.message
        default: report.problem = error.message
        }
        synchronizer.activity.found(unreachable: report.unreachable, signInNeeded: report.signInNeeded)
        return report
    }

    /// What the server says that it has, and what no look-up can ask for, was listed before, or the list shows it.
    private func pullForFound(_ resources: [Resource]) async throws {
        var found: [String] = []
        for resource in resources where resource.isFoundByPulls(carrying: resource.marks) {
            var isMissing = false
            for meta in try await knownThere(of: resource) where try await !joinWithListed(meta, resource) {
                isMissing = true
            }
            if isMissing { found.append(resource.name) }
        }
        // Why it is not complete stands with the entity, and the next pull says it.
        if !found.isEmpty { try await synchronizer.pull(entities: found) }
    }

    /// What actions have changed below their objects.
    private func pullBehind(_ actions: Set<PushReport.Acted>) async throws {
        var changed: [String: Set<ObjectURI>] = [:]
        for acted in actions {
            let action = try synchronizer.resource(acted.uri.entity).actions.first { $0.name == acted.action }
            for entity in action?.changes ?? [] { changed[entity, default: []].insert(acted.uri) }
        }
        // Why it is not complete stands with the entity, and the next pull says it.
        guard !changed.isEmpty else { return }
        for resource in try synchronizer.resources(changed.keys.sorted()) {
            try await Puller(synchronizer).pull([resource.name], below: changed[resource.name] ?? [])
        }
    }

    /// Creates that the server says it has.
    private func knownThere(of resource: Resource) async throws -> [MetaObject] {
        let engine = ChangeEngine(resource)
        return try await synchronizer.store.read { snapshot in
            try snapshot.changed(entity: resource.name, after: nil, limit: .max).filter { meta in
                guard meta.isLocalOnly, case .unknown(let sent)? = meta.outgoing?.phase else { return false }
                return meta.outgoing?.evidence.isKnownThere == true && engine.isFoundByPulls(sent)
            }
        }
    }

    /// What another client has made anew may be here already, and no list of changes shows it again.
    ///
    /// - Returns: whether it is here.
    private func joinWithListed(_ meta: MetaObject, _ resource: Resource) async throws -> Bool {
        guard let field = resource.lookup?.field, let sent = meta.outgoing?.lostCreate?.record,
            resource.lookupValue(of: sent) != nil, let value = resource.mapping.value(field, in: sent)
        else { return false }
        let engine = ChangeEngine(resource)
        let query = try synchronizer.compiled(Query(resource.name, where: [.init(field, .equal, value)]))
        let listed = try await synchronizer.store.read { snapshot in
            try snapshot.confirmed(query).first { one in
                one.record.map { engine.isAnew($0, meta.outgoing) } ?? false
            }
        }
        guard let listed else { return false }
        let lane = Lane(synchronizer, at: meta.uri, of: resource)
        _ = try await synchronizer.lanes.run(meta.uri) { try await lane.lookedUp([listed]) }
        return true
    }

    private func changes(_ level: PushMachine.Level, after: ObjectURI?, limit: Int) async throws -> [ObjectURI] {
        try await synchronizer.store.read { snapshot in
            var found: [ObjectURI] = []
            var after = after
            while found.count < limit {
                let batch = try snapshot.changed(entity: level.entity, after: after, limit: limit)
                for meta in batch where meta.state.verb == level.verb && found.count < limit { found.append(meta.uri) }
                guard batch.count == limit, let last = batch.last?.uri else { break }
                after = found.count == limit ? found.last : last
            }
            return found
        }
    }
}

extension StateCounts {
    /// Not everything that is changed waits for a person.
    fileprivate var isToSend: Bool { changed > conflicted + rejected }
}

extension MetaObject.State {
    /// What a push would do.
    var verb: Verb? {
        switch self {
        case .synchronized: nil
        case .created: .create
        case .updated: .update
        case .deleted: .delete
        }
    }
}
