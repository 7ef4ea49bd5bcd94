/// One list: the scope its cursor is kept for, and the place that fills its path.
struct PulledList: Sendable {
    var scope: PullScope
    var place: ObjectPlace
    /// The object it is listed under.
    var parent: ObjectURI?
    /// The cursor without the listing.
    var known: PullCursor
    /// The listing as it was when it began, or goes on.
    var underway: PullCursor.Underway
    /// What the checkpoint belongs to, see ``PullCursor/request``; nil for a view, and for a list that was never asked for and
    /// cannot be.
    var request: String?
    /// What it does not show counts as absent, where no other list shows it.
    var showsAbsence = false
    /// Other parents of the entity have lists, too.
    var isOneOfSeveral = false

    /// Something that is here of it was read by other settings, so all that it shows is read anew.
    var isReadAnew = false

    /// Retention has dropped some of it too early, so all of it is listed, although its checkpoint would do.
    var lacksDropped = false

    /// It was never read to its end.
    var isNew: Bool { known.complete == nil }

    /// Whether the pull before has seen an item of a list of changes: it is not behind the checkpoint.
    ///
    /// - Parameter since: of the list.
    func hasSeen(_ item: PageItem, of page: Page, _ since: Since?) -> Bool {
        guard let since, case .field = since.origin, !underway.isFull, let checkpoint = known.checkpoint,
            let range = item.cursor
        else { return false }
        return !CursorOrder.isHigher(page.text(range), than: checkpoint, in: since)
    }

    /// The checkpoint that is stored by now, where this listing has stored a page; else the one that it began with.
    func checkpoint(keptIn stored: PullCursor?) -> String? {
        guard let stored, stored.request == known.request, stored.origin == known.origin,
            stored.reading == known.reading
        else { return known.checkpoint }
        return stored.checkpoint
    }

    /// What a list that was read tells besides its objects.
    struct End: Sendable {
        /// What the checkpoint becomes; nil where the list has told none, or was not read to its end.
        var checkpoint: String?
        /// The entity tag of the list's only page.
        var tag: PullCursor.Tag?
        /// The server says that nothing has changed since the tag was given, so the list has shown nothing.
        var isUnchanged = false
    }

    /// The ends of the lists that were read; none of a list whose parent is gone.
    typealias Ends = [PullScope: End]
}
