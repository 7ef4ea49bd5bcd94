internal import Atmosphere

/// An edit lease that the source has given.
struct SourceLease: Sendable {
    var token: String
    /// Microseconds since 1970.
    var expires: Int64
}

extension SourceRoutes {
    /// What a request about a lease asks for.
    enum LeaseVerb: Sendable {
        case acquire, renew, release
    }
}

extension SourceState {
    /// Gives, prolongs and takes back edit leases, as WebDAV does with its locks (RFC 4918 §6): without one everybody
    /// may write, and under one only who shows its token. A lease that is declared without a token binds nobody, for
    /// the source could not tell one client from another.
    mutating func perform(
        _ verb: SourceRoutes.LeaseVerb, of lease: Lease, _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        let resource = match.resource
        let row = try self.row(match)
        try checkLease(on: row, request, resource)
        let key = ObjectURI(entity: resource.name, id: row.key)
        guard verb != .release else {
            leases[key] = nil
            return SourceAnswer(204)
        }
        let (seconds, attoseconds) = lease.length.components
        let token = held(key)?.token ?? "lease-\(tick())"
        leases[key] = SourceLease(token: token, expires: now + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        switch lease.token?.place {
        case .body(let path)?: return SourceAnswer(200, Value.object([:]).setting(.string(token), at: path))
        case .header(let name)?:
            var answer = SourceAnswer(204)
            answer.headers[name] = token
            return answer
        case nil: return SourceAnswer(204)
        }
    }

    /// Refuses what somebody else's lease forbids.
    func checkLease(
        on row: SourceTable.Row, _ request: SourceRequest, _ resource: Resource
    ) throws(SourceRefusal) {
        guard let lease = resource.lease, let header = lease.token?.header,
            let held = held(ObjectURI(entity: resource.name, id: row.key)), request.headers[header] != held.token
        else { return }
        let status = lease.refusals.contains(423) ? 423 : lease.refusals.first ?? 423
        throw .general(status: status, "Somebody else has the lease.")
    }

    private func held(_ key: ObjectURI) -> SourceLease? { leases[key].flatMap { $0.expires > now ? $0 : nil } }
}
