/// The edit lease of a lane's object: what the server says to the request for it.
struct LaneLease: Sendable {
    let lane: Lane

    private var synchronizer: Synchronizer { lane.synchronizer }
    private var resource: Resource { lane.resource }

    /// - Parameter asked: when the request was sent.
    func settle(_ reply: ResourceClient.Reply, asked: Timestamp) async throws -> LaneMachine.Event {
        let answer: LeaseKeeper.Answer
        do {
            answer = try await LeaseKeeper(synchronizer).answer(reply, lane.uri, resource, asked: asked)
        } catch let error as SyncError {
            return .unanswered(try await lane.postponeToNextPush(.init(message: error.message)))
        }
        switch answer {
        case .given: return .applied(.init(), standing: .done)
        case .gone(let failure):
            guard resource.read.isOffered else { return try await goneWithoutRead(failure) }
            return .applied(
                .init(next: .confirmGone(after: .lease(failure)), note: failure.message), standing: .done)
        case .refused(let failure, let retryAt):
            return try await lane.apply { engine, object, _, _ in
                engine.leaseRefused(failure, of: object, retryAt: retryAt)
            }
        case .failed(let failure, .unauthorized): return .unanswered(.signInNeeded(failure.message))
        case .failed(let failure, .reject): return .unanswered(try await lane.postponeToNextPush(failure))
        case .failed(let failure, _): return .unanswered(try await lane.postpone(failure))
        }
    }

    /// The edit lease was answered with “there is no such object”, and a list alone tells whether that is so.
    private func goneWithoutRead(_ failure: MetaObject.Failure) async throws -> LaneMachine.Event {
        guard let lease = resource.lease else { return .unanswered(.done) }
        let uri = await lane.uri
        let place = try await synchronizer.store.read { snapshot in
            try snapshot.object(at: uri).map {
                try ObjectPlace($0, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
            }
        }
        // Removed here while the server was asked.
        guard let place else { return .unanswered(.done) }
        let proof = GoneProof(synchronizer: synchronizer, resource: resource)
        do {
            if let reason = try await proof.whyNotGone(uri, at: place, asked: lease) {
                var failure = failure
                failure.message = reason
                let doubt = failure
                return try await lane.apply { engine, object, _, _ in engine.unreadable(doubt, object) }
            }
        } catch let error as SyncError {
            return .unanswered(try await lane.postpone(.init(message: error.message)))
        }
        let gone = Representation(sequence: synchronizer.nextSequence())
        return try await lane.apply { engine, object, uri, key in
            engine.remote(gone, over: object, uri: uri, key: key)
        }
    }

    /// What a read has shown of an object whose edit lease was answered with “there is no such object”. Where the object is
    /// there, the address of the lease is wrong.
    func shown(_ found: Representation, after refusal: MetaObject.Failure) async throws -> LaneMachine.Event {
        let event = try await lane.apply { engine, object, uri, key in
            engine.shownAfterGone(found, to: .lease(refusal), over: object, uri: uri, key: key)
        }
        guard found.record != nil, let lease = resource.lease, case .applied(_, let standing) = event else {
            return event
        }
        switch standing {
        case .done, .pending, .failed: break
        case .held, .rejected, .conflicted, .unknown, .offline, .signInNeeded: return event
        }
        let words = resource.words(for: lease.acquire, status: refusal.status ?? 404)
        var failure = refusal
        failure.message += "; the server shows it, and answers \(words.remedy)"
        return .unanswered(try await lane.postponeToNextPush(failure))
    }
}
