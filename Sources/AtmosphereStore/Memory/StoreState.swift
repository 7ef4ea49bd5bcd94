/// Everything a store in memory holds, as one value: a copy is a snapshot and costs nothing.
package struct StoreState: Sendable {
    package struct Entity: Sendable {
        package fileprivate(set) var objects = OrderedTable<IdentifierKey, StoredObject>()
        /// Keys of the objects that are not synchronized.
        package fileprivate(set) var changed = OrderedTable<IdentifierKey, Void>()
        package fileprivate(set) var records = 0
        package var listing: Listing?
    }

    /// The listing under way and what it has shown.
    package struct Listing: Sendable {
        package var number: Int64
        package var shown = OrderedTable<IdentifierKey, Void>()

        package init(number: Int64) { self.number = number }
    }

    package private(set) var entities: [String: Entity] = [:]
    package private(set) var dependents = OrderedTable<ObjectURI, Set<ObjectURI>>()
    package private(set) var aliases = OrderedTable<ObjectURI, ObjectURI>()
    /// Where one alias leads from, by where it leads.
    package private(set) var formers = OrderedTable<ObjectURI, Set<ObjectURI>>()
    package var cursors: [PullScope: PullCursor] = [:]
    package var highestSequence: Int64 = 0

    package init() {}

    package subscript(uri: ObjectURI) -> StoredObject? {
        get { entities[uri.entity]?.objects[IdentifierKey(uri.id)] }
        set { set(newValue, at: IdentifierKey(uri.id), uri) }
    }

    private mutating func set(_ new: StoredObject?, at key: IdentifierKey, _ uri: ObjectURI) {
        let old = entities[uri.entity]?.objects[key]
        if old == nil, new == nil { return }
        entities[uri.entity, default: Entity()].replace(old, by: new, at: key)
        let waited = old?.meta?.waitsFor ?? []
        let waits = new?.meta?.waitsFor ?? []
        if waited == waits { return }
        for parent in waited {
            var children = dependents[parent] ?? []
            children.remove(uri)
            dependents[parent] = children.isEmpty ? nil : children
        }
        for parent in waits { dependents[parent] = (dependents[parent] ?? []).union([uri]) }
    }

    /// - Parameter present: nil ends the alias.
    package mutating func setAlias(of uri: ObjectURI, to present: ObjectURI?) {
        if let known = aliases[uri] {
            var others = formers[known] ?? []
            others.remove(uri)
            formers[known] = others.isEmpty ? nil : others
        }
        aliases[uri] = present
        if let present { formers[present] = (formers[present] ?? []).union([uri]) }
    }

    package mutating func setListing(_ listing: Listing?, of entity: String) {
        if listing == nil, entities[entity] == nil { return }
        entities[entity, default: Entity()].listing = listing
    }

    package mutating func noteShown(_ key: IdentifierKey, of entity: String) {
        entities[entity]?.listing?.shown[key] = ()
    }
}

extension StoreState.Entity {
    fileprivate mutating func replace(_ old: StoredObject?, by new: StoredObject?, at key: IdentifierKey) {
        objects[key] = new
        records += (new?.record == nil ? 0 : 1) - (old?.record == nil ? 0 : 1)
        let isChanged = new?.isChanged ?? false
        if isChanged != (old?.isChanged ?? false) { changed[key] = isChanged ? () : nil }
        if new == nil { listing?.shown[key] = nil }
    }
}
