extension ResourceClient {
    /// The page of a list that an answer holds. One without content (204) is a page of none where a list of none may lack its
    /// items.
    ///
    /// - Throws: ``ExtractionError``; ``SyncError`` where no extractor is there for the format.
    package func page(in reply: Reply, _ selectors: Selectors, of resource: Resource) throws -> Page {
        guard reply.status == 204, reply.body.isEmpty else {
            return try extractor(for: resource).page(in: reply.body, selectors)
        }
        guard selectors.areItemsOptional else {
            let path = selectors.items ?? JSONPath([])
            throw ExtractionError(
                code: .itemsNotFound,
                message: "the answer has no content (204); where that is a list of none, write items: { path: \(path), "
                    + "optional: true }")
        }
        return Page(bytes: [])
    }

    /// What an answer says of the list that it is a page of.
    ///
    /// - Parameter target: the page itself.
    /// - Throws: ``SyncError`` `unexpectedAnswer` for a link that leads out of the base, or cannot be read.
    package func summary(
        of reply: Reply, page: Page, _ resource: Resource, target: RequestTarget
    ) throws -> PageSummary {
        var summary = PageSummary(page)
        func link(_ text: String) throws -> RequestTarget {
            guard text.contains(where: { "/?.#".contains($0) }) else {
                throw SyncError(code: .unexpectedAnswer, message: Self.noLink(told(text), resource.paging))
            }
            return try next(text, after: target)
        }
        switch resource.paging.total {
        case .items(.body): summary.total = page.total.flatMap(Self.known)
        case .items(.header(let name)): summary.total = reply.count(in: name).flatMap(Self.known)
        case .pages(.body): summary.pages = page.total.flatMap(Self.known)
        case .pages(.header(let name)): summary.pages = reply.count(in: name)
        case nil: break
        }
        if resource.paging.tellsOfRows { summary.ids = page.items.map(\.id) }
        switch resource.paging {
        case .none, .number: break
        case .offset:
            if !page.isFirstSkipped { summary.firstRow = page.items.first.map { Self.row($0, of: page) } }
            if !page.isLastSkipped { summary.lastRow = page.items.last.map { Self.row($0, of: page) } }
        case .bodyLink: summary.next = try page.next.map(link)
        case .headerLink(let name, _, _):
            summary.next = try named(by: reply.headers.values(of: name), name).map(link)
        case .token(let place, let parameter, _, _):
            var token = page.next
            if case .header(let name) = place { token = reply.headers[name].flatMap { $0.isEmpty ? nil : $0 } }
            summary.next = token.map { token in
                if let link = sameList(token, parameter, after: target) { return link }
                var following = target
                following.put(parameter, .string(token))
                return following
            }
        }
        if let place = resource.more { end(&summary, at: place, of: reply, page, resource, target) }
        return summary
    }

    /// The link to the next page in a header. What cannot be read is no end of the list.
    private func named(by values: [String], _ header: String) throws -> String? {
        do {
            return try LinkHeader.next(in: values)
        } catch {
            throw SyncError(
                code: .unexpectedAnswer,
                message: "the header \(header), where the link to the next page stands, cannot be read: "
                    + "\(told(error.value).quoted); the server is to write it as <URL>; rel=\"next\" (RFC 8288)")
        }
    }

    /// Takes back what a page says of a next one, where it says beside that nothing follows: some servers name a next page, or
    /// a token for later, all the same.
    private func end(
        _ summary: inout PageSummary, at place: Paging.Place, of reply: Reply, _ page: Page, _ resource: Resource,
        _ target: RequestTarget
    ) {
        var flag = page.hasMore
        if case .header(let name) = place { flag = reply.headers[name].map { Selectors.saysMore(.string($0)) } }
        // A mark of the last page that is not there marks nothing.
        let saysMore = resource.moreSaysEnd ? flag != true : flag
        summary.isFlagged = saysMore != nil
        guard saysMore != true else { return }
        switch resource.paging {
        case .none: break
        // Without a flag the listing goes on to an empty page.
        case .number where flag == nil, .offset where flag == nil: break
        case .number(let parameter, let first, _, _):
            summary.pages = target.count(parameter).map { Int64($0 - first + 1) }
        case .offset(let parameter, _, _):
            let before = Int64(target.count(parameter) ?? 0)
            summary.total = before + Int64(page.items.count + page.skipped)
        case .bodyLink, .headerLink, .token:
            let isFull = resource.paging.size.map { page.items.count + page.skipped >= $0.value } ?? true
            // What is named beside no flag at all the listing has to look at.
            if flag == nil, summary.next != nil, isFull { break }
            if flag == nil { summary.isFlagged = nil }
            summary.next = nil
        }
    }

    /// A total that can be counted with and stored; nil for any other, as if the server told none. A negative number says that the
    /// server does not know it.
    private static func known(_ total: Int64) -> Int64? {
        (0...Int64(RequestTarget.mostCounted)).contains(total) ? total : nil
    }

    /// A token that is the URL of this list's next page: some servers write now one and now the other.
    private func sameList(_ token: String, _ parameter: String, after current: RequestTarget) -> RequestTarget? {
        guard RequestTarget.isAbsolute(token), let link = try? next(token, after: current),
            link.isSameList(as: current),
            link.parameter(parameter) != nil
        else { return nil }
        return link
    }

    /// A page number or a token where a link is declared.
    private static func noLink(_ text: String, _ paging: Paging) -> String {
        let place =
            switch paging {
            case .headerLink(let name, _, _): (name, "{ header: \(name) }")
            default: paging.nextInBody.map { ("\($0)", "\($0)") } ?? ("the answer", "SELECTOR")
            }
        return "the next page is expected as a link, but \(place.0) says \(text.quoted); for a page number or a token "
            + "write pages: { kind: token, next: \(place.1), parameter: NAME }"
    }

    /// What tells an item from others, and from itself before a change.
    private static func row(_ item: PageItem, of page: Page) -> PullPosition.Row {
        .init(id: item.id.objectID.text, change: (item.cursor ?? item.version).map { page.text($0) })
    }
}

extension ResourceClient {
    /// What an answer says of there being more than the page holds, wherever the route file looks for it.
    package func moreHint(in reply: Reply, _ page: Page, of resource: Resource) -> MoreHint? {
        var ignored: Set<String> = []
        if case .body(let path)? = resource.since?.origin, case .member(let name)? = path.steps.first {
            ignored.insert(name)
        }
        return MoreHint.find(
            reply.headers, status: reply.status, around: around(reply, resource),
            count: page.items.count + page.skipped, items: itemNames(resource), ignoring: ignored)
    }

    /// What the answer to the request for a list's first page says of there being a page before it, where pages have numbers and
    /// could begin with a lower one.
    package func earlierHint(in reply: Reply, of resource: Resource) -> String? {
        guard let first = resource.paging.firstNumber, first > 0 else { return nil }
        return MoreHint.before(around: around(reply, resource), items: itemNames(resource))
    }

    private func around(_ reply: Reply, _ resource: Resource) -> Value.Members {
        let members =
            resource.format == "json"
            ? MoreHint.around(reply.body, most: routeFile.limits.json.values)
            : try? extractors[resource.format]?
                .value(in: reply.body, limits: routeFile.limits.json, readsAttributes: true).members
        return members ?? [:]
    }

    /// Members that lead to the items.
    private func itemNames(_ resource: Resource) -> [String] {
        let steps = resource.items?.steps ?? []
        return steps.compactMap { step -> String? in if case .member(let name) = step { name } else { nil } }
    }
}

extension ResourceClient.Reply {
    /// A header's whole number, or what stands behind the slash of a range (`Content-Range: 0-9/25`, RFC 9110 §14.4); nil
    /// for anything else, and for a negative one, which says that it is not known.
    fileprivate func count(in header: String) -> Int64? {
        guard let text = headers[header] else { return nil }
        return Int64(text.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
            .flatMap { $0 < 0 ? nil : $0 }
    }
}
