import Synchronization

/// What the answers to the requests of one listing say besides their pages: the tentative checkpoint, the tag, and whether there
/// is a total. Several requests are under way at once, and each looks at what the others have noted.
final class ListingNotes: Sendable {
    private struct State {
        var tentative: String?
        /// What the texts of the field have been so far: one that can be read as less is no cursor.
        var kind: CursorReading.Kind
        /// The row that the tentative checkpoint is of, where it is no time.
        var row: ObjectURI?
        var knowsTotal = false
        var trust = TotalTrust.believed
        var answers = 0
        var tag: (text: String, sequence: Int64)?
        /// The tag that the list was asked for with, and that the server says it still has.
        var unchanged: PullCursor.Tag?
        /// The server's time when the listing began.
        var begun: Instant?
        var isPastFirst = false
        var told: Set<Remark> = []
        var identifiers = IdentifierTypes()

        /// The row of the tentative checkpoint, where the text of another one can be read as more.
        func refuted(by kind: CursorReading.Kind) -> Refusal? {
            guard self.kind < kind, let row, let tentative else { return nil }
            return Refusal(row: row, text: tentative, reason: .unlike(kind))
        }
    }

    /// What the totals are worth that come with pages.
    private enum TotalTrust {
        case believed
        /// The first is as many as the rows of its full page: all there are, or the number of rows on the page.
        case isFullPage
        /// They are no count of the list.
        case refuted
    }

    private let state: Mutex<State>
    /// The tentative checkpoint stays what it was when the listing began, see ``CursorTrust/lastingCheckpoint(of:)``.
    private let isLasting: Bool

    /// - Parameter kind: what the texts of the field have to be, as far as it is known.
    init(_ tentative: String?, kind: CursorReading.Kind, isLasting: Bool) {
        state = Mutex(State(tentative: tentative, kind: kind))
        self.isLasting = isLasting
    }

    var tentative: String? { state.withLock { $0.tentative } }

    /// The server says how many items there are.
    var knowsTotal: Bool { state.withLock { $0.knowsTotal } }

    func learnTotal() { state.withLock { $0.knowsTotal = true } }

    /// Whether a total counts the list. One that is less than the rows beside it does not. One that is as many, where the page is
    /// full, may be the number of rows on the page: the next page tells.
    ///
    /// - Parameters:
    ///   - rows: on the page that the total came with.
    ///   - size: rows that a page was asked for with; nil where the route file does not say.
    func believes(_ total: Int64, beside rows: Int, size: Int?) -> Bool {
        let isFull = size.map { rows >= $0 } ?? false
        return state.withLock {
            if total < Int64(rows) {
                $0.trust = .refuted
            } else if isFull, total == Int64(rows) {
                $0.trust = $0.trust == .believed ? .isFullPage : .refuted
            }
            return $0.trust == .believed
        }
    }

    /// The list may have been as long as its total, which was not believed.
    var mayHaveReachedTotal: Bool { state.withLock { $0.trust == .isFullPage } }

    /// The total is no count of the list.
    var refutesTotal: Bool { state.withLock { $0.trust == .refuted } }

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
        /// A checkpoint is not kept, because it is no time, and the route file says how times are written.
        case noTimeInCheckpoint
        /// The total is no count of the list.
        case noTotal
        /// Pages may come before the first one.
        case noFirst
    }

    /// - Returns: whether it was not said of this listing before.
    func isNew(_ remark: Remark) -> Bool { state.withLock { $0.told.insert(remark).inserted } }

    /// Whether the listing has shown no checkpoint at all, not even one that is not kept.
    var showsNoCheckpoint: Bool { state.withLock { $0.tentative == nil && $0.unchanged == nil && $0.told.isEmpty } }

    /// The server's time when the listing began; nil where it does not say.
    func learnTime(_ time: Instant?) { state.withLock { $0.begun = time } }

    /// The places of a page's rows whose identifiers earlier rows of the list have shown with another JSON type.
    func unlike(in page: Page) -> [Int] { state.withLock { $0.identifiers.note(page.items) } }

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

    /// A row whose text is not kept as a checkpoint.
    struct Refusal: Sendable {
        enum Reason: Sendable {
            /// A time that has not come yet on the server's own clock.
            case ahead
            /// The texts of other rows, or of the declared field, can be read as this kind, and this one cannot.
            case unlike(CursorReading.Kind)
        }

        var row: ObjectURI
        var text: String
        var reason: Reason
    }

    /// Keeps the higher of the tentative checkpoint and a row's text, in the order of ``CursorOrder``. Of the pages behind the
    /// first no text is kept that `passed` forbids.
    ///
    /// - Parameter range: where the text stands.
    /// - Returns: this row, or the one whose text was kept so far, where that is no cursor.
    func raise(
        _ page: Page, _ item: PageItem, _ range: Range<Int>, _ since: Since, _ passed: Passed
    ) -> Refusal? {
        if isLasting { return nil }
        return state.withLock { state in
            let isHigher = page.bytes.withUnsafeBufferPointer { bytes -> Bool? in
                guard var tentative = state.tentative else { return true }
                guard state.kind == .time else { return nil }
                return tentative.withUTF8 { CursorOrder.isHigher(bytes[range], thanSameForm: $0[...]) }
            }
            if isHigher == false { return nil }
            let text = page.text(range)
            let reading = since.reading(of: text)
            guard reading.kind >= state.kind else {
                return Refusal(row: page.uri(item), text: text, reason: .unlike(state.kind))
            }
            if isHigher == nil, let tentative = state.tentative,
                !CursorOrder.isHigher(text, than: tentative, in: since)
            {
                return nil
            }
            if let begun = state.begun, let time = reading.time {
                // Who writes the local time and no zone can be that far ahead.
                if begun.moved(by: ServerClock.farAhead) < time {
                    return Refusal(row: page.uri(item), text: text, reason: .ahead)
                }
                if state.isPastFirst, begun < time, passed != .nothing { return nil }
            } else if state.isPastFirst, passed == .deletions {
                // No clock tells what is later than the listing's beginning.
                return nil
            }
            let refuted = state.refuted(by: reading.kind)
            state.tentative = text
            state.kind = reading.kind
            state.row = reading.kind == .time ? nil : page.uri(item)
            return refuted
        }
    }
}
