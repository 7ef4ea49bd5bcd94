/// What one commit changed.
public struct CommitSet: Sendable, Hashable {
    /// Who brought a commit about; in `otherProcess` nobody knows what for.
    public enum Origin: Sendable, Hashable {
        /// The application's own edits and decisions; a pull; a push, with the marks and outcomes of what it sends; a
        /// live update; another process that wrote to the same store.
        case application, pull, push, live, otherProcess
    }

    /// What the whole commit was made for; one commit has one.
    public var origin: Origin
    /// The changed objects by entity; an empty set says that any object of the entity may have changed.
    public var objects: [String: Set<String>]

    /// A commit of these objects; see ``objects`` for what an empty set means.
    public init(origin: Origin, objects: [String: Set<String>]) {
        self.origin = origin
        self.objects = objects
    }

    /// Above it an entity's set is emptied, which says that any object may have changed.
    package static let largestSet = 1_000

    /// Whether a text of one set is equal to a text of the other and has other bytes: a union would lose one of them.
    package static func cannotUnite(_ texts: Set<String>, _ others: Set<String>) -> Bool {
        others.contains { other in
            guard let index = texts.firstIndex(of: other) else { return false }
            return !texts[index].hasSameBytes(as: other)
        }
    }

    /// Different identifiers as a set; empty, for any object, where two are canonically equivalent: a set of texts holds one.
    package static func named(_ identifiers: some Collection<String>) -> Set<String> {
        let texts = Set(identifiers)
        return texts.count < identifiers.count ? [] : texts
    }

    /// Adds another commit's objects; the origin stays.
    package mutating func merge(_ other: CommitSet) {
        for (entity, ids) in other.objects { insert(ids, of: entity) }
    }

    /// Adds objects of an entity; an empty set says that any may have changed, and so does one of more than 1,000 in
    /// all. Two identifiers that are canonically equivalent make an empty set: a set of texts holds one of them.
    public mutating func insert(_ ids: Set<String>, of entity: String) {
        if objects[entity]?.isEmpty == true { return }
        let isLossy = Self.cannotUnite(objects[entity, default: []], ids)
        objects[entity, default: []].formUnion(ids)
        if ids.isEmpty || isLossy || objects[entity, default: []].count > Self.largestSet { objects[entity] = [] }
    }
}
