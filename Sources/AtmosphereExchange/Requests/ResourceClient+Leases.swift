extension ResourceClient {
    /// - Parameter token: of the lease that is held already.
    package func leaseRequest(
        _ route: Lease.Route, _ resource: Resource, at place: ObjectPlace, token: String?
    ) throws -> Request {
        let target = RequestTarget(path: try place.filled(route.path, for: resource))
        var request = try self.request(route.method, target, resource)
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
        func pending(_ word: String, _ route: Lease.Route, token: String?) throws -> PendingRequest {
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
