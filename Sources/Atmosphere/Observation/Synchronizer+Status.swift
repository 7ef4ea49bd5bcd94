extension Synchronizer {
    /// Pushes, then pulls everything.
    ///
    /// A push that cannot reach the server is not followed by a pull.
    ///
    /// - Throws: as ``push(entities:)`` and ``pull(entities:options:)``.
    @discardableResult
    public func synchronize(options: PullOptions = PullOptions()) async throws -> SyncReport {
        try await synchronize(options: options, isAsked: true)
    }

    /// - Parameter isAsked: somebody asked for it now, so what has failed is tried before its time.
    func synchronize(options: PullOptions = PullOptions(), isAsked: Bool) async throws -> SyncReport {
        let push = try await push(routeFile.resources, isAsked: isAsked)
        guard push.unreachable == nil, push.signInNeeded == nil else { return SyncReport(push: push, pull: nil) }
        return SyncReport(push: push, pull: try await pull(options: options))
    }

    /// Objects by entity and state, with cursor and time of the last complete pull. Every entity of the route file is
    /// there, in its order; behind them, by name, those that it does not have any more and of which something waits to be
    /// sent (``EntityStatus/isDeclared``).
    public func status() async throws -> [EntityStatus] {
        let resources = routeFile.resources
        return try await store.read { snapshot in
            var counts = try snapshot.counts()
            let declared = try resources.map { resource in
                let cursors = try snapshot.cursors(entity: resource.name).filter(\.scope.isList)
                let pulls = cursors.map(\.cursor.complete?.ended)
                return EntityStatus(
                    entity: resource.name, counts: counts[resource.name] ?? StateCounts(),
                    cursor: cursors.count == 1 ? cursors[0].cursor.checkpoint : nil,
                    lastPull: pulls.contains(nil) ? nil : pulls.compactMap { $0 }.min())
            }
            for resource in resources { counts[resource.name] = nil }
            let others = counts.filter { $0.value.changed > 0 }.sorted { $0.key.precedesInBytes($1.key) }
            return declared + others.map { EntityStatus(entity: $0.key, counts: $0.value, isDeclared: false) }
        }
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

/// What ``Synchronizer/synchronize(options:)`` did.
public struct SyncReport: Sendable, Hashable {
    /// What was sent.
    public var push: PushReport
    /// nil where the push could not reach the server.
    public var pull: PullReport?
}

/// One line of a status.
public struct EntityStatus: Sendable, Hashable {
    /// The entity, as the route file or the store has it.
    public var entity: String
    /// Its objects by state.
    public var counts: StateCounts
    /// The cursor, where the entity has one list.
    package var cursor: String?
    /// When the last complete pull ended; the oldest of the entity's lists.
    public var lastPull: Timestamp?
    /// Whether the route file has the entity. What waits of one that it does not have can neither be sent nor pulled: put
    /// the resource back, or discard the changes.
    public var isDeclared = true
}
