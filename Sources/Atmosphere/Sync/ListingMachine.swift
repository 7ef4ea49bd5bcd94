/// Fetches the pages of one listing: several at once where their addresses are known beforehand, one ahead where each
/// page names the next; stores them in order.
struct ListingMachine: SyncMachine {
    enum Event: Sendable {
        case start
        case fetched(Int, Summary)
        case stored(Int)
    }

    /// What a page says of the listing.
    struct Summary: Sendable, Equatable {
        var count: Int
        /// The next page where the page names it.
        var next: RequestTarget?
        var total: Int64?
        /// Pages in all.
        var pages: Int64?
        /// What tells this page from another; nil where it is empty.
        var edges: Edges?
        /// Whether the declared flag of there being more is there; nil where none is declared, or none is needed. Where it
        /// is missing, ``next`` may be no page.
        var isFlagged: Bool?
        /// The server has no such page: it answered with one of ``Resource/endStatuses``.
        var isMissing = false

        /// The ends of a page: two pages in a row that share them are one page given twice.
        struct Edges: Sendable, Equatable {
            var count: Int
            var first: PageItemID
            var last: PageItemID
        }
    }

    enum Effect: Sendable, Equatable {
        case fetch(Int, RequestTarget)
        /// Store the page; `next` is where to go on after an interruption, nil where nothing follows.
        case store(Int, next: RequestTarget?)
    }

    private let paging: Paging
    private let first: RequestTarget
    private let concurrent: Int
    private let mostPages: Int

    private var fetching: Set<Int> = []
    private var fetched: [Int: Summary] = [:]
    private var targets: [Int: RequestTarget] = [:]
    private var seen: Set<RequestTarget> = []
    /// Of the pages whose neighbours may still come.
    private var edges: [Int: Summary.Edges] = [:]
    private var nextToFetch = 0
    private var nextToStore = 0
    private var isStoring = false
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

    /// - Parameter first: the page to begin with: the first one, or where an interrupted listing stopped.
    init(paging: Paging, first: RequestTarget, concurrent: Int, mostPages: Int) {
        self.paging = paging
        self.first = first
        self.concurrent = max(1, concurrent)
        self.mostPages = mostPages
    }

    mutating func step(_ event: Event) -> [Effect] {
        switch event {
        case .start:
            return fetch(first)
        case .fetched(let index, let summary):
            fetching.remove(index)
            fetched[index] = summary
            learn(index, summary)
        case .stored(let index):
            isStoring = false
            fetched[index] = nil
            targets[index] = nil
            edges[index - 1] = nil
            nextToStore = index + 1
        }
        return store() + fetchAhead()
    }

    private mutating func fetch(_ target: RequestTarget) -> [Effect] {
        let index = nextToFetch
        nextToFetch += 1
        fetching.insert(index)
        targets[index] = target
        seen.insert(target)
        return [.fetch(index, target)]
    }

    private mutating func learn(_ index: Int, _ summary: Summary) {
        if index == 0 { step = summary.count }
        run = summary.count > 0 && summary.count == step ? run + 1 : 0
        hasFlag = hasFlag || summary.isFlagged == true
        if summary.isMissing || (summary.count == 0 && summary.next == nil) {
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
        case .number, .offset: announced = pages(summary.pages) ?? pages(total: summary.total) ?? announced
        }
        if index + 1 >= mostPages, count.map({ $0 > mostPages }) ?? true {
            warning = "the listing has more than \(mostPages) pages; raise limits.pages"
            isTruncated = true
            endBefore(mostPages)
        }
        endWhereRepeated(index, summary.edges)
    }

    private mutating func endBefore(_ index: Int) { end = min(end ?? .max, index) }

    /// A server that answers a page past the end with its last one, or does not know the page parameter at all, would
    /// be asked for ever.
    private mutating func endWhereRepeated(_ index: Int, _ own: Summary.Edges?) {
        guard let own else { return }
        edges[index] = own
        for later in [index, index + 1] where edges[later] != nil && edges[later - 1] == edges[later] {
            if later == 1 {
                // One page in all, or a parameter that means nothing to the server: it cannot be told.
                isTruncated = true
                warning = "the server gave its first page twice; check pages.parameter, or declare pages.total"
            } else {
                isTruncated = announced.map { $0 > later } ?? false
                warning = "the server gave the same page twice; the listing ends there"
            }
            endBefore(later)
        }
    }

    private mutating func follow(_ next: RequestTarget?, after index: Int) {
        guard let next else { return endBefore(index + 1) }
        if seen.contains(next) {
            // A last page that names itself is an end; a way back to an earlier one leaves out what should follow.
            isTruncated = next != targets[index]
            warning = "the server named the same next page twice; the listing ends there"
            endBefore(index + 1)
        }
    }

    /// How many pages the rest of the listing has, where the server says how many there are in all.
    private func pages(_ all: Int64?) -> Int? {
        guard let all, let position = position(of: first) else { return nil }
        let (rest, isTooLarge) = all.subtractingReportingOverflow(Int64(position))
        return isTooLarge ? nil : Int(clamping: max(1, rest))
    }

    /// How many pages the rest of the listing has, where the server says how many items there are.
    private func pages(total: Int64?) -> Int? {
        guard let total, let step, step > 0, let position = position(of: first) else { return nil }
        var before = Int64(position)
        if case .number = paging {
            let (product, isTooLarge) = before.multipliedReportingOverflow(by: Int64(step))
            if isTooLarge { return nil }
            before = product
        }
        let (rest, isTooLarge) = total.subtractingReportingOverflow(before)
        if isTooLarge { return nil }
        let (full, over) = rest.quotientAndRemainder(dividingBy: Int64(step))
        return max(1, Int(clamping: full) + (over > 0 ? 1 : 0))
    }

    private mutating func store() -> [Effect] {
        guard !isStoring, let summary = fetched[nextToStore] else { return [] }
        let index = nextToStore
        if let count, index >= count {
            // Asked for before the end was known.
            fetched[index] = nil
            nextToStore += 1
            return store()
        }
        isStoring = true
        return [.store(index, next: count == index + 1 ? nil : target(after: index, summary))]
    }

    private mutating func fetchAhead() -> [Effect] {
        var effects: [Effect] = []
        while nextToFetch < count ?? .max, fetching.count + fetched.count < window, warning == nil {
            let last = nextToFetch - 1
            guard let target = target(after: last, fetched[last]) else { break }
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

    private func target(after index: Int, _ summary: Summary?) -> RequestTarget? {
        switch paging {
        case .none: return nil
        case .bodyLink, .headerLink, .token: return summary?.next
        case .number(let parameter, _, _, _):
            return moved(parameter, by: index + 1)
        case .offset(let parameter, _, _):
            return step.flatMap { step in
                let (distance, isTooLarge) = (index + 1).multipliedReportingOverflow(by: step)
                return isTooLarge ? nil : moved(parameter, by: distance)
            }
        }
    }

    private func moved(_ parameter: String, by distance: Int) -> RequestTarget? {
        guard let start = first.parameter(parameter).flatMap({ Int($0) }) else { return nil }
        let (number, isTooLarge) = start.addingReportingOverflow(distance)
        guard !isTooLarge else { return nil }
        var target = first
        target.put(parameter, .number(JSONNumber(number)))
        return target
    }

    /// How many pages or items lie before a target.
    private func position(of target: RequestTarget) -> Int? {
        switch paging {
        case .none, .bodyLink, .headerLink, .token: nil
        case .number(let parameter, let first, _, _):
            target.parameter(parameter).flatMap { Int($0) }.map { $0 - first }
        case .offset(let parameter, _, _):
            target.parameter(parameter).flatMap { Int($0) }
        }
    }
}
