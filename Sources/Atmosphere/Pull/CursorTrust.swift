/// What a cursor that is kept is worth to a pull: whose it is, of which list and how old.
struct CursorTrust: Sendable {
    let resource: Resource
    /// Who the server takes us for, where the route file asks.
    let identity: String?
    /// The server of the route file.
    let server: String
    /// A person accepts what another identity, or another server, has left.
    let acceptsOthers: Bool

    /// Another identity than that of the last complete pull sees other objects, so its lists prove no absence and its
    /// cursors would skip what only one of them sees.
    func isAnothers(_ cursor: PullCursor) -> Bool {
        guard let identity else { return false }
        return [cursor.identity, cursor.begunAs].contains { $0 != nil && !$0.hasSameBytes(as: identity) }
    }

    /// Before the first complete pull nobody has said as whom the objects here were created.
    func isKnown(_ cursor: PullCursor) -> Bool {
        identity == nil || cursor.identity.hasSameBytes(as: identity) || acceptsOthers
    }

    /// Whether a cursor is somebody else's, or of another server.
    func isForeign(_ scope: PullScope, _ cursor: PullCursor) -> Bool {
        isOfOtherServer(cursor)
            || KnownIdentity.all(of: scope, cursor).contains { !identity.hasSameBytes(as: $0.name) }
    }

    /// A cursor that somebody else, or another server, has left, as that of who is here now.
    func accepted(_ cursor: PullCursor) -> PullCursor {
        var cursor = cursor
        if cursor.begunAs != nil { cursor.begunAs = identity }
        if cursor.identity != nil { cursor.complete?.identity = identity }
        if cursor.server != nil { cursor.server = server }
        return cursor
    }

    /// Whether a cursor was set by another list than the one that is asked for, or on another server.
    func isOther(_ cursor: PullCursor, _ request: String) -> Bool {
        if let known = cursor.request, known != request { return true }
        return isFromElsewhere(cursor) || isOfOtherServer(cursor)
    }

    /// Whether the checkpoint was taken from another place than the route file names now.
    func isFromElsewhere(_ cursor: PullCursor) -> Bool {
        guard let since = resource.since, let origin = cursor.origin else { return false }
        return origin != since.origin.text
    }

    private func isOfOtherServer(_ cursor: PullCursor) -> Bool { cursor.server.map { $0 != server } ?? false }

    /// Whether a checkpoint is of the kind that the route file declares; a link says everything itself.
    func isReadable(_ checkpoint: String) -> Bool {
        guard let since = resource.since, !RequestTarget.isAbsolute(checkpoint) else { return true }
        return since.reading(of: checkpoint).kind >= since.leastKind
    }

    /// Whether it is time to list everything again, whatever the server tells of changes. So it is where a pull was made by a
    /// clock that was set back since: nobody can tell how long ago that was.
    func isFullDue(_ cursor: PullCursor, now: Timestamp) -> Bool {
        guard let since = resource.since else { return false }
        if since.expires != nil, let last = cursor.complete?.ended, last.age(at: now) == nil { return true }
        guard let every = since.fullEvery else { return false }
        guard let age = cursor.complete?.fullEnded?.age(at: now) else { return true }
        return age > every
    }

    /// Whether the server may have given up what the checkpoint stands for.
    func hasExpired(_ cursor: PullCursor, now: Timestamp) -> Bool {
        guard let expires = resource.since?.expires, let age = cursor.complete?.ended.age(at: now) else { return false }
        return age > expires
    }

    /// The tentative checkpoint of a list of everything, where it stays however the list goes on after an interruption: what
    /// the list had stored may have been deleted since, and only what changed after that checkpoint tells so. A token stands
    /// for all before it.
    func lastingCheckpoint(of listing: PullCursor.Underway) -> String? {
        let isLasting =
            listing.isFull && resource.deletes.field != nil && resource.since?.takesLastPage != true
        return isLasting ? listing.tentative : nil
    }
}
