extension Synchronizer {
    /// Follows live updates until the task is cancelled: applies or fetches what they say, hands notifications to
    /// ``notifications()``, and catches up after a gap.
    ///
    /// An object that is being pushed waits for its outcome; one that is edited here is merged or conflicted, as with a
    /// pull; the echo of an own push costs no request. Where there is no connection everything else goes on;
    /// ``SyncStatus/live`` says so.
    ///
    /// - Parameters:
    ///   - client: nil for the one that `live` of the route file describes.
    ///   - catchUp: called after the first connection and after a gap, never twice at a time; whether the server was
    ///     reached. ``synchronize(options:)`` by default. An error ends following.
    /// - Throws: ``SyncError`` `wrongState` without a client; what the client throws for settings that cannot be used;
    ///   ``StoreError``; `CancellationError`.
    public func follow(
        _ client: (any MessageClient)? = nil, catchUp: (@Sendable () async throws -> Bool)? = nil
    ) async throws {
        guard let client = client ?? messageClient else {
            let remedy =
                routeFile.live == nil
                ? "\(routeFile.source) names no server for live updates: add live: { url: … }"
                : "no message client is linked: add the product AtmosphereSocketIOClient and pass .socketIO"
            throw SyncError(code: .wrongState, message: remedy)
        }
        let catchUp = catchUp ?? { try await self.catchUp() }
        let events = EventQueue()
        setLiveStatus(.connecting)
        defer { setLiveStatus(.off) }
        let machine = LiveMachine(
            entities: Set(routeFile.resources.map(\.name)), concurrent: routeFile.limits.concurrent)
        _ = try await machine.run(.start) { effect in
            switch effect {
            case .connect:
                defer { events.finish() }
                try await client.run { events.put($0) }
                return .ended
            case .receive: return await events.next().map { .received($0) }
            case .decide(let update): return .decided(update.uri, try await self.settle(update))
            case .fetch(let uri): return .fetched(uri, isSettled: try await self.fetchUpdated(uri))
            case .catchUp: return .caughtUp(try await catchUp())
            case .wait(let uri, let pause):
                try await self.environment.sleep(self.environment.now().advanced(by: pause))
                return .woke(uri)
            case .waitToCatchUp(let attempts):
                let pause = Backoff.delay(attempts: attempts, random: self.environment.random())
                try await self.environment.sleep(self.environment.now().advanced(by: pause))
                return .wokeToCatchUp
            case .tell(let event):
                self.tell(event)
                return nil
            case .warn(let subject, let message):
                self.note(subject, message)
                return nil
            }
        }
        try Task.checkCancellation()
    }

    /// What the server side tells this user, from the call on. It ends with the task that reads it; a reader who is more
    /// than a thousand behind loses the oldest.
    public func notifications() -> AsyncStream<LiveNotification> { live.notifications.subscribe() }

    /// Whether live updates arrive now.
    package var liveStatus: LiveStatus { live.status.last ?? .off }

    /// ``liveStatus`` now, and then each change of it.
    package func liveStatuses() -> AsyncStream<LiveStatus> { live.status.subscribe() }

    private func setLiveStatus(_ status: LiveStatus) {
        live.status.send(status)
        hub.noteActivity()
    }

    private func tell(_ event: MessageEvent) {
        switch event {
        case .connected(let continuity):
            if case .connected = liveStatus {} else { setLiveStatus(.connected(since: environment.now())) }
            switch continuity {
            case .new: note("live", "connected")
            case .resumed: note("live", "connected again; what was missed follows")
            case .gap: note("live", "something was missed; catching up")
            }
        case .disconnected(let reason):
            if case .disconnected(let since, _) = liveStatus {
                setLiveStatus(.disconnected(since: since, reason: reason))
            } else {
                setLiveStatus(.disconnected(since: environment.now(), reason: reason))
                note("live", "not connected: \(reason)")
            }
        case .notification(let notification): live.notifications.send(notification)
        case .update, .refused, .unusable: break
        }
    }

    private func catchUp() async throws -> Bool {
        do {
            let report = try await synchronize(isAsked: false)
            return report.pull?.isComplete == true
        } catch let error as SyncError where error.code == .pushedElsewhere {
            return try await pull().isComplete
        }
    }

    /// Decides on an update in its object's lane, so that a push of this process has ended before.
    private func settle(_ update: LiveUpdate) async throws -> ChangeEngine.LiveChoice {
        let resource = try resource(update.uri.entity)
        let key = environment.makeUUID()
        let present = try await store.read { try $0.alias(of: update.uri) ?? update.uri }
        let choice = try await lanes.run(present) {
            let sequence = self.nextSequence()
            return try await self.store.write(.process, origin: .live) { transaction -> ChangeEngine.LiveChoice in
                let uri = try transaction.alias(of: present) ?? present
                let object = try transaction.object(at: uri)
                let isCreating = try object == nil && transaction.isCreating(resource.name)
                let choice = ChangeEngine(resource).live(
                    update, over: object, isCreating: isCreating, sequence: sequence, key: key)
                guard case .apply(let plan) = choice else { return choice }
                // What cannot be joined without the server's present answer is asked for.
                if plan.next != nil { return .fetch(plan.note ?? "changed on the server") }
                try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
                try transaction.raiseSequence(to: sequence)
                return choice
            }
        }
        switch choice {
        case .known(let why): note(update.uri, "live update: \(why)", isRoutine: true)
        case .apply(let plan): note(update.uri, "live update applied" + (plan.note.map { ": \($0)" } ?? ""))
        case .wait: note(update.uri, "live update waits for a push", isRoutine: true)
        case .fetch(let why): note(update.uri, "live update: \(why); asked for")
        }
        return choice
    }

    /// - Returns: whether the object is as the server has it, or will never be; false where a pull has to find out.
    private func fetchUpdated(_ uri: ObjectURI) async throws -> Bool {
        guard try resource(uri.entity).read.isOffered else { return false }
        let present = try await store.read { try $0.alias(of: uri) ?? uri }
        do {
            _ = try await lanes.run(present) { try await self.readOnce(present, origin: .live) }
            return true
        } catch let error as SyncError {
            note(uri, error.message)
            // A refusal stays one: this user may not see the object.
            return error.code == .refused && error.failure?.status.map { (400..<500).contains($0) } == true
        } catch let error as TransportError {
            note(uri, error.message)
            return false
        }
    }
}

/// What a synchronizer tells of its live updates.
struct LiveReports: Sendable {
    let notifications = Broadcast<LiveNotification>(limit: 1000, repeatsLast: false)
    let status = Broadcast<LiveStatus>(limit: 16, repeatsLast: true)
}
