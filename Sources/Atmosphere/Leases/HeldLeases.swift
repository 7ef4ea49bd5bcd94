/// The edit leases that this process has, by object. None is stored: one that a process leaves behind runs out.
actor HeldLeases {
    /// Why writes to an object may go.
    struct Held: Sendable, Hashable {
        enum Right: Sendable, Hashable {
            /// The server gave a lease; its token, nil where it gives none.
            case lease(token: String?)
            /// The server gave no lease, and advisory ones are done without.
            case waived
        }

        var right: Right
        var until: Timestamp

        /// Whether the server gave a lease.
        var isLease: Bool { right != .waived }

        var token: String? { if case .lease(let token) = right { token } else { nil } }
    }

    private var leases: [ObjectURI: Held] = [:]
    /// Who keeps a lease for longer than one write, such as a form that is open.
    private var keepers: [ObjectURI: Int] = [:]

    /// The right to write to an object, where there is one that has not run out.
    func lease(of uri: ObjectURI, now: Timestamp) -> Held? { leases[uri].flatMap { $0.until > now ? $0 : nil } }

    /// All that have not run out, in order of address.
    func held(now: Timestamp) -> [HeldLease] {
        leases.filter { $0.value.until > now && $0.value.isLease }.sorted { $0.key < $1.key }.map {
            HeldLease(uri: $0.key, until: $0.value.until)
        }
    }

    /// The server gave a lease, or prolonged one.
    func put(_ uri: ObjectURI, token: String?, until: Timestamp) {
        leases[uri] = Held(right: .lease(token: token), until: until)
    }

    /// Writes go without a lease until then. One that was not prolonged is held for the rest of its time.
    func waive(_ uri: ObjectURI, until: Timestamp, now: Timestamp) {
        guard lease(of: uri, now: now)?.isLease != true else { return }
        leases[uri] = Held(right: .waived, until: until)
    }

    /// The server does not accept it any more.
    func drop(_ uri: ObjectURI) { leases[uri] = nil }

    func keep(_ uri: ObjectURI) { keepers[uri, default: 0] += 1 }

    func unkeep(_ uri: ObjectURI) {
        let left = keepers[uri, default: 1] - 1
        keepers[uri] = left > 0 ? left : nil
    }

    /// Takes the lease out, to give it back to the server; nil where somebody keeps it, it has run out, or the server gave none.
    func takeOut(_ uri: ObjectURI, now: Timestamp) -> Held? {
        guard keepers[uri] == nil, let lease = leases.removeValue(forKey: uri), lease.until > now else { return nil }
        return lease.isLease ? lease : nil
    }
}

/// An edit lease that this process has.
package struct HeldLease: Sendable, Hashable {
    /// The object that it is for, by its present identifier.
    package var uri: ObjectURI
    /// When it runs out, unless it is renewed before.
    package var until: Timestamp
}
