/// What ``StoreTransaction/absorb(_:items:)`` did.
public struct Absorbed: Sendable, Hashable {
    /// Objects that were not known and are stored as synchronized.
    package var inserted = 0
    /// Synchronized objects whose record or version was replaced.
    package var updated = 0
    /// Shown as they were; not written again.
    package var unchanged = 0
    /// Indices into the page of items that the planner must decide.
    package var deferred: [Int] = []

    /// Nothing was done yet.
    public init() {}

    /// Decides about one item of a page, and counts it: the rule that every store follows.
    ///
    /// - Parameters:
    ///   - index: the item's number in the page, whatever slice of it was given.
    ///   - known: what the store holds under ``Page/uri(at:)``.
    /// - Returns: what to keep there in place of `known`; nil where nothing is to be written: it says the same, or the planner
    ///   decides.
    public mutating func decide(_ index: Int, of page: Page, known: StoredObject?) -> StoredObject? {
        switch Absorption(page.items[index], of: page, known: known) {
        case .insert(let object):
            inserted += 1
            return object
        case .update(let object):
            updated += 1
            return object
        case .unchanged:
            unchanged += 1
            return nil
        case .defer:
            deferred.append(index)
            return nil
        }
    }

    /// Adds what was done with other items of the page.
    package mutating func add(_ other: Absorbed) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        deferred += other.deferred
    }
}
