/// Acquires the edit leases of objects, renews them, and gives them back.
struct LeaseKeeper: Sendable {
    /// What the server says to the wish for a lease.
    enum Answer {
        /// There is one now; or there need not be one.
        case given
        case refused(MetaObject.Failure, retryAt: Timestamp)
        /// The server does not know the object, or the address of the lease is wrong; only where leases are enforced.
        case gone(MetaObject.Failure)
        case failed(MetaObject.Failure, ErrorRules.Treatment)
    }

    private let synchronizer: Synchronizer

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var store: any Store { synchronizer.store }
    private var client: ResourceClient { synchronizer.client }
    private var environment: SyncEnvironment { synchronizer.environment }
    private var leases: HeldLeases { synchronizer.leases }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// The lease that is held, where the resource has leases at all.
    func lease(of uri: ObjectURI, _ resource: Resource) async -> HeldLeases.Held? {
        guard resource.lease != nil else { return nil }
        return await leases.lease(of: uri, now: environment.now())
    }

    /// The lease that a write other than a create goes under; nil where the resource has none.
    ///
    /// - Throws: ``SyncError`` `leased` where the one that was given has run out since: nothing goes without it.
    func leaseForWrite(to uri: ObjectURI, _ resource: Resource) async throws -> HeldLeases.Held? {
        guard resource.lease != nil else { return nil }
        guard let held = await lease(of: uri, resource) else {
            throw SyncError(
                code: .leased, message: "\(uri): the edit lease ran out before the write was sent; try again",
                cause: ResourceClient.Overtaken())
        }
        return held
    }

    /// What an answer says that refuses a write under the lease because that is not held any more; nil where it says no such
    /// thing. The lease is lost then: another may have changed the object. Whatever an error rule makes of the same sign, it
    /// says nothing of the object.
    func missed(
        _ uri: ObjectURI, in reply: ResourceClient.Reply, of resource: Resource
    ) async -> (failure: MetaObject.Failure, treatment: ErrorRules.Treatment)? {
        guard let failure = client.missedLease(in: reply, of: resource) else { return nil }
        await leases.lose(uri, failure, now: environment.now())
        return (failure, .conflict)
    }

    // MARK: Keeping it

    /// See ``Synchronizer/withLease(on:_:)``.
    func keep<Result: Sendable>(
        on uri: ObjectURI, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let resource = try synchronizer.resource(uri.entity)
        guard let lease = resource.lease else {
            throw SyncError(
                code: .wrongState, message: "\(routeFile.source) declares no “lease” for \(resource.name)")
        }
        let (present, object) = try await store.read { try $0.existing(uri) }
        guard !object.meta.isLocalOnly else { return try await body() }
        await leases.keep(present)
        let outcome: Swift.Result<Result, any Error>
        do {
            try await take(present, resource)
            outcome = .success(
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await self.renew(present, lease, resource) }
                    let result = try await body()
                    group.cancelAll()
                    return result
                })
        } catch {
            outcome = .failure(error)
        }
        await leases.unkeep(present)
        await giveBack(present, resource)
        return try outcome.get()
    }

    /// Runs until it is cancelled, or the server refuses.
    private func renew(_ uri: ObjectURI, _ lease: Lease, _ resource: Resource) async throws {
        var failures = 0
        while true {
            let pause = failures == 0 ? lease.interval : Backoff.delay(attempts: failures, random: environment.random())
            try await sleep(until: environment.now().advanced(by: pause), uri)
            let held = await leases.lease(of: uri, now: environment.now())
            let route = held?.isLease == true ? lease.renew ?? lease.acquire : lease.acquire
            do {
                try await ask(route, uri, resource, token: held?.token)
                failures = 0
            } catch let error as SyncError where error.code == .unreachable {
                failures += 1
                synchronizer.note(uri, "the edit lease could not be renewed: \(error.message)")
            } catch let error as SyncError {
                let failure = error.failure ?? MetaObject.Failure(message: error.message)
                await leases.lose(uri, failure, now: environment.now())
                synchronizer.note(uri, "the edit lease is lost: \(error.message)")
                return
            }
        }
    }

    /// Waits for the next renewal. Where the lease runs out before that, this is told at its time.
    private func sleep(until next: Timestamp, _ uri: ObjectURI) async throws {
        if let held = await leases.lease(of: uri, now: environment.now()), held.until < next {
            try await environment.sleep(held.until)
            if await leases.lease(of: uri, now: environment.now()) == nil {
                synchronizer.note(uri, "the edit lease ran out before it was renewed")
            }
        }
        try await environment.sleep(next)
    }

    // MARK: Asking for it

    /// Makes sure that there is a lease before a write for which a caller waits.
    func take(_ uri: ObjectURI, _ resource: Resource) async throws {
        guard let lease = resource.lease, await leases.lease(of: uri, now: environment.now()) == nil else { return }
        try await ask(lease.acquire, uri, resource, token: nil)
    }

    private func ask(_ route: Operation, _ uri: ObjectURI, _ resource: Resource, token: String?) async throws {
        let place = try await store.read { snapshot in
            try ObjectPlace(
                snapshot.existing(uri).1, resource: resource, routeFile: self.routeFile, in: snapshot)
        }
        let asked = environment.now()
        let reply = try await synchronizer.reply(
            to: client.leaseRequest(route, resource, at: place, token: token), resource)
        switch try await answer(reply, uri, resource, asked: asked) {
        case .given: break
        case .refused(let failure, _):
            throw SyncError(code: .leased, message: "\(uri): \(failure.summary)", failure: failure)
        case .gone(let failure):
            throw SyncError(refused: failure, .gone, "the edit lease of \(uri)", remedy: routeFile.signInRemedy)
        case .failed(let failure, let treatment):
            throw SyncError(refused: failure, treatment, "the edit lease of \(uri)", remedy: routeFile.signInRemedy)
        }
    }

    /// - Parameter asked: when the request was sent; the server counts from later on.
    /// - Throws: ``SyncError`` `unexpectedAnswer` where a declared token is missing.
    func answer(
        _ reply: ResourceClient.Reply, _ uri: ObjectURI, _ resource: Resource, asked: Timestamp
    ) async throws -> Answer {
        guard let lease = resource.lease else { return .given }
        let until = asked.advanced(by: lease.length)
        if let refusal = client.leaseRefusal(in: reply, of: resource) {
            let patience = ServerPatience(limits: routeFile.limits, now: environment.now())
            return .refused(
                refusal, retryAt: patience.retryAfter(reply.headers) ?? environment.now().advanced(by: lease.length))
        }
        if reply.isSuccess {
            let held = await leases.lease(of: uri, now: environment.now())?.token
            await leases.put(uri, token: try client.leaseToken(in: reply, of: resource, held: held), until: until)
            return .given
        }
        let (failure, treatment) = client.failure(in: reply, of: resource)
        switch treatment {
        case .gone, .reject, .conflict, .retry:
            // Whether the object is there shows the write itself.
            guard lease.mode == .advisory else {
                return treatment == .gone ? .gone(failure) : .failed(failure, treatment)
            }
            synchronizer.note(uri, "goes on without an edit lease: \(failure.message)")
            await leases.waive(uri, until: until, now: environment.now())
            return .given
        case .unauthorized, .wait: return .failed(failure, treatment)
        }
    }

    // MARK: Giving it back

    /// Gives the lease back where nobody here needs it any more. A failure costs nobody more than the rest of its time.
    func giveBack(_ uri: ObjectURI, _ resource: Resource) async {
        guard let lease = resource.lease, let held = await leases.takeOut(uri, now: environment.now()),
            let release = lease.release
        else { return }
        do {
            let request = try await store.read { snapshot -> Request? in
                guard let object = try snapshot.object(at: uri) else { return nil }
                let place = try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: snapshot)
                return try self.client.leaseRequest(release, resource, at: place, token: held.token)
            }
            // With the object its lease is gone.
            guard let request else { return }
            let reply = try await synchronizer.reply(to: request, resource)
            if !reply.isSuccess { synchronizer.note(uri, "the edit lease was not given back: \(reply.status)") }
        } catch {
            synchronizer.note(uri, "the edit lease was not given back: \(error)")
        }
    }
}
