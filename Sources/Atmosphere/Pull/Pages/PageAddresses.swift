/// Where the pages of a list are, counted from the one that its listing begins with.
struct PageAddresses: Sendable {
    let first: RequestTarget
    private let paging: Paging

    /// - Parameter first: the page that the listing begins with, or goes on with. A link and a stored position may say a number
    ///   that no list reaches; the listing begins with the list's first page then.
    init(_ paging: Paging, from first: RequestTarget) {
        self.paging = paging
        self.first = Self.startable(first, paging)
    }

    /// The page behind another one; nil where none is known.
    ///
    /// - Parameters:
    ///   - index: the number of the other page.
    ///   - summary: what the other page says; nil where it is not here yet.
    ///   - step: items on a full page; nil where it is not known yet.
    ///   - overlap: items that two pages in a row share.
    func target(after index: Int, _ summary: PageSummary?, step: Int?, overlap: Int) -> RequestTarget? {
        switch paging {
        case .none: return nil
        case .bodyLink, .headerLink, .token: return summary?.next
        case .number(let parameter, _, _, _):
            return moved(parameter, by: index + 1)
        case .offset(let parameter, _, _):
            return step.flatMap { step in
                let (distance, isTooLarge) = (index + 1).multipliedReportingOverflow(by: step - overlap)
                return isTooLarge ? nil : moved(parameter, by: distance)
            }
        }
    }

    /// How many pages the rest of the listing has, where the server says how many there are in all.
    func pages(of all: Int64?) -> Int? {
        guard let all, let before else { return nil }
        let (rest, isTooLarge) = all.subtractingReportingOverflow(Int64(before))
        return isTooLarge ? nil : Int(clamping: max(1, rest))
    }

    /// How many pages the rest of the listing has, where the server says how many items there are.
    ///
    /// - Parameters:
    ///   - step: items on a full page; nil where it is not known yet.
    ///   - overlap: items that two pages in a row share.
    func pages(total: Int64?, step: Int?, overlap: Int) -> Int? {
        guard let total, let step, step > 0, let pagesOrItems = before else { return nil }
        var itemsBefore = Int64(pagesOrItems)
        if case .number = paging {
            let (product, isTooLarge) = itemsBefore.multipliedReportingOverflow(by: Int64(step))
            if isTooLarge { return nil }
            itemsBefore = product
        }
        let (rest, isTooLarge) = total.subtractingReportingOverflow(itemsBefore)
        if isTooLarge { return nil }
        // An overlapping page has one new item less.
        let (full, over) = max(0, rest - Int64(overlap)).quotientAndRemainder(dividingBy: Int64(step - overlap))
        return max(1, Int(clamping: full) + (over > 0 ? 1 : 0))
    }

    private func moved(_ parameter: String, by distance: Int) -> RequestTarget? {
        guard let start = first.count(parameter) else { return nil }
        let (number, isTooLarge) = start.addingReportingOverflow(distance)
        guard !isTooLarge else { return nil }
        var target = first
        target.put(parameter, .number(JSONNumber(number)))
        return target
    }

    /// How many pages or items lie before the first page; nil where its address does not say.
    private var before: Int? {
        switch paging {
        case .none, .bodyLink, .headerLink, .token: nil
        case .number(let parameter, let start, _, _): first.count(parameter).map { $0 - start }
        case .offset(let parameter, _, _): first.count(parameter)
        }
    }

    /// A target that pages can be counted from.
    private static func startable(_ target: RequestTarget, _ paging: Paging) -> RequestTarget {
        let (parameter, first): (String, Int)
        switch paging {
        case .none, .bodyLink, .headerLink, .token: return target
        case .number(let name, let number, _, _): (parameter, first) = (name, number)
        case .offset(let name, _, _): (parameter, first) = (name, 0)
        }
        guard target.count(parameter) == nil else { return target }
        var startable = target
        startable.put(parameter, .number(JSONNumber(first)))
        return startable
    }
}
