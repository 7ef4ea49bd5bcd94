/// What one cursor is kept for: an entity, and the parent where objects are listed per parent.
public struct PullScope: Hashable, Sendable, CustomStringConvertible {
    /// The entity that is listed.
    public var entity: String
    /// The identifiers of the parents that the listing's path names, joined as in ``ObjectURI/init(entity:segments:)``.
    public var parent: String?

    /// A list of an entity: the only one where `parent` is nil.
    public init(entity: String, parent: String? = nil) {
        self.entity = entity
        self.parent = parent
    }

    /// By bytes, as ``ObjectURI``.
    public static func == (left: PullScope, right: PullScope) -> Bool {
        left.entity.hasSameBytes(as: right.entity)
            && left.parent.hasSameBytes(as: right.parent)
    }

    public func hash(into hasher: inout Hasher) {
        entity.hashBytes(into: &hasher)
        hasher.combine(parent.map { ScalarText($0) })
    }

    public var description: String {
        guard let parent else { return entity }
        guard isOfTombstones else { return "\(entity) of \(parent)" }
        let above = parent.dropFirst(Self.tombstones.count + 1)
        return "deletes.list of \(entity)\(above.isEmpty ? "" : " of \(above)")"
    }

    /// No segment of a parent's identifier begins with a number sign: it would be encoded.
    private static let tombstones = "#deleted"

    /// Kept for the list of what was deleted, and not for one of what is there.
    package var isOfTombstones: Bool { parent?.hasPrefix(Self.tombstones) == true }

    /// That of the list of what was deleted, under the same parent.
    package var ofTombstones: PullScope {
        PullScope(entity: entity, parent: Self.tombstones + (parent.map { "/\($0)" } ?? ""))
    }

    /// Kept for a view, and not for a list.
    package var isView: Bool { parent?.hasPrefix("?") == true }

    /// Kept for a list of what is there: neither for a view, nor for the list of what was deleted.
    package var isList: Bool { !isView && !isOfTombstones }
}
