import Synchronization

/// What the pull of an entity adds up to. Several lists are read at once, and what one was shown counts for the others: how many
/// objects there are so far, which list left something out, whether an identifier was seen below another parent.
final class PullTally: Sendable {
    private struct State {
        var report = PullReport.Entity()
        var pagesRead = 0
        var sample: [ScalarText: (scope: PullScope, members: [Value.Member])] = [:]
        var hasWarned = false
        var objects = 0
        var reads: [ObjectURI] = []
        var older: [ObjectURI] = []
        var skipped: Set<PullScope> = []
        var interrupted: Set<PullScope> = []
        var refused: Set<PullScope> = []
        /// How many things went wrong, of which the first is the problem.
        var problems = 0
        var listed: Set<ScalarText> = []
        /// Objects with a change from here that a list shows.
        var changed: Set<ObjectURI> = []
        /// A view's members in order.
        var shown: [String] = []
        var silence = Silence()
        /// Warnings that say nothing against what is absent.
        var remarks: [String] = []
        var live = LiveRows()
        /// Lists of everything that are as they were.
        var unchanged: Set<PullScope> = []
        var openTombstones: [OpenTombstone] = []
        var mark = DoubtfulMark()
    }

    private let state: Mutex<State>

    /// - Parameter watched: of which identifiers it is to be known whether a list has shown them live; nil for all.
    init(watching watched: Set<IdentifierKey>? = nil) {
        var state = State()
        state.live = LiveRows(only: watched)
        self.state = Mutex(state)
    }

    /// As many of a kind are told one by one.
    static let mostTold = 5

    var report: PullReport.Entity {
        state.withLock {
            var report = $0.report
            report.warnings += $0.remarks
            return report
        }
    }

    /// Whether something speaks against what the lists do not show.
    var isDoubtful: Bool {
        state.withLock { !$0.skipped.isEmpty || !$0.report.warnings.isEmpty || $0.report.problem != nil }
    }

    /// Whether a list did not come to its end, or something was left out.
    var isIncomplete: Bool { state.withLock { !$0.skipped.isEmpty || $0.report.problem != nil } }

    func fail(_ message: String, _ kind: PullReport.ProblemKind, _ code: TransportError.Code? = nil) {
        state.withLock {
            $0.problems += 1
            $0.report.transportCode = code
            $0.report.problem = message
            $0.report.problemKind = kind
        }
    }

    /// Notes the failure of one request, besides which others go on. The first is the problem.
    func failOne(_ message: String, _ failure: RequestFailure) {
        state.withLock {
            $0.problems += 1
            guard $0.report.problem == nil else {
                if $0.remarks.count < Self.mostTold { $0.remarks.append(message) }
                return
            }
            $0.report.transportCode = failure.code
            $0.report.problem = message
            $0.report.problemKind = failure.kind
        }
    }

    /// What went wrong with one request, where the others may go on all the same.
    ///
    /// - Throws: the error, where it is one of the origin, or of no request; `CancellationError`.
    func failure(of error: any Error) throws -> RequestFailure {
        try Task.checkCancellation()
        guard let failure = RequestFailure(error) else { throw error }
        switch failure.kind {
        case .unreached, .signInNeeded, .tooManyDeletes, .unasked: throw error
        case .silent:
            let isOrigin = state.withLock {
                $0.silence.note()
                return $0.silence.isOrigin
            }
            if isOrigin { throw error }
        case .network, .answer: break
        }
        return failure
    }

    /// A list that did not come to its end, or of which something was left out: its cursor stays, and nothing counts as
    /// absent.
    func skip(_ scope: PullScope) { state.withLock { _ = $0.skipped.insert(scope) } }

    var skipped: Set<PullScope> { state.withLock { $0.skipped } }

    /// A list that failed before its end, beside others that did not.
    func interrupt(_ scope: PullScope) {
        state.withLock {
            $0.skipped.insert(scope)
            $0.interrupted.insert(scope)
        }
    }

    var interrupted: Set<PullScope> { state.withLock { $0.interrupted } }

    /// A list that failed because the server refuses it, which another try does not change.
    func refuse(_ scope: PullScope) { state.withLock { _ = $0.refused.insert(scope) } }

    var refused: Set<PullScope> { state.withLock { $0.refused } }

    /// Whether nothing speaks against what the other lists do not show, but that these are refused.
    var isDoubtfulByRefusalsAlone: Bool {
        state.withLock {
            !$0.refused.isEmpty && $0.skipped == $0.refused && $0.report.warnings.isEmpty
                && $0.problems == $0.refused.count
        }
    }

    func warn(_ message: String) { state.withLock { $0.report.warnings.append(message) } }

    /// The first few of a kind that says nothing of the list as a whole.
    func remark(_ message: String) {
        state.withLock { if $0.remarks.count < Self.mostTold { $0.remarks.append(message) } }
    }

    /// A page was answered, also one that shows nothing.
    func pageRead() { state.withLock { $0.pagesRead += 1 } }

    var pagesRead: Int { state.withLock { $0.pagesRead } }

    func pageStored() { state.withLock { $0.report.pages += 1 } }

    /// - Parameter isRepeated: what has not changed was counted before.
    func add(_ stored: StoringPages.Stored, isRepeated: Bool = false) {
        state.withLock {
            $0.report.inserted += stored.absorbed.inserted + stored.inserted
            $0.report.updated += stored.absorbed.updated + stored.updated
            if !isRepeated { $0.report.unchanged += stored.absorbed.unchanged }
            $0.report.deleted += stored.deleted
            $0.report.expired += stored.expired
            $0.report.merged += stored.merged
            $0.report.conflicted += stored.conflicted
            $0.reads += stored.reads
            $0.openTombstones += stored.openTombstones
            $0.changed.formUnion(stored.changed)
            $0.older += stored.older
            $0.objects += stored.absorbed.inserted + stored.absorbed.updated + stored.absorbed.unchanged
        }
    }

    /// What a second listing adds up to. Its warnings are news only where they speak against it.
    func merge(_ second: PullTally) {
        let (found, isDoubtful) = (second.report, second.isDoubtful)
        state.withLock { state in
            state.report.add(found)
            guard isDoubtful else { return }
            let known = state.report.warnings + state.remarks
            state.report.warnings += found.warnings.filter { !known.contains($0) }
            if found.problem != nil { state.problems += 1 }
            guard state.report.problem == nil, let problem = found.problem else { return }
            state.report.problem = problem
            state.report.problemKind = found.problemKind
            state.report.transportCode = found.transportCode
        }
    }

    /// Looks at the first objects of each parent's list: one identifier with two contents is that of two objects. A tombstone is
    /// no content: an object that has moved to another list may leave one.
    ///
    /// - Returns: a warning, for the first of them.
    func double(in page: Page, _ resource: Resource, _ scope: PullScope) -> String? {
        guard !resource.isUniquePerParent, scope.parent != nil, !scope.isOfTombstones else { return nil }
        let parents = Set(resource.parents.map(\.field))
        return state.withLock { state in
            guard !state.hasWarned else { return nil }
            for item in page.items.prefix(100) where !item.isDeleted {
                // Only what is in the sample, or comes into it, is decoded.
                func members() -> [Value.Member] {
                    page.record(item).members.filter { !parents.contains($0.name) }
                }
                let id = item.id.objectID.text
                guard let other = state.sample[ScalarText(id)] else {
                    if state.sample.count < 1000 { state.sample[ScalarText(id)] = (scope, members()) }
                    continue
                }
                guard other.scope != scope, other.members != members() else { continue }
                state.hasWarned = true
                return "\(resource.name)/\(id) stands in the lists of \(other.scope) and of \(scope)"
                    + ", with other content; where identifiers are unique per parent only, write “ids: per-parent”"
            }
            return nil
        }
    }

    /// Looks at what marks the deleted rows of a list of everything.
    func look(forMarksIn page: Page, _ resource: Resource) { state.withLock { $0.mark.look(at: page, of: resource) } }

    func doubtfulMark(of resource: Resource) -> String? { state.withLock { $0.mark.warning(of: resource) } }

    /// Notes the live rows of a page.
    func showLive(_ page: Page, of scope: PullScope) { state.withLock { $0.live.insert(page.items, of: scope) } }

    /// A list of everything has not changed, so that it would show what it has shown before.
    func showUnchanged(_ scope: PullScope) { state.withLock { _ = $0.unchanged.insert(scope) } }

    /// Whether a list may have shown a live row of the identifier, with no tombstone behind it, or would have.
    func mayHaveShown(_ id: PageItemID, of scope: PullScope) -> Bool {
        state.withLock { $0.unchanged.contains(scope) || $0.live.mayHold(id, of: scope) }
    }

    /// Notes a tombstone.
    ///
    /// - Returns: whether its list may have shown a live row before.
    func bury(_ id: PageItemID, of scope: PullScope) -> Bool {
        state.withLock { state in
            defer { state.live.end(id, of: scope) }
            return state.live.mayHold(id, of: scope)
        }
    }

    /// Tombstones that tell nothing by themselves, see ``OpenTombstones``.
    var openTombstones: [OpenTombstone] { state.withLock { $0.openTombstones } }

    func hasOpenTombstones(of scope: PullScope) -> Bool {
        state.withLock { $0.openTombstones.contains { $0.scope == scope } }
    }

    /// What a view shows, apart from tombstones.
    func show(_ page: Page, _ range: Range<Int>) {
        state.withLock { state in
            for item in page.items[range] where !item.isDeleted { state.shown.append(item.id.objectID.text) }
        }
    }

    /// Each once, where a row moved while pages were read.
    var shown: [String] {
        state.withLock { state in
            var seen: Set<ScalarText> = []
            return state.shown.filter { seen.insert(ScalarText($0)).inserted }
        }
    }

    /// Objects that have an older version on the server than here.
    var older: [ObjectURI] { state.withLock { $0.older } }

    /// Objects that pages could not decide, in their order.
    var reads: [ObjectURI] { state.withLock { $0.reads } }

    func progress(_ entity: String, total: Int64?) -> PullProgress {
        state.withLock {
            PullProgress(entity: entity, pages: $0.report.pages, objects: $0.objects, total: total)
        }
    }

    /// Notes what a list shows: for a dry run, whose notes in the store are taken back, and for tombstones that no read
    /// can confirm.
    func list(_ page: Page, _ range: Range<Int>) {
        state.withLock { for item in page.items[range] { $0.listed.insert(ScalarText(item.id.objectID.text)) } }
    }

    func hasListed(_ item: PageItem) -> Bool {
        state.withLock { $0.listed.contains(ScalarText(item.id.objectID.text)) }
    }

    /// Objects over which a person decides between two sides, and that no list shows.
    func unlistedConflicts(_ entity: String, in store: any Store) async throws -> [ObjectURI] {
        let listed = state.withLock { $0.changed }
        return try await store.read { snapshot in
            try snapshot.changed(entity: entity, after: nil, limit: .max).compactMap { meta -> ObjectURI? in
                guard case .conflicted(let conflict)? = meta.outgoing?.phase, conflict.theirs != nil,
                    !meta.isLocalOnly, !listed.contains(meta.uri)
                else { return nil }
                return meta.uri
            }
        }
    }

    /// Objects whose change was answered with 404, and that no list shows.
    ///
    /// - Parameter listing: see ``AbsenceSweep/run(_:from:_:)``.
    func unlistedDenied(_ entity: String, _ listing: Int64, in store: any Store) async throws -> [ObjectURI] {
        let listed = state.withLock { $0.changed }
        return try await store.read { snapshot in
            try snapshot.changed(entity: entity, after: nil, limit: .max).filter { meta in
                guard let confirmed = meta.confirmed, confirmed.sequence < listing else { return false }
                return meta.isDeniedThere && !listed.contains(meta.uri)
            }.map(\.uri)
        }
    }

    func unlisted(_ entity: String, in store: any Store) async throws -> [ObjectURI] {
        let listed = state.withLock { $0.listed }
        return try await store.read { snapshot in
            var absent: [ObjectURI] = []
            try snapshot.records(matching: Query(entity)) { uri, _ in
                if !listed.contains(ScalarText(uri.id)), case .synchronized = try snapshot.meta(at: uri)?.state {
                    absent.append(uri)
                }
                return true
            }
            return absent
        }
    }
}
