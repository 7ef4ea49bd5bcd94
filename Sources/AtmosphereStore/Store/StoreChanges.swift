/// What one transaction changed, by name: a store that keeps changes looks the new values up in the new state.
package struct StoreChanges: Sendable {
    /// Objects whose record or meta object is new or gone.
    package var objects: Set<ObjectURI> = []
    package var aliases: Set<ObjectURI> = []
    package var cursors: Set<PullScope> = []
    /// Entities whose listing began or ended.
    package var listings: Set<String> = []
    /// What the listing under way has shown more, by entity.
    package var shown: [String: [String]] = [:]
    /// The highest sequence, where it rose.
    package var sequence: Int64?

    package init() {}

    package var isEmpty: Bool {
        objects.isEmpty && aliases.isEmpty && cursors.isEmpty && listings.isEmpty && shown.isEmpty && sequence == nil
    }

    /// The entities with something new to keep.
    package var entities: Set<String> {
        Set(objects.map(\.entity)).union(listings).union(shown.keys)
    }
}
