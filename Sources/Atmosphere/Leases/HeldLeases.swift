/// The edit leases that this process has, by object. None is stored: one that a process leaves behind runs out.
actor HeldLeases {
    struct Held: Sendable, Hashable {
        /// nil where the server gives none.
        var token: String?
        var until: Timestamp
    }

    private var leases: [ObjectURI: Held] = [:]
    /// Who keeps a lease for longer than one write, such as a form that is open.
    private var keepers: [ObjectURI: Int] = [:]

    /// The lease of an object, where there is one that has not run out.
    func lease(of uri: ObjectURI, now: Timestamp) -> Held? { leases[uri].flatMap { $0.until > now ? $0 : nil } }

    /// All that have not run out, in order of address.
    func held(now: Timestamp) -> [HeldLease] {
        leases.filter { $0.value.until > now }.sorted { $0.key < $1.key }.map {
            HeldLease(uri: $0.key, until: $0.value.until)
        }
    }

    /// The server gave a lease, or prolonged one; without a new token the former one stays.
    func put(_ uri: ObjectURI, token: String?, until: Timestamp) {
        leases[uri] = Held(token: token ?? leases[uri]?.token, until: until)
    }

    /// The server does not accept it any more.
    func drop(_ uri: ObjectURI) { leases[uri] = nil }

    func keep(_ uri: ObjectURI) { keepers[uri, default: 0] += 1 }

    func unkeep(_ uri: ObjectURI) {
        let left = keepers[uri, default: 1] - 1
        keepers[uri] = left > 0 ? left : nil
    }

    /// Takes the lease out, to give it back to the server; nil where somebody keeps it, or it has run out.
    func takeOut(_ uri: ObjectURI, now: Timestamp) -> Held? {
        guard keepers[uri] == nil, let lease = leases.removeValue(forKey: uri), lease.until > now else { return nil }
        return lease
    }
}

/// An edit lease that this process has.
package struct HeldLease: Sendable, Hashable {
    /// The object that it is for, by its present identifier.
    package var uri: ObjectURI
    /// When it runs out, unless it is renewed before.
    package var until: Timestamp
}
