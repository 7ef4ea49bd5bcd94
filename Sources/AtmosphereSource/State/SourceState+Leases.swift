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
        if isLent(row, request, resource), let refusal = lease.toldRefusal { return refusal }
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
        guard isLent(row, request, resource), let lease = resource.lease else { return }
        let statuses = lease.refusals.filter { $0.path == nil }.flatMap(\.statuses)
        let status = statuses.contains(423) ? 423 : statuses.first ?? 423
        throw .general(status: status, "Somebody else has the lease.")
    }

    /// Whether somebody else has the lease of an object.
    private func isLent(_ row: SourceTable.Row, _ request: SourceRequest, _ resource: Resource) -> Bool {
        guard let header = resource.lease?.token?.header,
            let held = held(ObjectURI(entity: resource.name, id: row.key))
        else { return false }
        return request.headers[header] != held.token
    }

    private func held(_ key: ObjectURI) -> SourceLease? { leases[key].flatMap { $0.expires > now ? $0 : nil } }
}

extension Lease {
    /// A refusal in the words of the body, where the route file says no status for it.
    fileprivate var toldRefusal: SourceAnswer? {
        guard refusals.allSatisfy({ $0.path != nil }), let rule = refusals.first, let path = rule.path else {
            return nil
        }
        return SourceAnswer(
            rule.statuses.first ?? 200, Value.object([:]).setting(rule.values.first ?? "locked", at: path))
    }
}
