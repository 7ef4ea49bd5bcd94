extension Synchronizer {
    /// Pushes, then pulls everything.
    ///
    /// A push that cannot reach the server, or sends nothing because of who it takes us for, is not followed by a pull.
    ///
    /// - Throws: as ``push(entities:)`` and ``pull(entities:options:)``.
    @discardableResult
    public func synchronize(options: PullOptions = PullOptions()) async throws -> SyncReport {
        try await synchronize(options: options, isAsked: true)
    }

    /// - Parameter isAsked: somebody asked for it now, so what has failed is tried before its time.
    func synchronize(options: PullOptions = PullOptions(), isAsked: Bool) async throws -> SyncReport {
        let push = try await push(routeFile.resources, isAsked: isAsked)
        guard push.leavesPull(to: routeFile) else { return SyncReport(push: push, pull: nil) }
        return SyncReport(push: push, pull: try await pull(options: options))
    }

    /// Objects by entity and state, with cursor and time of the last complete pull. Every entity of the route file is
    /// there, in its order; behind them, by name, those that it does not have any more and of which something waits to be
    /// sent (``EntityStatus/isDeclared``).
    public func status() async throws -> [EntityStatus] {
        let resources = routeFile.resources
        return try await store.read { try EntityStatus.all(of: resources, in: $0) }
    }

    /// Objects that both sides changed, for a person to decide with ``resolve(_:_:)``; in order of address.
    public func conflicts(entity: String? = nil) async throws -> [LocalObject] {
        try await pending(entity: entity).filter { if case .conflicted = $0.status { true } else { false } }
    }

    /// Objects whose change the server refused for good: edit them, ``retry(_:)`` or ``discard(_:)``.
    public func rejected(entity: String? = nil) async throws -> [LocalObject] {
        try await pending(entity: entity).filter { if case .rejected = $0.status { true } else { false } }
    }

    /// Objects of which nobody knows whether their change has happened: ``resolve(_:_:)`` with `adopt` or `resend`, see
    /// ``candidates(for:)``, or ``discard(_:)``.
    public func unknown(entity: String? = nil) async throws -> [LocalObject] {
        try await pending(entity: entity).filter { if case .unknown = $0.status { true } else { false } }
    }
}
