/// What becomes of a create that is sent at once.
extension Synchronizer {
    /// What is known of a create that was sent.
    enum CreateOutcome: Sendable {
        /// The server answered; what the answer says of the object, nil where that is nothing.
        case answered(Representation?)
        /// The answer was lost, or named nothing, and the server shows what was sent.
        case found(Representation)

        var id: ObjectID? {
            switch self {
            case .answered(let shown): shown?.id
            case .found(let shown): shown.id
            }
        }
    }

    /// Sends a create. Where its answer is lost the server is asked once what has become of it, for nothing is left behind
    /// that would do so later: it is sent again under its key, or looked up.
    ///
    /// Only what the server has changes the outcome: what a look-up does not show may be on its way still.
    ///
    /// - Throws: ``SyncError`` as ``send(_:)``, with what was asked in vain.
    func sendCreate(_ attempt: DirectWrite) async throws -> CreateOutcome {
        do {
            let shown = try await send(attempt)
            if attempt.resource.assigned == .server, shown?.id == nil, attempt.resource.canLookUp,
                let found = try? await lookUp(attempt)
            {
                return .found(found)
            }
            return .answered(shown)
        } catch let error as SyncError where error.mayHaveHappened {
            return try await outcome(of: attempt, after: error)
        }
    }

    private func outcome(of attempt: DirectWrite, after lost: SyncError) async throws -> CreateOutcome {
        // Whoever asks for patience is asked nothing more.
        if lost.cause is ResourceClient.AskedToWait || Task.isCancelled { throw lost }
        var lost = lost
        if attempt.resource.recovery == .repeatSafely {
            do {
                return .answered(try await send(attempt))
            } catch let error as SyncError where error.code == .refused {
                lost.message += "; sent again: \(error.message)"
            } catch {}
        }
        guard attempt.resource.canLookUp, !Task.isCancelled else { throw lost }
        do {
            if let found = try await lookUp(attempt) { return .found(found) }
            lost.message += "; a look-up does not show it so far"
        } catch let error as SyncError {
            lost.message += "; a look-up failed, too: \(error.message)"
        } catch {}
        throw lost
    }

    /// Looks for what was sent.
    ///
    /// - Returns: nil where the server shows nothing that is it for certain.
    /// - Throws: ``SyncError`` or ``ExtractionError`` where the answer does not tell.
    private func lookUp(_ attempt: DirectWrite) async throws -> Representation? {
        let (resource, object) = (attempt.resource, attempt.marked)
        let consequence = "a look-up would not tell whether the create has happened"
        if let doubt = try await doubt(about: [resource], consequence) {
            note(object.uri, doubt)
            return nil
        }
        var place = try await store.read {
            try ObjectPlace(object, resource: resource, routeFile: self.routeFile, in: $0)
        }
        place.record = attempt.snapshot.record
        let sequence = nextSequence()
        let request = try client.lookUpRequest(resource, at: place)
        note(object.uri, "\(request.request.method) \(ObjectRequest.lookUp.reason)")
        let asked = place
        return try await told(of: object.uri) {
            let reply = try await self.reply(to: request, resource, about: object.uri)
            self.note(object.uri, "answered \(reply.status)")
            guard reply.isSuccess, !self.client.isWebPage(reply) else {
                let (failure, treatment) = self.client.failure(in: reply, of: resource)
                if treatment == .gone, resource.looksUpByID { return nil }
                throw SyncError(
                    refused: failure, treatment, "look up \(object.uri)", remedy: self.routeFile.signInRemedy)
            }
            let found = try self.lookUpResult(reply, resource, asked, sequence)
            let own = try await self.store.read { snapshot -> Representation? in
                var engine = ChangeEngine(resource)
                try engine.learn(whatOthersBecame: found, beside: object, in: snapshot)
                return engine.own(among: found, of: attempt.snapshot, object.meta)
            }
            self.note(object.uri, own == nil ? "not on the server so far" : "found on the server")
            return own
        }
    }
}
