import Synchronization

extension EntityPull {
    /// Pages between fetch and store, and the cursor that they add up to.
    final class PageBuffer: Sendable {
        private struct State {
            var candidate: String?
            var knowsTotal = false
            var answers = 0
            var tag: String?
            /// The server's time when the listing began.
            var begun: Instant?
            var isPastFirst = false
        }

        private let state: Mutex<State>
        /// The candidate stays what it was when the listing began, see ``EntityPull/lastingCheckpoint(of:)``.
        private let keepsCandidate: Bool

        init(_ candidate: String?, keepsCandidate: Bool = false) {
            state = Mutex(State(candidate: candidate))
            self.keepsCandidate = keepsCandidate
        }

        var candidate: String? { state.withLock { $0.candidate } }

        /// The server says how many items there are.
        var knowsTotal: Bool { state.withLock { $0.knowsTotal } }

        func learnTotal() { state.withLock { $0.knowsTotal = true } }
        /// The entity tag of a page; nil where the answer had none.
        func note(tag: String?) {
            state.withLock {
                $0.answers += 1
                $0.tag = tag
            }
        }

        /// The tag of a list of one page. That of the first of several would say nothing of the others.
        var onlyTag: String? { state.withLock { $0.answers == 1 ? $0.tag : nil } }

        func offer(_ candidate: String?) {
            guard let candidate, !candidate.isEmpty, !keepsCandidate else { return }
            state.withLock { $0.candidate = candidate }
        }

        /// The server's time when the listing began; nil where it does not say.
        func learnTime(_ time: Instant?) { state.withLock { $0.begun = time } }

        /// What may have happened to rows of the pages before, with a cursor that is lower than one of a page behind.
        enum Passed {
            /// Nothing: the list is in the order of its cursor, and shows what was deleted.
            case nothing
            /// A change.
            case changes
            /// A deletion: a list of everything seldom shows tombstones.
            case deletions
        }

        /// The first page is stored. What was changed since may be on it, where it is not seen any more.
        func passFirst() { state.withLock { $0.isPastFirst = true } }

        /// Keeps the higher of the candidate and a field's text: as instants or numbers where they are, else as text. Of the
        /// pages behind the first no text is kept that `passed` forbids.
        ///
        /// - Returns: false for a time that has not come yet on the server's own clock, which is not kept.
        func raise(_ page: Page, _ range: Range<Int>, _ passed: Passed) -> Bool {
            if keepsCandidate { return true }
            return state.withLock { state in
                let isHigher = page.bytes.withUnsafeBufferPointer { bytes -> Bool in
                    guard var candidate = state.candidate else { return true }
                    return candidate.withUTF8 { CursorOrder.isHigher(bytes[range], than: $0[...]) }
                }
                guard isHigher else { return true }
                let text = page.text(range)
                if let begun = state.begun, let time = Instant(text) {
                    // Who writes the local time and no zone can be that far ahead.
                    if begun.moved(by: EntityPull.farAhead) < time { return false }
                    if state.isPastFirst, begun < time, passed != .nothing { return true }
                } else if state.isPastFirst, passed == .deletions {
                    // No clock tells what is later than the listing's beginning.
                    return true
                }
                state.candidate = text
                return true
            }
        }
    }

    /// What the pull of an entity adds up to.
    final class Tally: Sendable {
        private struct State {
            var report = PullReport.Entity()
            var pagesRead = 0
            var sample: [ScalarText: (scope: PullScope, members: [Value.Member])] = [:]
            var hasWarned = false
            var objects = 0
            var candidates: [PullScope: String] = [:]
            var reads: [ObjectURI] = []
            var absent: [ObjectURI] = []
            var refused: [ObjectURI: SyncError] = [:]
            var older: [ObjectURI] = []
            var skipped: Set<PullScope> = []
            var listed: Set<ScalarText> = []
            var tags: [PullScope: PullCursor.Tag] = [:]
            var unchanged: Set<PullScope> = []
            /// A view's members in order.
            var shown: [String] = []
            /// Warnings that say nothing against what is absent.
            var remarks: [String] = []
        }

        private let state = Mutex(State())

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
        var candidates: [PullScope: String] { state.withLock { $0.candidates } }

        func fail(_ message: String, _ kind: PullReport.ProblemKind, _ code: TransportError.Code? = nil) {
            state.withLock {
                $0.report.transportCode = code
                $0.report.problem = message
                $0.report.problemKind = kind
            }
        }

        /// A list that did not come to its end, or of which something was left out: its cursor stays, and nothing counts as
        /// absent.
        func skip(_ scope: PullScope) { state.withLock { _ = $0.skipped.insert(scope) } }

        var skipped: Set<PullScope> { state.withLock { $0.skipped } }

        func warn(_ message: String) { state.withLock { $0.report.warnings.append(message) } }

        /// The first few of a kind that says nothing of the list as a whole.
        func remark(_ message: String) {
            state.withLock { if $0.remarks.count < EntityPull.mostRefusals { $0.remarks.append(message) } }
        }

        /// A page was answered, also one that shows nothing.
        func pageRead() { state.withLock { $0.pagesRead += 1 } }

        var pagesRead: Int { state.withLock { $0.pagesRead } }

        func pageStored() { state.withLock { $0.report.pages += 1 } }

        /// - Parameter isRepeated: what has not changed was counted before.
        func add(_ stored: Stored, isRepeated: Bool = false) {
            state.withLock {
                $0.report.inserted += stored.absorbed.inserted + stored.inserted
                $0.report.updated += stored.absorbed.updated + stored.updated
                if !isRepeated { $0.report.unchanged += stored.absorbed.unchanged }
                $0.report.deleted += stored.deleted
                $0.report.expired += stored.expired
                $0.report.merged += stored.merged
                $0.report.conflicted += stored.conflicted
                $0.reads += stored.reads
                $0.objects += stored.absorbed.inserted + stored.absorbed.updated + stored.absorbed.unchanged
            }
        }

        /// What a second listing adds up to. Its warnings are news only where they speak against it.
        func merge(_ second: Tally) {
            let (found, isDoubtful) = (second.report, second.isDoubtful)
            state.withLock { state in
                state.report.add(found)
                guard isDoubtful else { return }
                let known = state.report.warnings + state.remarks
                state.report.warnings += found.warnings.filter { !known.contains($0) }
                guard state.report.problem == nil, let problem = found.problem else { return }
                state.report.problem = problem
                state.report.problemKind = found.problemKind
                state.report.transportCode = found.transportCode
            }
        }

        /// Looks at the first objects of each parent's list: one identifier with two contents is that of two objects.
        ///
        /// - Returns: a warning, for the first of them.
        func double(in page: Page, _ resource: Resource, _ scope: PullScope) -> String? {
            guard !resource.isUniquePerParent, scope.parent != nil, !scope.isOfTombstones else { return nil }
            let parents = Set(resource.parents.map(\.field))
            return state.withLock { state in
                guard !state.hasWarned else { return nil }
                for item in page.items.prefix(100) {
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
                    return "\(resource.name)/\(id) stands in the lists of \(other.scope) and of \(scope), with other "
                        + "content; where identifiers are unique per parent only, write “ids: per-parent”"
                }
                return nil
            }
        }

        func end(_ scope: PullScope, candidate: String?) { state.withLock { $0.candidates[scope] = candidate } }

        func tag(_ scope: PullScope, _ tag: PullCursor.Tag, isUnchanged: Bool = false) {
            state.withLock {
                $0.tags[scope] = tag
                if isUnchanged { $0.unchanged.insert(scope) }
            }
        }

        var tags: [PullScope: PullCursor.Tag] { state.withLock { $0.tags } }
        var unchanged: Set<PullScope> { state.withLock { $0.unchanged } }

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

        /// An object that no list shows is asked for.
        func readAbsent(_ uri: ObjectURI) {
            state.withLock {
                $0.reads.append(uri)
                $0.absent.append(uri)
            }
        }

        var absent: [ObjectURI] { state.withLock { $0.absent } }

        /// A single object that the server does not show to whoever asks: it stays as it is, and the others go on.
        func refuse(_ uri: ObjectURI, _ error: SyncError) { state.withLock { $0.refused[uri] = error } }

        var refused: [ObjectURI: SyncError] { state.withLock { $0.refused } }

        func older(_ uri: ObjectURI) { state.withLock { $0.older.append(uri) } }

        var olderObjects: [ObjectURI] { state.withLock { $0.older } }

        func takeReads() -> [ObjectURI] {
            state.withLock { state in
                defer { state.reads = [] }
                var seen = Set<ObjectURI>()
                return state.reads.filter { seen.insert($0).inserted }
            }
        }

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

    /// Creates whose outcome is not known: an arriving object that carries their lookup value is theirs, and never
    /// becomes a second local object.
    struct LostCreates: Sendable {
        private let resource: Resource
        private let byValue: [ScalarText: [ObjectURI]]

        init(resource: Resource, store: any Store) async throws {
            self.resource = resource
            guard let field = resource.lookup?.field else {
                byValue = [:]
                return
            }
            byValue = try await store.read { snapshot in
                var found: [ScalarText: [ObjectURI]] = [:]
                for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                    guard meta.isLocalOnly, let record = meta.outgoing?.lostCreate?.record,
                        let value = resource.mapping.value(field, in: record)?.text
                    else { continue }
                    found[ObjectID.compared(value), default: []].append(meta.uri)
                }
                return found
            }
        }

        /// Absorbs a slice of a page without the items that belong to a lost create, which go to `adopt`.
        func absorb(
            _ page: Page, _ range: Range<Int>, _ transaction: any StoreTransaction,
            adopt: (PageItem, ObjectURI) throws -> Void
        ) throws -> Absorbed {
            guard !byValue.isEmpty else { return try transaction.absorb(page, items: range) }
            var total = Absorbed()
            var start = range.lowerBound
            for index in range {
                let item = page.items[index]
                guard let value = item.lookup.map({ page.text($0) }),
                    let known = byValue[ObjectID.compared(value)],
                    let uri = try own(page, item, known, transaction)
                else { continue }
                total.add(try transaction.absorb(page, items: start..<index))
                try adopt(item, uri)
                start = index + 1
            }
            total.add(try transaction.absorb(page, items: start..<range.upperBound))
            return total
        }

        /// Which of the creates with its value an item is: none where another create of this client has become it.
        private func own(
            _ page: Page, _ item: PageItem, _ known: [ObjectURI], _ transaction: any StoreTransaction
        ) throws -> ObjectURI? {
            let here = try transaction.object(at: page.uri(item))
            let lost = try known.compactMap { try transaction.meta(at: $0) }.filter { meta in
                guard meta.isLocalOnly, let outgoing = meta.outgoing, let sent = outgoing.lostCreate else {
                    return false
                }
                guard let here, let sent = sent.record else { return true }
                let planner = Planner(resource)
                return planner.isAnew(page.record(item), outgoing)
                    || !planner.isAnother(here, than: sent, nil, outgoing)
            }
            guard !lost.isEmpty, try transaction.formerURIs(of: page.uri(item)).isEmpty else { return nil }
            return lost.own(of: page.record(item), resource)?.uri
        }
    }
}

/// The order of cursor texts.
enum CursorOrder {
    /// Instants compare as instants, numbers as numbers, anything else byte by byte.
    static func isHigher(_ new: Slice<UnsafeBufferPointer<UInt8>>, than old: Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    {
        // The same form, which is the rule on one server, needs no decoding.
        if new.count == old.count, new.last == old.last, new.count >= 10, new[new.startIndex + 4] == UInt8(ascii: "-") {
            return old.lexicographicallyPrecedes(new)
        }
        let newText = String(decoding: new, as: UTF8.self)
        let oldText = String(decoding: old, as: UTF8.self)
        if let newInstant = Instant(newText), let oldInstant = Instant(oldText) { return oldInstant < newInstant }
        if let newNumber = JSONNumber(newText), let oldNumber = JSONNumber(oldText) { return oldNumber < newNumber }
        return oldText < newText
    }
}
