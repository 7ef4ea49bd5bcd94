import Synchronization

/// What the answers to the requests of one listing say besides their pages: the tentative checkpoint, the tag, and whether there
/// is a total. Several requests are under way at once, and each looks at what the others have noted.
final class ListingNotes: Sendable {
    private struct State {
        var tentative: String?
        var knowsTotal = false
        var answers = 0
        var tag: (text: String, sequence: Int64)?
        /// The tag that the list was asked for with, and that the server says it still has.
        var unchanged: PullCursor.Tag?
        /// The server's time when the listing began.
        var begun: Instant?
        var isPastFirst = false
        var told: Set<Remark> = []
    }

    private let state: Mutex<State>
    /// The tentative checkpoint stays what it was when the listing began, see ``CursorTrust/lastingCheckpoint(of:)``.
    private let isLasting: Bool

    init(_ tentative: String?, isLasting: Bool) {
        state = Mutex(State(tentative: tentative))
        self.isLasting = isLasting
    }

    var tentative: String? { state.withLock { $0.tentative } }

    /// The server says how many items there are.
    var knowsTotal: Bool { state.withLock { $0.knowsTotal } }

    func learnTotal() { state.withLock { $0.knowsTotal = true } }

    /// The entity tag of a page; nil where the answer had none.
    ///
    /// - Parameter sequence: the start sequence of the request.
    func note(tag: String?, _ sequence: Int64) {
        state.withLock {
            $0.answers += 1
            $0.tag = tag.map { (text: $0, sequence: sequence) }
        }
    }

    /// The tag of a list of one page. That of the first of several would say nothing of the others.
    var onlyTag: (text: String, sequence: Int64)? { state.withLock { $0.answers == 1 ? $0.tag : nil } }

    /// The server says that the list is as it was when it gave the tag.
    func note(unchanged tag: PullCursor.Tag) { state.withLock { $0.unchanged = tag } }

    var unchanged: PullCursor.Tag? { state.withLock { $0.unchanged } }

    func offer(_ checkpoint: String?) {
        guard let checkpoint, !checkpoint.isEmpty, !isLasting else { return }
        state.withLock { $0.tentative = checkpoint }
    }

    /// What is said once of a listing.
    enum Remark {
        /// A checkpoint is not kept, because it repeats a secret.
        case secretInCheckpoint
    }

    /// - Returns: whether it was not said of this listing before.
    func isNew(_ remark: Remark) -> Bool { state.withLock { $0.told.insert(remark).inserted } }

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

    /// Keeps the higher of the tentative checkpoint and a field's text: as instants or numbers where they are, else as text. Of the
    /// pages behind the first no text is kept that `passed` forbids.
    ///
    /// - Returns: false for a time that has not come yet on the server's own clock, which is not kept.
    func raise(_ page: Page, _ range: Range<Int>, _ passed: Passed) -> Bool {
        if isLasting { return true }
        return state.withLock { state in
            let isHigher = page.bytes.withUnsafeBufferPointer { bytes -> Bool in
                guard var tentative = state.tentative else { return true }
                return tentative.withUTF8 { CursorOrder.isHigher(bytes[range], than: $0[...]) }
            }
            guard isHigher else { return true }
            let text = page.text(range)
            if let begun = state.begun, let time = Instant(text) {
                // Who writes the local time and no zone can be that far ahead.
                if begun.moved(by: ServerClock.farAhead) < time { return false }
                if state.isPastFirst, begun < time, passed != .nothing { return true }
            } else if state.isPastFirst, passed == .deletions {
                // No clock tells what is later than the listing's beginning.
                return true
            }
            state.tentative = text
            return true
        }
    }
}
