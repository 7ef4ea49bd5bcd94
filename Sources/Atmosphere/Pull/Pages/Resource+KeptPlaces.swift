/// Which places of a list stay what they are while rows come and go.
extension Resource {
    /// Whether a row can move to a page that was read already and only the end of the list tells, by its total, or nothing
    /// does. A page that overlaps the one before it tells at once; a token without a total stands for a place that stays,
    /// unless it may count.
    ///
    /// - Parameter next: where the list goes on; nil at its end.
    func tellsGapsLate(before next: PullPosition?) -> Bool {
        switch paging {
        case .none, .offset: false
        case .number, .bodyLink, .headerLink: true
        case .token: next.map { !keeps($0) } ?? (paging.total != nil)
        }
    }

    /// Whether a place in a list can be gone to later: a token stands for it. Behind a number or a link other rows may stand
    /// then, for what is changed meanwhile moves, and what moved to an earlier page would never be seen. So it is with a
    /// token that may be a number, and where the pages count the rows as well: such tokens are often numbers of pages.
    func keeps(_ place: PullPosition) -> Bool {
        guard case .token(_, _, _, nil) = paging else { return false }
        return !mayCount(RequestTarget(stored: place.target))
    }

    /// Whether the token that a page was asked for with may be the number of a page or of a row. A whole number is one,
    /// unless it is a member of the row before it, or stands for all that was listed so far.
    func mayCount(_ page: RequestTarget) -> Bool {
        guard case .token(let place, let parameter, _, _) = paging else { return false }
        if since?.takesLastPage == true { return false }
        if case .body(let path) = place, let items, path.steps.count > items.steps.count,
            path.steps.starts(with: items.steps)
        {
            return false
        }
        return page.count(parameter) != nil
    }

    /// Whether an interrupted listing goes on from a place. Where nothing there tells of rows that have moved meanwhile, it
    /// does so only if everything is listed again some time.
    func goesOn(from place: PullPosition) -> Bool {
        keeps(place) || place.isWatched || since == nil || since?.fullEvery != nil
    }
}
