/// What a page says of the listing.
package struct PageSummary: Sendable, Equatable {
    package var count: Int
    /// The next page where the page names it.
    package var next: RequestTarget?
    package var total: Int64?
    /// Pages in all.
    package var pages: Int64?
    /// What tells this page from another; nil where it is empty.
    package var edges: Edges?
    /// Whether the declared flag of there being more is there; nil where none is declared, or none is needed. Where it
    /// is missing, ``next`` may be no page.
    package var isFlagged: Bool?
    /// The server has no such page: it answered with one of ``Resource/endStatuses``.
    package var isMissing = false
    /// The page's identifiers in order, where they tell whether rows have moved (``Paging/tellsOfRows``); nil elsewhere.
    package var ids: [PageItemID]?
    /// The first and the last row, where pages overlap; nil elsewhere, and where that row was left out.
    package var firstRow: PullPosition.Row?
    package var lastRow: PullPosition.Row?

    package init(
        count: Int, next: RequestTarget? = nil, total: Int64? = nil, pages: Int64? = nil, edges: Edges? = nil,
        isFlagged: Bool? = nil, isMissing: Bool = false, ids: [PageItemID]? = nil, firstRow: PullPosition.Row? = nil,
        lastRow: PullPosition.Row? = nil
    ) {
        self.count = count
        self.next = next
        self.total = total
        self.pages = pages
        self.edges = edges
        self.isFlagged = isFlagged
        self.isMissing = isMissing
        self.ids = ids
        self.firstRow = firstRow
        self.lastRow = lastRow
    }

    /// The ends of a page: two pages in a row that share them are one page given twice.
    package struct Edges: Sendable, Hashable {
        package var count: Int
        package var first: PageItemID
        package var last: PageItemID
        /// Of a list of what was deleted: when the two were.
        package var times: [String?] = []
    }
}

extension PageSummary {
    init(_ page: Page) {
        self.init(count: page.items.count + page.skipped)
        if let first = page.items.first, let last = page.items.last {
            edges = Edges(count: count, first: first.id, last: last.id)
        }
    }

    /// Tells the page of a list of what was deleted from another by its times, too: an identifier that is given once more may be
    /// deleted once more.
    package mutating func tellDeletions(of page: Page) {
        guard let first = page.items.first, let last = page.items.last else { return }
        edges?.times = [first, last].map { item in item.cursor.map { page.text($0) } }
    }
}
