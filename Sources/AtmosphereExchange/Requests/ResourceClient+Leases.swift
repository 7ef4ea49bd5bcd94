extension ResourceClient {
    /// - Parameter token: of the lease that is held already.
    /// - Throws: ``SyncError`` `invalidRecord` where a place has no value.
    package func leaseRequest(
        _ route: Operation, _ resource: Resource, at place: ObjectPlace, token: String?
    ) throws -> Request {
        let place = place.leased(resource.lease, token: token, now: environment.now())
        var target = RequestTarget(path: try place.filled(route.path, for: resource))
        target.append(try route.query.map { try place.filled($0, "query", for: resource) })
        var request = try self.request(route.method, target, resource)
        if !route.set.isEmpty {
            try write(try place.filled(.object(route.set), for: resource), root: nil, resource, into: &request)
        }
        try set(route.headers, resource, at: place, in: &request)
        // Asking once more for what one has prolongs it, or changes nothing.
        request.mayRepeat = true
        if let token, let header = resource.lease?.token?.header { request.headers[header] = token }
        return request
    }

    /// What a push sends for the edit lease of an object before and after a write to it. With a deleted object its lease
    /// is gone.
    package func leasePreview(
        _ verb: Verb, _ resource: Resource, at place: ObjectPlace, uri: ObjectURI
    ) throws -> (before: [PendingRequest], after: [PendingRequest]) {
        guard let lease = resource.lease, verb != .create else { return ([], []) }
        func pending(_ word: String, _ route: Operation, token: String?) throws -> PendingRequest {
            var pending = PendingRequest(
                uri: uri, verb: word, request: try leaseRequest(route, resource, at: place, token: token))
            pending.isLease = true
            return pending
        }
        let after = verb == .delete ? nil : lease.release
        return (
            [try pending("lease", lease.acquire, token: nil)],
            try after.map { [try pending("release", $0, token: PendingRequest.unknownToken)] } ?? []
        )
    }

    /// What an answer says that somebody else has the lease that was asked for; nil where it says no such thing.
    package func leaseRefusal(in reply: Reply, of resource: Resource) -> MetaObject.Failure? {
        let rules = resource.lease?.refusals ?? []
        guard isAnswered(reply, by: rules, of: resource) else { return nil }
        var (failure, _) = failure(in: reply, of: resource)
        let body = try? extractors[resource.format]?.value(in: reply.body, limits: routeFile.limits.json)
        // The sign of a refusal is no message of its own.
        let signs = rules.compactMap { rule in body.flatMap { rule.path?.first(in: $0)?.text } }
        let words = signs.contains(failure.message) ? "" : ": \(failure.message)"
        failure.message = "somebody else has the edit lease\(words)"
        return failure
    }

    /// What an answer says that refuses a write because its lease is not held any more: by a status that says so, or by a body
    /// that refuses leases too; nil where it says no such thing.
    package func missedLease(in reply: Reply, of resource: Resource) -> MetaObject.Failure? {
        guard let lease = resource.lease else { return nil }
        if isAnswered(reply, by: lease.signs, of: resource) { return leaseRefusal(in: reply, of: resource) }
        return reply.status == Lease.locked ? failure(in: reply, of: resource).0 : nil
    }

    /// The token of a lease that was given. An empty text is none, and neither is `null`.
    ///
    /// - Parameter held: the token that goes on where the answer to a renewal shows none.
    /// - Throws: ``SyncError`` `unexpectedAnswer` where the answer lacks a declared one.
    package func leaseToken(in reply: Reply, of resource: Resource, held: String? = nil) throws -> String? {
        guard let token = resource.lease?.token else { return nil }
        let place: String
        let shown: String?
        switch token.place {
        case .header(let name):
            place = "in the header \(name)"
            shown = reply.headers[name]
        case .body(let path):
            let body = try? extractors[resource.format]?.value(in: reply.body, limits: routeFile.limits.json)
            let value = body.flatMap { path.first(in: $0) }
            place = value?.isNull == true ? "at \(path), but null" : "at \(path)"
            shown = value.flatMap { $0.isNull ? nil : $0.text }
        }
        if let shown, !shown.isEmpty { return shown }
        if let held { return held }
        throw SyncError(
            code: .unexpectedAnswer,
            message: "the answer that gives the edit lease holds no token \(place); let lease.token name the place "
                + "where it stands, or leave that out where the server knows without a token who has the lease")
    }
}

extension Lease {
    /// The refusals that a body tells, whatever request it answers.
    var signs: [ErrorRules.Rule] { refusals.filter { $0.path != nil } }
}
