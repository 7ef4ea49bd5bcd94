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
}

/// Where an interrupted listing goes on, and what tells whether rows have moved since.
package struct PullPosition: Hashable, Sendable {
    /// The request target of the next page.
    package var target: String
    /// How many objects the server said there were in all; nil where it does not say.
    package var total: Int64?
    /// The row that the next page begins with once more; nil where pages do not overlap.
    package var last: Row?

    /// A row of a list, as it was when a page was read.
    package struct Row: Hashable, Sendable {
        /// The identifier's text.
        package var id: String
        /// What the row says of its last change: the cursor's member or the version, as the server writes it; nil where it
        /// has neither. A row that has changed since may have moved.
        package var change: String?

        /// A row that says nothing of its changes, by default.
        package init(id: String, change: String? = nil) {
            self.id = id
            self.change = change
        }
    }

    /// A place in a list of which the server tells no total, and whose pages do not overlap, by default.
    package init(target: String, total: Int64? = nil, last: Row? = nil) {
        self.target = target
        self.total = total
        self.last = last
    }

    /// What follows tells whether a row has moved over this place, whatever came and went meanwhile.
    package var isWatched: Bool { last != nil }
}

/// How far the pull of one scope has come.
public struct PullCursor: Hashable, Sendable {
    /// The server's own lexeme to send with the next incremental pull; nil before the first complete one.
    package var cursor: String?
    /// What ``cursor`` becomes with the last page of the pull that is under way.
    package var candidate: String?
    /// The page to go on with after an interruption.
    package var position: PullPosition?
    /// The start sequence of the listing that is under way; objects confirmed later are not missing from it.
    package var listing: Int64?
    /// The listing under way asks for everything, not for changes.
    package var isFull: Bool
    /// Who the server took us for when the cursor was set (`auth.identity`).
    package var identity: String?
    /// Who it took us for when the listing began that is under way, or when something was sent before the first listing;
    /// nil where no complete pull is outstanding. Some of what is here may be this one's.
    package var begunAs: String?
    /// The server that the last complete pull was of: the route file's base without its scheme.
    package var server: String?
    /// What that pull asked for: the request of the list's first page without a cursor, and where cursors come from. Those of
    /// another list mean nothing.
    package var request: String?
    /// When the last complete pull ended.
    package var lastPull: Timestamp?
    /// When the last complete pull of everything ended in which no row can have moved unseen, as far as the list tells.
    package var lastFull: Timestamp?
    /// The entity tag of the list's only page.
    package var tag: String?
    /// The request that ``tag`` belongs to, with the settings by which its answer was read: neither another request, nor the
    /// same one under other settings, is asked for with it.
    package var tagTarget: String?
    /// The identifiers of a view's objects, in its order; nil for a list.
    package var members: [String]?

    /// A cursor as given; without arguments that of a list that was never pulled.
    package init(
        cursor: String? = nil, candidate: String? = nil, position: PullPosition? = nil, listing: Int64? = nil,
        isFull: Bool = true, identity: String? = nil, lastPull: Timestamp? = nil, lastFull: Timestamp? = nil,
        tag: String? = nil, tagTarget: String? = nil, members: [String]? = nil
    ) {
        self.cursor = cursor
        self.candidate = candidate
        self.position = position
        self.listing = listing
        self.isFull = isFull
        self.identity = identity
        self.lastPull = lastPull
        self.lastFull = lastFull
        self.tag = tag
        self.tagTarget = tagTarget
        self.members = members
    }

    /// Something of the list was stored, or it came to its end.
    package var hasListed: Bool { lastPull != nil || position != nil || cursor != nil || members?.isEmpty == false }

    /// The next pull asks for everything.
    package mutating func forgetPlaces() {
        cursor = nil
        candidate = nil
        position = nil
        listing = nil
        lastFull = nil
        tag = nil
        tagTarget = nil
    }
}

extension PullScope {
    /// Kept for a view, and not for a list.
    package var isView: Bool { parent?.hasPrefix("?") == true }

    /// Kept for a list of what is there: neither for a view, nor for the list of what was deleted.
    package var isList: Bool { !isView && !isOfTombstones }
}
