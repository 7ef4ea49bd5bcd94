/// What changed in an entity.
public struct EntityChange: Sendable, Hashable {
    /// The entity that was followed.
    public var entity: String
    /// nil where any object may have changed.
    public var changed: Set<ObjectURI>?
    /// Its objects by state, after the change.
    public var counts: StateCounts
}
