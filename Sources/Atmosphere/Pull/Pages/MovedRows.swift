/// Watches one listing for rows that move from page to page while it runs.
///
/// A row that is deleted on an earlier page, or moves from there to the end, draws those behind it forward, and the first of
/// the next page is then shown on neither. The answers tell of it in three ways: pages that overlap do not share their row;
/// the total falls from one page to the next; or the pages have shown fewer different rows than the total says, for one was
/// shown twice. Where a row is deleted and another comes between the same two pages, only an overlap tells.
struct MovedRows: Sendable {
    /// A page that was stored.
    struct StoredPage: Sendable {
        var index: Int
        /// nil for the page before an interruption.
        var target: RequestTarget?
        var total: Int64?
        var count: Int
        /// Its last row, where pages overlap.
        var last: PullPosition.Row?
        /// Its identifiers in order; nil where nobody needs them.
        var ids: [PageItemID]?
        /// It had as many items as the first page.
        var isFull: Bool
        /// How many rows it shows once more because as many came in front of them.
        fileprivate var pushed = 0

        init(_ index: Int, _ target: RequestTarget?, _ summary: PageSummary, isFull: Bool) {
            self.index = index
            self.target = target
            total = summary.total
            count = summary.count
            last = summary.lastRow
            ids = summary.ids
            self.isFull = isFull
        }

        /// The page before an interruption; nil where nothing is known of it.
        init?(before position: PullPosition) {
            guard position.total != nil || position.last != nil else { return nil }
            (index, count, isFull) = (-1, 0, true)
            (total, last) = (position.total, position.last)
        }
    }

    /// What a listing that has come to its end has shown.
    enum Outcome: Equatable {
        case everything
        /// Fewer rows than the server counts.
        case tooFew
        /// Fewer rows than the server counts, a second time, for some are shown twice; a person may want to know why.
        case tooFewAgain(String)
        /// Twice the same number of rows, and fewer than the server counts.
        case sameAgain(rows: Int64, total: Int64)
    }

    /// The page that was stored last.
    private(set) var stored: StoredPage?
    /// Items of the pages that were stored since the list's beginning.
    private var shown: Int64 = 0
    private var pushed = 0
    private var identifiers = DistinctIdentifiers()
    /// What the listing before had shown, from its beginning to its end.
    private var shortfall: (rows: Int64, total: Int64)?

    /// - Parameter position: where an interrupted listing goes on.
    init(after position: PullPosition?) { stored = position.flatMap(StoredPage.init(before:)) }

    mutating func note(_ page: StoredPage) {
        var page = page
        if let stored, stored.index + 1 == page.index { page.pushed = Self.pushed(from: stored, to: page) }
        shown += Int64(page.count)
        pushed += page.pushed
        identifiers.append(page.ids ?? [])
        stored = page
    }

    /// The page that was stored last is read again.
    mutating func takeBack() {
        guard let stored else { return }
        shown -= Int64(stored.count)
        pushed -= stored.pushed
        identifiers.removeLast(stored.ids?.count ?? 0)
    }

    /// The listing begins once more.
    mutating func restart() {
        var anew = Self(after: nil)
        anew.shortfall = shortfall
        self = anew
    }

    /// The page to go back to, because a row may stand between a page and the one stored last that neither has shown; nil
    /// where none can.
    ///
    /// - Parameters:
    ///   - overlap: rows that two pages in a row share.
    ///   - step: rows on a full page, as far as is known.
    func gap(before index: Int, _ summary: PageSummary, overlap: Int, step: Int?) -> Int? {
        guard let stored, index <= stored.index + 1 else { return nil }
        let again = stored.index + 1 - index
        var lost: Int64 = 1
        if let last = stored.last, overlap > 0 || stored.target == nil {
            let isSeen = again > 0 ? summary.mayShow(last) : summary.mayBegin(with: last)
            guard !isSeen, stored.isFull || again > 0 else { return nil }
        } else if let before = stored.total, let now = summary.total, let step {
            lost = before.subtractingReportingOverflow(now).partialValue
            guard lost > Int64(again) * Int64(step) else { return nil }
        } else {
            return nil
        }
        return again > 0 || stored.target == nil || lost > Int64(step ?? 0) ? 0 : stored.index
    }

    /// Holds the rows of a whole listing against the server's total.
    mutating func outcome() -> Outcome {
        guard let total = stored?.total else { return .everything }
        let repeated = Int64(max(0, identifiers.countRepeated() - pushed))
        let rows = shown - repeated
        guard rows < total else { return .everything }
        if repeated > 0, shown >= total, shortfall != nil {
            return .tooFewAgain(
                "the server counts \(total) and lists \(rows), for \(repeated) stand on two pages; twice now, so rows may "
                    + "have moved both times, and one may be missing until the next full pull; a list in an order that no "
                    + "change alters, such as that of the identifiers, keeps them in place")
        }
        if let shortfall, shortfall == (rows, total) { return .sameAgain(rows: rows, total: total) }
        shortfall = (rows, total)
        return .tooFew
    }

    /// How many of the last rows of a page the next one begins with, because as many have come in front of them.
    private static func pushed(from page: StoredPage, to next: StoredPage) -> Int {
        guard let before = page.total, let now = next.total, before < now, let ids = page.ids, let others = next.ids
        else {
            return 0
        }
        let came = Int(clamping: now.subtractingReportingOverflow(before).partialValue)
        let most = max(0, min(came, ids.count, others.count, mostPushed))
        return (0...most).last { ids.suffix($0).elementsEqual(others.prefix($0)) } ?? 0
    }

    /// A server that makes each identifier the same would have all lengths compared.
    private static let mostPushed = 1000
}

extension PageSummary {
    /// Whether a page begins with a row, or with one that was left out and may be it.
    fileprivate func mayBegin(with row: PullPosition.Row) -> Bool {
        firstRow.map { $0 == row } ?? (count > 0)
    }

    /// Whether a row stands on a page, or may be among those that were left out.
    fileprivate func mayShow(_ row: PullPosition.Row) -> Bool {
        guard let ids else { return false }
        return ids.count < count || ids.contains { $0.objectID.text == row.id }
    }
}

/// Counts the identifiers that come more than once, in 8 bytes for each, up to a number of them.
private struct DistinctIdentifiers: Sendable {
    /// Longer lists are not counted: 8 MiB.
    private static let most = 1 << 20

    private var hashes: [Int] = []
    private var isTooLong = false

    mutating func append(_ ids: [PageItemID]) {
        isTooLong = isTooLong || hashes.count + ids.count > Self.most
        if isTooLong { hashes = [] } else { hashes += ids.lazy.map(\.hashValue) }
    }

    mutating func removeLast(_ count: Int) { hashes.removeLast(min(count, hashes.count)) }

    /// How many there were too many; 0 where there were too many to count. Their order is lost.
    mutating func countRepeated() -> Int {
        hashes.sort()
        return zip(hashes, hashes.dropFirst()).count { $0 == $1 }
    }
}
