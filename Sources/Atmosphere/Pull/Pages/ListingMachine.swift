/// Fetches the pages of one listing: several at once where their addresses are known beforehand, one ahead where each
/// page names the next; keeps each until the pages before it are stored, and has them stored in order.
///
/// Where rows move meanwhile (``MovedRows``), the listing goes back a page, and where that does not show what was passed,
/// to the beginning.
struct ListingMachine: SyncMachine {
    enum Event: Sendable {
        case start
        /// By the number of the request. The page is nil where the answer says that there is none, or that nothing has changed.
        case fetched(Int, PageSummary, Page?)
        /// A request brought no answer that can be read.
        case failed(Int, any Error)
        case stored(Int)
    }

    enum Effect: Sendable {
        /// Each request has its own number; a page that is read again has another one.
        case fetch(Int, RequestTarget)
        /// Store what a request has brought: the page, or nothing where it has brought none; `next` is where to go on after an
        /// interruption, nil where nothing follows, or where the place could not be known again.
        case store(Int, Page?, next: PullPosition?, repeats: Repeats)
        /// End with the error of a request: the pages before its page are stored, and the list has its page.
        case fail(any Error)
    }

    /// How much of a page this listing has stored before.
    enum Repeats: Sendable, Equatable {
        case nothing
        /// The row with this identifier.
        case row(String)
        case wholePage
    }

    /// A page that was fetched, and not stored yet.
    private struct Fetched {
        var request: Int
        var summary: PageSummary
        /// nil where the answer had none, and as soon as the page is being stored.
        var page: Page?
    }

    private let paging: Paging
    private let addresses: PageAddresses
    private let concurrent: Int
    private let mostPages: Int

    private var requests = 0
    /// The pages on the way, by request; a request that is not here any more was for a page that is read again.
    private var fetching: [Int: Int] = [:]
    private var fetched: [Int: Fetched] = [:]
    /// The first page that did not come, and why. No page behind it is fetched or stored.
    private var failed: (index: Int, error: any Error)?
    private var targets: [Int: RequestTarget] = [:]
    private var seen: Set<RequestTarget> = []
    /// Of the pages whose neighbours may still come.
    private var edges: [Int: PageSummary.Edges] = [:]
    /// The first page that had them, by the hash of a page's edges: 16 bytes for each page, while no end is known.
    private var shown: [Int: Int] = [:]
    /// The first page that had the edges of the one stored last, where that is another one.
    private var shownBefore: Int?
    private var nextToFetch = 0
    private var nextToStore = 0
    /// The page that is being stored.
    private var storing: Int?
    private var rows: MovedRows
    /// The listing goes on behind an interruption, so its first page is not the list's.
    private let isResumed: Bool
    /// The last page that was stored, however often.
    private var furthest = -1
    /// How often the listing went back since it last came further than before.
    private var returns = 0
    /// How often it was begun anew.
    private var restarts = 0
    /// Items that two pages in a row share, so that a row which moved between them is noticed.
    private var overlap = 0
    /// Pages in all, as the server says.
    private var announced: Int?
    /// Pages before the one at which the listing was seen to end.
    private var end: Int?
    /// Pages in all, as soon as they are known.
    private var count: Int? { announced.map { min($0, end ?? .max) } ?? end }
    /// Items on a full page, as the server counts them.
    private var step: Int?
    /// Full pages in a row: how far it is worth to ask ahead where no total is known.
    private var run = 0

    /// A page has had the declared flag.
    private var hasFlag = false

    /// What a person should know: the listing ended otherwise than it should.
    private(set) var warning: String?
    /// There is more than was listed.
    private(set) var isTruncated = false
    /// The answers contradict the number that the pages are counted from: rows before it may be missing.
    private(set) var doubt: String?
    /// What a person may want to know, and what says nothing against the listing.
    private(set) var remark: String?
    /// How often rows moved between two pages, so that some were read once more.
    private(set) var timesBack = 0
    /// An interrupted listing cannot be gone on with: rows have moved since.
    private(set) var hasMovedMeanwhile = false

    /// - Parameters:
    ///   - first: the list's first page.
    ///   - position: where an interrupted listing goes on; nil for the first page.
    init(paging: Paging, first: RequestTarget, position: PullPosition? = nil, concurrent: Int, mostPages: Int) {
        self.paging = paging
        addresses = PageAddresses(paging, from: position.map { RequestTarget(stored: $0.target) } ?? first)
        self.concurrent = max(1, concurrent)
        self.mostPages = mostPages
        isResumed = position != nil
        rows = MovedRows(after: position)
    }

    mutating func step(_ event: Event) -> [Effect] {
        switch event {
        case .start:
            return fetch(addresses.first)
        case .fetched(let request, let summary, let page):
            if let index = fetching.removeValue(forKey: request) {
                fetched[index] = Fetched(request: request, summary: summary, page: page)
                learn(index, summary)
            }
        case .failed(let request, let error):
            if let index = fetching.removeValue(forKey: request) { note(failed: index, error) }
        case .stored:
            if let index = storing { note(stored: index) }
        }
        let effects = store() + fetchAhead()
        guard effects.isEmpty, storing == nil else { return effects }
        if isOver { return listAgainWhereShort() }
        if let failed, failed.index == nextToStore { return [.fail(failed.error)] }
        return []
    }

    private mutating func note(failed index: Int, _ error: any Error) {
        failed = (index, error)
        fetching = fetching.filter { $0.value < index }
        fetched = fetched.filter { $0.key < index }
    }

    private mutating func fetch(_ target: RequestTarget) -> [Effect] {
        let index = nextToFetch
        nextToFetch += 1
        let request = requests
        requests += 1
        fetching[request] = index
        targets[index] = target
        seen.insert(target)
        return [.fetch(request, target)]
    }

    private mutating func note(stored index: Int) {
        storing = nil
        if let summary = fetched.removeValue(forKey: index)?.summary {
            rows.note(.init(index, targets[index], summary, isFull: summary.count == step))
            // What follows a page is told by its own answer; a later page may have been answered before it.
            announce(summary)
        }
        targets[index] = nil
        edges[index - 1] = nil
        nextToStore = index + 1
        guard index > furthest else { return }
        furthest = index
        returns = 0
    }

    private mutating func learn(_ index: Int, _ summary: PageSummary) {
        if index == 0, restarts == 0 || isUnrecognizable {
            step = summary.count
            if case .offset = paging, summary.count > 1 { overlap = 1 }
        }
        run = summary.count > 0 && summary.count == step ? run + 1 : 0
        hasFlag = hasFlag || summary.isFlagged == true
        let isPastEnd = index > 0 && summary.count == overlap
        if summary.isMissing || (summary.count == 0 || isPastEnd) && summary.next == nil {
            doubtFirst(index, summary)
            endBefore(max(index, 1))
            return
        }
        switch paging {
        case .none: endBefore(1)
        case .bodyLink, .headerLink, .token:
            // Some servers write it only where it is true. Where none was seen it may be looked for in the wrong place, so
            // what is named is followed to an empty page, or to one that names itself.
            let isLast = hasFlag || summary.count == 0 || summary.next == targets[index]
            if summary.isFlagged == false, isLast { return endBefore(index + 1) }
            follow(summary.next, after: index)
        case .number, .offset: announce(summary)
        }
        if index + 1 >= mostPages, count.map({ $0 > mostPages }) ?? true {
            warning = "the listing has more than \(mostPages) pages; raise limits.pages"
            isTruncated = true
            endBefore(mostPages)
        }
        endWhereRepeated(index, summary.edges)
    }

    /// A server that counts from a lower number has no rows on the last of its pages, counted from here. An empty list may be one
    /// page.
    private mutating func doubtFirst(_ index: Int, _ summary: PageSummary) {
        guard index > 0, case .pages? = paging.total, let remedy = firstRemedy, let all = summary.pages,
            let pages = addresses.pages(of: all), index < pages
        else { return }
        doubt =
            "the server counts \(all) pages, and not all of them have rows, so rows may be missing; \(remedy); where the last "
            + "page may be empty, leave total-pages out"
    }

    /// What to write where the server counts its pages from a lower number.
    private var firstRemedy: String? {
        guard let first = paging.firstNumber, first > 0 else { return nil }
        return "where it counts its pages from \(first - 1), write first: \(first - 1) in pages"
    }

    /// Says why a list shows fewer rows than its server counts. Where they are those of one page, it may be one before the first.
    private mutating func explain(rows: Int64, of total: Int64) {
        let size = Int64(paging.size?.value ?? step ?? 0)
        let missing = total - rows
        let remedies = [firstRemedy, "where its total is no count of what it lists, write total: null in pages"]
        let text =
            "the server counts \(total) and lists \(rows), twice the same; "
            + remedies.compactMap(\.self).joined(separator: "; ")
        if firstRemedy != nil, missing == size || rows == 0 && missing < size {
            doubt = text
        } else {
            remark = text
        }
    }

    private mutating func endBefore(_ index: Int) { end = min(end ?? .max, index) }

    /// A server that answers a page past the end with its last one, or does not know the page parameter at all, would
    /// be asked for ever.
    private mutating func endWhereRepeated(_ index: Int, _ own: PageSummary.Edges?) {
        guard let own else { return }
        edges[index] = own
        for later in [index, index + 1] where edges[later] != nil && edges[later - 1] == edges[later] {
            if later == 1, overlap > 0 {
                // Rows may have come in front of the list, which the next listing shows. Where it does not, the server knows
                // the offsets of its own pages only.
                guard isResumed || restarts > 0 else { return }
                overlap = 0
                forget(from: 1)
                return
            }
            if later == 1 {
                // One page in all, or a parameter that means nothing to the server: it cannot be told.
                isTruncated = true
                warning = "the server gave its first page twice; check pages.parameter, or declare pages.total"
            } else {
                isTruncated = announced.map { $0 > later } ?? false
                warning = Self.pageTwice
            }
            endBefore(later)
        }
    }

    /// A server that begins anew behind its last page would be asked for ever. It shows two pages, one behind the other, as they
    /// were shown before; one page alone may be of rows that moved.
    private mutating func endsWhereShownAgain(_ index: Int, _ own: PageSummary.Edges?) -> Bool {
        let earlier = own.flatMap { shown[$0.hashValue] }
        defer { shownBefore = earlier }
        guard let earlier else {
            if let own { shown[own.hashValue] = index }
            return false
        }
        guard let shownBefore, earlier == shownBefore + 1 else { return false }
        isTruncated = true
        warning = Self.pageTwice
        endBefore(index)
        return true
    }

    private static let pageTwice = "the server gave the same page twice; the listing ends there"

    private mutating func follow(_ next: RequestTarget?, after index: Int) {
        guard let next else { return endBefore(index + 1) }
        if seen.contains(next) {
            // A last page that names itself is an end; a way back to an earlier one leaves out what should follow.
            isTruncated = next != targets[index]
            warning = "the server named the same next page twice; the listing ends there"
            endBefore(index + 1)
        }
    }

    private mutating func announce(_ summary: PageSummary) {
        announced =
            addresses.pages(of: summary.pages) ?? addresses.pages(total: summary.total, step: step, overlap: overlap)
            ?? announced
    }

    private mutating func store() -> [Effect] {
        guard storing == nil, let found = fetched[nextToStore] else { return [] }
        let index = nextToStore
        let summary = found.summary
        if let place = rows.gap(before: index, summary, overlap: overlap, step: step) { return goBack(to: place) }
        if index == 1, isUnrecognizable, summary.count > 1 { return goBack(to: 0) }
        let isBehindEnd = if let count { index >= count } else { endsWhereShownAgain(index, summary.edges) }
        if isBehindEnd {
            // Asked for before the end was known.
            fetched[index] = nil
            nextToStore += 1
            return store()
        }
        storing = index
        let next = count == index + 1 || isUnrecognizable ? nil : target(after: index, summary)
        let position = next.map {
            PullPosition(target: $0.stored, total: summary.total, last: overlap > 0 ? summary.lastRow : nil)
        }
        let shared = overlap > 0 && index > 0 ? rows.stored?.last : nil
        let repeats: Repeats = index <= furthest ? .wholePage : shared.map { .row($0.id) } ?? .nothing
        // Handed over, for whoever stores the page may change it.
        fetched[index]?.page = nil
        return [.store(found.request, found.page, next: position, repeats: repeats)]
    }

    /// Offsets of single rows leave nothing to overlap by. Where the next page has more, the first was not full: rows have
    /// come since, and others may have moved in front of it.
    private var isUnrecognizable: Bool { if case .offset = paging { step == 1 } else { false } }

    // MARK: Rows that move

    private mutating func goBack(to page: Int) -> [Effect] {
        timesBack += 1
        returns += 1
        if page > 0, returns <= Self.mostReturns, let target = rows.stored?.target {
            forget(from: page)
            nextToStore = page
            rows.takeBack()
            return fetch(target)
        }
        guard !isResumed else {
            hasMovedMeanwhile = true
            return end(at: nextToStore)
        }
        return listAgain()
    }

    private mutating func listAgain() -> [Effect] {
        restarts += 1
        guard restarts < Self.mostListings else {
            warning =
                "rows were deleted or moved on the server while each of \(Self.mostListings) listings ran, so some of those "
                + "behind them may be missing; the next pull lists again (where the server’s total is no count of what it lists, "
                + "write total: null)"
            isTruncated = true
            return end(at: nextToStore)
        }
        forget(from: 0)
        nextToStore = 0
        rows.restart()
        return fetch(addresses.first)
    }

    /// Drops what was fetched or asked for of the pages from one on.
    private mutating func forget(from page: Int) {
        fetching = fetching.filter { $0.value < page }
        fetched = fetched.filter { $0.key < page }
        if let failed, failed.index >= page { self.failed = nil }
        targets = targets.filter { $0.key < page }
        edges = edges.filter { $0.key < page }
        shown = shown.filter { $0.value < page }
        shownBefore = nil
        seen = Set(targets.values)
        nextToFetch = page
        announced = nil
        end = nil
        run = 0
        warning = nil
        doubt = nil
        isTruncated = false
    }

    private mutating func end(at page: Int) -> [Effect] {
        fetching = [:]
        fetched = [:]
        failed = nil
        end = page
        return []
    }

    private var isOver: Bool {
        fetching.isEmpty && fetched.isEmpty && count.map { nextToStore >= $0 } ?? false
    }

    /// Where the pages of a whole list have shown fewer rows than the server says that it has, some may have moved between
    /// them: it is listed again.
    private mutating func listAgainWhereShort() -> [Effect] {
        guard !isResumed, !isTruncated, warning == nil, overlap == 0 else { return [] }
        switch rows.outcome() {
        case .everything: return []
        case .tooFew: return listAgain()
        case .tooFewAgain(let reason):
            remark = reason
            return []
        case .sameAgain(let rows, let total):
            explain(rows: rows, of: total)
            return []
        }
    }

    /// Listings from the beginning, and steps back without coming further, before a listing counts as cut.
    private static let mostListings = 3
    private static let mostReturns = 3

    private mutating func fetchAhead() -> [Effect] {
        var effects: [Effect] = []
        while failed == nil, nextToFetch < count ?? .max, nextToFetch > 0, fetching.count + fetched.count < window,
            warning == nil
        {
            let last = nextToFetch - 1
            guard let target = target(after: last, fetched[last]?.summary) else { break }
            effects += fetch(target)
        }
        return effects
    }

    /// Pages on the way or waiting to be stored. Without a total it grows with the full pages that came, so that a
    /// listing never asks for more pages past its end than it has; a page that is not full may be the last.
    private var window: Int {
        switch paging {
        case .none: 1
        case .bodyLink, .headerLink, .token: 2
        case .number, .offset: step == nil ? 1 : count == nil ? max(1, min(run, concurrent)) : concurrent + 1
        }
    }

    private func target(after index: Int, _ summary: PageSummary?) -> RequestTarget? {
        addresses.target(after: index, summary, step: step, overlap: overlap)
    }
}
