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
        /// The server has no such page (404, or 400 where a number is past the end).
        var isMissing = false
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
    private var nextToFetch = 0
    private var nextToStore = 0
    private var isStoring = false
    /// Pages in all, as soon as they are known.
    private var count: Int?
    /// Items on a full page, as the server counts them.
    private var step: Int?

    /// What a person should know: the listing ended otherwise than it should.
    private(set) var warning: String?

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
        if summary.isMissing || (summary.count == 0 && summary.next == nil) {
            count = min(count ?? .max, max(index, 1))
            return
        }
        switch paging {
        case .none: count = 1
        case .bodyLink, .token: follow(summary.next, after: index)
        case .number, .offset: count = pages(total: summary.total) ?? count
        }
        if index + 1 >= mostPages, count == nil {
            warning = "the listing has more than \(mostPages) pages; raise limits.pages"
            count = index + 1
        }
    }

    private mutating func follow(_ next: RequestTarget?, after index: Int) {
        guard let next else {
            count = index + 1
            return
        }
        if seen.contains(next) {
            warning = "the server named the same next page twice; the listing ends there"
            count = index + 1
        }
    }

    /// How many pages the rest of the listing has, where the server says how many items there are.
    private func pages(total: Int64?) -> Int? {
        guard let total, let step, step > 0, let position = position(of: first) else { return nil }
        var before = Int64(position)
        if case .number = paging { before *= Int64(step) }
        return max(1, Int((total - before + Int64(step) - 1) / Int64(step)))
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

    /// Pages on the way or waiting to be stored.
    private var window: Int {
        switch paging {
        case .none: 1
        case .bodyLink, .token: 2
        case .number, .offset: step == nil ? 1 : (count == nil ? min(2, concurrent) : concurrent + 1)
        }
    }

    private func target(after index: Int, _ summary: Summary?) -> RequestTarget? {
        switch paging {
        case .none: return nil
        case .bodyLink, .token: return summary?.next
        case .number(let parameter, _, _, _):
            return moved(parameter, by: index + 1)
        case .offset(let parameter, _, _):
            return step.flatMap { moved(parameter, by: (index + 1) * $0) }
        }
    }

    private func moved(_ parameter: String, by distance: Int) -> RequestTarget? {
        guard let start = first.query.first(where: { $0.name == parameter }).flatMap({ Int($0.value) }) else {
            return nil
        }
        var target = first
        target.set(parameter, String(start + distance))
        return target
    }

    /// How many pages or items lie before a target.
    private func position(of target: RequestTarget) -> Int? {
        switch paging {
        case .none, .bodyLink, .token: nil
        case .number(let parameter, let first, _, _):
            target.query.first { $0.name == parameter }.flatMap { Int($0.value) }.map { $0 - first }
        case .offset(let parameter, _, _):
            target.query.first { $0.name == parameter }.flatMap { Int($0.value) }
        }
    }
}
