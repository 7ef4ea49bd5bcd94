/// How long the origin has asked its clients to wait, for all processes that share a store.
package struct OriginPause: Sendable, Hashable {
    /// When it was asked for.
    package var start: Timestamp
    package var end: Timestamp
    /// The origin asked for longer, and is not heeded beyond this; of a pause that another process was asked for nobody knows.
    package var isCut = false

    /// No entity has an empty name.
    fileprivate static let scope = PullScope(entity: "", parent: "pause")

    /// The pause that the origin asked for last, which may be over.
    package static func kept(in snapshot: any StoreSnapshot) throws -> OriginPause? {
        guard let kept = try snapshot.cursor(for: scope), let start = kept.complete?.ended,
            let end = kept.checkpoint.flatMap({ Int64($0) })
        else { return nil }
        return OriginPause(start: start, end: Timestamp(milliseconds: end))
    }
}

/// Where the pauses are kept that one process was asked for and all have to mind.
package struct SharedPauses: Sendable {
    /// nil where there is none, or it cannot be read: then this process will be told itself.
    package var load: @Sendable () async -> OriginPause?
    var save: @Sendable (OriginPause) async -> Void

    /// Kept beside the cursors of a store, under a scope that no list has.
    package init(in store: any Store) {
        load = { try? await store.read { try OriginPause.kept(in: $0) } }
        save = { pause in
            try? await store.write(.process, origin: .pull) { transaction in
                let cursor = PullCursor(
                    checkpoint: String(pause.end.milliseconds), complete: .init(ended: pause.start))
                try transaction.put(cursor, for: OriginPause.scope)
            }
        }
    }
}
