/// Follows the live updates of a message client: performs what ``LiveMachine`` decides.
struct LiveFollower: Sendable {
    private let synchronizer: Synchronizer
    private let client: any MessageClient
    private let catchUp: @Sendable () async throws -> Bool
    private let events = EventQueue()

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var environment: SyncEnvironment { synchronizer.environment }

    /// - Parameters:
    ///   - client: nil for the one that `live` of the route file describes.
    ///   - catchUp: whether the server was reached; nil for a synchronization.
    /// - Throws: ``SyncError`` `wrongState` without a client.
    init(
        _ synchronizer: Synchronizer, client: (any MessageClient)?, catchUp: (@Sendable () async throws -> Bool)?
    ) throws {
        guard let client = client ?? synchronizer.messageClient else {
            let routeFile = synchronizer.routeFile
            let remedy =
                routeFile.live == nil
                ? "\(routeFile.source) names no server for live updates: add live: { url: … }"
                : "no message client is linked: add the product AtmosphereSocketIOClient and pass .socketIO"
            throw SyncError(code: .wrongState, message: remedy)
        }
        self.synchronizer = synchronizer
        self.client = client
        self.catchUp = catchUp ?? { try await Self.synchronize(synchronizer) }
    }

    /// Follows until the task is cancelled, or nothing will ever arrive again.
    func run() async throws {
        let client = client
        let rooms = synchronizer.live.rooms
        show(.connecting)
        let key = rooms.attach { client.listen(to: $0) }
        defer {
            rooms.detach(key)
            show(.off)
        }
        let machine = LiveMachine(
            entities: Set(routeFile.resources.map(\.name)), concurrent: routeFile.limits.concurrent)
        _ = try await machine.run(.start) { effect in try await self.perform(effect) }
        try Task.checkCancellation()
    }

    private func perform(_ effect: LiveMachine.Effect) async throws -> LiveMachine.Event? {
        switch effect {
        case .connect:
            defer { events.finish() }
            try await client.run { [events] event in events.put(event) }
            return .ended
        case .receive: return await events.next().map { .received($0) }
        case .decide(let update):
            let decision = try await settle(update)
            return .decided(update.uri, decision)
        case .fetch(let uri):
            let isSettled = try await fetch(uri)
            return .fetched(uri, isSettled: isSettled)
        case .catchUp: return .caughtUp(try await catchUp())
        case .wait(let uri, let pause):
            try await environment.sleep(environment.now().advanced(by: pause))
            return .woke(uri)
        case .waitToCatchUp(let attempts):
            let pause = Backoff.delay(attempts: attempts, random: environment.random())
            try await environment.sleep(environment.now().advanced(by: pause))
            return .wokeToCatchUp
        case .tell(let event):
            tell(event)
            return .told
        case .warn(let subject, let message):
            synchronizer.note(subject, message)
            return nil
        }
    }

    // MARK: Telling

    private func show(_ status: LiveStatus) {
        synchronizer.live.status.send(status)
        synchronizer.hub.noteActivity()
    }

    private func tell(_ event: MessageEvent) {
        switch event.content {
        case .connected(let continuity):
            if case .connected = synchronizer.liveStatus {} else { show(.connected(since: environment.now())) }
            switch continuity {
            case .new: synchronizer.note("live", "connected")
            case .resumed: synchronizer.note("live", "connected again; what was missed follows")
            case .gap: synchronizer.note("live", "something was missed; catching up")
            }
        case .disconnected(let said):
            let reason = synchronizer.redacted(said)
            synchronizer.live.rooms.forget()
            if case .disconnected(let since, _) = synchronizer.liveStatus {
                show(.disconnected(since: since, reason: reason))
            } else {
                show(.disconnected(since: environment.now(), reason: reason))
                synchronizer.note("live", "not connected: \(reason)")
            }
        case .notification(let notification): synchronizer.live.notifications.send(notification)
        case .joined(let rooms): synchronizer.live.rooms.note(rooms, .joined)
        case .refused(.rooms(let rooms)): synchronizer.live.rooms.note(rooms, .refused)
        case .update, .refused(.key), .unusable: break
        }
    }

    // MARK: Objects

    /// Catches up where the caller of ``Synchronizer/follow(_:catchUp:)`` does not.
    private static func synchronize(_ synchronizer: Synchronizer) async throws -> Bool {
        do {
            let report = try await synchronizer.synchronize(isAsked: false)
            return report.pull?.isComplete == true
        } catch let error as SyncError where error.code == .pushedElsewhere {
            return try await synchronizer.pull().isComplete
        }
    }

    /// Decides on an update in its object's lane, so that a push of this process has ended before.
    private func settle(_ update: LiveUpdate) async throws -> ChangeEngine.LiveChoice {
        let resource = try synchronizer.resource(update.uri.entity)
        let key = environment.makeUUID()
        let present = try await synchronizer.store.read { try $0.alias(of: update.uri) ?? update.uri }
        let choice = try await synchronizer.lanes.run(present) {
            let sequence = self.synchronizer.nextSequence()
            return try await self.synchronizer.store.write(.process, origin: .live) {
                transaction -> ChangeEngine.LiveChoice in
                let uri = try transaction.alias(of: present) ?? present
                let object = try transaction.object(at: uri)
                let isCreating = try object == nil && transaction.isCreating(resource.name)
                let arriving = try ArrivingObject(
                    client: self.synchronizer.client, routeFile: self.routeFile, resource: resource
                ).finding(update, at: uri, over: object, sequence: sequence, in: transaction)
                let choice = ChangeEngine(resource).live(
                    update, over: object, isCreating: isCreating, arriving: arriving, sequence: sequence, key: key)
                if object == nil, update.content == .deleted, self.routeFile.live != nil {
                    // An update that was published before it, and comes later, must not bring it here.
                    try GoneMarks(of: resource).note(uri, at: sequence, isTold: false, in: transaction)
                }
                guard case .apply(let plan) = choice else { return choice }
                // What cannot be joined without the server's present answer is asked for.
                if plan.next != nil { return .fetch(plan.note ?? "changed on the server") }
                try ObjectWriter(routeFile: self.routeFile, transaction: transaction)
                    .apply(plan, to: uri, toldAt: sequence)
                try transaction.raiseSequence(to: sequence)
                return choice
            }
        }
        note(choice, of: update.uri)
        return choice
    }

    private func note(_ choice: ChangeEngine.LiveChoice, of uri: ObjectURI) {
        switch choice {
        case .known(let why): synchronizer.note(uri, "live update: \(why)", isRoutine: true)
        case .apply(let plan):
            synchronizer.note(uri, "live update applied" + (plan.note.map { ": \($0)" } ?? ""))
        case .wait: synchronizer.note(uri, "live update waits for a push", isRoutine: true)
        case .fetch(let why): synchronizer.note(uri, "live update: \(why); asked for")
        }
    }

    /// - Returns: whether the object is as the server has it, or will never be; false where a pull has to find out.
    private func fetch(_ uri: ObjectURI) async throws -> Bool {
        guard try synchronizer.resource(uri.entity).read.isOffered else { return false }
        // What the server calls by a former address of one object may be another, which a pull shows.
        guard try await synchronizer.store.read({ try $0.alias(of: uri) }) == nil else { return false }
        do {
            _ = try await synchronizer.lanes.run(uri) {
                try await ObjectRefresh(synchronizer: self.synchronizer, origin: .live).once(uri)
            }
            return true
        } catch let error as SyncError {
            synchronizer.note(uri, error.message)
            // A refusal stays one: this user may not see the object.
            return error.code == .refused && error.failure?.status.map { (400..<500).contains($0) } == true
        } catch let error as TransportError {
            synchronizer.note(uri, error.message)
            return false
        }
    }
}
