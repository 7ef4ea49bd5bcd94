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
    /// Those that ended before they were given back, in the order of their ends; a new lease of the object takes its place.
    private var ended: [EditLease] = []
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: a lease was given, prolonged, given back, or has ended.
    init(onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

    /// The most ends that are remembered.
    private static let mostEnded = 100

    /// Who keeps a lease for longer than one write, such as a form that is open.
    private var keepers: [ObjectURI: Int] = [:]

    /// The right to write to an object, where there is one that has not run out.
    func lease(of uri: ObjectURI, now: Timestamp) -> Held? {
        guard let held = leases[uri] else { return nil }
        if held.until > now { return held }
        leases[uri] = nil
        if held.isLease { end(EditLease(uri: uri, state: .ranOut(at: held.until))) }
        return nil
    }

    /// All that are held, in order of address, and behind them those that ended before they were given back.
    func all(now: Timestamp) -> [EditLease] {
        for uri in leases.keys.sorted() { _ = lease(of: uri, now: now) }
        let held = leases.filter { $0.value.isLease }.sorted { $0.key < $1.key }
        return held.map { EditLease(uri: $0.key, state: .held(until: $0.value.until)) } + ended
    }

    /// The server gave a lease, or prolonged one.
    func put(_ uri: ObjectURI, token: String?, until: Timestamp) {
        leases[uri] = Held(right: .lease(token: token), until: until)
        ended.removeAll { $0.uri == uri }
        onChange()
    }

    /// The server does not accept a lease any more; what it said. Nothing where none was held.
    func lose(_ uri: ObjectURI, _ failure: MetaObject.Failure, now: Timestamp) {
        guard let held = lease(of: uri, now: now) else { return }
        leases[uri] = nil
        if held.isLease { end(EditLease(uri: uri, state: .lost(failure, at: now))) }
    }

    private func end(_ lease: EditLease) {
        ended.removeAll { $0.uri == lease.uri }
        ended.append(lease)
        ended.removeFirst(max(0, ended.count - Self.mostEnded))
        onChange()
    }

    /// Writes go without a lease until then. One that was not prolonged is held for the rest of its time.
    func waive(_ uri: ObjectURI, until: Timestamp, now: Timestamp) {
        guard lease(of: uri, now: now)?.isLease != true else { return }
        leases[uri] = Held(right: .waived, until: until)
    }

    /// There is no such object any more, and no lease of it.
    func drop(_ uri: ObjectURI) {
        leases[uri] = nil
        onChange()
    }

    func keep(_ uri: ObjectURI) { keepers[uri, default: 0] += 1 }

    func unkeep(_ uri: ObjectURI) {
        let left = keepers[uri, default: 1] - 1
        keepers[uri] = left > 0 ? left : nil
    }

    /// Takes the lease out, to give it back to the server; nil where somebody keeps it, it has run out, or the server gave none.
    func takeOut(_ uri: ObjectURI, now: Timestamp) -> Held? {
        guard keepers[uri] == nil, let held = lease(of: uri, now: now) else { return nil }
        leases[uri] = nil
        onChange()
        return held.isLease ? held : nil
    }
}
