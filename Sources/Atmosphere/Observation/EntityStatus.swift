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

    /// Every resource in its order, and behind them by name the other entities of which something waits to be sent.
    static func all(of resources: [Resource], in snapshot: any StoreSnapshot) throws -> [EntityStatus] {
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
