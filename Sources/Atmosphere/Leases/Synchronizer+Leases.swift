extension Synchronizer {
    /// Keeps the edit lease of an object while `body` runs, such as while a form is open: acquires it, renews it in
    /// time, and gives it back. Writes to the object that happen meanwhile go under the same lease.
    ///
    /// A renewal that the server refuses is noted in the log and ends the lease, and not `body`; the next write asks for
    /// a lease of its own. An object that the server does not know yet needs none.
    ///
    /// - Throws: ``SyncError`` `leased` where somebody else has it, `wrongState` where the route file declares no
    ///   `lease` for the entity, `notFound`, `unreachable`, `signInNeeded`, `refused`; what `body` throws.
    public func withLease<Result: Sendable>(
        on uri: ObjectURI, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await LeaseKeeper(self).keep(on: uri, body)
    }

    /// The edit leases that this process has now, in order of address: of writes that are on the way, and of
    /// ``withLease(on:_:)``. No lease is stored, so those of other processes are not among them.
    package func heldLeases() async -> [HeldLease] { await leases.held(now: environment.now()) }

    // MARK: For a write

    func lease(of uri: ObjectURI, _ resource: Resource) async -> HeldLeases.Held? {
        await LeaseKeeper(self).lease(of: uri, resource)
    }

    func takeLease(of uri: ObjectURI, _ resource: Resource) async throws {
        try await LeaseKeeper(self).take(uri, resource)
    }

    func giveLeaseBack(of uri: ObjectURI, _ resource: Resource) async {
        await LeaseKeeper(self).giveBack(uri, resource)
    }

    /// What the answer to a lane that asks for a lease leads to.
    func settleLease(
        _ reply: ResourceClient.Reply, _ address: LaneAddress, _ resource: Resource, asked: Timestamp
    ) async throws -> LaneMachine.Event {
        let answer: LeaseKeeper.Answer
        do {
            answer = try await LeaseKeeper(self).answer(reply, address.uri, resource, asked: asked)
        } catch let error as SyncError {
            return .unanswered(try await postponeToNextPush(address, .init(message: error.message)))
        }
        switch answer {
        case .given: return .applied(.init(), standing: .done)
        case .gone(let failure):
            guard resource.read.isOffered else {
                return try await goneWithoutRead(failure, address, resource)
            }
            return .applied(.init(next: .confirmGone(after: .lease(failure)), note: failure.message), standing: .done)
        case .refused(let failure, let retryAt):
            return try await apply(address, resource) { engine, object, _, _ in
                engine.leaseRefused(failure, of: object, retryAt: retryAt)
            }
        case .failed(let failure, .unauthorized): return .unanswered(.signInNeeded(failure.message))
        case .failed(let failure, .reject): return .unanswered(try await postponeToNextPush(address, failure))
        case .failed(let failure, _): return .unanswered(try await postpone(address, failure))
        }
    }

    /// The edit lease was answered with “there is no such object”, and a list alone tells whether that is so.
    private func goneWithoutRead(
        _ failure: MetaObject.Failure, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        guard let lease = resource.lease else { return .unanswered(.done) }
        let uri = await address.uri
        let place = try await store.read {
            try ObjectPlace($0.existing(uri).1, resource: resource, routeFile: self.routeFile, in: $0)
        }
        let proof = GoneProof(synchronizer: self, resource: resource)
        do {
            if let reason = try await proof.whyNotGone(uri, at: place, asked: lease) {
                var failure = failure
                failure.message = reason
                let doubt = failure
                return try await apply(address, resource) { engine, object, _, _ in engine.unreadable(doubt, object) }
            }
        } catch let error as SyncError {
            return .unanswered(try await postpone(address, .init(message: error.message)))
        }
        let sequence = nextSequence()
        return try await apply(address, resource) { engine, object, uri, key in
            engine.remote(Representation(sequence: sequence), over: object, uri: uri, key: key)
        }
    }

    /// What a read has shown of an object whose edit lease was answered with “there is no such object”. Where the object is
    /// there, the address of the lease is wrong.
    func shownWithoutLease(
        _ found: Representation, _ refusal: MetaObject.Failure, _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let event = try await apply(address, resource) { engine, object, uri, key in
            engine.shownAfterGone(found, to: .lease(refusal), over: object, uri: uri, key: key)
        }
        guard found.record != nil, let lease = resource.lease, case .applied(_, let standing) = event else {
            return event
        }
        switch standing {
        case .done, .pending, .failed: break
        case .held, .rejected, .conflicted, .unknown, .offline, .signInNeeded: return event
        }
        var failure = refusal
        failure.message +=
            "; the server shows it, and answers \(resource.words(for: lease.acquire, status: failure.status ?? 404).remedy)"
        return .unanswered(try await postponeToNextPush(address, failure))
    }
}
