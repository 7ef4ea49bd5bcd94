/// What ``StoreTransaction/absorb(_:items:)`` did.
public struct Absorbed: Sendable, Hashable {
    /// Objects that were not known and are stored as synchronized.
    public var inserted = 0
    /// Synchronized objects whose record or version was replaced.
    public var updated = 0
    /// Shown as they were; not written again.
    public var unchanged = 0
    /// Indices into the page of items that the planner must decide.
    public var deferred: [Int] = []

    /// Nothing was done yet.
    public init() {}

    /// Adds what was done with other items of the page.
    package mutating func add(_ other: Absorbed) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        deferred += other.deferred
    }
}
